"""Matches of Ghost Knights at a position that a test wants."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

import veillee
from veillee.games.ghost_knights import rules as gk
from veillee.kernel.counts import gather
from veillee.match.match import Match


def new_match(seats: int = 4, seed: int = 7) -> Match:
    return veillee.new("ghost-knights", seats=seats, seed=seed)


def prepared(change: Callable[[gk.GhostKnights, int], None], seats: int = 4) -> tuple[Match, int]:
    """A match whose position was changed by hand before anybody moved, and the seat that is asked first."""
    match = new_match(seats)
    (seat,) = match.to_act
    assert isinstance(match.state, gk.GhostKnights)
    change(match.state, seat)
    match.anchor = match.state.clone()
    return match, seat


def holding(*cards: int, seats: int = 4) -> tuple[Match, int]:
    """The first seat holds exactly these cards, and no dolmen card is near."""

    def change(g: gk.GhostKnights, seat: int) -> None:
        g.knights[seat].hand = gather([cards.count(colour) for colour in range(gk.COLOURS)])
        g.pile = vec[i64](sorted(g.pile, reverse=True))  # the dolmen cards at the bottom

    return prepared(change, seats)


def finished(seats: int = 4, seed: int = 7) -> Match:
    match, pick = new_match(seats, seed), Random(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.choices(seat)))
    return match
