"""Puzzles that a guest has answered: the first answer counts."""

from __future__ import annotations

from veillee.games.catalogue import BOXES
from veillee.house.analysis.puzzles import Tried, keep, tried
from veillee.match.puzzles import puzzles

ON_BOTH = True
BOX = BOXES["ghost-knights"]


def test_the_first_answer_counts_and_is_ones_own(house, ada, bob):
    one, two, *_ = puzzles(BOX).values()
    wrong = one.options[1].action
    keep(house.store, ada.id, BOX.id, one, wrong)
    keep(house.store, ada.id, BOX.id, one, one.best)
    keep(house.store, ada.id, BOX.id, two, two.best)
    assert tried(house.store, ada.id, BOX.id) == {one.seed: Tried(wrong, False), two.seed: Tried(two.best, True)}
    assert tried(house.store, ada.id, "paper-tales") == {}
    assert tried(house.store, bob.id, BOX.id) == {}
