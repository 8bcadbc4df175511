"""What a bot answers. Everything here can run in another process: ids, numbers and plain data in, numbers out."""

from __future__ import annotations

from typing import Any

from veillee.bots.levels import level as find_level
from veillee.games import catalogue
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import State


def blind(state: State, seat: int, seed: int) -> dict[str, Any]:
    """The position as a bot may be handed it: all that its seat cannot know is drawn anew."""
    world = state.clone()
    world.determinize(seat, Rng(seed))
    return world.dump()


def think(box_id: str, position: dict[str, Any], seat: int, level: str, seed: int) -> int:
    """The seat's answer to the question that it is asked now; the position comes from blind()."""
    return plan(box_id, position, seat, level, seed)[0]


def plan(box_id: str, position: dict[str, Any], seat: int, level: str, seed: int) -> list[int]:
    """The seat's answer, and its answers to what it is asked next as long as nobody learns anything new in between.

    The first is what think() says; the others come out of the same search for little.
    """
    box = catalogue.BOXES[box_id]
    state = box.load(position)
    rng = Rng(seed)
    legal = state.legal(seat)
    if find_level(level, box_id).guided:
        return [box.advisor.choose(state, seat, legal, rng)]
    return [legal[rng.below(len(legal))]]


def fallback(box: Box, state: State, seat: int, seed: int) -> int:
    """A sensible answer at once, for when thinking failed: the advisor's, from a resampled position."""
    rng = Rng(seed)
    world = state.clone()
    world.determinize(seat, rng)
    return box.advisor.choose(world, seat, world.legal(seat), rng)
