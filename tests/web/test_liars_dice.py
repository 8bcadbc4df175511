"""A board of another package, on the house's pages (the example, as it lies in the repository)."""

import sys
from pathlib import Path

import pytest

from veillee.games import catalogue
from veillee.web import pages

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "liars_dice"))
from liars_dice import BOX

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _on_the_shelf(served, monkeypatch):
    monkeypatch.setitem(catalogue.BOXES, BOX.id, BOX)
    pages.palette_sheet.cache_clear()
    yield
    pages.palette_sheet.cache_clear()


def test_a_game_in_the_browser(room):
    room.play_out(BOX.id, seats=2, each=3)


def test_looks_well(room):
    room.look(BOX.id, seats=4, answers=3)
