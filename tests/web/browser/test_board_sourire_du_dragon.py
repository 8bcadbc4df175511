"""The board of Le Sourire du Dragon in a real browser: whole games, a trade and a brawl between two people, voices."""

from random import Random

import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.games.sourire_du_dragon import rules as sd
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.chance import Rng

pytestmark = pytest.mark.browser
GAME = "sourire-du-dragon"
ON_THE_BOARD = (
    *("high", "low", "character", "go", "uni", "hat", "accept", "refuse"),
    *("attack", "offer", "to", "card", "pass"),
)


def quick(match, seat):
    """The advisor's first idea: a short game."""
    rng = Rng(len(match.answers))
    return BOXES[GAME].advisor.first_idea(match.state, seat, rng)


def test_every_choice_is_on_the_board_without_javascript(room):
    table = room.play_out(GAME, 2, js=False, placed=ON_THE_BOARD, choose=quick, each=3)
    assert table.match.winners


def test_to_the_end_with_it(room):
    """The bots' turns arrive one after the other: every answer waits until the page asks."""
    guest = room.guest()
    table = room.table(guest, GAME, 3)
    room.advance(table, guest, 18, quick)
    page = room.page(guest, f"/t/{table.id}")
    while True:
        page.locator("#part-prompt.you, #part-final.panel").first.wait_for()
        if table.status == "over":
            break
        assert not set(room.move(page, table, 0, quick)) & set(ON_THE_BOARD)
    expect(page.locator("#part-final .account")).to_have_count(3)
    expect(page.locator(".sd-pawn.home")).to_have_count(1)
    assert not room.complaints, room.complaints


def two_who(room, wanted, people=2):
    """A table of people only, played on until `wanted` holds: (table, guests by seat, the seat that is asked)."""
    for seed in range(1, 60):
        guests = [room.guest(name) for name in ("Ada", "Ben", "Cléa", "Dov")[:people]]
        table = room.table(guests[0], GAME, people, [SeatPlan("me"), *[SeatPlan("open")] * (people - 1)], seed=seed)
        for seat in range(1, people):
            table.sit(guests[seat], seat)
        pick = Random(seed)
        for _ in range(250):
            match = table.match
            if match.over:
                break
            (seat,) = match.to_act
            choices = match.choices(seat)
            if wanted(match.state, {choice.verb for choice in choices}):
                return table, guests, seat
            table.answer(guests[seat], seat, table.stamp(seat), [pick.choice(choices).id])
    raise AssertionError("no game comes to that")


def two_who_meet(room, verb):
    return two_who(
        room,
        lambda g, verbs: (
            isinstance(g.question, sd.Meet) and verb in verbs and all(hero.has_cards() for hero in g.heroes)
        ),
    )


def cards(page, seat):
    """What the page says that the player holds."""
    return page.locator(f"#part-players .s{seat} .sd-has li .sr").all_inner_texts()


def test_a_trade_between_two_people(room):
    table, guests, seat = two_who_meet(room, "offer")
    other = 1 - seat
    g = table.match.state
    give, want = g.heroes[seat].cards[0], g.heroes[other].cards[0]
    mine, theirs = room.page(guests[seat], f"/t/{table.id}"), room.page(guests[other], f"/t/{table.id}")
    room.healthy(mine)
    mine.locator(f"#do-{sd.OFFER + other}").click()
    mine.locator(f"#part-pouch #do-{sd.CARD + give}").click()  # the card itself
    mine.locator(f"#part-prompt #do-{sd.CARD + want}").wait_for()
    assert theirs.locator("#do-accept").count() == 0, "the offer is not made yet"
    room.healthy(mine)
    before = [cards(theirs, s) for s in (0, 1)]
    mine.locator(f"#part-prompt #do-{sd.CARD + want}").click()
    expect(theirs.locator("#do-accept")).to_be_visible()
    expect(theirs.locator(".sd-trade .sd-card")).to_have_count(2)  # face to face
    room.healthy(theirs)
    stamp = theirs.locator("#act [name=stamp]").get_attribute("value")
    theirs.locator("#do-accept").click()
    expect(theirs.locator("#do-accept")).to_have_count(0)
    g = table.match.state
    assert want in g.heroes[seat].cards
    assert give in g.heroes[other].cards
    for page in (mine, theirs):
        expect(page.locator("#part-log li").first).to_contain_text("accepte")
        now = [cards(page, s) for s in (0, 1)]
        assert sorted(before[0] + before[1]) == sorted(now[0] + now[1])
        if give != want:
            assert now != before
    # Answered twice, or too late: nothing changes, and the player is told so.
    answers = list(table.match.answers)
    for action in (sd.ACCEPT, sd.REFUSE):
        again = theirs.request.post(
            f"{room.url}/t/{table.id}/act",
            form={"seat": str(other), "stamp": stamp, "a": str(action)},
            headers={"Origin": room.url, "Sec-Fetch-Site": "same-origin", "X-Live": "1"},
        )
        assert table.match.answers == answers
    assert again.status >= 400
    assert again.text()


def test_a_brawl_between_two_people(room):
    table, guests, seat = two_who_meet(room, "attack")
    other = 1 - seat
    pages = {s: room.page(guests[s], f"/t/{table.id}") for s in (seat, other)}
    pages[seat].locator(f"#do-{sd.ATTACK + other}").click()
    for page in pages.values():
        expect(page.locator("#part-log li", has_text="attaque").first).to_be_visible()
    for _ in range(8):  # helps, then perhaps the spoils
        question, (asked,) = table.match.state.question, table.match.to_act
        if not isinstance(question, (sd.Fray, sd.Spoils)):
            break
        expect(pages[asked].locator("#part-prompt.you")).to_be_visible()
        room.healthy(pages[asked])
        room.move(pages[asked], table, asked, lambda match, who: match.choices(who)[-1].id)
    told = [line for _, line in table.match.log(-1, "fr", ["Ada", "Ben"])]
    assert any("gagne la bagarre" in line or "Égalité" in line for line in told[-12:])
    assert not isinstance(table.match.state.question, (sd.Fray, sd.Spoils))


@pytest.mark.parametrize("question", ["ChooseCharacter", "Announce", "Stride", "Attempt", "HelpTheLast"])
def test_every_question_looks_well(room, question):
    table, guests, seat = two_who(
        room,
        lambda g, _: (
            type(g.question).__name__ == question and (question != "Announce" or g.heroes[g.to_act[0]].blocked)
        ),
        people=4,
    )
    room.glance_at(guests[seat], f"/t/{table.id}")


def test_the_odds_are_shown_where_high_or_low_is_chosen(room):
    table, guests, seat = two_who(
        room, lambda g, _: isinstance(g.question, sd.Announce) and g.heroes[g.to_act[0]].blocked
    )
    page = room.page(guests[seat], f"/t/{table.id}")
    odds = table.match.view(seat)["odds"]
    for way in ("high", "low"):
        button = page.locator(f"#do-{way}")
        assert button.locator(".sd-bars rect").count() == 12
        assert f"{odds[way + '_moves']['pass']:g}".replace(".", ",") + " %" in button.inner_text()


def test_a_hero_walks_square_by_square_unless_motion_is_unwanted(room):
    guest = room.guest()
    count = (
        "window.walks = []; const play = Element.prototype.animate;"
        "Element.prototype.animate = function (frames, how) {"
        " if (this.dataset.piece) walks.push([frames.length, how.duration > 0]); return play.call(this, frames, how); };"
        "undefined"
    )
    table = room.table(guest, GAME, 2, [SeatPlan("me"), SeatPlan("hotseat", "Léa")])
    room.advance(table, guest, 2)
    for motion in (True, False):
        (seat,) = table.match.to_act
        page = room.page(guest, f"/t/{table.id}?as={seat}", motion=motion, speed="brisk")
        page.evaluate(count)
        before = table.match.state.heroes[seat].square
        page.locator("#do-low").click()
        page.wait_for_function("() => walks.length > 0")
        page.wait_for_function(
            "([s, n]) => document.querySelector(`[data-piece='hero-${s}']`).dataset.at === String(n)",
            arg=[seat, table.match.state.heroes[seat].square],
        )
        after = table.match.state.heroes[seat].square
        assert page.evaluate("walks")[0] == [2 * (after - before) + 1, motion]
        room.leave(page)
        if not isinstance(table.match.state.question, sd.Announce):
            break


def test_cards_are_read_aloud_when_asked(room):
    table, guests, seat = two_who(room, lambda g, _: g.drawn != sd.NO_CARD and isinstance(g.question, sd.Announce))
    page = room.page(guests[seat], f"/t/{table.id}")
    page.evaluate("window.spoken = []; speechSynthesis.speak = u => spoken.push([u.lang, u.text]); undefined")
    page.locator("#part-card .sd-speak").click()
    card = BOXES[GAME].view(table.match.state, seat)["course"]["cards"][table.match.state.drawn]
    assert page.evaluate("spoken") == [["fr", f"{card['name']['fr']}. {card['text']['fr']}"]]
    silent = room.page(guests[seat], f"/t/{table.id}", js=False)
    assert silent.locator(".sd-speak:visible").count() == 0
