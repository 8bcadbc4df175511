"""Standings of a championship: who has won how much, and by how much less luck.

Results are compared deal by deal. Where every entrant plays against the same bots, a result counts by how much it is
above the average of that deal; at tables of several entrants, by how much it is above what others made of the same seat.
The share of the victory that luck has given (match/analysis.py) has the
expectation 0, however well the entrant plays: without it the order is that of the answers, and is settled much sooner.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, fsum, inf, pi, sqrt, tan
from statistics import NormalDist, fmean
from typing import Literal

CONFIDENCE = 0.95
GAMES_BELIEVED = 20  # measured luck counts whole until so many games tell otherwise
SHARED_DEALS = 10  # the spread that all entrants have in common counts as if each had shown it in so many more deals
MAX_FURTHER_DEALS = 1000  # more are not worth telling

Scoring = Literal["skill", "victories", "points"]


@dataclass(frozen=True)
class GameResult:
    """A finished game of an entrant. Shares are of the victory: 1 alone, 1/2 with another, 0."""

    entrant: int
    deal: int
    share: float
    points: int
    luck: float | None  # share that luck has given; None: not analysed yet
    place: tuple[int, int] | None = None  # at a table of several entrants: its number of seats, and the seat


@dataclass(frozen=True)
class Line:
    """An entrant in the standings."""

    rank: int
    entrant: int
    played: int
    victories: float
    points: float  # on average
    skill: float | None  # share of the victory on average, less luck; None: no game of theirs is analysed yet
    margin: float | None  # the 95 % interval of `skill` is so much on either side; None: from one deal nothing follows


@dataclass(frozen=True)
class Certainty:
    """How sure it is that the first is ahead of the second."""

    chance: float  # from 0.5 to 1
    further_deals: int  # about so many more would settle it by 95 %; 0: it is settled


def rank_entrants(results: Sequence[GameResult], scoring: Scoring = "skill") -> list[Line]:
    """Returns the standings. By skill: the share of the victory less luck, compared deal by deal; entrants without an
    analysed game come last, by victories. Equals share a rank."""
    games: defaultdict[int, list[GameResult]] = defaultdict(list)
    for one in results:
        games[one.entrant].append(one)
    skill = relative_to_deal(results)
    spread = common_spread(skill)
    average = fmean([value for values in without_luck(results).values() for value in values.values()] or [0.0])
    key = SORT_KEYS[scoring]
    lines = sorted(
        (_line(games[entrant], skill.get(entrant, {}), average, spread) for entrant in games),
        key=lambda line: (*key(line), line.entrant),
    )
    ranked: list[Line] = []
    for number, line in enumerate(lines, 1):
        equal = ranked and key(ranked[-1]) == key(line)
        ranked.append(replace(line, rank=ranked[-1].rank if equal else number))
    return ranked


def relative_to_deal(results: Sequence[GameResult]) -> dict[int, dict[int, float]]:
    """Returns each entrant's analysed results less luck, by deal, as differences: from the average of that deal, or at
    tables of several entrants from that of the same seat.

    An average of k of n entrants includes one's own result: it is taken out, so that a difference means the same
    for every k. A seat that only one entrant had is compared with an equal share of the victory.
    """
    found: defaultdict[int, dict[int, float]] = defaultdict(dict)
    everyone = len({one.entrant for one in results if one.luck is not None})
    places = {(one.deal, one.entrant): one.place for one in results}
    for deal, values in without_luck(results).items():
        cells: defaultdict[tuple[int, int] | None, list[int]] = defaultdict(list)
        for entrant in values:
            cells[places[deal, entrant]].append(entrant)
        for place, entrants in cells.items():
            average = fmean(values[entrant] for entrant in entrants)
            number, factor = len(entrants), 1.0
            if place is not None and number == 1:
                average = 1 / place[0]
            elif place is not None:
                factor = number / (number - 1) * (everyone - 1) / everyone
            for entrant in entrants:
                found[entrant][deal] = factor * (values[entrant] - average)
    return found


def without_luck(results: Iterable[GameResult]) -> dict[int, dict[int, float]]:
    """Returns the analysed results of each deal, by entrant, less the part of luck that shows in results.

    Measured luck is noisy: each position is judged by a number of rollouts. Where the noise is large, subtracting all
    of it would do harm. So it is weighted by how much of it shows in the results of the other deals (least squares):
    no result takes part in its own correction, so that the mean stays unbiased.
    """
    of_deal: defaultdict[int, list[GameResult]] = defaultdict(list)
    for one in results:
        if one.luck is not None:
            of_deal[one.deal].append(one)
    sums = {deal: _products(games) for deal, games in of_deal.items()}
    count, both, square = (sum(part) for part in zip(*sums.values(), strict=True)) if sums else (0, 0.0, 0.0)
    found: dict[int, dict[int, float]] = {}
    for deal, games in of_deal.items():
        others, with_share, with_luck = count - sums[deal][0], both - sums[deal][1], square - sums[deal][2]
        seen = with_share / with_luck if with_luck else 1.0
        weight = (others * min(1.0, max(0.0, seen)) + GAMES_BELIEVED) / (others + GAMES_BELIEVED)
        found[deal] = {one.entrant: one.share - weight * (one.luck or 0.0) for one in games}
    return found


@dataclass(frozen=True)
class Spread:
    """The variance of results between deals that all entrants have in common, and its degrees of freedom."""

    variance: float
    freedom: int

    def with_own(self, own: float, freedom: int) -> float:
        """Returns an entrant's variance: their own, shrunk towards the common one. Six deals tell one's own badly: who
        has won none of them shows no spread at all."""
        return (SHARED_DEALS * self.variance + freedom * own) / (SHARED_DEALS + freedom)

    def margin(self, values: Sequence[float]) -> float:
        """Returns half the 95 % interval of the mean of an entrant's results (a moderated t)."""
        freedom = len(values) - 1
        variance = self.with_own(standard_deviation(values) ** 2, freedom)
        return student_t(max(1, min(self.freedom, SHARED_DEALS + freedom))) * sqrt(variance / len(values))


def common_spread(skill: Mapping[int, Mapping[int, float]]) -> Spread:
    """Returns the spread of the results of all entrants with two deals or more, from relative_to_deal()."""
    several = [list(values.values()) for values in skill.values() if len(values) > 1]
    freedom = sum(len(values) - 1 for values in several)
    squares = fsum((len(values) - 1) * standard_deviation(values) ** 2 for values in several)
    # Results of a deal add up to 0: those of the last entrant follow from the others'.
    return Spread(squares / freedom if freedom else 0.0, freedom * (len(several) - 1) // max(1, len(several)))


def certainty_of_first(results: Sequence[GameResult], lines: Sequence[Line]) -> Certainty | None:
    """Returns how sure it is that the first is ahead of the second; None if fewer than two deals tell."""
    if len(lines) < 2:
        return None
    skill = relative_to_deal(results)
    first, second = (skill.get(line.entrant, {}) for line in lines[:2])
    differences = [first[deal] - second[deal] for deal in first.keys() & second.keys()]
    if len(differences) < 2:
        return None
    mean, freedom = fmean(differences), len(differences) - 1
    common = common_spread(skill)
    of_two = 2 * len(skill) / (len(skill) - 1)  # the average of the deal includes one's own result
    both = Spread(of_two * common.variance, common.freedom)
    spread = sqrt(both.with_own(standard_deviation(differences) ** 2, freedom))
    if mean <= 0:
        return Certainty(0.5, MAX_FURTHER_DEALS)
    if not spread:
        return Certainty(1.0, 0)
    chance = NormalDist().cdf(mean / spread * sqrt(len(differences)))
    needed = (NormalDist().inv_cdf(CONFIDENCE) * spread / mean) ** 2
    return Certainty(chance, max(0, min(MAX_FURTHER_DEALS, ceil(needed) - len(differences))))


def standard_deviation(values: Iterable[float]) -> float:
    """Returns that of a sample; statistics.stdev, which computes with fractions, takes ten times as long."""
    sample = list(values)
    mean = fmean(sample)
    return sqrt(fsum((value - mean) ** 2 for value in sample) / (len(sample) - 1))


def student_t(freedom: int) -> float:
    """Returns the factor of a 95 % interval from so many degrees of freedom: exact for 1 and 2, else by the
    Cornish-Fisher expansion, whose error is below 1 %."""
    tail = (1 + CONFIDENCE) / 2
    if freedom == 1:
        return tan(pi * (tail - 0.5))
    if freedom == 2:
        return (2 * tail - 1) * sqrt(2 / (1 - (2 * tail - 1) ** 2))
    z, n = NormalDist().inv_cdf(tail), float(freedom)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def _products(games: Sequence[GameResult]) -> tuple[int, float, float]:
    """Returns the number of these games of one deal, and the sums of luck times share and of luck squared, both as
    differences from the average of the deal, or of the seat. A game without another of its seat tells nothing."""
    cells: defaultdict[tuple[int, int] | None, list[GameResult]] = defaultdict(list)
    for one in games:
        cells[one.place].append(one)
    number, both, square = 0, 0.0, 0.0
    for place, cell in cells.items():
        luck = [one.luck or 0.0 for one in cell]
        average, average_share = fmean(luck), fmean(one.share for one in cell)
        number += len(cell) if place is None or len(cell) > 1 else 0
        both += sum((x - average) * (one.share - average_share) for x, one in zip(luck, cell, strict=True))
        square += sum((x - average) ** 2 for x in luck)
    return number, both, square


def _line(games: Sequence[GameResult], skill: Mapping[int, float], average: float, spread: Spread) -> Line:
    return Line(
        rank=0,
        entrant=games[0].entrant,
        played=len(games),
        victories=sum(one.share for one in games),
        points=fmean(one.points for one in games),
        skill=average + fmean(skill.values()) if skill else None,
        margin=spread.margin(list(skill.values())) if len(skill) > 1 else None,
    )


def _skill_key(line: Line) -> tuple[float, ...]:
    return inf if line.skill is None else -line.skill, -line.victories, -line.points


SORT_KEYS: Mapping[Scoring, Callable[[Line], tuple[float, ...]]] = {
    "skill": _skill_key,
    "victories": lambda line: (-line.victories, -line.points),
    "points": lambda line: (-line.points, -line.victories),
}
