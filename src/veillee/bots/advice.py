"""Advice: the choice of a good player, its certainty, and the reasons."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.bots.compiled.search_tree import Tree
from veillee.bots.levels import level as find_level
from veillee.bots.planning import SearchedChoice, deadline, resample_for_seat, search_choices
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import State

BEST_FEW = 4  # choices compared in a hint
CLEAR = 0.06  # a choice is clearly better if its chance to win is higher by this much
FAR = 0.4  # a position is good or bad if the chance differs from an even share by this fraction of it

# Ids of reasons, which the callers put into words.
ONLY = "only"  # it is the only choice
CLEARLY = "clear"  # much better than the next one
CLOSE = "close"  # the next best is about as good
REASON_AHEAD = "ahead"  # the seat's chance is well above its share
REASON_BEHIND = "behind"


@dataclass(frozen=True)
class Advice:
    """The proposed action, with alternatives and reasons."""

    action: int
    reasons: tuple[str, ...]
    best: tuple[SearchedChoice, ...]  # the most visited choices, best first


def advise(box: Box, state: State, seat: int, seed: int, level: str = "expert", *, timed: bool = True) -> Advice:
    """Returns the level's choice for the seat, from what the seat knows."""
    position = box.load(resample_for_seat(state, seat, seed))
    return advise_blind(box, position, seat, seed, level, timed=timed)


def advise_blind(box: Box, state: State, seat: int, seed: int, level: str = "expert", *, timed: bool = True) -> Advice:
    """Like advise(), on a position that was already resampled for the seat, perhaps in another process."""
    known = find_level(level, box.id)
    weighed = search_choices(box, state, seat, known, Rng(seed), Tree(), deadline(known, timed=timed))
    best = tuple(weighed[:BEST_FEW])
    return Advice(best[0].action, tuple(reasons(best, len(state.legal(seat)), state.seats())), best)


def reasons(best: tuple[SearchedChoice, ...], choices: int, seats: int) -> list[str]:
    if choices == 1:
        return [ONLY]
    told = []
    if len(best) == 1 or best[0].wins - best[1].wins >= CLEAR:
        told.append(CLEARLY)
    elif abs(best[0].wins - best[1].wins) < CLEAR / 3:
        told.append(CLOSE)
    if best[0].wins * seats > 1 + FAR:
        told.append(REASON_AHEAD)
    elif best[0].wins * seats < 1 - FAR:
        told.append(REASON_BEHIND)
    return told
