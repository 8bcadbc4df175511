"""PettingZoo's own tests of environments, on every box; and what it says to an answer that the mask forbids."""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

import veillee
from veillee.games.catalogue import BOXES
from veillee.lab import zoo

with warnings.catch_warnings(action="ignore"):  # of environments that PettingZoo itself brings
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

CYCLES = 12  # of the tests' own loops: hundreds by default
pytestmark = pytest.mark.filterwarnings("ignore:Observation")  # a dictionary with a mask is worth a warning to it


@pytest.mark.parametrize("game", list(BOXES))
def test_one_agent_after_the_other(game, capsys):
    api_test(zoo.env(game), num_cycles=CYCLES)
    seed_test(partial(zoo.env, game), num_cycles=CYCLES)
    render_test(partial(zoo.env, game))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", list(BOXES))
def test_all_agents_together(game, capsys):
    parallel_api_test(zoo.parallel_env(game), num_cycles=CYCLES)
    assert "Passed Parallel API test" in capsys.readouterr().out
    assert played(zoo.parallel_env(game), 7) == played(zoo.parallel_env(game), 7)


def played(env, seed):
    """The first steps with some allowed answers. (PettingZoo's own test of seeds for parallel environments has no masks.)"""
    told, _ = env.reset(seed=seed)
    course = []
    for _ in range(CYCLES):
        if not env.agents:
            break
        given = {agent: int(np.flatnonzero(seen["action_mask"])[-1]) for agent, seen in told.items()}
        told, rewards, *_ = env.step(given)
        course.append(([seen["observation"].tolist() for seen in told.values()], rewards))
    return course


def test_where_all_choose_at_once_a_step_is_an_answer_of_each():
    env = zoo.parallel_env("paper-tales", seats=4)
    told, _ = env.reset(seed=1)
    assert all(agent["action_mask"][-1] == 0 for agent in told.values()), "nobody waits"
    passes = env.state.passes
    env.step({agent: int(np.flatnonzero(seen["action_mask"])[0]) for agent, seen in told.items()})
    assert env.state.passes == passes + 1


def test_the_shares_of_the_victory_are_the_rewards():
    env = zoo.env("ghost-knights", seats=4)
    env.reset(seed=3)
    paid = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        paid[agent] += reward
        env.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))
    assert list(paid.values()) == env.state.returns()
    assert sum(paid.values()) == pytest.approx(1.0)


def test_an_answer_that_the_mask_forbids_is_refused_and_nothing_happens():
    alone, together = zoo.env("ghost-knights", seats=4), zoo.parallel_env("ghost-knights", seats=4)
    for env in (alone, together):
        env.reset(seed=3)
        before, seat = env.state.dump(), env.state.to_act[0]
        answers = dict.fromkeys(env.agents, 22)
        with pytest.raises(veillee.Forbidden, match=r"GK-4.4"):
            env.step(22 if env is alone else answers)
        assert env.state.dump() == before
        assert env.state.to_act == (seat,)
