"""Makes the puzzles of a box from self-play, and checks them: `veillee lab puzzles GAME`, `--check`, `--renew`.

A position becomes one if every judge agrees, each on chance of its own: the search that plays, quick games in the same
fresh worlds for every choice, and twice the expert at ten times its budget. The check asks that expert once more, with
chance that no maker has used: whatever was chosen by luck is found out there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from veillee.bots.compiled.tree import Tree
from veillee.bots.insight import compared
from veillee.bots.levels import level as find_level
from veillee.bots.think import Weighed, blind, weigh
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.match import seal
from veillee.match.futures import reasons
from veillee.match.match import Match, complete
from veillee.match.puzzles import FILE, Puzzle

WANTED = 30
MOST_SEATS = 4
PATIENCE, MOST_GAMES = 60, 300  # after the first, what waits is taken if it is enough
THOUGHT = 300  # games in the head of those who play, for each answer
LOOKED_AT = 12  # choices that are compared in the same worlds
WORLDS, SURE_WORLDS = 200, 2000
ENDS = 200  # games to the end that tell why
MARGIN = 0.08  # of the victory between the best choice and the next
ERRORS = 8.0  # and in standard errors
OPEN = (0.08, 0.95)  # chances of the best choice: neither lost nor won anyway
EXPERT = 10.0  # times its budget
JUDGES = 2
ASKED = 5  # times, before one that is there is kept
AGREED = 0.95  # of the answers, by the expert of the check
IDEAS = 16  # first ideas that tell how plain a choice is
PLAIN = 0.5  # of them
YES_OR_NO = 2  # choices
SALT = 7_919  # what the check's chance differs by


Kind = tuple[str, str]  # what is asked, and what the best answer does


@dataclass(frozen=True)
class Sort:
    """What a puzzle is like."""

    kind: Kind
    plain: bool  # most first ideas find it
    choices: int
    seats: int


@dataclass(frozen=True)
class Found:
    puzzle: Puzzle
    sort: Sort
    plainness: float  # how many first ideas find it


def make(box: Box, seed: int, wanted: int = WANTED, told: Callable[[Found], None] | None = None) -> list[Puzzle]:
    """So many, of mixed kinds and numbers of players, from the plain to the hard. What is too much of one sort waits, and
    is taken only if nothing else comes."""
    found: list[Found] = []
    spare: list[Found] = []
    sizes = [n for n in box.players if 1 < n <= MOST_SEATS] or [box.players[0]]

    def is_wanted(sort: Sort) -> bool:
        return len(found) + len(spare) < wanted or not too_many([one.sort for one in found], sort, wanted, len(sizes))

    for number in range(MOST_GAMES):
        if len(found) == wanted or (number > PATIENCE and len(found) + len(spare) >= wanted):
            break
        waits: list[Found] = []
        for one in candidates(box, seed * 1_000_003 + number, sizes[number % len(sizes)], is_wanted):
            if not too_many([one.sort for one in found], one.sort, wanted, len(sizes)):
                found.append(one)
                if told:
                    told(one)
                break  # one of a game
            waits.append(one)
        else:
            spare += waits[:1]
    found += spare[: wanted - len(found)]
    found.sort(key=lambda one: (-one.plainness, one.puzzle.seed))
    return [replace(one.puzzle, number=number) for number, one in enumerate(found, 1)]


def too_many(there: Sequence[Sort], new: Sort, wanted: int, sizes: int) -> bool:
    """Would it be more than a fair part?"""
    third = max(1.0, wanted / 3)
    return (
        sum(one.kind == new.kind for one in there) + 1 > max(1.0, wanted / 5)
        or (new.plain and sum(one.plain for one in there) + 1 > third)
        or (new.choices == YES_OR_NO and sum(one.choices == YES_OR_NO for one in there) + 1 > third)
        or sum(one.seats == new.seats for one in there) > wanted / sizes
    )


def candidates(box: Box, seed: int, seats: int, is_wanted: Callable[[Sort], bool]) -> Iterator[Found]:
    """A game of self-play, and what in it is a puzzle of a wanted sort."""
    rng = Rng(seed)
    thinker = replace(find_level("expert", box.id), iterations=THOUGHT)
    match = Match(box, seats, complete(box, {}, begun=True), seal.seed_from(seed))
    while match.to_act:
        seat = match.to_act[0]
        legal = match.state.legal(seat)
        if len(legal) == 1:
            match.play(seat, legal[0])
            continue
        position = box.load(blind(match.state, seat, rng.seed()))
        weighed = weigh(box, position, seat, thinker, Rng(rng.seed()), Tree(), inf)
        best = weighed[0].action
        if promising(weighed):
            kind = (type(match.state.question).__name__, match.state.choice(best)[0])
            ideas = plainness(match, seat, best)
            sort = Sort(kind, ideas > PLAIN, len(legal), seats)
            if is_wanted(sort) and (one := judged(match, seed, seat, weighed, rng)) is not None:
                yield Found(one, sort, ideas)
        match.play(seat, best)


def promising(weighed: Sequence[Weighed]) -> bool:
    """Is there one that the search likes clearly best, in a game that is still open?"""
    best, others = weighed[0], [one.wins for one in weighed[1:] if one.visits > THOUGHT // 50]
    return OPEN[0] < best.wins < OPEN[1] and bool(others) and best.wins - max(others) > MARGIN / 2


def judged(match: Match, seed: int, seat: int, weighed: Sequence[Weighed], rng: Rng) -> Puzzle | None:
    """The position as a puzzle, if all judges agree."""
    box, best = match.box, weighed[0].action
    position = box.load(blind(match.state, seat, rng.seed()))
    known = [one.action for one in weighed]
    unknown = [action for action in position.legal(seat) if action not in known]
    first = compared(box, position, seat, [*known, *unknown][:LOOKED_AT], rng.seed(), WORLDS)
    if first[0].action != best or first[0].wins - first[1].wins < MARGIN / 2:
        return None
    options = compared(box, position, seat, [one.action for one in first[:4]], rng.seed(), SURE_WORLDS)
    margin = options[0].wins - options[1].wins
    if options[0].action != best or margin < max(MARGIN, ERRORS * options[1].error):
        return None
    if not OPEN[0] < options[0].wins < OPEN[1]:
        return None
    if any(expert(match, seat, rng.seed()) != best for _ in range(JUDGES)):
        return None
    why = reasons(box, match.state, match.all_events(), seat, (best, options[1].action), rng.seed(), ENDS)
    if not why:  # nobody could be told what for
        return None
    return Puzzle(0, match.version, match.seats, seed, tuple(match.answers), seat, options, tuple(why))


def plainness(match: Match, seat: int, best: int) -> float:
    """How many first ideas find it."""
    box = match.box
    ideas = [box.advisor.first_idea(box.load(blind(match.state, seat, n)), seat, Rng(n)) for n in range(IDEAS)]
    return ideas.count(best) / IDEAS


def expert(match: Match, seat: int, seed: int) -> int:
    """What the expert answers with ten times its budget, by what the seat knows."""
    known = find_level("expert", match.box.id)
    strong = replace(known, iterations=int(EXPERT * known.iterations))
    position = match.box.load(blind(match.state, seat, seed))
    return weigh(match.box, position, seat, strong, Rng(seed), Tree(), inf)[0].action


def check(box: Box, every: Sequence[Puzzle], seed: int) -> list[Puzzle]:
    """Those of which that expert thinks otherwise, with chance of the check's own."""
    seeds = Rng(seed * 1_000_003 + SALT)
    return [one for one in every if expert(one.match(box), one.seat, seeds.seed()) != one.best]


def renew(
    box: Box, every: Sequence[Puzzle], seed: int, told: Callable[[Found], None] | None = None, wanted: int = WANTED
) -> list[Puzzle]:
    """Those that stand whenever that expert is asked, and others in the place of the rest: for when its search has changed, or
    what it was taught."""
    doubted = {one.seed for n in range(ASKED) for one in check(box, every, seed + n)}
    kept = [one for one in every if one.seed not in doubted]
    rows = [*kept, *make(box, seed, max(0, wanted - len(kept)), told)]
    rows.sort(key=lambda one: (-plainness(one.match(box), one.seat, one.best), one.seed))
    return [replace(one, number=number) for number, one in enumerate(rows, 1)]


def write(box: Box, every: Sequence[Puzzle], command: str, path: Path | None = None) -> Path:
    """One to a line."""
    path = path or box.folder / FILE
    rows = ",\n".join(json.dumps(one.plain(), ensure_ascii=False, separators=(",", ":")) for one in every)
    path.write_text(f'{{"made": {json.dumps(command)}, "puzzles": [\n{rows}\n]}}\n', encoding="utf-8")
    return path
