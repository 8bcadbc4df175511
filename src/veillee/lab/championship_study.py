"""Simulates championships of entrants whose strength is known, and measures what their standings are worth.

A pool of deals is played once by each entrant, as in a house: the same deals against the same bots, the luck of each
game by the analysis. A championship is some deals of the pool. Its order is compared with the true one, by victories,
by points and by victories less luck, and its intervals with the average of the whole pool, which stands for the truth.
Two more ways to score tell what else the analysis could do: without what the bots happened to answer, too, and by what
the entrant's own answers were worth.
Championships that share deals of the pool are not independent: figures for many of them are averages, no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from statistics import fmean, variance

from veillee.bots.evaluation import Budget
from veillee.bots.levels import adaptive_level_name, level
from veillee.bots.planning import plan_as, resample_for_seat
from veillee.games.box import Box
from veillee.house.championships.standings import GameResult, rank_entrants, without_luck
from veillee.kernel.chance import Rng
from veillee.lab.arena import find
from veillee.lab.executors import Executor
from veillee.match.analysis import Account, analyse
from veillee.match.setup import new

STRENGTHS = (0.4, 0.6, 0.8, 1.0)  # of the entrants, as those of adaptive bots: from a bit above novice to expert
ENTRANTS_EACH = 6  # of each strength: 24 in all
OPPONENTS = "regular"
SEEDS_PER_STUDY = 1_000_000  # seeds of deals of one study do not meet those of another


@dataclass(frozen=True)
class Game:
    """One entrant's game of one deal, as plain data for another process."""

    box: str
    deal: int
    entrant: int
    strength: float
    seed: int
    position: int  # rollouts to evaluate a position


@dataclass(frozen=True)
class AnalysedResult(GameResult):
    """A result with the rest of its analysis: result - chances at the start = luck + own + others."""

    own: float = 0.0  # worth of the entrant's answers
    others: float = 0.0  # worth of the bots' answers to the entrant


@dataclass(frozen=True)
class Method:
    """What one way to score is worth."""

    name: str
    spearman: float  # mean rank correlation of the final order with the true one
    coverage: float  # share of the 95 % intervals that contain the truth
    deals_needed: float  # for the same certainty, as a multiple of those by victories


def play_deal(game: Game) -> AnalysedResult:
    """Plays an entrant's game: bots with seeds that depend on the deal alone, so that equal play gets equal answers."""
    box = find(game.box)
    match = new(box.id, box.usual, game.seed * SEEDS_PER_STUDY + game.deal)
    own = game.deal % box.usual
    levels = [
        level(adaptive_level_name(game.strength) if seat == own else OPPONENTS, box.id) for seat in range(box.usual)
    ]
    given = [0] * box.usual
    while not match.over:
        seat = match.to_act[0]
        thinker = game.entrant if seat == own else 0
        seed = thought_seed(game.seed, game.deal, thinker, seat, given[seat])
        position = box.load(resample_for_seat(match.state, seat, seed))
        for action in plan_as(box, position, seat, levels[seat], seed, timed=False):
            match.play(seat, action)
            given[seat] += 1
    sums = Account(box.usual)
    for found in analyse(match, game.deal, Budget(position=game.position), seats=()):
        sums.add(found)
    share, points = match.state.returns()[own], match.scores[own]
    luck, mine, others = (row[own] for row in (sums.luck, sums.own, sums.others))
    return AnalysedResult(game.entrant, game.deal, share, points, luck, own=mine, others=others)


def thought_seed(*numbers: int) -> int:
    """Returns a seed for one thought from the numbers that it may depend on."""
    seed = 0
    for number in numbers:
        seed = Rng(seed + number).seed()
    return seed


@dataclass(frozen=True)
class ChampionshipStudy:
    """Simulated championships of a box. The numbers are fixed before anything is looked at."""

    box: Box
    pool: int  # deals
    deals: int  # of a championship
    championships: int
    seed: int
    position: int  # rollouts to evaluate a position

    @property
    def strengths(self) -> dict[int, float]:
        """The true strength of each entrant, by number."""
        every = [strength for strength in STRENGTHS for _ in range(ENTRANTS_EACH)]
        return dict(enumerate(every, 1))

    def jobs(self) -> list[Game]:
        return [
            Game(self.box.id, deal, entrant, strength, self.seed, self.position)
            for deal in range(1, self.pool + 1)
            for entrant, strength in self.strengths.items()
        ]

    def play(self, executor: Executor, progress: Callable[[], None]) -> list[AnalysedResult]:
        results = []
        for result in executor.map(play_deal, self.jobs()):
            results.append(result)
            progress()
        return results

    def methods(self, results: Sequence[AnalysedResult]) -> list[Method]:
        """Compares the ways to score, on the same championships."""
        chance = Random(self.seed)
        draws = [chance.sample(range(1, self.pool + 1), self.deals) for _ in range(self.championships)]
        by_victories = [GameResult(one.entrant, one.deal, one.share, one.points, 0.0) for one in results]
        by_points = [GameResult(one.entrant, one.deal, float(one.points), one.points, 0.0) for one in results]
        less_others = [replace(one, luck=(one.luck or 0.0) + one.others) for one in results]
        by_answers = [GameResult(one.entrant, one.deal, one.own, one.points, 0.0) for one in results]
        points_less_luck = as_victories(results)
        plain = differences_spread(by_victories, self.strengths)
        return [
            self._method(name, rows, draws, differences_spread(rows, self.strengths) / plain)
            for name, rows in (
                ("victories", by_victories),
                ("points", by_points),
                ("victories less luck", results),
                ("points less luck", points_less_luck),
                ("victories less luck and the bots' answers", less_others),
                ("worth of one's own answers", by_answers),
            )
        ]

    def _method(
        self, name: str, results: Sequence[GameResult], draws: Sequence[Sequence[int]], deals_needed: float
    ) -> Method:
        truth = strength_means(results, self.strengths)
        middle = fmean(truth[strength] for strength in self.strengths.values())
        correlations, held, told = [], 0, 0
        for deals in map(set, draws):
            rows = [one for one in results if one.deal in deals]
            lines = rank_entrants(rows)
            correlations.append(
                spearman([line.skill or 0.0 for line in lines], [self.strengths[line.entrant] for line in lines])
            )
            average = fmean(value for values in without_luck(rows).values() for value in values.values())
            for line in lines:
                if line.skill is not None and line.margin is not None:
                    expected = average + truth[self.strengths[line.entrant]] - middle
                    held += abs(line.skill - expected) <= line.margin
                    told += 1
        return Method(name, fmean(correlations), held / told, deals_needed)


def as_victories(results: Sequence[GameResult]) -> list[GameResult]:
    """Returns the results with points in place of shares of the victory, in a unit in which a point is worth as much of
    the victory as it is on average (least squares, within deals): luck is measured in shares of the victory, too."""
    of_deal: dict[int, list[GameResult]] = {}
    for one in results:
        of_deal.setdefault(one.deal, []).append(one)
    both = square = 0.0
    for games in of_deal.values():
        points, share = fmean(one.points for one in games), fmean(one.share for one in games)
        both += sum((one.points - points) * (one.share - share) for one in games)
        square += sum((one.points - points) ** 2 for one in games)
    worth = both / square if square else 0.0
    return [replace(one, share=worth * one.points) for one in results]


def strength_means(results: Sequence[GameResult], strengths: dict[int, float]) -> dict[float, float]:
    """Returns the average result of each strength over the whole pool."""
    return {
        strength: fmean(
            value
            for values in without_luck(results).values()
            for entrant, value in values.items()
            if strengths[entrant] == strength
        )
        for strength in set(strengths.values())
    }


def differences_spread(results: Sequence[GameResult], strengths: dict[int, float]) -> float:
    """Returns how many deals it takes to tell two neighbouring strengths apart, in units that cancel out: the variance
    of the difference of two entrants in one deal, over the square of its mean, on average over all such pairs."""
    by_entrant: dict[int, dict[int, float]] = {}
    for deal, values in without_luck(results).items():
        for entrant, value in values.items():
            by_entrant.setdefault(entrant, {})[deal] = value
    means = strength_means(results, strengths)
    order = sorted(means)
    variances, gaps = [], []
    for weak, strong in pairwise(order):
        gaps.append((means[strong] - means[weak]) ** 2)
        for low in (number for number, strength in strengths.items() if strength == weak):
            for high in (number for number, strength in strengths.items() if strength == strong):
                deals = by_entrant[low].keys() & by_entrant[high].keys()
                variances.append(variance([by_entrant[high][deal] - by_entrant[low][deal] for deal in deals]))
    return fmean(variances) / fmean(gaps)


def spearman(figures: Sequence[float], truths: Sequence[float]) -> float:
    """Returns the rank correlation; equals share their mean rank."""
    ranks, true_ranks = _ranks(figures), _ranks(truths)
    middle, true_middle = fmean(ranks), fmean(true_ranks)
    covariance = sum((a - middle) * (b - true_middle) for a, b in zip(ranks, true_ranks, strict=True))
    spread = sum((a - middle) ** 2 for a in ranks) * sum((b - true_middle) ** 2 for b in true_ranks)
    return float(covariance / spread**0.5) if spread else 0.0


def _ranks(figures: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for place, figure in enumerate(sorted(figures)):
        places.setdefault(figure, []).append(place)
    return [fmean(places[figure]) for figure in figures]


def page(study: ChampionshipStudy, methods: Sequence[Method], command: str) -> str:
    """Returns the report as Markdown."""
    every = ", ".join(f"{one:.1f}" for one in STRENGTHS)
    opening = (
        f"{len(study.strengths)} entrants (strengths {every}; {ENTRANTS_EACH} each) against {study.box.usual - 1}"
        f" {OPPONENTS} bots; {study.championships} championships of {study.deals} deals out of {study.pool}."
    )
    rows = [
        f"| {one.name} | {one.spearman:.2f} | {100 * one.coverage:.1f} % | × {one.deals_needed:.2f} |"
        for one in methods
    ]
    head = ["| scored by | Spearman | 95 % intervals that hold | deals needed |", "|---|--:|--:|--:|"]
    lines = [f"### {study.box.title['en']}", "", opening, "", f"Made by `{command}`.", "", *head, *rows]
    return "\n".join(lines) + "\n"
