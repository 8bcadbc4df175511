"""The example of PPO: its loss against a slow one, its gradient against differences, and a short self-play."""

from __future__ import annotations

import math
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "ppo.py"
STEP = 1e-6  # of the numerical gradient
ANSWERS = 4


@pytest.fixture(scope="module")
def ppo():
    spec = spec_from_file_location("ppo", EXAMPLE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def weights(ppo):
    weights = ppo.new_weights([3, 4, 4, ANSWERS + 1], np.random.default_rng(1))
    weights[-2] *= 50  # probabilities that differ
    return weights


@pytest.fixture
def batch(ppo, weights):
    """Decisions with ratios below, within and above the clip, of both signs of advantage; one answer of four forbidden."""
    rng = np.random.default_rng(2)
    ratios, advantages = [0.5, 0.7, 0.95, 1.05, 1.4, 2.0], [1.0, -2.0]
    rows = len(ratios) * len(advantages)
    answer = rng.integers(0, ANSWERS, rows)
    mask = np.ones((rows, ANSWERS), bool)
    mask[np.arange(rows), (answer + 1 + rng.integers(0, ANSWERS - 1, rows)) % ANSWERS] = False
    seen = rng.normal(size=(rows, 3))
    logs, _, _ = ppo.forward(weights, seen, mask)
    before = logs[np.arange(rows), answer] - np.log(np.repeat(ratios, len(advantages)))
    return ppo.Batch(seen, mask, answer, before, np.tile(advantages, len(ratios)), rng.normal(size=rows))


def slow_loss(weights, batch):
    """PPO's loss with masks, number by number."""
    total = 0.0
    for seen, mask, answer, before, advantage, returned in zip(*batch, strict=True):
        hidden = seen
        for layer in (0, 2):
            hidden = np.tanh(hidden @ weights[layer] + weights[layer + 1])
        *logits, value = hidden @ weights[4] + weights[5]
        powers = [math.exp(logit) if allowed else 0.0 for logit, allowed in zip(logits, mask, strict=True)]
        chances = [power / sum(powers) for power in powers]
        ratio = chances[answer] / math.exp(before)
        policy = -min(advantage * ratio, advantage * min(max(ratio, 0.8), 1.2))
        entropy = -sum(chance * math.log(chance) for chance in chances if chance)
        total += policy - 0.01 * entropy + 0.5 * (value - returned) ** 2 / 2
    return total / len(batch.answer)


def test_the_loss_clips_and_masks(ppo, weights, batch):
    assert ppo.loss_of(weights, batch)[0] == pytest.approx(slow_loss(weights, batch), rel=1e-9)


def test_the_gradient_is_that_of_the_loss(ppo, weights, batch):
    gradient = ppo.loss_of(weights, batch)[1]
    for weight, found in zip(weights, gradient, strict=True):
        for place in np.ndindex(weight.shape):
            kept, losses = weight[place], []
            for step in (STEP, -STEP):
                weight[place] = kept + step
                losses.append(slow_loss(weights, batch))
            weight[place] = kept
            assert found[place] == pytest.approx((losses[0] - losses[1]) / (2 * STEP), abs=1e-7, rel=1e-5)


def test_a_forbidden_answer_is_never_drawn(ppo):
    """However likely it would be without the mask."""
    mask = np.zeros((4000, ANSWERS), bool)
    mask[:, 1:3] = True
    seen = np.ones((len(mask), 1))
    logs, _, _ = ppo.forward([np.zeros((1, ANSWERS + 1)), np.array([500.0, 0.0, -1.0, 500.0, 0.0])], seen, mask)
    drawn = np.bincount(ppo.sample(logs, np.random.default_rng(3)), minlength=ANSWERS)
    assert np.exp(logs[0]) == pytest.approx([0, 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1)), 0])
    assert drawn[[0, 3]].tolist() == [0, 0]
    assert drawn[1] / len(mask) == pytest.approx(np.exp(logs[0, 1]), abs=0.03)


def test_advantages_follow_each_seat_to_the_end_of_its_game(ppo):
    """One table, two seats: 0, 1, 1, 0, the end (seat 1 wins), then 0 of the next game, which is not over."""
    seat, over = np.array([[0], [1], [1], [0], [0]]), np.array([[False], [False], [False], [True], [False]])
    values = np.array([[0.5], [0.6], [0.7], [0.4], [0.3]])
    shares = np.zeros((5, 1, 2))
    shares[3, 0] = [0.0, 1.0]
    advantages, known = ppo.advantages_of(values, seat, over, shares)
    last_of_0, last_of_1 = 0.0 - 0.4, 1.0 - 0.7
    expected = [0.4 - 0.5 + 0.95 * last_of_0, 0.7 - 0.6 + 0.95 * last_of_1, last_of_1, last_of_0]
    assert advantages[:4, 0] == pytest.approx(expected)
    assert known[:, 0].tolist() == [True, True, True, True, False]


def test_self_play_with_four_seats_learns_from_whole_games(ppo):
    learner = ppo.Learner("ghost-knights", seats=4, tables=8, hidden=8)
    before = [weight.copy() for weight in learner.weights]
    batch = learner.rollout(200)  # a game has about 143 decisions; the table refuses what the mask forbids
    assert batch.mask[np.arange(len(batch.answer)), batch.answer].all()
    assert len(batch.answer) > 800
    losses = [learner.update(32) for _ in range(3)]
    assert np.isfinite(losses).all()
    assert learner.changes == 3 * ppo.EPOCHS * ppo.MINIBATCHES
    assert all((now != then).any() for now, then in zip(learner.weights, before, strict=True))
    share, half = learner.measure()
    assert 0 <= share <= 1
    assert half > 0
