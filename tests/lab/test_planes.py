"""Observations: what a seat may know, all numbers in bounds, and enough to determine the allowed answers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.lab.simulate import Observer
from veillee.match.setup import complete

ANSWERS = 60  # of each game that is looked at


def positions(box, seats, seed, **options):
    """Positions of a random game, from its first question on."""
    rng, pick = Rng(seed), random.Random(seed)
    state = box.new(seats, rng, complete(box, options), None)
    for _ in range(ANSWERS):
        if not state.to_act:
            return
        yield state
        seat = pick.choice(state.to_act)
        state.apply(seat, pick.choice(state.legal(seat)), rng)


def variants(box):
    """Every value of every option."""
    yield {}
    for option in box.options:
        for value in list(option.values)[1:]:
            yield {option.id: value}


@pytest.mark.parametrize("game", list(BOXES))
def test_what_a_seat_cannot_tell_apart_is_written_the_same(game):
    """Two positions that the rules call the same to a seat: the true one, and one resampled for the seat."""
    box, hidden = BOXES[game], 0
    for options in variants(box):
        for seats in (box.players[0], box.players[-1]):
            observer = None
            for state in positions(box, seats, seats, **options):
                observer = observer or Observer(box, state)
                for seat in range(seats):
                    row = observer.row(state, seat)
                    world = state.clone()
                    world.determinize(seat, Rng(len(state.to_act)))
                    hidden += world.dump() != state.dump()
                    told = np.flatnonzero(row != observer.row(world, seat))
                    named = {plane.name for plane in observer.planes for n in told if plane.start <= n < plane.stop}
                    assert not named, f"seat {seat} of {seats} is told what it cannot know"
    assert hidden, "nothing was resampled: nothing was tried"


@pytest.mark.parametrize("game", list(BOXES))
def test_what_is_written_is_in_bounds_and_tells_what_is_allowed(game):
    box, allowed = BOXES[game], {}
    for seed in range(3):
        observer = None
        for state in positions(box, box.players[-1], seed):
            observer = observer or Observer(box, state)
            for seat in state.to_act:
                row = observer.row(state, seat)
                for plane in observer.planes:
                    part = row[plane.start : plane.stop]
                    assert len(part) > 0, plane
                    assert plane.least <= part.min() <= part.max() <= plane.most, plane
                assert allowed.setdefault(row.tobytes(), state.legal(seat)) == state.legal(seat)
    assert len(allowed) > ANSWERS
    starts = [plane.start for plane in observer.planes]
    assert starts == [0] + [plane.stop for plane in observer.planes][:-1], "every number is in one plane"
