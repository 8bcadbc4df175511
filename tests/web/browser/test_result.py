"""The end of a game is a moment: its result is shown over the board, line by line, and says what next."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from helpers import some
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table

pytestmark = pytest.mark.browser

FRAME = 100  # milliseconds
SUMS = "() => [...document.querySelectorAll('#part-final .account h3 b')].map(e => +e.textContent)"
LINES = "() => [...document.querySelectorAll('#part-final tr')].filter(e => getComputedStyle(e).visibility === 'visible').length"


def before_the_end(room):
    """A game of two people, its guests, and the seat and answer that end it."""
    guests = [room.guest("Ada"), room.guest("Ben")]
    table = room.table(guests[0], "paper-tales", 2, [SeatPlan("me"), SeatPlan("open")])
    table.sit(guests[1], 1)
    while True:
        seat = table.match.to_act[0]
        action = table.match.choices(seat)[0].id
        twin = table.match.copy()
        twin.play(seat, action)
        if twin.over:
            return guests, table, seat, action
        table.answer(guests[seat], seat, table.stamp(seat), [action])


def ending(room, speed: str, size: str = "desktop") -> tuple[Page, Table]:
    """A page that has just been shown the last answer of a game of two people."""
    guests, table, seat, action = before_the_end(room)
    page = room.page(guests[0], f"/t/{table.id}", lang="en", speed=speed, size=size, clock=speed != "once", motion=True)
    expect(page.locator("#part-final")).to_be_hidden()
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    return page, table


def test_the_accounts_build_up_line_by_line_over_the_board(room):
    page, table = ending(room, "brisk")
    frames = []
    while not (frames and frames[-1][0] == page.locator("#part-final tr").count() > 0) and len(frames) < 900:
        if page.locator("#part-final.moment").count():
            frames.append((page.evaluate(LINES), page.evaluate(SUMS)))
        page.clock.run_for(FRAME)
    scores = [table.match.state.score(seat) for group in table.match.ranking for seat in group]
    assert frames[0] == (0, [0, 0])
    assert [lines for lines, _ in frames] == sorted(lines for lines, _ in frames)
    assert len({lines for lines, _ in frames}) > 2, "one after the other"
    page.clock.run_for(1000)
    assert page.evaluate(SUMS) == scores
    assert page.evaluate("document.activeElement.id") == "h-final", "it is read first"
    expect(page.locator("#part-final.counting")).to_have_count(0)


@pytest.mark.parametrize("size", some(["phone", "desktop"]))
def test_it_is_closed_and_opened_again_and_says_what_next(room, size):
    page, _ = ending(room, "once", size)
    result = page.locator("#part-final.moment")
    expect(result).to_be_visible()
    expect(result.locator(".why")).to_contain_text("The game is over")
    expect(result.locator(".why")).to_contain_text("Your place: 2 of 2.")
    for what in ("Rematch", "Luck and skill", "Look back", "A picture to share"):
        expect(result.locator(".result-next")).to_contain_text(what)
    if size == "phone":
        own, other = (page.locator(f".account{one}").bounding_box()["y"] for one in (".mine", ":not(.mine)"))
        assert own < other, "the own account is in view"
    page.wait_for_function(
        "() => document.getAnimations().every(a => a.timeline !== document.timeline || a.playState === 'finished')"
    )
    room.accessible(page)
    page.keyboard.press("Escape")
    expect(result).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "prompt"
    page.locator("#to-result").click()
    expect(result).to_be_visible()
    page.mouse.click(3, 3)
    expect(result).to_have_count(0)
    page.locator("#to-result").press("Enter")
    page.locator("#close-result").click()
    expect(result).to_have_count(0)
    assert not room.complaints, room.complaints


def test_luck_and_skill_are_looked_at_when_the_game_ends_and_told_in_one_line(room):
    page, table = ending(room, "once")
    line = page.locator("#part-final.moment #luck")
    expect(line).to_contain_text("Ada went from", timeout=60_000)
    assert page.url.endswith(table.id), "there is no other page in between"
    onlooker = room.page(None, f"/t/{table.id}", lang="en")
    winner = table.names[table.match.ranking[0][0]]
    expect(onlooker.locator("#luck")).to_contain_text(f"{winner} went from")
    assert not room.complaints, room.complaints


def test_who_only_watches_has_nothing_analysed(room):
    guests, table, seat, action = before_the_end(room)
    table.answer(guests[seat], seat, table.stamp(seat), [action])  # a player's page would ask for the analysis
    onlooker = room.page(None, f"/t/{table.id}", lang="en")
    onlooker.locator("#to-result").click()
    expect(onlooker.locator("#part-final.moment")).to_be_visible()
    expect(onlooker.locator("#luck")).to_be_hidden()


def test_without_javascript_it_is_a_panel_of_the_page(room):
    guest = room.guest()
    table = room.table(guest, "paper-tales", 2)
    while table.status == "playing":
        room.advance(table, guest, 1)
    page = room.page(guest, f"/t/{table.id}", js=False, lang="en")
    expect(page.locator("#part-final .account")).to_have_count(2)
    expect(page.locator("#part-final .why")).to_contain_text("The game is over")
    expect(page.locator("#close-result")).to_be_hidden()
