"""RLlib: every box as a MultiAgentEnv, in which all seats that are asked answer in the same step.

    from ray.tune.registry import register_env
    register_env("veillee", GameEnv)
    config.environment("veillee", env_config={"game": "paper-tales"}, disable_env_checking=True)    # it ignores masks

An agent is a seat; its id is its number. It has an observation only when it is asked: the planes of the box, and the mask of
legal answers under the names that RLlib's ActionMaskingTorchRLModule reads, which wants floats. An answer's number is a choice's id. Rewards come at
the end of a game: each seat's share of the victory. An answer that the mask forbids raises `veillee.Forbidden` with its rule
and changes nothing.

needs veillee[lab] and ray[rllib]; training also needs PyTorch, the environment does not
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, State
from veillee.lab.env_base import GameSpec, seed_of

Told = dict[Any, Any]  # by agent


class GameEnv(MultiAgentEnv):
    """A table. Its config has the game, the number of seats if it is not the usual one, and the options of the box."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        options = dict(config)
        self.spec_of_game = GameSpec(options.pop("game"), options.pop("seats", None), options)
        game = self.spec_of_game
        seen = {
            "observations": spaces.Box(game.low.astype(np.float32), game.high.astype(np.float32)),
            "action_mask": spaces.Box(0, 1, (game.answers,), np.int8),
        }
        self.possible_agents = list(range(game.seats))
        self.agents = self.possible_agents[:]
        self.observation_spaces = {seat: spaces.Dict(seen) for seat in self.agents}
        self.action_spaces = {seat: spaces.Discrete(game.answers) for seat in self.agents}

    def reset(self, *, seed: int | None = None, options: Told | None = None) -> tuple[Told, Told]:
        super().reset(seed=seed, options=options)
        self.rng = Rng(seed_of(self.np_random))
        self.state: State = self.spec_of_game.begin(self.rng)
        self.agents = self.possible_agents[:]
        return self.observe(self.state.to_act), {}

    def step(self, action_dict: Told) -> tuple[Told, Told, Told, Told, Told]:
        state, game = self.state, self.spec_of_game
        given = {seat: game.check(state, seat, action_dict[seat]) for seat in state.to_act}
        question = state.question
        for seat, action in given.items():  # an answer that another seat's has made illegal is asked for again
            if state.question is question and state.explain(seat, action) == ALLOWED:
                state.apply(seat, action, self.rng)
        if state.to_act:
            still = {"__all__": False}
            return self.observe(state.to_act), dict.fromkeys(state.to_act, 0.0), still, still, {}
        seats, self.agents = self.agents, []
        rewards = dict(zip(seats, state.returns(), strict=True))
        infos = {seat: {"score": state.score(seat)} for seat in seats}
        over = dict.fromkeys([*seats, "__all__"], True)
        return self.observe(seats), rewards, over, dict.fromkeys(over, False), infos

    def observe(self, seats: Any) -> Told:
        game, state = self.spec_of_game, self.state
        return {
            seat: {
                "observations": game.observer.row(state, seat).astype(np.float32),
                "action_mask": game.mask(state, seat),
            }
            for seat in seats
        }
