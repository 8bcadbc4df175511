"""OpenSpiel's own simulation test on every box, and its algorithms on small settings."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr, ismcts, mcts

import veillee
import veillee.lab.spiel
from veillee.games.catalogue import BOXES

SMALL = "veillee_ghost_knights(seats=4,deals=2,decisions=3)"


@pytest.mark.parametrize("game", list(BOXES))
def test_random_sim_test_of_every_box(game):
    """Clones, serialization, strings, tensors and legality, along a random game."""
    name = game.replace("-", "_")
    pyspiel.random_sim_test(pyspiel.load_game(f"veillee_{name}(decisions=12)"), 1, True, False)


def test_cfr_finds_its_way_and_exploitability_says_how_far():
    game = pyspiel.load_game(SMALL)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    np.random.seed(1)
    for _ in range(20):
        solver.iteration()
    after = exploitability.nash_conv(game, solver.average_policy())
    assert after < before


def test_ismcts_plays_a_position_that_it_can_resample():
    game = pyspiel.load_game("veillee_ghost_knights(seats=4,decisions=12)")
    state = game.new_initial_state()
    state.apply_action(5)
    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=1.0,
        evaluator=mcts.RandomRolloutEvaluator(1, chance),
        max_simulations=20,
        random_state=chance,
    )
    assert bot.step(state) in state.legal_actions()


def test_a_resampled_state_is_the_same_to_its_player_alone():
    game, pick = pyspiel.load_game("veillee_paper_tales(seats=3)"), random.Random(2)
    state = game.new_initial_state()
    state.apply_action(7)
    for _ in range(9):
        state.apply_action(pick.choice(state.legal_actions()))
    me = state.current_player()
    worlds = [state.resample_from_infostate(me, pick.random) for _ in range(4)]
    assert {world.information_state_string(me) for world in worlds} == {state.information_state_string(me)}
    assert all((world.observation_tensor(me) == state.observation_tensor(me)) for world in worlds)
    other = (me + 1) % 3
    assert len({world.observation_string(other) for world in worlds}) > 1


def test_an_answer_that_is_not_legal_is_refused():
    state = pyspiel.load_game(SMALL).new_initial_state()
    state.apply_action(0)
    before = str(state)
    with pytest.raises(veillee.Forbidden, match=r"GK-4.4"):
        state._apply_action(22)
    assert str(state) == before
