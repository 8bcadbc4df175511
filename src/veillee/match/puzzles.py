"""Puzzles: positions of a box in which one choice is clearly the best, from what the seat can know.

A box ships them in puzzles.json, made by `veillee lab puzzles GAME` (lab/puzzle_generation.py). Each is stored as a
seed and the answers so far, so that the position is replayed by the rules it was made for.
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
from veillee.match.explanation import Explanation
from veillee.match.match import Match
from veillee.match.puzzle_judges import PuzzleVerdict
from veillee.match.setup import complete

PUZZLES_FILE = "puzzles.json"


@dataclass(frozen=True)
class Puzzle:
    """The question, the seat asked, and the verdict of the judges (puzzle_judges.py)."""

    number: int  # within its collection, from 1
    seed: int  # identifies it in guests' saved answers
    seat: int  # the seat asked
    options: tuple[Option, ...]  # the best first, then the closest ones
    reasons: tuple[Explanation, ...]  # why it is better than the second

    @property
    def best(self) -> int:
        return self.options[0].action


@dataclass(frozen=True)
class BoxPuzzle(Puzzle):
    """A puzzle shipped with its box: the deal comes from the seed."""

    version: int  # of the rules
    seats: int
    answers: tuple[tuple[int, int], ...]

    def match(self, box: Box) -> Match:
        """Returns the match at its position. Raises VeilleeError if this version can no longer replay it."""
        options = complete(box, {}, begun=True, version=self.version)
        played = Match(box, self.seats, options, seeds.seed_from(self.seed), (), self.version)
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
    """Returns the match as it was after so many of its answers."""
    past = match.from_the_start()
    for seat, action in match.answers[:answers]:
        past.play(seat, action)
    return past


def plain(options: Sequence[Option], reasons: Sequence[Explanation]) -> dict[str, Any]:
    """Returns a verdict as plain data."""
    return {
        "options": [[one.action, round(one.wins, 3), round(one.error, 4)] for one in options],
        "reasons": [reason.plain() for reason in reasons],
    }


def parse_verdict(data: Mapping[str, Any]) -> PuzzleVerdict:
    """Restores a verdict from plain()."""
    options = tuple([Option(*option) for option in data["options"]])
    return PuzzleVerdict(options, tuple([explanation.read(reason) for reason in data["reasons"]]))


def read(number: int, data: Mapping[str, Any]) -> BoxPuzzle:
    """Restores a puzzle from BoxPuzzle.plain()."""
    flat = data["answers"]
    answers = tuple(zip(flat[::2], flat[1::2], strict=True))
    return BoxPuzzle(number, data["seed"], data["seat"], *parse_verdict(data), data["version"], data["seats"], answers)


@cache
def puzzles(box: Box) -> dict[int, BoxPuzzle]:
    """Returns the puzzles of a box that can be played here, by number; a box may have none."""
    file = box.folder / PUZZLES_FILE
    if not file.exists():
        return {}
    every = (read(number, row) for number, row in enumerate(json.loads(file.read_text("utf-8"))["puzzles"], 1))
    return {one.number: one for one in every if one.version in box.versions}


@cache
def match_of_puzzle(box: Box, number: int) -> Match | None:
    """Returns the match of a puzzle at its position: read-only, as it is cached. None: this version can no longer
    replay it.
    """
    try:
        match = puzzles(box)[number].match(box)
    except VeilleeError:
        return None
    return match if puzzles(box)[number].seat in match.to_act else None
