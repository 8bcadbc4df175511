"""What of a game's result was luck, cheaply, by two judges: the advisor's evaluation alone, and quick games.

After an answer that chance has a part in, a seat's luck is what a judge gives it as things came, less the mean of the same in
worlds that all seats together cannot tell from this one, with fresh chance. Its expectation is 0 whatever the judge is worth:
what is subtracted from a result with it leaves the mean alone, and a good judge takes much of the spread away (ADR 26). The
evaluation is exact where it looks; quick games also see what was only found out, and are noisy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veillee.bots.evaluation import chances, expected
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER, Log
from veillee.kernel.state import State
from veillee.match.match import Match

WORLDS = 32  # for each answer that chance has a part in
GAMES = 64  # quick ones as things came, and as many in other worlds: about what a quick bot thinks for an answer
FOLDS = 5  # of the deals: what luck is worth to a level is learned from the others

Lucks = list[float]  # of a seat in a game, by each judge: the evaluation first


class Luck:
    """Of one game, seat by seat, while it is played."""

    def __init__(self, box: Box, seats: int, seed: int, worlds: int | None = None, games: int | None = None) -> None:
        """In so many worlds for the evaluation, by so many quick games; 0: that judge is not asked."""
        self.box, self.advisor = box, box.advisor
        self.worlds = WORLDS if worlds is None else worlds
        self.games = GAMES if games is None else games
        self.of: list[Lucks] = [[0.0] * (bool(self.worlds) + bool(self.games)) for _ in range(seats)]
        self.rng = Rng(seed)  # its own: the game goes on as it would have

    def play(self, state: State, seat: int, action: int, rng: Rng) -> None:
        """state.apply(), and what chance made of it."""
        before, used, log = state.clone(), rng.used, Log()
        state.apply(seat, action, rng, log)
        if rng.used == used and not log.reveals:
            return
        if self.worlds:
            self._add(0, self.advisor.evaluate(state), self._hoped(before, seat, action))
        if self.games:
            came = chances(self.box, state, self.rng, self.games)
            self._add(-1, came, expected(self.box, before, seat, action, self.rng, self.games))

    def _add(self, judge: int, came: Iterable[float], mean: Iterable[float]) -> None:
        for row, one, other in zip(self.of, came, mean, strict=True):
            row[judge] += one - other

    def _hoped(self, before: State, seat: int, action: int) -> list[float]:
        """What the evaluation gives each seat after the answer, on average."""
        hoped = [0.0] * len(self.of)
        for _ in range(self.worlds):
            world = before.clone()
            world.determinize(TOGETHER, self.rng)
            world.apply(seat, action, self.rng)
            for one, share in enumerate(self.advisor.evaluate(world)):
                hoped[one] += share
        return [share / self.worlds for share in hoped]


def luck_of(match: Match, seed: int) -> list[Lucks]:
    """Each seat's, of a match that was played."""
    luck, past = Luck(match.box, match.seats, seed), match.from_the_start()
    for seat, action in match.answers:
        luck.play(past.state, seat, action, past.rng)
    return luck.of


def without_luck(deals: Sequence[Sequence[tuple[float, Sequence[float]]]]) -> list[list[float]]:
    """The results of the games of each deal, from (result, luck by each judge), less what the luck in them was worth.

    How much that is is learned from the deals of the other folds: no result has a part in its own correction, so that the
    mean stays what it is.
    """
    sums: list[list[list[float]]] = []  # of each fold
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
    """Of a deal's games: 1, the luck by each judge, the result."""
    return [1.0, *map(sum, zip(*(lucks for _, lucks in deal), strict=True)), sum(result for result, _ in deal)]


def _products(rows: Sequence[Sequence[float]], width: int) -> list[list[float]]:
    """Of each two columns, summed up over the rows."""
    return [[sum(row[i] * row[j] for row in rows) for j in range(width)] for i in range(width)]


def _worth(tables: Sequence[Sequence[Sequence[float]]]) -> list[float]:
    """What luck by each judge is worth by least squares, from sums of products; 0 where luck never differs.

    A little less, as if one more deal had told nothing: so judges who always agree share it, and few deals tell little.
    """
    width = len(tables[0])
    total = [[sum(table[i][j] for table in tables) for j in range(width)] for i in range(width)]
    deals = max(total[0][0], 1.0)
    rows = [
        [total[i][j] - total[0][i] * total[0][j] / deals for j in range(1, width)] for i in range(1, width - 1)
    ]  # about the means; the last column is that of the result
    for i, row in enumerate(rows):
        row[i] = row[i] * (1 + 1 / deals) or 1.0
    for i, row in enumerate(rows):  # Gauss
        for other in rows[i + 1 :]:
            part = other[i] / row[i]
            other[:] = [x - part * y for x, y in zip(other, row, strict=True)]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found
