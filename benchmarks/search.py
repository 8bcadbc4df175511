"""Measures search iterations a second in the opening of every game: python benchmarks/search.py [GAME …] [--seconds S] [--json]

`plain` is the tree search with random rollouts to the end, `guided` the one that bots use (the game's advisor, shortened
rollouts). CPU seconds of one core, the best of several rounds: other load only makes it slower. Exit code 1: one of them
missed the target.
"""

from __future__ import annotations

import argparse
import json
import sys
import time

from veillee.bots.compiled import search
from veillee.bots.compiled.search_tree import Tree
from veillee.games.box import Box
from veillee.games.catalogue import BOXES, find
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.match.setup import complete

BATCH = 200
TARGET_GAME = "ghost-knights"
TARGET = 45_000  # iterations/s, plain and guided, five players, compiled
ROUNDS = 5


def rate(box: Box, seats: int, seconds: float, *, guided: bool) -> float:
    """Returns the best rate of that many rounds, which share the seconds."""
    state = box.new(seats, Rng(1), complete(box, {}), None)
    return max(round_of(box, state, seconds / ROUNDS, guided=guided) for _ in range(ROUNDS))


def round_of(box: Box, state: State, seconds: float, *, guided: bool) -> float:
    seat = state.to_act[0]
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds or done == 0:
        # A bot's tree has some thousand nodes: start anew before it is larger.
        search.Search(state, seat, box.advisor, guided, 0.5, Rng(done), Tree()).run(BATCH)
        done += BATCH
    return done / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    compiled = not (search.__file__ or "").endswith(".py")
    figures: dict[str, dict[str, float]] = {}
    for box in [find(name) for name in given.game] if given.game else list(BOXES.values()):
        if box is None:
            sys.exit(f"There is no such game. On the shelf: {', '.join(BOXES)}.")
        seats = box.players[-1]
        plain, guided = (rate(box, seats, given.seconds, guided=guided) for guided in (False, True))
        figures[box.id] = {"seats": seats, "plain_per_s": round(plain), "guided_per_s": round(guided)}
        if not given.json:
            print(f"{box.id}, {seats} players: {plain:,.0f} plain, {guided:,.0f} guided iterations/s")
    if given.json:
        print(json.dumps({"compiled": compiled, "games": figures}))
    measured = figures.get(TARGET_GAME, {})
    slow = [kind for kind in ("plain", "guided") if measured.get(f"{kind}_per_s", TARGET) < TARGET]
    if compiled and slow:
        sys.exit(f"{TARGET_GAME}, {' and '.join(slow)}: below {TARGET:,} iterations/s.")


if __name__ == "__main__":
    main()
