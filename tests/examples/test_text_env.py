"""The example of a text environment, in every box."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

from veillee.games.catalogue import BOXES

EXAMPLE = Path(__file__).parents[2] / "examples" / "text_env.py"


@pytest.fixture(scope="module")
def text_env():
    spec = spec_from_file_location("text_env", EXAMPLE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", BOXES)
def test_a_whole_game_by_the_text_alone(text_env, game):
    env, pick, is_done = text_env.TextEnv(game), Random(5), False
    env.reset(seed=5)
    while not is_done:
        player, observation = env.get_observation()
        assert f"You are Player {player + 1}." in observation
        choices = re.findall(r"^(\d+) ", observation.rpartition("\n\n")[2], re.MULTILINE)
        is_done, info = env.step(f"[{pick.choice(choices)}]")
        assert info == {"player": player, "rule": "", "reason": ""}
    rewards, info = env.close()
    assert {player for player, reward in rewards.items() if reward > 0} == set(env.match.winners)
    assert info["rules"] == {}


def test_refusals_are_told_and_end_the_game(text_env):
    env = text_env.TextEnv("ghost-knights")
    env.reset(4, seed=7)
    player, _ = env.get_observation()
    assert env.step("9999")[1]["rule"] == "K-2"
    assert env.get_observation()[1].startswith(
        "Refused: That is no answer to the question asked. (K-2)\nGhost Knights."
    )
    assert not env.step("I draw")[0]
    assert env.step("[1] or [2]")[0]
    rewards, info = env.close()
    assert rewards[player] == -1
    assert sum(rewards.values()) == -1
    assert info["rules"] == {"K-2": 1, "prose": 2}
