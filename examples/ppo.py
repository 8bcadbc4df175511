"""PPO with masks by self-play, in NumPy alone: every seat of many games is played, and learned from, by one small network.

Like CleanRL's single files, this is to be read and changed. The loss and its gradient are written out in `loss_of`; the rest
is veillee.simulate: arrays of what the seat to act may know and answer at each table, and each seat's share of the victory
when a game ends. At the end the network is measured in one seat against players that answer at random.

usage: python examples/ppo.py [--game GAME] [--updates N] [--tables N] [--seed N]       needs veillee[lab]
"""

from __future__ import annotations

import argparse
import itertools
from typing import NamedTuple

import numpy as np

import veillee

DISCOUNT, SMOOTHING = 1.0, 0.95  # gamma and lambda of generalised advantage estimation
CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5  # the range of the ratio, and the weights of the other two losses
RATE, MOST_NORM = 1e-3, 0.5  # Adam's, and the largest norm of a gradient
EPOCHS, MINIBATCHES = 4, 4
FORBIDDEN = -1e9  # the logit of an answer that the mask forbids: its probability is exactly zero

Weights = list[np.ndarray]


class Batch(NamedTuple):
    """Decisions: observations, masks, answers, their log-probabilities when given, advantages, and returns."""

    seen: np.ndarray
    mask: np.ndarray
    answer: np.ndarray
    log_chance: np.ndarray
    advantage: np.ndarray
    returned: np.ndarray


def new_weights(sizes: list[int], rng: np.random.Generator) -> Weights:
    """Returns a matrix and a bias for each layer; the last layer has a logit per answer, and the value."""
    weights = []
    for size, after in itertools.pairwise(sizes):
        weights += [rng.normal(0, 1 / np.sqrt(size), (size, after)), np.zeros(after)]
    weights[-2] *= 0.01  # at first all answers are about as likely
    return weights


def forward(weights: Weights, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Returns the log-probabilities of the answers, the values, and what each layer reads."""
    layers = [seen]
    for matrix, bias in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        layers.append(np.tanh(layers[-1] @ matrix + bias))
    out = layers[-1] @ weights[-2] + weights[-1]
    logits = np.where(mask, out[:, :-1], FORBIDDEN)
    logits -= logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), out[:, -1], layers


def sample(log_chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draws an answer for each row (Gumbel's way: the largest of the noisy log-probabilities)."""
    return (log_chances + rng.gumbel(size=log_chances.shape)).argmax(axis=1)


def loss_of(weights: Weights, batch: Batch) -> tuple[float, Weights]:
    """Returns PPO's clipped loss and its gradient."""
    logs, values, layers = forward(weights, batch.seen, batch.mask)
    rows, chances = np.arange(len(values)), np.exp(logs)
    ratio = np.exp(logs[rows, batch.answer] - batch.log_chance)
    free, clipped = batch.advantage * ratio, batch.advantage * np.clip(ratio, 1 - CLIP, 1 + CLIP)
    entropy = -(chances * logs).sum(axis=1)
    misses = values - batch.returned
    loss = (-np.minimum(free, clipped) - ENTROPY * entropy + VALUE * misses**2 / 2).mean()
    push = np.where(free <= clipped, free, 0.0)[:, None]  # where the clip decides, the ratio has no influence
    answers = np.eye(chances.shape[1])[batch.answer]
    logits = -push * (answers - chances) + ENTROPY * chances * (logs + entropy[:, None])
    delta = np.column_stack([logits, VALUE * misses]) / len(values)
    gradient: Weights = []
    for matrix, layer in zip(weights[-2::-2], layers[::-1], strict=True):
        gradient = [layer.T @ delta, delta.sum(axis=0), *gradient]
        delta = delta @ matrix.T * (1 - layer**2)
    return float(loss), gradient


def advantages_of(
    values: np.ndarray, seat: np.ndarray, over: np.ndarray, shares: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Returns each decision's advantage, and whether it is known: a seat's next decision, or the end, must be among the
    steps. Arrays are [step, table]; shares, [step, table, seat], count where a game is over after the step."""
    tables = np.arange(values.shape[1])
    advantages, known = np.zeros_like(values), np.zeros(values.shape, bool)
    reward, value, advantage = (np.zeros(shares.shape[1:]) for _ in range(3))  # from each seat's next decision on
    is_known = np.zeros(shares.shape[1:], bool)
    for step in reversed(range(len(values))):
        ended, at = over[step], (tables, seat[step])
        reward[ended], value[ended], advantage[ended], is_known[ended] = shares[step, ended], 0.0, 0.0, True
        error = reward[at] + DISCOUNT * value[at] - values[step]
        advantages[step], known[step] = error + DISCOUNT * SMOOTHING * advantage[at], is_known[at]
        reward[at], value[at], advantage[at], is_known[at] = 0.0, values[step], advantages[step], True
    return advantages, known


class Learner:
    def __init__(self, game: str, seats: int | None = None, tables: int = 64, hidden: int = 64, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        self.games = veillee.simulate(game, seats=seats, games=tables, seed=seed)
        self.scale = np.concatenate([np.full(p.stop - p.start, max(1, p.most)) for p in self.games.planes])
        self.weights = new_weights([len(self.scale), hidden, hidden, self.games.answers + 1], self.rng)
        self.mean, self.square = ([np.zeros_like(one) for one in self.weights] for _ in range(2))
        self.changes = 0

    def rollout(self, steps: int) -> Batch:
        """Plays so many steps at every table, all seats by the network."""
        games, taken = self.games, []
        for _ in range(steps):
            seen, mask, seat = games.observations / self.scale, games.masks.copy(), games.seat.copy()
            logs, values, _ = forward(self.weights, seen, mask)
            answer = sample(logs, self.rng)
            games.step(answer)
            log_chance = np.take_along_axis(logs, answer[:, None], axis=1)[:, 0]
            taken.append((seen, mask, answer, log_chance, values, seat, games.over.copy(), games.shares.copy()))
        seen, mask, answer, log_chance, values, seat, over, shares = map(np.array, zip(*taken, strict=True))
        advantages, known = advantages_of(values, seat, over, shares)
        return Batch(*(one[known] for one in (seen, mask, answer, log_chance, advantages, advantages + values)))

    def update(self, steps: int) -> float:
        """Plays and learns from it. Returns the mean loss."""
        batch, losses = self.rollout(steps), []
        for _ in range(EPOCHS):
            for rows in np.array_split(self.rng.permutation(len(batch.answer)), MINIBATCHES):
                part = Batch(*(one[rows] for one in batch))
                spread = part.advantage.std() + 1e-8
                part = part._replace(advantage=(part.advantage - part.advantage.mean()) / spread)
                loss, gradient = loss_of(self.weights, part)
                self.change(gradient)
                losses.append(loss)
        return float(np.mean(losses))

    def change(self, gradient: Weights) -> None:
        """Adam, with gradients of limited norm."""
        self.changes += 1
        shrink = min(1.0, MOST_NORM / (np.sqrt(sum((one**2).sum() for one in gradient)) + 1e-8))
        for weight, mean, square, one in zip(self.weights, self.mean, self.square, gradient, strict=True):
            mean += 0.1 * (shrink * one - mean)
            square += 0.001 * ((shrink * one) ** 2 - square)
            now = mean / (1 - 0.9**self.changes), square / (1 - 0.999**self.changes)
            weight -= RATE * now[0] / (np.sqrt(now[1]) + 1e-5)

    def measure(self) -> tuple[float, float]:
        """Returns the mean share of the victory of seat 0 against random players, and the half of its 95 % interval: the
        first game at each table."""
        games, rng = self.games, np.random.default_rng(0)
        games.reset(1_000_000)
        shares = np.full(games.tables, np.nan)
        while np.isnan(shares).any():
            logs, _, _ = forward(self.weights, games.observations / self.scale, games.masks)
            games.step(np.where(games.seat == 0, sample(logs, rng), games.random()))
            first = games.over & np.isnan(shares)
            shares[first] = games.shares[first, 0]
        return float(shares.mean()), float(1.96 * shares.std() / np.sqrt(len(shares)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="ghost-knights")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--tables", type=int, default=256, help="games at once, and games to measure with")
    parser.add_argument("--steps", type=int, default=128, help="decisions at each table between two updates")
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    learner = Learner(given.game, given.seats, given.tables, seed=given.seed)
    print(f"before: {learner.measure()[0]:.1%} of the victories")
    for number in range(1, given.updates + 1):
        loss = learner.update(given.steps)
        if number % 10 == 0 or number == given.updates:
            print(f"update {number}: loss {loss:.3f}", flush=True)
    share, half = learner.measure()
    print(f"after {given.updates} updates: {share:.1%} ± {half:.1%}")


if __name__ == "__main__":
    main()
