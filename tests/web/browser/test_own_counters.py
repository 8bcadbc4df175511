"""On a telephone one's own counters are in view whatever is scrolled, and are those of one's row."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from helpers import some
from veillee.games.catalogue import BOXES

pytestmark = pytest.mark.browser
COUNTED = ("ghost-knights", "paper-tales", "takara-island", "tales-of-glory")
FIGURES = "e => [...e.querySelectorAll('[data-count]')].map(c => c.dataset.count + '=' + c.textContent.trim())"


@pytest.mark.parametrize("game", some(COUNTED))
def test_own_counters_stay_in_view_and_follow_the_game(room, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    room.asked(table, [0])
    room.advance(table, guest, 1)
    page = room.page(guest, f"/t/{table.id}", lang="en", size="phone")
    own = page.locator("#own")
    for _ in range(5):
        expect(own).to_be_in_viewport()
        row = page.locator("#part-players .player.s0")
        figures = row.evaluate(FIGURES)
        assert figures
        assert sorted(own.evaluate(FIGURES)) == sorted(set(figures))
        page.mouse.wheel(0, 3000)
        expect(own).to_be_in_viewport()
        page.evaluate("scrollTo(0, 0)")
        room.move(page, table, 0)
        page.wait_for_function("() => !document.querySelector('.answered')")
    page.set_viewport_size({"width": 320, "height": 640})
    room.healthy(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(own).to_be_hidden()


def test_a_spectator_has_no_counters_of_their_own(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2)
    page = room.page(room.guest("Bob"), f"/t/{table.id}", lang="en", size="phone")
    expect(page.locator("#part-players")).to_be_attached()
    expect(page.locator("#own")).to_have_count(0)
