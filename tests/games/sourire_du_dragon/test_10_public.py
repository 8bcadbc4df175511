"""SD-10.1 Everything but the order of the pile is public: the discards too."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.sourire_du_dragon.table import CARDS, SQUARES, play, position, put
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.view import view


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_sd_10_1_everyone_sees_which_cards_are_discarded(seat):
    g = position(0, 1)
    g.discards = vec[i64]([CARDS["potion"], CARDS["eagle"], CARDS["potion"]])
    seen = view(g, seat)
    assert seen["discarded"] == sorted(g.discards)
    assert seen["discards"] == 3


def test_sd_10_1_the_view_counts_what_a_board_shows():
    g = position(sd.RANGER, sd.ACROBAT, sd.THIEF)
    put(g, 0, "tunnel", "potion", "bow", "potion")
    put(g, 1, "meadow")
    put(g, 2, "tunnel")
    seen = view(g, 0)
    assert seen["pouch"] == [{"card": CARDS["potion"], "count": 2}, {"card": CARDS["bow"], "count": 1}]
    assert view(g, -1)["pouch"] is None
    assert [(hero["place"], hero["company"]) for hero in seen["heroes"]] == [(0, 2), (0, 1), (1, 2)]
    assert [hero["own"] for hero in seen["heroes"]] == [CARDS["bow"], CARDS["staff"], CARDS["cloak"]]


def test_sd_3_5_the_view_tells_where_each_way_to_move_leads():
    g = position(sd.RANGER, sd.ACROBAT)
    put(g, 0, "windy-pass", "boots")  # one square before the Whirlpool
    play(g, sd.HIGH_MOVES, dice=(6, 2, 2))
    assert view(g, 0)["moves"] == [
        {"action": sd.GO, "steps": 6, "square": SQUARES["windy-pass"], "stays": True},
        {"action": sd.STEP_OUT, "steps": 1, "square": SQUARES["whirlpool"], "stays": False},
    ]
