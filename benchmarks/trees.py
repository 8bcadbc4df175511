"""Compares root-parallel search on two cores with one tree: python benchmarks/trees.py [GAME …] [--positions N] [--json]

The expert searches in one tree, in two half trees whose visits are added up (the same number of simulations: two cores in
half the time), and in two whole ones (two cores in the same time). Each answer is judged by one tree with ten times the
simulations: how often it is that tree's choice, and how much of the winning chances it gives away. Deterministic: nothing
here depends on the clock.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import inf, sqrt
from statistics import fmean, stdev

from veillee.bots.compiled.search_tree import Tree
from veillee.bots.levels import level
from veillee.bots.planning import resample_for_seat, search_choices
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.match.setup import complete

WAYS = {"one tree": (1, 1.0), "two halves": (2, 0.5), "two whole": (2, 1.0)}
JUDGE = 10  # times the games in the head


def positions(box: Box, number: int) -> Iterator[tuple[State, int]]:
    """Yields one in seven questions with a real choice of games by first ideas, as the asked seat knows them."""
    rng = Rng(7)
    found = 0
    while found < number:
        state = box.new(box.players[-1], rng, complete(box, {}), None)
        while state.to_act and found < number:
            seat = state.to_act[0]
            if len(state.legal(seat)) > 1 and rng.below(7) == 0:
                found += 1
                yield box.load(resample_for_seat(state, seat, found)), seat
            state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)


def visits(box: Box, state: State, seat: int, games: int, seed: int) -> dict[int, tuple[int, float]]:
    """Returns for each choice, after that many simulations, its visits and its sum of victories."""
    whole = replace(level("expert", box.id), iterations=games)
    return {
        one.action: (one.visits, one.wins) for one in search_choices(box, state, seat, whole, Rng(seed), Tree(), inf)
    }


def answer(box: Box, state: State, seat: int, trees: int, share: float) -> int:
    games = int(level("expert", box.id).iterations * share)
    total: dict[int, int] = {}
    for tree in range(trees):
        for action, (count, _) in visits(box, state, seat, games, 100 + tree).items():
            total[action] = total.get(action, 0) + count
    return max(total, key=lambda action: (total[action], -action))


def measure(box: Box, number: int) -> dict[str, dict[str, float]]:
    lost: dict[str, list[float]] = {way: [] for way in WAYS}
    for state, seat in positions(box, number):
        judge = visits(box, state, seat, JUDGE * level("expert", box.id).iterations, 1)
        best = max(judge, key=lambda action: judge[action])
        for way, (trees, share) in WAYS.items():
            given = answer(box, state, seat, trees, share)
            lost[way].append(0.0 if given == best else max(0.0, judge[best][1] - judge.get(given, (0, 0.0))[1]))
    return {
        way: {"same": losses.count(0.0) / number, "lost": fmean(losses), "error": stdev(losses) / sqrt(number)}
        for way, losses in lost.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=[*BOXES])
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if unknown := [name for name in given.game if name not in BOXES]:
        sys.exit(f"There is no game {unknown[0]}. On the shelf: {', '.join(BOXES)}.")
    found = {name: measure(BOXES[name], given.positions) for name in given.game}
    if given.json:
        print(json.dumps(found))
        return
    for name, ways in found.items():
        for way, figures in ways.items():
            told = f"{figures['same']:.0%} as the judge, {figures['lost']:.4f} ± {figures['error']:.4f} lost"
            print(f"{name}, {way}: {told}")


if __name__ == "__main__":
    main()
