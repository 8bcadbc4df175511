"""What would you do? Positions of a box in which one choice is clearly the best, from what the seat that is asked can know.

A box ships them in puzzles.json, made by `veillee lab puzzles GAME` (lab/puzzle_generation.py). Each is a game as it is written down
everywhere, a seed and the answers so far, so that the position is played anew by the rules it was made for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from veillee.bots.evaluation import Option
from veillee.games.box import Box
from veillee.match import explanation, seeds
from veillee.match.errors import VeilleeError
from veillee.match.explanation import Reason
from veillee.match.match import Match, complete
from veillee.match.puzzle_judges import Verdict

FILE = "puzzles.json"


@dataclass(frozen=True)
class Puzzle:
    """What is asked, of whom, and what the judges have found out (judges.py)."""

    number: int  # among those that stand together, from 1
    seed: int  # what it is known by, for those who have answered it
    seat: int  # who is asked
    options: tuple[Option, ...]  # the best first, then those that come nearest to it
    reasons: tuple[Reason, ...]  # why, against the second

    @property
    def best(self) -> int:
        return self.options[0].action


@dataclass(frozen=True)
class Shipped(Puzzle):
    """One that lies in the box: the deal is the seed's."""

    version: int  # of the rules
    seats: int
    answers: tuple[tuple[int, int], ...]

    def match(self, box: Box) -> Match:
        """The game at its position. Raises VeilleeError if this house does not play it so any more."""
        played = Match(box, self.seats, complete(box, {}, begun=True), seeds.seed_from(self.seed), (), self.version)
        for seat, action in self.answers:
            played.play(seat, action)
        return played

    def plain(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "seats": self.seats,
            "seed": self.seed,
            "seat": self.seat,
            **plain(self.options, self.reasons),
            "answers": [part for answer in self.answers for part in answer],
        }


def earlier(match: Match, answers: int) -> Match:
    """The match as it stood after so many of its answers."""
    past = match.from_the_start()
    for seat, action in match.answers[:answers]:
        past.play(seat, action)
    return past


def plain(options: Sequence[Option], reasons: Sequence[Reason]) -> dict[str, Any]:
    """What was found out, as it is written down."""
    return {
        "options": [[one.action, round(one.wins, 3), round(one.error, 4)] for one in options],
        "reasons": [reason.plain() for reason in reasons],
    }


def found(data: Mapping[str, Any]) -> Verdict:
    """What plain() has written."""
    options = tuple([Option(*option) for option in data["options"]])
    return Verdict(options, tuple([explanation.read(reason) for reason in data["reasons"]]))


def read(number: int, data: Mapping[str, Any]) -> Shipped:
    """What Shipped.plain() has written."""
    flat = data["answers"]
    answers = tuple(zip(flat[::2], flat[1::2], strict=True))
    return Shipped(number, data["seed"], data["seat"], *found(data), data["version"], data["seats"], answers)


@cache
def puzzles(box: Box) -> dict[int, Shipped]:
    """Those of a box that can be played here, by their numbers; a box may have none."""
    file = box.folder / FILE
    if not file.exists():
        return {}
    every = (read(number, row) for number, row in enumerate(json.loads(file.read_text("utf-8"))["puzzles"], 1))
    return {one.number: one for one in every if one.version in box.versions}


@cache
def asked(box: Box, number: int) -> Match | None:
    """The game of a puzzle at its position: to be looked at, never to be played on. None: it is not played here so."""
    try:
        match = puzzles(box)[number].match(box)
    except VeilleeError:
        return None
    return match if puzzles(box)[number].seat in match.to_act else None
