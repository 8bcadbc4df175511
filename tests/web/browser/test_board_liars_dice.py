"""A board of another package, on the house's pages (the example, as it lies in the repository)."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from veillee.games import catalogue
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering import templates

sys.path.insert(0, str(Path(__file__).parents[3] / "examples" / "liars_dice"))
from liars_dice import BOX

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _on_the_shelf(served, monkeypatch):
    monkeypatch.setitem(catalogue.BOXES, BOX.id, BOX)
    templates.palette_sheet.cache_clear()
    yield
    templates.palette_sheet.cache_clear()


def test_a_game_in_the_browser(room):
    room.play_out(BOX.id, seats=2, each=3)


def test_what_happens_is_said_one_by_one_though_there_are_no_scenes(room):
    """A game that shows nothing of what happens has it told, with its rule, sentence by sentence."""
    assert not BOX.scenes
    guest = room.guest()
    table = room.table(guest, BOX.id, 3, [SeatPlan("me"), SeatPlan("hotseat", "Ben"), SeatPlan("hotseat", "Cléa")])
    page = room.page(None, f"/t/{table.id}", speed="calm", clock=True)
    known = table.match.heard(NO_SEAT)
    while table.match.heard(NO_SEAT) < known + 3:
        room.advance(table, guest, 1)
    said = [f"{line} {rule}" for rule, line in table.match.log(NO_SEAT, "fr", table.names, since=known)]
    for sentence in said:
        expect(page.locator("#now .told")).to_have_text(sentence)
        page.locator("#go-on").click()
    expect(page.locator("#now")).to_be_hidden()


def test_looks_well(room):
    room.look(BOX.id, seats=4, answers=3)
