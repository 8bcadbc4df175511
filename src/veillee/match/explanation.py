"""Why one choice is better than another: the same games in the head go on from both, to their end, and what each seat's
final account has more or less in them is the reason, by the rule that the points come from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from veillee.bots.compiled.search import quick_game
from veillee.bots.planning import blind
from veillee.games.box import Box
from veillee.games.box import Line as Counted
from veillee.kernel.chance import Rng
from veillee.kernel.log import Event, Log
from veillee.kernel.state import Moves, State, play
from veillee.match.errors import known, match_words
from veillee.words import LANGUAGES

GAMES = 150  # in the head, after each of the two
FEW = 3.0  # points of difference: a tenth counts
TELLING = 0.5  # points: less is told by nobody
SURE = 2.5  # standard errors: less is noise
NUMBER = re.compile(r"\d+\s*")


@dataclass(frozen=True)
class Line:
    """How many points more a seat has in its final account by one rule, on average, after the better choice."""

    rule: str
    text: dict[str, str]  # in each language
    more: float


@dataclass(frozen=True)
class Reason:
    """Whose points differ most, the choosing seat's own or a rival's, and where they come from."""

    seat: int
    better: float  # points at the end, on average
    other: float
    line: Line | None  # the rule that makes most of the difference

    @property
    def more(self) -> float:
        return self.better - self.other

    def say(self, chooser: int, names: Sequence[str], lang: str = "fr") -> str:
        """One sentence. `chooser`: whose choice it was."""
        t = match_words(known(lang))
        digits = 1 if abs(self.more) < FEW else 0
        points = (abs(self.more), self.better, self.other)
        figures = dict(zip(("more", "a", "b"), (_points(one, digits, lang) for one in points), strict=True))
        who = {"who": names[self.seat]}
        if self.seat == chooser:
            said = t("It brings {who} about {more} points more: {a} at the end, against {b}", **who, **figures)
        else:
            said = t("It costs {who} about {more} points: {a} at the end, against {b}", **who, **figures)
        if self.line is None:
            return f"{said}."
        return t(
            "{said}; most of it from “{what}” ({rule}).",
            said=said,
            what=self.line.text[known(lang)],
            rule=self.line.rule,
        )

    def plain(self) -> list[Any]:
        line = self.line
        told = None if line is None else [line.rule, line.text, _round(line.more)]
        return [self.seat, _round(self.better), _round(self.other), told]


def read(data: Sequence[Any]) -> Reason:
    """What plain() has written."""
    seat, better, other, line = data
    return Reason(seat, better, other, None if line is None else Line(*line))


def reasons(
    box: Box,
    state: State,
    so_far: Sequence[Event],
    seat: int,
    choices: tuple[int, int],
    seed: int,
    games: int = GAMES,
) -> list[Reason]:
    """Why the first of the two answers is better for the seat than the second, by what it knows: its own points, and those
    of the rival whom it costs most. Empty: the points do not tell (they are as many; what differs is who is ahead).

    `so_far`: what has happened before, for accounts begin with it; it is the same on both sides, and nothing of it is told.
    """
    position, seats = box.load(blind(state, seat, seed)), state.seats()
    ends = [_ends(box, position, so_far, seat, action, seed, games) for action in choices]
    told = []
    for one in range(seats):
        apart = [a.points[one] - b.points[one] for a, b in zip(*ends, strict=True)]
        if _telling(apart) and (one == seat or sum(apart) < 0):
            told.append((one, abs(sum(apart))))
    rivals = sorted((pair for pair in told if pair[0] != seat), key=lambda pair: -pair[1])[:1]
    wanted = [pair[0] for pair in told if pair[0] == seat] + [pair[0] for pair in rivals]
    return [_reason(box, ends, one) for one in wanted if one != seat or _mean(ends[0], one) > _mean(ends[1], one)]


@dataclass(frozen=True)
class _End:
    world: State
    events: Sequence[Event]
    points: list[int]

    def account(self, box: Box, lang: str, seat: int) -> Sequence[Counted]:
        """The seat's final account; most ends are never asked for it."""
        called = [str(n + 1) for n in range(len(self.points))]
        return box.speech.account(self.world, self.events, called, box.words(lang))[seat]


def _ends(
    box: Box, position: State, so_far: Sequence[Event], seat: int, action: int, seed: int, games: int
) -> list[_End]:
    seeds, seats, moves = Rng(seed), position.seats(), Moves()
    found = []
    for _ in range(games):
        rng, log = Rng(seeds.seed()), Log()
        world = position.clone()
        world.determinize(seat, rng)
        world.log = log  # all that follows is told
        play(world, seat, action, rng)
        while world.waiting:
            quick_game(world, box.advisor, rng, moves)  # one after the other, to the end
        found.append(_End(world, [*so_far, *log.events], [world.score(one) for one in range(seats)]))
    return found


def _reason(box: Box, ends: Sequence[Sequence[_End]], seat: int) -> Reason:
    """Lines are told apart in one language, and said in the others where they were first met."""
    better, other = (_mean(side, seat) for side in ends)
    sums: list[Counter[tuple[str, str]]] = [Counter(), Counter()]
    met: dict[tuple[str, str], tuple[_End, int]] = {}
    for side, points in zip(ends, sums, strict=True):
        for end in side:
            for place, line in enumerate(end.account(box, LANGUAGES[0], seat)):
                key = line.rule, _nameless(line.text)
                points[key] += line.points
                met.setdefault(key, (end, place))
    games = len(ends[0])
    more = {key: sums[0][key] / games - sums[1][key] / games for key in sorted(met)}
    sign = 1 if better > other else -1
    most = max(more, key=lambda key: sign * more[key], default=None)
    if most is None or sign * more[most] <= max(TELLING, abs(better - other) / 2):
        return Reason(seat, better, other, None)
    end, place = met[most]
    text = {lang: _nameless(end.account(box, lang, seat)[place].text) for lang in LANGUAGES}
    return Reason(seat, better, other, Line(most[0], text, more[most]))


def _mean(side: Sequence[_End], seat: int) -> float:
    return sum(end.points[seat] for end in side) / len(side)


def _telling(apart: Sequence[float]) -> bool:
    mean = sum(apart) / len(apart)
    error = sqrt(sum((x - mean) ** 2 for x in apart) / max(1, len(apart) - 1) / len(apart))
    return abs(mean) > max(TELLING, SURE * error)


def _nameless(text: str) -> str:
    """Without its numbers: "40 Karas" and "35 Karas" are one line."""
    return NUMBER.sub("", text).strip()


def _points(points: float, digits: int, lang: str) -> str:
    text = f"{points:.{digits}f}"
    return text.replace(".", ",") if lang == "fr" else text


def _round(points: float) -> float:
    return round(points, 2)
