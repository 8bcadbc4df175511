"""The board that `veillee new-game` writes, on the house's pages."""

import sys
from pathlib import Path

import pytest

import veillee
from veillee.games import catalogue
from veillee.web.rendering import templates

sys.path.insert(0, str(Path(veillee.__file__).parent / "skeleton"))
from my_game import BOX

sys.path.pop(0)

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _on_the_shelf(served, monkeypatch):
    monkeypatch.setitem(catalogue.BOXES, BOX.id, BOX)
    templates.palette_sheet.cache_clear()
    yield
    templates.palette_sheet.cache_clear()


def test_every_choice_is_on_the_board(room):
    room.play_out(BOX.id, seats=3, placed=("draw", "lay"), each=4)


def test_looks_well(room):
    room.look(BOX.id, seats=4, answers=6)
