"""TG-2 Obtain a tile."""

from __future__ import annotations

import pytest

from games.tales_of_glory.table import asked, position
from helpers import apply_all
from veillee.games.tales_of_glory.rules import NO_TILE, REVEALED, SELECT, TAKE
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log


def select(g, *slots: int) -> Log:
    """Every seat selects, seat 0 first; slots as they are printed."""
    return apply_all(g, *[SELECT + slot - 1 for slot in slots])


def test_tg_2_1_all_are_asked_at_once_and_nothing_is_shown_before_the_last():
    g = position()
    assert asked(g) == ("Selection", (0, 1, 2, 3))
    before = list(g.slots)
    log = Log()
    for seat in (2, 0, 3):
        g.apply(seat, SELECT + 2, Rng(0), log)
    assert list(g.slots) == before
    assert log.reveals == 0
    assert [e.visible(1) for e in log.events] == [False] * 3
    g.apply(1, SELECT + 3, Rng(0), log)
    assert [(e.seat, e.slot) for e in log.events if e.kind is REVEALED] == [(0, 2), (1, 3), (2, 2), (3, 2)]


def test_tg_2_2_from_the_first_player_clockwise_each_takes_if_it_is_still_there():
    g = position()
    g.first = 2
    tile = g.slots[4]
    select(g, 5, 5, 5, 5)
    assert [a.taken for a in g.adventurers] == [NO_TILE, NO_TILE, tile, NO_TILE]
    assert asked(g) == ("CatchUp", (3,))


def test_tg_2_3_the_rulebooks_example():
    g = position()
    board = g.slots[:]
    select(g, 3, 3, 4, 3)
    assert [a.taken for a in g.adventurers] == [board[2], NO_TILE, board[3], NO_TILE]
    assert asked(g) == ("CatchUp", (1,))
    apply_all(g, TAKE + 1)
    assert asked(g) == ("CatchUp", (3,))
    apply_all(g, TAKE + 6)
    assert [a.taken for a in g.adventurers] == [board[2], board[1], board[3], board[6]]


def test_tg_2_3_any_tile_left_and_no_other():
    g = position()
    select(g, 3, 3, 4, 3)
    assert [action - TAKE + 1 for action in g.legal(1)] == [1, 2, 5, 6, 7, 8]
    assert g.explain(1, TAKE + 2) == "TG-2.3"
    assert g.explain(1, TAKE + 3) == "TG-2.3"


def test_tg_2_4_the_rulebooks_example():
    g = position()
    select(g, 1, 8, 5, 1)
    apply_all(g, TAKE + 2)  # D catches up at 3
    assert [a.slot + 1 for a in g.adventurers] == [1, 8, 5, 3]
    assert g.first == 3


def test_tg_2_4_to_the_lowest_slot_whatever_was_selected():
    g = position()
    select(g, 6, 6, 5, 4)
    apply_all(g, TAKE + 0)
    assert g.first == 1


@pytest.mark.parametrize("seed", range(20))
def test_tg_2_4_the_token_always_moves(seed):
    g = position(5)
    rng = Rng(seed)
    holder = g.first
    while asked(g)[0] in ("Selection", "CatchUp"):
        seat = g.to_act[0]
        legal = g.legal(seat)
        g.apply(seat, legal[rng.below(len(legal))], rng)
    assert g.first != holder
