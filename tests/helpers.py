"""Helpers of several test packages."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import ALLOWED, State

T = TypeVar("T")
# Every combination of games, sizes, lights and languages: `make soak`. Otherwise each of them once.
EVERYTHING = os.environ.get("VEILLEE_TESTS") == "all"


def some(values: Iterable[T], first: int = 0) -> list[T]:
    """Every other of these values, from that one on: for what is drawn by the same template for each game."""
    return list(values) if EVERYTHING else list(values)[first::2]


def loaded(sides: int, faces: Iterable[int]) -> Rng:
    """Loaded dice: each draw of a number below `sides` gives the next face (from 0). Running out is an error."""
    rng = Rng(0)
    given = iter(faces)

    def following() -> float:
        face = next(given, None)
        assert face is not None, "the rules drew more chance than the test gave"
        return (face + 0.5) / sides

    rng.next = following
    return rng


def apply_all(g: State, *actions: int, rng: Rng | None = None) -> Log:
    """Answer the questions one after the other, each by the first seat asked; every answer must be allowed."""
    log = Log()
    chance = rng or Rng(0)
    for action in actions:
        seat = g.to_act[0]
        rule = g.explain(seat, action)
        assert rule == ALLOWED, f"{g.choice(action)} is forbidden: {rule}"
        g.apply(seat, action, chance, log)
    return log
