"""Puzzles on the page: the board as one seat sees it, an answer by keyboard or without JavaScript, and why."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match.puzzles import puzzles
from veillee.web.puzzles import drawn

GAME = "ghost-knights"
PAGE = f"/games/{GAME}/puzzles"


@pytest.mark.parametrize("game", BOXES)
def test_nothing_is_drawn_that_the_seat_could_not_know(game):
    """In another world that the seat cannot tell from this one the page is the same, to the letter."""
    box, changed = BOXES[game], False
    for one in list(puzzles(box).values())[::6]:
        match = one.match(box)
        shown, before = drawn(one, match, None, 1, "en"), match.state.dump()
        match.state.determinize(one.seat, Rng(one.number))
        changed = changed or match.state.dump() != before
        match.settle()
        assert drawn(one, match, None, 1, "en") == shown
        assert match.seed.hex() not in "".join(shown.values())
    assert changed or game == "sourire-du-dragon", "nothing was hidden: the test proves nothing"


@pytest.mark.parametrize("address", ["99", "0", "x", "-1", "1.5"])
def test_there_is_no_puzzle_of_another_number(served, address):
    assert httpx.get(f"{served[0]}{PAGE}/{address}").status_code == 404
    assert httpx.get(f"{served[0]}/games/none/puzzles").status_code == 404


def test_what_is_no_answer_is_refused(served):
    for wrong in ({}, {"a": "x"}, {"a": "9999"}):
        told = httpx.post(f"{served[0]}{PAGE}/1", data=wrong, headers={"Origin": served[0]})
        assert told.status_code == 422
        assert "guest" not in told.cookies


@pytest.mark.browser
def test_it_is_answered_by_keyboard_told_why_and_counted(room):
    guest = room.guest("Yvain")
    page = room.page(guest, f"/games/{GAME}", lang="en")
    page.locator("#to-puzzles").click()
    expect(page.locator(".score")).to_have_text("0 of 30 solved")
    page.locator("#next-puzzle").click()
    best = puzzles(BOXES[GAME])[1].best
    button = page.locator(f"#do-{best}")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Solved")
    expect(page.locator(".weighed .best")).to_contain_text("your choice")
    expect(page.locator(".reason").first).to_contain_text("points")
    page.locator("#next-puzzle").click()
    wrong = puzzles(BOXES[GAME])[2].options[1].action
    page.locator(f"#do-{wrong}").click()
    expect(page.locator("#prompt")).to_contain_text("Better")
    page.goto(room.url + PAGE)
    expect(page.locator(".score")).to_contain_text("1 of 30 solved, 1 missed")
    expect(page.locator(".puzzles .solved")).to_have_count(1)
    assert not room.complaints, room.complaints


@pytest.mark.browser
def test_without_javascript_a_newcomer_becomes_a_guest_by_answering(room):
    page = room.page(None, f"{PAGE}/3", js=False, lang="en")
    page.locator("#answers button").first.click()
    expect(page.locator("#prompt")).to_contain_text(re.compile("Solved|Better"))
    page.goto(f"{room.url}{PAGE}/3")
    expect(page.locator("#answers")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.parametrize("game", BOXES)
def test_it_looks_well(room, game):
    guest = room.guest()
    room.glance_at(guest, f"/games/{game}/puzzles/7")


@pytest.mark.browser
def test_the_list_looks_well(room):
    room.look_at(room.guest(), PAGE)
