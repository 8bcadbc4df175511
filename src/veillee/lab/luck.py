"""What of a game's result was luck, cheaply: by the advisor's evaluation alone, without a game in the head.

After an answer that chance has a part in, a seat's luck is its evaluation as things came, less the mean of the same in worlds
that all seats together cannot tell from this one, with fresh chance. Its expectation is 0 whatever the evaluation is worth:
what is subtracted from a result with it leaves the mean alone, and a good evaluation takes much of the spread away (ADR 26).
"""

from __future__ import annotations

from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER, Log
from veillee.kernel.state import State

WORLDS = 16  # for each answer that chance has a part in


class Luck:
    """Of one game, seat by seat, while it is played."""

    def __init__(self, box: Box, seats: int, seed: int, worlds: int = WORLDS) -> None:
        self.advisor = box.advisor
        self.of = [0.0] * seats
        self.rng = Rng(seed)  # its own: the game goes on as it would have
        self.worlds = worlds

    def play(self, state: State, seat: int, action: int, rng: Rng) -> None:
        """state.apply(), and what chance made of it."""
        before, used, log = state.clone(), rng.used, Log()
        state.apply(seat, action, rng, log)
        if rng.used == used and not log.reveals:
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
