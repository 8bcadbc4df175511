"""Common base of the adapters to other frameworks: one game played by programs, a position at a time."""

from __future__ import annotations

from io import StringIO
from typing import Any

import numpy as np
from rich.console import Console

from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, State
from veillee.lab.simulate import Numbers, Observer
from veillee.match.errors import Forbidden
from veillee.match.setup import check_seats, complete

BOARD_WIDTH = 100  # columns of a board as text


class GameSpec:
    """A box with a number of seats and options, and the encoding of its positions for programs."""

    def __init__(self, game: str, seats: int | None, options: dict[str, str]) -> None:
        self.box: Box
        self.seats: int
        self.box, self.seats = check_seats(game, seats)
        self.options: dict[str, str] = complete(self.box, options)
        first = self.begin(Rng(0))
        self.observer: Observer = Observer(self.box, first)
        self.answers: int = int(first.answers())
        sizes = [plane.stop - plane.start for plane in self.observer.planes]
        self.low: Numbers = np.repeat(np.array([plane.least for plane in self.observer.planes], np.int16), sizes)
        self.high: Numbers = np.repeat(np.array([plane.most for plane in self.observer.planes], np.int16), sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as the constructor's arguments."""
        return GameSpec, (self.box.id, self.seats, self.options)

    def begin(self, rng: Rng) -> State:
        return self.box.new(self.seats, rng, self.options, None)

    def mask(self, state: State, seat: int) -> Numbers:
        """Returns 1 for each legal answer of the seat; all zeros if it is not asked."""
        mask = np.zeros(self.answers, np.int8)
        if state.asks(seat):
            mask[state.legal(seat)] = 1
        return mask

    def check(self, state: State, seat: int, action: Any) -> int:
        """Returns the answer if it is legal. Raises Forbidden; then nothing was changed."""
        number = int(action) if action is not None else -1
        if (rule := state.explain(seat, number)) != ALLOWED:
            raise Forbidden(self.box, state.clone(), seat, number, rule)
        return number

    def drawn(self, state: State, seat: int) -> str:
        """Renders the board as text, as the seat may see it."""
        names = [f"seat {n}" for n in range(self.seats)]
        view = {
            "game": self.box.id,
            "seat": seat,
            "seats": self.seats,
            "to_act": list(state.to_act),
            "over": not state.to_act,
            "scores": None if state.to_act else [state.score(n) for n in range(self.seats)],
            **self.box.view(state, seat),
        }
        text = StringIO()
        Console(file=text, width=BOARD_WIDTH, color_system=None, force_jupyter=False).print(
            self.box.draw(view, names, self.box.words("en"))
        )
        return text.getvalue()


def seed_of(generator: np.random.Generator) -> int:
    """Draws a seed for a game."""
    return int(generator.integers(1 << 60))
