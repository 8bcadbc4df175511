"""SD-10.1 Everything but the order of the pile is public: the discards too."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from rules.sourire_du_dragon.table import CARDS, position
from veillee.games.sourire_du_dragon.view import view


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_sd_10_1_everyone_sees_which_cards_are_discarded(seat):
    g = position(0, 1)
    g.discards = vec[i64]([CARDS["potion"], CARDS["eagle"], CARDS["potion"]])
    seen = view(g, seat)
    assert seen["discarded"] == sorted(g.discards)
    assert seen["discards"] == 3
