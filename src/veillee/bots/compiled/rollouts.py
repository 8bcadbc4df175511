"""Rollouts: quick games from a position, in worlds that an observer cannot tell from the real one."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from veillee.bots.compiled.search import quick_game
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, State, play

NO_ACTION: Final = -1


def outcomes(
    state: State,
    observer: i64,
    seat: i64,
    action: i64,
    advisor: Advisor,
    seeds: Rng,
    games: i64,
    practised: bool = False,
) -> vec[float]:
    """Returns each seat's share of the victory, or its estimate, in so many worlds one after the other.

    In each world the seat gives that answer first (NO_ACTION: none). The same `seeds` make the same worlds and the same
    chance, so that answers are compared on equal terms.
    """
    found = vec[float]()
    moves = Moves()
    for _game in range(games):
        rng = Rng(seeds.seed())
        world = state.clone()
        world.determinize(observer, rng)
        if action != NO_ACTION:
            play(world, seat, action, rng)
        for hope in quick_game(world, advisor, rng, moves, practised):
            found = append(found, hope)
    return found
