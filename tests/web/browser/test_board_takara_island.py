"""The board of Takara Island in a real browser: a whole game, a look that other seats do not see, two people at a table."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from veillee.games.takara_island import BOX
from veillee.games.takara_island import rules as ti
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering.table_parts import Audience, private_parts, public_parts, view_of

pytestmark = pytest.mark.browser
GAME = "takara-island"
LOOKING = ("observe", "go_on", "turn_up", "site", "depth")
ON_THE_BOARD = (*LOOKING, "work", "den", "sell", "buy", "hire", "rent", "care", "recruit")


def sensible(match, seat):
    """As the advisor would: fights, chests and specialists, and a game of the usual length."""
    return BOX.advisor.first_idea(match.state, seat, Rng(len(match.answers)))


def two_at_a_table(room, **options):
    """Ada and Ben, and a page for each, the one whose turn it is first."""
    ada, ben = room.guest("Ada"), room.guest("Ben")
    table = room.table(ada, GAME, 2, [SeatPlan("me"), SeatPlan("open")])
    table.sit(ben, 1)
    (first,) = table.match.to_act
    guests = (ada, ben) if first == 0 else (ben, ada)
    return table, first, guests, [room.page(guest, f"/t/{table.id}", **options) for guest in guests]


def everything(table, match, viewer):
    """Every part of the page, as the stream would send it."""
    now = table.moment
    return {**public_parts(now, match, viewer, "fr"), **private_parts(now, match, Audience(viewer), "fr")}


def test_to_the_end_without_javascript_on_the_things_themselves(room):
    table = room.play_out(GAME, 2, js=False, placed=ON_THE_BOARD, choose=sensible, each=1)
    assert table.match.state.ending


def test_two_people_and_a_look_that_only_one_of_them_sees(room):
    table, first, _, (looking, other) = two_at_a_table(room)
    other.evaluate("window.stayed = true")
    site = hidden(table)
    press(looking, table, first, ti.OBSERVE + site)
    assert isinstance(table.match.state.question, ti.Look)
    for shown in (1, 2, 3):
        if not isinstance(table.match.state.question, ti.Look):
            break
        expect(looking.locator("#part-look .ti-face")).to_have_count(shown)
        assert other.locator("#part-look .ti-face, .ti-tile.known").count() == 0
        press(looking, table, first, ti.GO_ON)
    expect(looking.locator("#part-look .ti-face")).to_have_count(0)
    assert looking.locator(".ti-tile.known").count() == looked(table, first), "the notebook keeps what was seen"
    looking.locator(f"#do-{ti.DEN}").click()
    expect(other.locator("#part-log")).to_contain_text(f"observe le site {site + 1}")
    expect(other.locator("#part-prompt.you")).to_be_visible()
    assert other.locator(".ti-tile.known").count() == 0
    assert other.evaluate("window.stayed"), "the page was loaded again"
    room.healthy(looking)
    room.healthy(other)


def hidden(table):
    """A site whose first tile is no rockfall: there is something to look at."""
    return next(s for s, pile in enumerate(table.match.state.sites) if pile.tiles[-1] != ti.ROCKFALL_1)


def press(page, table, seat, action):
    """Answer on a live page, and wait until it shows the next question."""
    before = table.stamp(seat)
    page.locator(f"#do-{action}").click()
    page.wait_for_function("s => document.querySelector('#act [name=stamp]').value !== s", arg=before)


def looked(table, seat):
    """How many face-down tiles the seat has seen."""
    g = table.match.state
    return sum((seen & ~site.up).bit_count() for seen, site in zip(g.teams[seat].seen, g.sites, strict=True))


def test_nothing_sent_to_a_seat_depends_on_what_it_cannot_know(room):
    ada, ben = room.guest("Ada"), room.guest("Ben")
    table = room.table(ada, GAME, 2, [SeatPlan("me"), SeatPlan("open")])
    table.sit(ben, 1)
    looks = 0
    for _ in range(30):
        (seat,) = table.match.to_act
        table.answer((ada, ben)[seat], seat, table.stamp(seat), [sensible(table.match, seat)])
        looks += isinstance(table.match.state.question, ti.Look)
        for viewer in (0, 1, NO_SEAT):
            shown = everything(table, table.match, viewer)
            for seed in range(2):
                world = table.match.copy()
                world.state.determinize(viewer, Rng(seed))
                world.anchor.determinize(viewer, Rng(seed))
                assert everything(table, world, viewer) == shown
    assert looks, "nobody looked: the most delicate moment was not tried"


def test_by_heart_the_board_forgets_after_the_look(room):
    guest = room.guest()
    table = room.house.tables.create(
        guest, GAME, [SeatPlan("me"), SeatPlan("hotseat", "Léa")], {"memory": "by-heart"}, public=False
    )
    seat = table.match.to_act[0]
    page = room.page(guest, f"/t/{table.id}?as={seat}", js=False)
    page.locator(f"#do-{ti.OBSERVE + hidden(table)}").click()
    while isinstance(table.match.state.question, ti.Look):
        expect(page.locator("#part-look .ti-face")).not_to_have_count(0)  # the next page may still be on its way
        page.locator(f"#do-{ti.GO_ON}").click()
    assert looked(table, seat) > 0
    expect(page.locator(".ti-tile.known, #part-look .ti-face")).to_have_count(0)


def test_a_refusal_names_its_rule_and_changes_nothing(room):
    guest = room.guest()
    table = room.table(guest, GAME, 2)
    page = room.page(guest, f"/t/{table.id}", js=False, lang="en")
    before = list(table.match.answers)
    page.locator(f"#do-{ti.RENT}").click(force=True)
    expect(page.locator("#oops")).to_contain_text("The Sword costs 3 Karas, you have 0.")
    expect(page.locator("#oops")).to_contain_text("TI-2.1")
    assert table.match.answers == before


def test_by_keyboard(room):
    """Every choice on the island is reached with the Tab key, and Enter makes it."""
    guest = room.guest()
    table = room.table(guest, GAME, 2)
    page = room.page(guest, f"/t/{table.id}")
    wanted = {f"do-{choice.id}" for choice in table.match.choices(0)}
    met = set()
    page.locator("#main").focus()
    for _ in range(80):
        page.keyboard.press("Tab")
        met.add(page.evaluate("document.activeElement.id"))
    assert wanted <= met
    page.locator(f"#do-{ti.DEN}").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ti-place.den .ti-adv")).to_have_count(1)
    assert page.evaluate("document.activeElement !== document.body"), "the focus was lost"


@pytest.mark.parametrize("deal", ["", "2026-01-01"])
def test_the_tiles_that_are_left_are_turned_up_when_the_game_is_over_but_for_a_daily_deal(room, deal):
    guest = room.guest()
    table = room.table(guest, GAME, 2)
    room.advance(table, guest, 20)
    hidden = [tile for site in view_of(table.moment, table.match, NO_SEAT)["sites"] for tile in site["tiles"]]
    assert not all(tile["up"] for tile in hidden)
    room.advance(table, guest, 3000)
    now = replace(table.moment, row=replace(table.moment.row, deal=deal))
    view = view_of(now, table.match, NO_SEAT)
    left = [tile["up"] for site in view["sites"] for tile in site["tiles"]]
    assert left
    assert all(left) == (not deal)
    assert [level for level, tiles in view["unseen"].items() if tiles] == ["treasure"] or deal
