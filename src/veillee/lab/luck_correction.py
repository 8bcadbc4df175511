"""Luck correction: estimates cheaply how much of a game's result was luck, by two judges: the advisor's evaluation, and
quick games.

After an answer that involves chance, a seat's luck is a judge's value of the actual position minus the mean value over
worlds that all seats together cannot distinguish from this one, with fresh chance. Its expectation is 0 however good
the judge is: subtracting it from a result leaves the mean unchanged, and a good judge removes much of the variance (ADR
26). The evaluation is exact for what it considers; quick games also see information that was only revealed, and are
noisy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veillee.bots.evaluation import chances, expected_result
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER, Log
from veillee.kernel.state import State
from veillee.match.match import Match

WORLDS_PER_ANSWER = 32  # per answer that involves chance
GAMES_PER_WORLD = (
    64  # quick games from the actual position, and as many in other worlds: about a quick bot's effort for an answer
)
FOLDS = 5  # of the deals: the coefficients for one fold are fitted on the others

Lucks = list[float]  # of a seat in a game, per judge: the evaluation first


class Luck:
    """Luck of each seat in one game, accumulated while it is played."""

    def __init__(self, box: Box, seats: int, seed: int, worlds: int | None = None, games: int | None = None) -> None:
        """worlds: for the evaluation; games: number of quick games; 0: that judge is not used."""
        self.box, self.advisor = box, box.advisor
        self.worlds = WORLDS_PER_ANSWER if worlds is None else worlds
        self.games = GAMES_PER_WORLD if games is None else games
        self.of: list[Lucks] = [[0.0] * (bool(self.worlds) + bool(self.games)) for _ in range(seats)]
        self.rng = Rng(seed)  # a separate generator: the game itself is not affected

    def play(self, state: State, seat: int, action: int, rng: Rng) -> None:
        """Calls state.apply() and adds the luck in it."""
        before, used, log = state.clone(), rng.used, Log()
        state.apply(seat, action, rng, log)
        if rng.used == used and not log.reveals:
            return
        if self.worlds:
            self._add(0, self.advisor.evaluate(state), self._hoped(before, seat, action))
        if self.games:
            came = chances(self.box, state, self.rng, self.games)
            self._add(-1, came, expected_result(self.box, before, seat, action, self.rng, self.games))

    def _add(self, judge: int, came: Iterable[float], mean: Iterable[float]) -> None:
        for row, one, other in zip(self.of, came, mean, strict=True):
            row[judge] += one - other

    def _hoped(self, before: State, seat: int, action: int) -> list[float]:
        """Returns the mean evaluation of each seat after the answer."""
        hoped = [0.0] * len(self.of)
        for _ in range(self.worlds):
            world = before.clone()
            world.determinize(TOGETHER, self.rng)
            world.apply(seat, action, self.rng)
            for one, share in enumerate(self.advisor.evaluate(world)):
                hoped[one] += share
        return [share / self.worlds for share in hoped]


def luck_of(match: Match, seed: int) -> list[Lucks]:
    """Returns each seat's luck in a finished match."""
    luck, past = Luck(match.box, match.seats, seed), match.from_the_start()
    for seat, action in match.answers:
        luck.play(past.state, seat, action, past.rng)
    return luck.of


def without_luck(deals: Sequence[Sequence[tuple[float, Sequence[float]]]]) -> list[list[float]]:
    """Returns the results of the games of each deal, from (result, luck by each judge), minus the estimated effect of
    luck.

    The coefficients are fitted on the deals of the other folds: no result takes part in its own correction, so that the
    mean stays unbiased.
    """
    sums: list[list[list[float]]] = []  # per fold
    for fold in range(FOLDS):
        totals = [_total(deal) for deal in deals[fold::FOLDS]]
        sums.append(_products(totals, 2 + len(deals[0][0][1])))
    corrected: list[list[float]] = [[] for _ in deals]
    for fold in range(FOLDS):
        worth = _worth([table for number, table in enumerate(sums) if number != fold])
        for number in range(fold, len(deals), FOLDS):
            corrected[number] = [
                result - sum(one * luck for one, luck in zip(worth, lucks, strict=True))
                for result, lucks in deals[number]
            ]
    return corrected


def _total(deal: Sequence[tuple[float, Sequence[float]]]) -> list[float]:
    """Sums a deal's games: 1, the luck by each judge, the result."""
    return [1.0, *map(sum, zip(*(lucks for _, lucks in deal), strict=True)), sum(result for result, _ in deal)]


def _products(rows: Sequence[Sequence[float]], width: int) -> list[list[float]]:
    """Returns the sums over the rows of the products of each two columns."""
    return [[sum(row[i] * row[j] for row in rows) for j in range(width)] for i in range(width)]


def _worth(tables: Sequence[Sequence[Sequence[float]]]) -> list[float]:
    """Returns the least-squares coefficient of each judge's luck, from sums of products; 0 where luck never differs.

    Slightly regularised, as with one more uninformative deal: judges who always agree share the coefficient, and few
    deals give small ones.
    """
    width = len(tables[0])
    total = [[sum(table[i][j] for table in tables) for j in range(width)] for i in range(width)]
    deals = max(total[0][0], 1.0)
    rows = [
        [total[i][j] - total[0][i] * total[0][j] / deals for j in range(1, width)] for i in range(1, width - 1)
    ]  # centred; the last column is the result
    for i, row in enumerate(rows):
        row[i] = row[i] * (1 + 1 / deals) or 1.0
    for i, row in enumerate(rows):  # Gaussian elimination
        for other in rows[i + 1 :]:
            part = other[i] / row[i]
            other[:] = [x - part * y for x, y in zip(other, row, strict=True)]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found
