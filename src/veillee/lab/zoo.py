"""PettingZoo: every box as an environment, with one agent after the other (`env`) or all together (`parallel_env`).

    from veillee.lab import zoo
    env = zoo.env("paper-tales", seats=3)

An agent is a seat. Its observation is the planes of the box (`veillee.simulate(…).planes` names them) and the mask of
legal answers; an answer's number is a choice's id. Rewards come at the end of a game: each seat's share of the victory.
An answer that the mask forbids raises `veillee.Forbidden` with its rule and changes nothing.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv, ParallelEnv

from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, State
from veillee.lab.env_base import GameSpec, seed_of

MODES = ["human", "ansi"]


class Table(AECEnv[str, dict[str, Any], int], EzPickle):
    """A table. The selected agent is the seat that must answer; several seats asked at once answer one after the other,
    without seeing the others' answers."""

    metadata: dict[str, Any] = {"render_modes": MODES, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's own)

    def __init__(self, game: str, seats: int | None = None, render_mode: str | None = None, **options: str) -> None:
        EzPickle.__init__(self, game, seats, render_mode, **options)
        super().__init__()
        self.table: GameSpec = GameSpec(game, seats, options)
        self.metadata = {**self.metadata, "name": f"veillee_{game.replace('-', '_')}_v{self.table.box.version}"}
        self.render_mode = render_mode
        self.possible_agents: list[str] = [f"seat_{seat}" for seat in range(self.table.seats)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces: dict[str, Any] = {
            agent: observation_space_of(self.table, 0) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Any] = {
            agent: spaces.Discrete(self.table.answers) for agent in self.possible_agents
        }
        self._chance = seeding.np_random(None)[0]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._chance = seeding.np_random(seed)[0]
        self.rng: Rng = Rng(seed_of(self._chance))
        self.state: State = self.table.begin(self.rng)
        self.agents: list[str] = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection: str = self.possible_agents[self.state.to_act[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seat[agent]
        return {
            "observation": self.table.observer.row(self.state, seat),
            "action_mask": self.table.mask(self.state, seat),
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seat[agent]
        self.state.apply(seat, self.table.check(self.state, seat, action), self.rng)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.state.to_act:
            self.agent_selection = self.possible_agents[self.state.to_act[0]]
        else:
            for other, share in zip(self.possible_agents, self.state.returns(), strict=True):
                self.rewards[other] = share
                self.terminations[other] = True
                self.infos[other]["score"] = self.state.score(self._seat[other])
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Renders the board as text, as the selected agent sees it."""
        return render_text(self.render_mode, self.table.drawn(self.state, self._seat.get(self.agent_selection, 0)))

    def close(self) -> None:
        pass


class SimultaneousEnv(ParallelEnv[str, dict[str, Any], int], EzPickle):
    """A table at which all agents act in the same step: seats that are asked give an answer, the others wait, which is
    the last number. Where many are asked at once (Paper Tales), a step is an answer of each of them."""

    metadata: dict[str, Any] = {"render_modes": MODES}  # noqa: RUF012

    def __init__(self, game: str, seats: int | None = None, render_mode: str | None = None, **options: str) -> None:
        EzPickle.__init__(self, game, seats, render_mode, **options)
        super().__init__()
        self.table: GameSpec = GameSpec(game, seats, options)
        self.metadata = {
            **self.metadata,
            "name": f"veillee_{game.replace('-', '_')}_together_v{self.table.box.version}",
        }
        self.render_mode = render_mode
        self.possible_agents: list[str] = [f"seat_{seat}" for seat in range(self.table.seats)]
        self.wait: int = self.table.answers
        self.observation_spaces: dict[str, Any] = {
            agent: observation_space_of(self.table, 1) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Any] = {
            agent: spaces.Discrete(self.table.answers + 1) for agent in self.possible_agents
        }
        self._chance = seeding.np_random(None)[0]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if seed is not None:
            self._chance = seeding.np_random(seed)[0]
        self.rng: Rng = Rng(seed_of(self._chance))
        self.state: State = self.table.begin(self.rng)
        self.agents: list[str] = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        asked = self.state.to_act
        given = {seat: self.table.check(self.state, seat, actions[self.possible_agents[seat]]) for seat in asked}
        question = self.state.question
        for seat, action in given.items():  # an answer that another seat's has made illegal is asked for again
            if self.state.question is question and self.state.explain(seat, action) == ALLOWED:
                self.state.apply(seat, action, self.rng)
        over = not self.state.to_act
        shares = self.state.returns() if over else [0.0] * self.table.seats
        observations = self._observations()
        rewards = dict(zip(self.agents, shares, strict=True))
        infos: dict[str, dict[str, Any]] = {
            agent: {"score": self.state.score(seat)} if over else {} for seat, agent in enumerate(self.agents)
        }
        terminations, truncations = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> dict[str, Any]:
        found = {}
        for seat, agent in enumerate(self.agents):
            waits = np.array([not self.state.asks(seat)], np.int8)
            found[agent] = {
                "observation": self.table.observer.row(self.state, seat),
                "action_mask": np.concatenate([self.table.mask(self.state, seat), waits]),
            }
        return found

    def render(self) -> str | None:
        return render_text(
            self.render_mode, self.table.drawn(self.state, self.state.to_act[0] if self.state.to_act else 0)
        )

    def close(self) -> None:
        pass


def observation_space_of(table: GameSpec, more: int) -> spaces.Dict:
    """Returns an agent's observation space; its mask has `more` entries more than there are answers."""
    return spaces.Dict(
        {
            "observation": spaces.Box(table.low, table.high, dtype=np.int16),
            "action_mask": spaces.Box(0, 1, (table.answers + more,), np.int8),
        }
    )


def render_text(mode: str | None, text: str) -> str | None:
    if mode == "human":
        sys.stdout.write(text)
        return None
    return text


def env(game: str, seats: int | None = None, render_mode: str | None = None, **options: str) -> Table:
    """Returns a table of that game for PettingZoo, one agent after the other."""
    return Table(game, seats, render_mode, **options)


def parallel_env(
    game: str, seats: int | None = None, render_mode: str | None = None, **options: str
) -> SimultaneousEnv:
    """Returns a table of that game for PettingZoo, with all agents in each step."""
    return SimultaneousEnv(game, seats, render_mode, **options)
