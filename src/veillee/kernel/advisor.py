"""What a game tells the search about good play. The search itself knows no game."""

from __future__ import annotations

from math import exp
from typing import Any, Final

from veillee.kernel.chance import Rng
from veillee.kernel.state import State

REACH: Final = 20  # decisions: about two rounds of a table, which is where the playouts of our games have told most


class Advisor:
    """Hints that are right for every game; a game's bot.py overrides what it knows better.

    A hint may look at the whole position it is given: callers only hand in positions resampled for the seat.

    A game that wants its playouts cut short says what counts (`phase`, `features`); how much it counts is learned by
    self-play (lab/learn.py) and handed in as `weights`, a row of figures for each phase. A playout then ends at the
    first `quiet` moment after `reach` decisions, or, with `whole_phases`, at the first one of another phase than that it
    began in. Without weights every playout goes to the end of the game.
    """

    def __init__(self, weights: list[list[float]] | None = None) -> None:
        self.weights: list[list[float]] = weights or []
        self.reach = REACH
        self.whole_phases = False

    def choose(self, g: Any, seat: int, legal: list[int], rng: Rng) -> int:
        """A quick, sensible choice for playouts: cheap, and never the same for sure."""
        return legal[rng.below(len(legal))]

    def phase(self, g: Any) -> int:
        """Which row of weights applies: how far the game has come."""
        return 0

    def features(self, g: Any, seat: int) -> list[float]:
        """What speaks for the seat, each figure around 1 in size."""
        return []

    def evaluate(self, g: Any) -> list[float]:
        """Each seat's chances from here, from 0 to 1, their sum at most 1; the result itself once the game is over."""
        state: State = g
        if not state.to_act or not self.weights:
            return state.returns()
        phase = self.phase(g)
        weights = self.weights[phase if phase < len(self.weights) else len(self.weights) - 1]
        hopes: list[float] = []
        total = 0.0
        for seat in range(state.seats()):
            features = self.features(g, seat)
            worth = 0.0
            for i in range(len(features)):
                worth += weights[i] * features[i]
            hope = exp(worth)
            hopes.append(hope)
            total += hope
        for seat in range(len(hopes)):
            hopes[seat] /= total
        return hopes

    def horizon(self, g: Any) -> int:
        """After how many decisions a playout stops and evaluates; 0: it is played to the end."""
        if not self.weights:
            return 0
        return 1 if self.whole_phases else self.reach

    def quiet(self, g: Any) -> bool:
        """Is this a moment that the features can judge: nobody in the middle of a move?"""
        return True
