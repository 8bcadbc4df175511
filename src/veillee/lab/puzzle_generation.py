"""Generates the puzzles of a box from self-play, and checks them: `veillee lab puzzles GAME`, `--check`, `--renew`.

A position becomes a puzzle if every judge agrees (match/puzzle_judges.py). The check asks the strongest judge again
with a new random seed, which detects puzzles accepted by chance.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.match import seeds as seal
from veillee.match.match import Match
from veillee.match.puzzle_judges import PLAIN, Judges, plainness
from veillee.match.puzzles import PUZZLES_FILE, BoxPuzzle
from veillee.match.setup import complete

WANTED = 30
MOST_SEATS = 4
PATIENCE, MOST_GAMES = 60, 300  # games; after PATIENCE, spare puzzles are taken if they suffice
CHECKS_TO_KEEP = 5  # checks that an existing puzzle must pass to be kept
AGREED = 0.95  # share of the answers, by the check's expert
YES_OR_NO = 2  # choices
CHECK_SEED_OFFSET = 7_919  # offset of the check's random seed
STRICT = Judges()


Kind = tuple[str, str]  # the question, and the verb of the best answer


@dataclass(frozen=True)
class Sort:
    """Category of a puzzle."""

    kind: Kind
    plain: bool  # most first ideas find it
    choices: int
    seats: int


@dataclass(frozen=True)
class CandidatePuzzle:
    puzzle: BoxPuzzle
    sort: Sort
    plainness: float  # share of first ideas that find it


def make(
    box: Box,
    seed: int,
    wanted: int = WANTED,
    told: Callable[[CandidatePuzzle], None] | None = None,
    judges: Judges = STRICT,
) -> list[BoxPuzzle]:
    """Generates so many puzzles of mixed kinds and numbers of players, sorted from plain to hard. A puzzle of an
    over-represented category is set aside and taken only if there are too few others."""
    found: list[CandidatePuzzle] = []
    spare: list[CandidatePuzzle] = []
    sizes = [n for n in box.players if 1 < n <= MOST_SEATS] or [box.players[0]]

    def is_wanted(sort: Sort) -> bool:
        return len(found) + len(spare) < wanted or not too_many([one.sort for one in found], sort, wanted, len(sizes))

    for number in range(MOST_GAMES):
        if len(found) == wanted or (number > PATIENCE and len(found) + len(spare) >= wanted):
            break
        waits: list[CandidatePuzzle] = []
        for one in candidates(box, seed * 1_000_003 + number, sizes[number % len(sizes)], is_wanted, judges):
            if not too_many([one.sort for one in found], one.sort, wanted, len(sizes)):
                found.append(one)
                if told:
                    told(one)
                break  # one per game
            waits.append(one)
        else:
            spare += waits[:1]
    found += spare[: wanted - len(found)]
    found.sort(key=lambda one: (-one.plainness, one.puzzle.seed))
    return [replace(one.puzzle, number=number) for number, one in enumerate(found, 1)]


def too_many(there: Sequence[Sort], new: Sort, wanted: int, sizes: int) -> bool:
    """Returns whether the category would exceed its fair share."""
    third = max(1.0, wanted / 3)
    return (
        sum(one.kind == new.kind for one in there) + 1 > max(1.0, wanted / 5)
        or (new.plain and sum(one.plain for one in there) + 1 > third)
        or (new.choices == YES_OR_NO and sum(one.choices == YES_OR_NO for one in there) + 1 > third)
        or sum(one.seats == new.seats for one in there) > wanted / sizes
    )


def candidates(
    box: Box, seed: int, seats: int, is_wanted: Callable[[Sort], bool], judges: Judges = STRICT
) -> Iterator[CandidatePuzzle]:
    """Plays a game of self-play and yields its puzzles of a wanted category."""
    rng = Rng(seed)
    match = Match(box, seats, complete(box, {}, begun=True), seal.seed_from(seed))
    while match.to_act:
        seat = match.to_act[0]
        legal = match.state.legal(seat)
        if len(legal) == 1:
            match.play(seat, legal[0])
            continue
        weighed = judges.search(match, seat, rng)
        best = weighed[0].action
        if judges.promising(weighed):
            kind = (type(match.state.question).__name__, match.state.choice(best)[0])
            ideas = plainness(match, seat, best)
            sort = Sort(kind, ideas > PLAIN, len(legal), seats)
            if is_wanted(sort) and (agreed := judges.agree(match, seat, weighed, rng)) is not None:
                one = BoxPuzzle(0, seed, seat, *agreed, match.version, match.seats, tuple(match.answers))
                yield CandidatePuzzle(one, sort, ideas)
        match.play(seat, best)


def check(box: Box, every: Sequence[BoxPuzzle], seed: int, judges: Judges = STRICT) -> list[BoxPuzzle]:
    """Returns the puzzles with which the expert disagrees, using the check's own random seed."""
    seeds = Rng(seed * 1_000_003 + CHECK_SEED_OFFSET)
    return [one for one in every if judges.ask_expert(one.match(box), one.seat, seeds.seed()) != one.best]


def renew(
    box: Box,
    every: Sequence[BoxPuzzle],
    seed: int,
    told: Callable[[CandidatePuzzle], None] | None = None,
    wanted: int = WANTED,
    judges: Judges = STRICT,
) -> list[BoxPuzzle]:
    """Keeps the puzzles that pass every check and replaces the others: for when the search or its weights have
    changed."""
    doubted = {one.seed for n in range(CHECKS_TO_KEEP) for one in check(box, every, seed + n, judges)}
    kept = [one for one in every if one.seed not in doubted]
    rows = [*kept, *make(box, seed, max(0, wanted - len(kept)), told, judges)]
    rows.sort(key=lambda one: (-plainness(one.match(box), one.seat, one.best), one.seed))
    return [replace(one, number=number) for number, one in enumerate(rows, 1)]


def write(box: Box, every: Sequence[BoxPuzzle], command: str, path: Path | None = None) -> Path:
    """Writes the puzzles as JSON, one per line."""
    path = path or box.folder / PUZZLES_FILE
    rows = ",\n".join(json.dumps(one.plain(), ensure_ascii=False, separators=(",", ":")) for one in every)
    path.write_text(f'{{"made": {json.dumps(command)}, "puzzles": [\n{rows}\n]}}\n', encoding="utf-8")
    return path
