"""The example for RLlib: its environment, without the networks that RLlib would train."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

import veillee
from veillee.games.catalogue import BOXES

EXAMPLE = Path(__file__).parents[2] / "examples" / "rllib_env.py"
ALL_AT_ONCE = ("paper-tales", "tales-of-glory")  # questions that several seats are asked together


@pytest.fixture(scope="module")
def rllib_env():
    spec = spec_from_file_location("rllib_env", EXAMPLE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def legal(observation):
    return [int(answer) for answer in observation["action_mask"].nonzero()[0]]


def play(env, seed):
    """Plays a game at random. Returns it as RLlib's episode, which refuses what an environment must not tell, and how many
    were asked in each step."""
    from ray.rllib.env.multi_agent_episode import MultiAgentEpisode  # takes seconds: not while tests are collected

    pick, asked = Random(seed), []
    episode = MultiAgentEpisode(observation_space=env.observation_spaces, action_space=env.action_spaces)
    seen, infos = env.reset(seed=seed)
    episode.add_env_reset(observations=seen, infos=infos)
    assert all(one["observations"].dtype.kind == "f" for one in seen.values()), "PyTorch multiplies floats"
    while not episode.is_done:
        asked.append(len(seen))
        assert all(env.observation_spaces[seat].contains(observation) for seat, observation in seen.items())
        given = {seat: pick.choice(legal(observation)) for seat, observation in seen.items()}
        seen, rewards, terminated, truncated, infos = env.step(given)
        episode.add_env_step(seen, given, rewards, infos, terminateds=terminated, truncateds=truncated)
    return episode, asked


@pytest.mark.parametrize("game", BOXES)
def test_whole_games_end_with_a_share_for_each_seat(rllib_env, game):
    env = rllib_env.GameEnv({"game": game})
    episode, asked = play(env, 3)
    assert episode.is_terminated
    assert episode.agent_ids == set(env.possible_agents)
    assert env.agents == []
    shares = [episode.agent_episodes[seat].get_return() for seat in env.possible_agents]
    assert shares == env.state.returns()
    assert sum(shares) == pytest.approx(1)
    assert (max(asked) > 1) == (game in ALL_AT_ONCE)
    again, _ = play(env, 3)
    assert again.get_actions() == episode.get_actions(), "the same seed gives the same game"


def test_what_the_mask_forbids_is_refused_with_its_rule_and_changes_nothing(rllib_env):
    env = rllib_env.GameEnv({"game": "ghost-knights", "seats": 5})
    assert len(env.possible_agents) == 5
    ((seat, observation),) = env.reset(seed=1)[0].items()
    forbidden = next(answer for answer in range(env.action_spaces[seat].n) if answer not in legal(observation))
    with pytest.raises(veillee.Forbidden) as refusal:
        env.step({seat: forbidden})
    assert refusal.value.rule
    assert env.state.to_act == (seat,)
    env.step({seat: legal(observation)[0]})
