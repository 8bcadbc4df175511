"""Test cases: every way to set up a game, and positions of random games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from veillee.games.box import Box, Options
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import State
from veillee.match.match import Match
from veillee.match.setup import complete, new

NAMES = ("Ana", "Bo", "Cléa", "Dov", "Eve", "Fay", "Gil", "Hua")  # as many as a game can seat


@dataclass(frozen=True)
class Case:
    """A game with a number of seats, and options that differ from the defaults."""

    box: Box
    seats: int
    options: Options = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.box.id, str(self.seats), *(f"{k}={v}" for k, v in self.options.items())])

    def start(self, seed: int, log: Log | None = None) -> tuple[State, Rng]:
        rng = Rng(seed)
        return self.box.new(self.seats, rng, complete(self.box, self.options), log), rng

    def match(self, seed: int) -> Match:
        return new(self.box.id, self.seats, seed=seed, **self.options)

    def names(self) -> tuple[str, ...]:
        return NAMES[: self.seats]


def cases(box: Box) -> Iterator[Case]:
    """Yields each number of seats with the default options, each other value of an option once, and the last value of
    every option together: some mean something only beside another (gains of Tales of Glory, with quests)."""
    for seats in box.players:
        yield Case(box, seats)
    for number, option in enumerate(box.options):
        for value in list(option.values)[1:]:
            yield Case(box, box.players[number % len(box.players)], {option.id: value})
    if len(box.options) > 1:
        yield Case(box, box.usual, {option.id: list(option.values)[-1] for option in box.options})


def walk(case: Case, seed: int) -> Iterator[tuple[State, int, int]]:
    """Plays a random game and yields (state, seat, action) before each answer; the caller must not apply it."""
    g, rng = case.start(seed)
    pick = Random(seed)
    while g.to_act:
        seat = pick.choice(g.to_act)
        action = pick.choice(g.legal(seat))
        yield g, seat, action
        g.apply(seat, action, rng)


def positions(case: Case, seed: int, every: int) -> Iterator[State]:
    """Yields some positions of a random game, including the last one."""
    g, rng = case.start(seed)
    pick = Random(seed)
    count = 0
    while g.to_act:
        if count % every == 0:
            yield g.clone()
        seat = pick.choice(g.to_act)
        g.apply(seat, pick.choice(g.legal(seat)), rng)
        count += 1
    yield g


def text(data: Any) -> str:
    """Returns the data as canonical text, for byte-for-byte comparison."""
    return json.dumps(data, sort_keys=True)
