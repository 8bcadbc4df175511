"""Puzzles that a guest has answered: the first answer counts."""

from __future__ import annotations

from veillee.games.catalogue import BOXES
from veillee.house.analysis.puzzles import Attempt, load_attempts, save_first_answer
from veillee.match.puzzles import puzzles

ON_BOTH = True
BOX = BOXES["ghost-knights"]


def test_the_first_answer_counts_and_is_ones_own(house, ada, bob):
    one, two, *_ = puzzles(BOX).values()
    wrong = one.options[1].action
    save_first_answer(house.store, ada.id, BOX.id, one, wrong)
    save_first_answer(house.store, ada.id, BOX.id, one, one.best)
    save_first_answer(house.store, ada.id, BOX.id, two, two.best)
    assert load_attempts(house.store, ada.id, BOX.id) == {
        one.seed: Attempt(wrong, False),
        two.seed: Attempt(two.best, True),
    }
    assert load_attempts(house.store, ada.id, "paper-tales") == {}
    assert load_attempts(house.store, bob.id, BOX.id) == {}
