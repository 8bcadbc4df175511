"""A misspelt name in a game raises an error that names it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.plain import fields, things, write_state, write_thing
from veillee.kernel.state import State, Thing
from veillee.words import Words


class Hand(Thing):
    def __init__(self, cards: vec[i64]) -> None:
        self.cards = cards


class Forgetful(State):
    """Says nothing of how its hands are written down."""

    def __init__(self, hands: vec[Hand]) -> None:
        super().__init__()
        self.hands = hands


class Hasty(Forgetful):
    shape: ClassVar[dict[str, Any]] = {"hnads": things(Hand)}


def test_a_shape_for_what_is_not_there() -> None:
    with pytest.raises(TypeError, match=r"Hasty has a shape for 'hnads', which its constructor does not take\."):
        fields(Hasty)


def test_a_row_without_a_shape() -> None:
    hand = Hand(vec[i64]([1, 2]))
    assert write_thing(hand) == [[1, 2]]
    with pytest.raises(TypeError, match="'hands' is a row of Hand: say in `shape` how it is written down"):
        write_state(Forgetful(vec[Hand]([hand])))


@pytest.mark.parametrize("french", ["Poser le {carte}", "Poser la {n} {carte}"])
def test_a_place_that_nothing_fills(french: str) -> None:
    t = Words("fr", {"Lay the {card}": (french,)})
    with pytest.raises(LookupError, match=r"'Poser l.*' has a place for '(carte|n)', and is given: card\."):
        t("Lay the {card}", card=3)
    with pytest.raises(LookupError, match=r"has a place for 'carte', and is given: n, card\."):
        t.tn("Lay the {card}", "Lay the {card}", 1, card=3)
