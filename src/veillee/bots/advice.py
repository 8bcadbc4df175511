"""What a good player would do here, how sure it is, and why."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.bots.compiled.search_tree import Tree
from veillee.bots.levels import level as find_level
from veillee.bots.planning import Weighed, blind, deadline, weigh
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import State

BEST_FEW = 4  # choices that a hint compares
CLEAR = 0.06  # a choice is clearly better from so much more chance to win
FAR = 0.4  # a position is good or bad from so much more or less than an even share, as a part of it

# Why: what the callers put into words.
ONLY = "only"  # there is nothing else to choose
CLEARLY = "clear"  # much better than what comes next
CLOSE = "close"  # the next best is about as good
AHEAD = "ahead"  # the seat wins more often than its share from here
BEHIND = "behind"


@dataclass(frozen=True)
class Hint:
    action: int
    reasons: tuple[str, ...]
    best: tuple[Weighed, ...]  # the choices that were thought about most, the one to take first


def advise(box: Box, state: State, seat: int, seed: int, level: str = "expert", *, timed: bool = True) -> Hint:
    """The level's choice for the seat, from what the seat knows."""
    position = box.load(blind(state, seat, seed))
    return advise_blind(box, position, seat, seed, level, timed=timed)


def advise_blind(box: Box, state: State, seat: int, seed: int, level: str = "expert", *, timed: bool = True) -> Hint:
    """advise() on a position that was resampled for the seat before, perhaps in another process."""
    known = find_level(level, box.id)
    weighed = weigh(box, state, seat, known, Rng(seed), Tree(), deadline(known, timed=timed))
    best = tuple(weighed[:BEST_FEW])
    return Hint(best[0].action, tuple(reasons(best, len(state.legal(seat)), state.seats())), best)


def reasons(best: tuple[Weighed, ...], choices: int, seats: int) -> list[str]:
    if choices == 1:
        return [ONLY]
    told = []
    if len(best) == 1 or best[0].wins - best[1].wins >= CLEAR:
        told.append(CLEARLY)
    elif abs(best[0].wins - best[1].wins) < CLEAR / 3:
        told.append(CLOSE)
    if best[0].wins * seats > 1 + FAR:
        told.append(AHEAD)
    elif best[0].wins * seats < 1 - FAR:
        told.append(BEHIND)
    return told
