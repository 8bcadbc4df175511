"""A seat at Ghost Knights learns to play, on one processor, in two minutes: policy gradient with a linear policy.

It plays against bots that answer at random, at first like one of them, and is paid its share of the victory: a quarter with
four players. What it has learned is measured on fresh games, with a confidence interval. Nothing is used of the game but
what Gymnasium hands over: the row of numbers, the mask, the reward.

usage: python examples/learn_a_seat.py [--seconds S] [--games N] [--game GAME]       needs veillee[gymnasium]
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import veillee.lab.gym  # noqa: F401 (its environments are registered)

BATCH = 64  # games between two changes of the policy
RATE = 0.02  # of Adam
CALM = 0.01  # how much undecided play is worth


class Policy:
    """How likely each answer is: a weighted sum of what is observed, of those that the mask allows."""

    def __init__(self, numbers: int, answers: int, chance: np.random.Generator) -> None:
        self.weights = np.zeros((numbers + 1, answers))
        self.chance = chance
        self.mean, self.spread = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.changes = 0

    def chances(self, seen: np.ndarray, mask: np.ndarray) -> np.ndarray:
        hopes = np.where(mask, seen @ self.weights, -np.inf)
        likely = np.exp(hopes - hopes.max())
        return likely / likely.sum()

    def change(self, gradient: np.ndarray) -> None:
        """Adam."""
        self.changes += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.spread = 0.999 * self.spread + 0.001 * gradient**2
        mean, spread = self.mean / (1 - 0.9**self.changes), self.spread / (1 - 0.999**self.changes)
        self.weights += RATE * mean / (np.sqrt(spread) + 1e-8)


class Learner:
    def __init__(self, game: str, seed: int = 1) -> None:
        self.env = gymnasium.make(f"veillee/{game}", opponents="random", disable_env_checker=True)
        self.scale = np.maximum(1.0, self.env.observation_space.high)
        self.chance = np.random.default_rng(seed)
        self.policy = Policy(len(self.scale), int(self.env.action_space.n), self.chance)
        self.usual = 0.0  # the reward of late

    def game(self, seed: int | None = None) -> tuple[float, list[tuple[np.ndarray, np.ndarray, int]]]:
        """One game: its reward, and every decision as (what was seen, how likely each answer was, the answer)."""
        seen, told = self.env.reset(seed=seed)
        taken = []
        while True:
            row = np.append(seen / self.scale, 1.0)
            likely = self.policy.chances(row, told["action_mask"].astype(bool))
            answer = int(self.chance.choice(len(likely), p=likely))
            taken.append((row, likely, answer))
            seen, reward, over, _, told = self.env.step(answer)
            if over:
                return float(reward), taken

    def learn(self) -> None:
        """From a few games: what was followed by more than usual becomes likelier."""
        played = [self.game() for _ in range(BATCH)]
        rewards = np.array([reward for reward, _ in played])
        self.usual = 0.95 * self.usual + 0.05 * rewards.mean() if self.usual else float(rewards.mean())
        gradient = np.zeros_like(self.policy.weights)
        for reward, taken in played:
            rows = np.array([row for row, _, _ in taken])
            push = -np.array([likely for _, likely, _ in taken])
            calm = push * (np.log(-push + 1e-9) + 1)  # towards undecided play
            calm -= -push * calm.sum(axis=1, keepdims=True)
            push[np.arange(len(taken)), [answer for _, _, answer in taken]] += 1
            gradient += rows.T @ (push * (reward - self.usual) + CALM * calm / len(taken))
        self.policy.change(gradient / BATCH)

    def measure(self, games: int) -> tuple[float, float]:
        """The mean share of the victory in fresh games, and the half of its 95 % interval."""
        rewards = np.array([self.game(seed=1_000_000 + number)[0] for number in range(games)])
        return float(rewards.mean()), float(1.96 * rewards.std() / np.sqrt(games))


def main(seconds: float, games: int, game: str) -> tuple[float, float, float]:
    learner = Learner(game)
    before, _ = learner.measure(games)
    print(f"before: {before:.1%} of the victories")
    start = said = time.process_time()
    rounds = 0
    while (now := time.process_time()) - start < seconds:
        learner.learn()
        rounds += 1
        if now - said > 10:
            said = now
            print(f"{rounds * BATCH} games: of late {learner.usual:.1%}", flush=True)
    after, sure = learner.measure(games)
    print(f"after {rounds * BATCH} games: {after:.1%} ± {sure:.1%}")
    return before, after, sure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=100.0, help="of processor time to learn")
    parser.add_argument("--games", type=int, default=1000, help="to measure with")
    parser.add_argument("--game", default="ghost-knights")
    given = parser.parse_args()
    main(given.seconds, given.games, given.game)
