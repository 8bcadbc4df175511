"""Gymnasium environment: one seat against our bots."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import veillee
import veillee.lab.gym
from veillee.games.catalogue import BOXES


def finished(env, seed):
    """A game of the first allowed answers: how many there were, and the reward."""
    _, told = env.reset(seed=seed)
    for answers in range(1, 10_000):
        seen, reward, over, _, told = env.step(int(np.flatnonzero(told["action_mask"])[0]))
        assert env.observation_space.contains(seen)
        if over:
            return answers, reward, told["scores"]
    raise AssertionError("it does not end")


@pytest.mark.parametrize("game", list(BOXES))
def test_a_game_of_every_box_ends_and_is_the_same_again(game):
    env = gymnasium.make(f"veillee/{game}", opponents="random", disable_env_checker=True)
    first = finished(env, 5)
    assert first == finished(env, 5)
    assert 0.0 <= first[1] <= 1.0
    assert len(first[2]) == env.unwrapped.table.seats


class Masked(gymnasium.ActionWrapper):
    """Any number stands for one of the answers that are allowed: the checker knows no masks."""

    def action(self, action):
        allowed = np.flatnonzero(self.unwrapped.action_masks())
        return int(allowed[action % len(allowed)]) if len(allowed) else 0


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_gymnasiums_own_check():
    check_env(Masked(veillee.lab.gym.Seat("ghost-knights", seats=4)), skip_render_check=True)


def test_bots_of_every_level_answer():
    for level in ("hasty", "novice"):
        env = veillee.lab.gym.Seat("ghost-knights", seats=4, seat=2, opponents=level)
        _, told = env.reset(seed=1)
        env.step(int(np.flatnonzero(told["action_mask"])[0]))
        assert env.state.asks(2)


def test_what_is_wrong_is_said():
    with pytest.raises(veillee.Unknown, match="no seat 9"):
        veillee.lab.gym.Seat("ghost-knights", seat=9)
    with pytest.raises(veillee.Unknown, match="no level 'wizard'"):
        veillee.lab.gym.Seat("ghost-knights", opponents="wizard")
    env = veillee.lab.gym.Seat("ghost-knights", seats=4)
    env.reset(seed=2)
    before = env.state.dump()
    with pytest.raises(veillee.Forbidden):
        env.step(22)
    assert env.state.dump() == before
