"""What a game tells the search about good play. The search itself knows no game."""

from __future__ import annotations

from typing import Any

from veillee.kernel.chance import Rng
from veillee.kernel.state import State


class Advisor:
    """Hints that are right for every game; a game's bot.py overrides what it knows better.

    A hint may look at the whole position it is given: callers only hand in positions resampled for the seat.
    """

    def choose(self, g: Any, seat: int, legal: list[int], rng: Rng) -> int:
        """A quick, sensible choice for playouts: cheap, and never the same for sure."""
        return legal[rng.below(len(legal))]

    def evaluate(self, g: Any) -> list[float]:
        """Each seat's chances from here, from 0 to 1, their sum at most 1; the result itself once the game is over."""
        state: State = g
        return state.returns()

    def horizon(self, g: Any) -> int:
        """After how many decisions a playout stops and evaluates; 0: it is played to the end."""
        return 0
