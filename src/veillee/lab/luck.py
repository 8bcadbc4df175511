"""What of a game's result was luck, cheaply: by the advisor's evaluation alone, without a game in the head.

After an answer that chance has a part in, a seat's luck is its evaluation as things came, less the mean of the same in worlds
that all seats together cannot tell from this one, with fresh chance. Its expectation is 0 whatever the evaluation is worth:
what is subtracted from a result with it leaves the mean alone, and a good evaluation takes much of the spread away (ADR 26).
"""

from __future__ import annotations

from collections.abc import Sequence

from veillee.bots.insight import chances, expected
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER, Log
from veillee.kernel.state import State
from veillee.match.match import Match

WORLDS = 32  # for each answer that chance has a part in
FOLDS = 5  # of the deals: what luck is worth to a level is learned from the others


class Luck:
    """Of one game, seat by seat, while it is played."""

    def __init__(self, box: Box, seats: int, seed: int, worlds: int = 0, games: int = 0) -> None:
        """`games`: judge by so many quick games instead, where the evaluation does not look at what chance changes."""
        self.box, self.advisor, self.games = box, box.advisor, games
        self.of = [0.0] * seats
        self.rng = Rng(seed)  # its own: the game goes on as it would have
        self.worlds = worlds or WORLDS

    def play(self, state: State, seat: int, action: int, rng: Rng) -> None:
        """state.apply(), and what chance made of it."""
        before, used, log = state.clone(), rng.used, Log()
        state.apply(seat, action, rng, log)
        if rng.used == used and not log.reveals:
            return
        if self.games:
            found = chances(self.box, state, self.rng, self.games)
            mean = expected(self.box, before, seat, action, self.rng, self.games)
            self.of = [sum(row) for row in zip(self.of, found, (-one for one in mean), strict=True)]
            return
        came = self.advisor.evaluate(state)
        hoped = [0.0] * len(self.of)
        for _ in range(self.worlds):
            world = before.clone()
            world.determinize(TOGETHER, self.rng)
            world.apply(seat, action, self.rng)
            for one, share in enumerate(self.advisor.evaluate(world)):
                hoped[one] += share
        for one in range(len(self.of)):
            self.of[one] += came[one] - hoped[one] / self.worlds


def luck_of(match: Match, seed: int) -> list[float]:
    """Each seat's, of a match that was played."""
    luck, past = Luck(match.box, match.seats, seed), match.from_the_start()
    for seat, action in match.answers:
        luck.play(past.state, seat, action, past.rng)
    return luck.of


def without_luck(deals: Sequence[Sequence[tuple[float, float]]]) -> list[list[float]]:
    """The results of the games of each deal, from (result, luck), less what the luck in them was worth.

    How much that is is learned from the deals of the other folds: no result has a part in its own correction, so that the
    mean stays what it is.
    """
    totals = [(sum(result for result, _ in deal), sum(luck for _, luck in deal)) for deal in deals]
    corrected: list[list[float]] = [[] for _ in deals]
    for fold in range(FOLDS):
        worth = _slope([pair for number, pair in enumerate(totals) if number % FOLDS != fold])
        for number in range(fold, len(deals), FOLDS):
            corrected[number] = [result - worth * luck for result, luck in deals[number]]
    return corrected


def _slope(pairs: Sequence[tuple[float, float]]) -> float:
    """By least squares; 0 where luck never differs."""
    if not pairs:
        return 0.0
    middle, even = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
    spread = sum((luck - even) ** 2 for _, luck in pairs)
    return sum((result - middle) * (luck - even) for result, luck in pairs) / spread if spread else 0.0
