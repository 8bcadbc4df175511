"""Every way to set up every game of the shelf, and positions on the way."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import State
from veillee.match.match import complete

Case = tuple[str, int, dict[str, str]]


def all_cases() -> list[Case]:
    """Each number of seats with the usual options, and each other value of an option once."""
    cases: list[Case] = []
    for box in BOXES.values():
        cases += [(box.id, seats, {}) for seats in box.players]
        for number, option in enumerate(box.options):
            for value in list(option.values)[1:]:
                cases.append((box.id, box.players[number % len(box.players)], {option.id: value}))
    return cases


def name(case: Case) -> str:
    game, seats, options = case
    return "-".join([game, str(seats), *(f"{k}={v}" for k, v in options.items())])


CASES = all_cases()
NAMES = [name(case) for case in CASES]


def start(case: Case, seed: int, log: Log | None = None) -> tuple[Box, State, Rng]:
    game, seats, options = case
    box, rng = BOXES[game], Rng(seed)
    return box, box.new(seats, rng, complete(box, options), log), rng


def walk(case: Case, seed: int) -> Iterator[tuple[Box, State, int, int, Rng]]:
    """A random game: before each answer (box, state, seat, action, rng); the walker's caller applies nothing itself."""
    box, g, rng = start(case, seed)
    pick = Random(seed)
    while g.to_act:
        seat = pick.choice(g.to_act)
        action = pick.choice(g.legal(seat))
        yield box, g, seat, action, rng
        g.apply(seat, action, rng)


def positions(case: Case, seed: int, every: int) -> Iterator[tuple[Box, State]]:
    """Some positions of a random game, the last one (the end) included."""
    box, g, rng = start(case, seed)
    pick = Random(seed)
    count = 0
    while g.to_act:
        if count % every == 0:
            yield box, g.clone()
        seat = pick.choice(g.to_act)
        g.apply(seat, pick.choice(g.legal(seat)), rng)
        count += 1
    yield box, g


def text(data: Any) -> str:
    """Byte for byte."""
    return json.dumps(data, sort_keys=True)


def census_of(box: Box) -> Any:
    """The game's own count of its components: tests/rules/<game>/census.py."""
    return importlib.import_module(f"rules.{box.folder.name}.census").census
