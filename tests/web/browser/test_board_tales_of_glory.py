"""The board of Tales of Glory in a real browser: choices on the things themselves, what they would cost and give."""

import re

import pytest
from playwright.sync_api import expect

from veillee.games.tales_of_glory import BOX
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.chance import Rng

pytestmark = pytest.mark.browser
GAME = "tales-of-glory"


def sensible(match, seat):
    """As the advisor plays: tiles are paid for and placed, chests are opened."""
    state = match.state
    return BOX.advisor.first_idea(state, seat, Rng(len(match.answers)))


def until(room, table, guest, *questions, least=0):
    """Play on without a browser until the guest is asked one of these questions."""
    for count in range(400):
        seat = table.seats_of(guest)[0]
        if count >= least and type(table.match.state.asked(seat)).__name__ in questions:
            return
        room.advance(table, guest, 1, sensible)
    raise AssertionError(f"never asked {questions}")


def quest_table(room, guest, **options):
    plans = [SeatPlan("me"), *[SeatPlan("bot", level="novice")] * 2]
    return room.house.tables.create(guest, GAME, plans, options=options, public=False)


def test_to_the_end_without_javascript(room):
    table = room.play_out(GAME, 2, js=False, placed=("select", "take", "place", "open"), choose=sensible, each=2)
    assert table.match.state.round == 10


def test_to_the_end_with_javascript(room):
    guest = room.guest()
    table = room.table(guest, GAME, 2)
    room.advance(table, guest, 14, sensible)
    page = room.page(guest, f"/t/{table.id}")
    while room.asked(table, [0]) is not None:
        in_list = room.move(page, table, 0, sensible)
        assert not set(in_list) & {"select", "take", "place", "open"}
    expect(page.locator("#part-final .account")).to_have_count(2)
    assert not room.complaints, room.complaints


def test_tiles_say_what_they_cost_this_seat_and_are_taken_by_touch(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    slots = page.locator(".tg-slot")
    expect(slots).to_have_count(8)
    expect(page.locator(".tg-slot.wild")).to_have_count(4)
    for n, slot in enumerate(table.match.view(0)["slots"]):
        price = slot["tile"]["price"]
        shown = slots.nth(n).locator(".tg-price")
        if price["coins"]:
            expect(shown).to_contain_text(re.compile(rf"{price['coins']}\s*coins"))
        expect(slots.nth(n).locator(".tg-take .sr").first).to_contain_text(slot["tile"]["names"]["en"])
    page.locator("#do-2").click()
    expect(page.locator("#part-prompt")).not_to_contain_text("Which tile do you select")


def test_legal_places_are_lit_with_what_they_give_and_the_others_say_why_not(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    until(room, table, guest, "Placing", least=8)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    legal = table.match.choices(0)
    expect(page.locator(".tg-here")).to_have_count(len(legal))
    expect(page.locator(".tg-here .sr").first).to_contain_text("Place it here")
    closed = [c for c in table.match.all_choices(0) if not c.allowed]
    if closed:
        page.locator("#why-not summary").click()
        expect(page.locator("#why-not li")).to_have_count(len(closed))
    tiles = page.locator("#part-zone .tg-tile").count()
    page.locator(f"#do-{legal[0].id}").click()
    expect(page.locator("#part-zone .tg-tile")).to_have_count(tiles + 1)


def test_a_key_is_put_on_a_chest_by_touching_it(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    until(room, table, guest, "AnyKey", "ConnectionKey")
    page = room.page(guest, f"/t/{table.id}")
    choice = table.match.choices(0)[0]
    lock = page.locator(f".tg-lock#do-{choice.id}")
    expect(lock).to_be_visible()
    before = len(table.match.state.adventurers[0].open)
    lock.click()
    expect(page.locator(f"#do-{choice.id}")).to_have_count(0)
    assert len(table.match.state.adventurers[0].open) > before


def test_other_adventures_are_one_tap_away(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    until(room, table, guest, "Selection", least=9)
    page = room.page(guest, f"/t/{table.id}", size="phone")
    other = page.locator("#part-adventure-2")
    expect(other.locator(".tg-field")).not_to_be_visible()
    other.locator("summary").first.click()
    expect(other.locator(".tg-tile")).to_have_count(len(table.match.state.adventurers[2].ground))
    expect(other.locator(".tg-tile").first).to_be_visible()
    room.healthy(page)


def test_quests_are_in_the_hand_and_seen_by_their_owner_alone(room):
    guest = room.guest()
    table = quest_table(room, guest, quests="yes")
    page = room.page(guest, f"/t/{table.id}", lang="en")
    expect(page.locator("#part-hand .tg-tile")).to_have_count(3)
    room.healthy(page)
    page.locator("#part-hand button").nth(1).click()
    expect(page.locator("#part-hand .tg-tile")).to_have_count(2)
    stranger = room.page(room.guest("Bo"), f"/t/{table.id}", lang="en")
    assert stranger.locator("#part-hand .tg-tile").count() == 0
    names = [tile["names"]["en"] for tile in table.match.view(0)["hand"]]
    assert not any(name in stranger.content() for name in names)


def test_all_may_play_their_tiles_at_the_same_time(room):
    guest = room.guest()
    table = quest_table(room, guest, play="together")
    until(room, table, guest, "PlayTile")
    page = room.page(guest, f"/t/{table.id}", lang="en")
    expect(page.locator(".tg-taken .tg-tile")).to_be_visible()
    page.locator("#part-prompt .answers button", has_text=re.compile("Discard")).click()
    page.locator("#sure-yes").click()
    expect(page.locator(".tg-lock").first).to_be_visible()


def test_the_table_says_which_tiles_it_plays_with(room):
    guest = room.guest()
    table = room.table(guest, GAME, 2)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.locator("#tg-words summary").click()
    expect(page.locator(".tg-set")).to_contain_text("Reconstructed tiles (Veillée)")
    expect(page.locator("#tg-words li")).to_have_count(6)


def test_the_table_looks_well_at_the_questions_that_test_layout_may_pass_by(room):
    guest = room.guest()
    table = room.table(guest, GAME, 5)
    for question, least in (("PlayTile", 6), ("Placing", 12)):
        until(room, table, guest, question, least=least)
        room.glance_at(guest, f"/t/{table.id}")


def test_the_end_is_told_line_by_line(room):
    guest = room.guest()
    table = room.table(guest, GAME, 5)
    room.advance(table, guest, 400, sensible)
    assert table.status == "over"
    page = room.page(guest, f"/t/{table.id}", lang="en")
    for account, score in zip(table.match.account("en"), table.match.scores, strict=True):
        assert sum(line.points for line in account) == score
    expect(page.locator("#part-final")).to_contain_text("Majority:")
    room.glance_at(guest, f"/t/{table.id}")
