"""Explains why one choice is better than another. Simulates the same games to their end after both; the reason is
the difference in each seat's final account, by the rule that the points come from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from veillee.bots.compiled.search import quick_game
from veillee.bots.planning import resample_for_seat
from veillee.games.box import Box
from veillee.games.box import Line as Counted
from veillee.kernel.chance import Rng
from veillee.kernel.log import Event, Log
from veillee.kernel.state import Moves, State, play
from veillee.match.errors import check_language, match_words
from veillee.words import LANGUAGES

GAMES_PER_CHOICE = 150  # simulated after each of the two
FEW = 3.0  # points of difference: below, one decimal is shown
TELLING = 0.5  # points: a smaller difference is not reported
MIN_LESSON_STANDARD_ERRORS = 2.5  # standard errors: less is noise
NUMBER = re.compile(r"\d+\s*")


@dataclass(frozen=True)
class Line:
    """How many more points a seat has by one rule in its final account, on average, after the better choice."""

    rule: str
    text: dict[str, str]  # in each language
    more: float


@dataclass(frozen=True)
class Explanation:
    """The seat whose points differ most, the choosing one or a rival, and where the points come from."""

    seat: int
    better: float  # average points at the end
    other: float
    line: Line | None  # the rule with the largest difference

    @property
    def more(self) -> float:
        return self.better - self.other

    def say(self, chooser: int, names: Sequence[str], lang: str = "fr") -> str:
        """Returns one sentence. `chooser`: the seat that chose."""
        t = match_words(check_language(lang))
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
            what=self.line.text[check_language(lang)],
            rule=self.line.rule,
        )

    def plain(self) -> list[Any]:
        line = self.line
        told = None if line is None else [line.rule, line.text, _round(line.more)]
        return [self.seat, _round(self.better), _round(self.other), told]


def read(data: Sequence[Any]) -> Explanation:
    """Restores a reason from plain()."""
    seat, better, other, line = data
    return Explanation(seat, better, other, None if line is None else Line(*line))


def reasons(
    box: Box,
    state: State,
    so_far: Sequence[Event],
    seat: int,
    choices: tuple[int, int],
    seed: int,
    games: int = GAMES_PER_CHOICE,
) -> list[Explanation]:
    """Returns why the first of the two answers is better for the seat than the second, by what it knows: its own
    points, and those of the rival who loses most. Empty: points do not explain it (they are equal; what differs is who
    is ahead).

    `so_far`: the events before, since accounts begin with them; they are the same on both sides, and not reported.
    """
    position, seats = box.load(resample_for_seat(state, seat, seed)), state.seats()
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
        """Returns the seat's final account; computed on demand, as most ends do not need it."""
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
        world.log = log  # records all that follows
        play(world, seat, action, rng)
        while world.waiting:
            quick_game(world, box.advisor, rng, moves)  # repeated, as it may stop before the end
        found.append(_End(world, [*so_far, *log.events], [world.score(one) for one in range(seats)]))
    return found


def _reason(box: Box, ends: Sequence[Sequence[_End]], seat: int) -> Explanation:
    """Finds the account line with the largest difference. Lines are matched in one language, and rendered in the
    others where they first occurred.
    """
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
        return Explanation(seat, better, other, None)
    end, place = met[most]
    text = {lang: _nameless(end.account(box, lang, seat)[place].text) for lang in LANGUAGES}
    return Explanation(seat, better, other, Line(most[0], text, more[most]))


def _mean(side: Sequence[_End], seat: int) -> float:
    return sum(end.points[seat] for end in side) / len(side)


def _telling(apart: Sequence[float]) -> bool:
    mean = sum(apart) / len(apart)
    error = sqrt(sum((x - mean) ** 2 for x in apart) / max(1, len(apart) - 1) / len(apart))
    return abs(mean) > max(TELLING, MIN_LESSON_STANDARD_ERRORS * error)


def _nameless(text: str) -> str:
    """Removes the numbers: "40 Karas" and "35 Karas" are one line."""
    return NUMBER.sub("", text).strip()


def _points(points: float, digits: int, lang: str) -> str:
    text = f"{points:.{digits}f}"
    return text.replace(".", ",") if lang == "fr" else text


def _round(points: float) -> float:
    return round(points, 2)
