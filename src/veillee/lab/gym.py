"""Gymnasium: one seat of a box against our bots.

    import gymnasium
    import veillee.lab.gym
    env = gymnasium.make("veillee/ghost-knights", seats=4, opponents="novice")

An observation is a row of the box's planes, an action a choice's id; `env.unwrapped.action_masks()` and
`info["action_mask"]` say which may be given (as MaskablePPO of sb3-contrib wants it). The reward comes with the end of a
game: the seat's share of the victory.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from veillee.bots.levels import LEVELS
from veillee.bots.levels import level as find_level
from veillee.bots.planning import plan_as
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.lab.env_base import GameSpec, seed_of
from veillee.lab.simulate import Numbers, t
from veillee.match.errors import Unknown, quote

HASTY = "hasty"  # an opponent that plays its first idea: a game against such takes milliseconds


class Seat(gymnasium.Env[Numbers, np.int64]):
    """Environment of one seat at a table of bots, each of which knows only what its own seat may know. The same seed
    gives the same games."""

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"]}  # noqa: RUF012 (Gymnasium's own)

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seat: int = 0,
        opponents: str = HASTY,
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        self.table: GameSpec = GameSpec(game, seats, options)
        if not 0 <= seat < self.table.seats:
            raise Unknown(
                t("There is no seat {seat}: the seats are 0 to {last}.", seat=seat, last=self.table.seats - 1)
            )
        if opponents not in (HASTY, *LEVELS):
            known = ", ".join((HASTY, *LEVELS))
            raise Unknown(t("There is no level {level}: the levels are {known}.", level=quote(opponents), known=known))
        self.seat = seat
        self.opponents = opponents
        self.render_mode = render_mode
        self.observation_space: spaces.Box = spaces.Box(self.table.low, self.table.high, dtype=np.int16)
        self.action_space: spaces.Discrete = spaces.Discrete(self.table.answers)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        super().reset(seed=seed)
        self.rng: Rng = Rng(seed_of(self.np_random))
        self.thoughts: Rng = Rng(seed_of(self.np_random))
        self.state: State = self.table.begin(self.rng)
        self._others()
        if not self.state.to_act:  # the game ended before the seat was asked
            return self.reset()
        return self.table.observer.row(self.state, self.seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        self.state.apply(self.seat, self.table.check(self.state, self.seat, action), self.rng)
        self._others()
        over = not self.state.to_act
        reward = self.state.returns()[self.seat] if over else 0.0
        if self.render_mode == "human":
            self.render()
        return self.table.observer.row(self.state, self.seat), reward, over, False, self._info()

    def action_masks(self) -> Numbers:
        return self.table.mask(self.state, self.seat).astype(np.bool_)

    def render(self) -> Any:
        text = self.table.drawn(self.state, self.seat)
        if self.render_mode == "human":
            sys.stdout.write(text)
            return None
        return text

    def _info(self) -> dict[str, Any]:
        scores = [self.state.score(seat) for seat in range(self.table.seats)]
        return {
            "action_mask": self.table.mask(self.state, self.seat),
            "scores": scores if not self.state.to_act else None,
        }

    def _others(self) -> None:
        """Lets the bots answer until the seat is asked or the game is over."""
        state = self.state
        while state.to_act and not state.asks(self.seat):
            seat = state.to_act[0]
            state.apply(seat, self._idea(seat), self.rng)

    def _idea(self, seat: int) -> int:
        box, thoughts = self.table.box, self.thoughts
        if self.opponents == "random":
            legal = self.state.legal(seat)
            return legal[thoughts.below(len(legal))]
        world = self.state.clone()
        world.determinize(seat, thoughts)
        if self.opponents == HASTY:
            return box.advisor.first_idea(world, seat, thoughts)
        return plan_as(box, world, seat, find_level(self.opponents, box.id), thoughts.seed(), timed=False)[0]


def register() -> None:
    for box in BOXES:
        if f"veillee/{box}" not in gymnasium.registry:
            gymnasium.register(f"veillee/{box}", entry_point="veillee.lab.gym:Seat", kwargs={"game": box})


register()
