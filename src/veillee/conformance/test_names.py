"""Every game: no method of the contract is misspelt, because a misspelt one is never called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from veillee.bots.levels import OFFERED, level
from veillee.games.box import Box
from veillee.games.catalogue import EVERY_STATE
from veillee.kernel.advisor import Advisor
from veillee.kernel.plain import steps_of
from veillee.kernel.state import Step

ALIKE = 0.84  # forbid for forbids, begin_move for begins_move


STEP = ("run", "begins_move", "options", "forbids", "allow", "answer")
STATE = (*EVERY_STATE, "returns")
ADVISOR = ("choose", "phase", "features", "evaluate", "horizon", "quiet")


def misspelt(own: Any, contract: Sequence[str]) -> Iterator[str]:
    """Yields methods of a class whose names are nearly those of the contract."""
    for name in vars(own):
        if callable(getattr(own, name)) and name not in contract:
            yield from (f"{own.__name__}.{name}: {near}?" for near in get_close_matches(name, contract, 1, ALIKE))


def test_no_part_of_the_contract_is_misspelt(box: Box) -> None:
    assert all(hasattr(Step, name) for name in STEP)
    assert all(hasattr(Advisor, name) for name in ADVISOR)
    steps = steps_of(Step, box.package)
    assert steps, "it has no steps"
    found = [line for step in steps.values() for line in misspelt(step, STEP)]
    found += misspelt(box.state, STATE)
    found += misspelt(type(box.advisor), ADVISOR)
    assert not found, f"nobody calls these: {found}"


def test_its_levels_can_be_read(box: Box) -> None:
    """If it has figures of its own (bots/levels.py)."""
    assert all(level(name, box.id) for name in OFFERED)
