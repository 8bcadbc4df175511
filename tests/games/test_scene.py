"""Tempo, by the durations that scenes declare: what need not be read is over soon, in every box."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import veillee
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.scene import beats, lasts, scene_of
from veillee.kernel.log import NO_SEAT, Event

TURN, ROUND = 3.0, 8.0  # seconds at normal speed, without what must be read
BEAT = 2.0  # seconds of a beat that need not be read
SEEDS = (5, 6)


def must_be_read(box: Box, beat: list[Event]) -> bool:
    scenes = [scene_of(box.scenes, e) for e in beat]
    return any(scene.rest == "result" or scene.does == "show" for scene in scenes)


def turns(box: Box, seed: int) -> Iterator[tuple[int, float]]:
    """A whole game of bots, turn by turn: whose it is, and for how many seconds it is shown."""
    match = veillee.new(box.id, seats=max(3, box.players[0]), seed=seed)
    last, seconds = 0, 0.0
    while not match.over:
        seat, known = match.to_act[0], match.heard(NO_SEAT)
        match.play(seat, match.hint(seat, level="novice").choice)
        for beat in beats(box.scenes, match.events(NO_SEAT)[known:]):
            if must_be_read(box, beat) or beat[0].seat == NO_SEAT:
                continue
            assert lasts(box.scenes, beat) <= BEAT, beat
            if beat[0].seat != last:
                yield last, seconds
                last, seconds = beat[0].seat, 0.0
            seconds += lasts(box.scenes, beat)
    yield last, seconds


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_turns_of_bots_are_short_but_for_what_must_be_read(box):
    for seed in SEEDS:
        shown: dict[int, float] = {}  # since the player's turn, or since a bot has its next
        for seat, seconds in turns(box, seed):
            assert seat == 0 or seconds <= TURN, (seed, seat, seconds)
            shown = {} if seat == 0 or seat in shown else shown
            shown |= {seat: seconds} if seat else {}
            assert sum(shown.values()) <= ROUND, (seed, shown)
