"""What a good player would do here, how sure it is, and why."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.bots.think import blind, think
from veillee.games.box import Box
from veillee.kernel.state import State


@dataclass(frozen=True)
class Chance:
    """One of the choices that were weighed."""

    action: int
    wins: float  # how likely the seat wins after it, from 0 to 1
    visits: int  # how many games were played out to say so


@dataclass(frozen=True)
class Hint:
    action: int
    reasons: tuple[str, ...]  # ids, which the callers put into words: see REASONS
    best: tuple[Chance, ...]  # the choices that were weighed most, the best first


REASONS = ("only", "clear", "close", "ahead", "behind")


def advise(box: Box, state: State, seat: int, seed: int, level: str = "expert") -> Hint:
    """The level's choice for the seat, from what the seat knows."""
    action = think(box.id, blind(state, seat, seed), seat, level, seed)
    return Hint(action, (), (Chance(action, 0.0, 0),))
