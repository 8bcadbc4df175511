"""Measures search iterations a second in the opening of every game: python benchmarks/search.py [GAME …] [--seconds S] [--json]

`plain` is the tree search with random rollouts to the end, `guided` the one that bots use (the game's advisor, shortened
rollouts); `linear` is the expert's, and `network` the same with the network that the box ships, or one of 32 hidden
units that reads all planes. CPU seconds of one core, the best of several rounds: other load only makes it slower. Exit
code 1: one of them missed the target, or a shipped network left less than a third of the linear rate.
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
from veillee.games.network import SHIPPED, advisor_with, example, fresh_advisor, ships_network
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.network import Network, readable
from veillee.kernel.state import State
from veillee.match.setup import complete

BATCH = 200
TARGET_GAME = "ghost-knights"
TARGET = 45_000  # iterations/s, plain and guided, five players, compiled
LEAST_WITH_NETWORK = 1 / 3  # of the linear rate
HIDDEN = 32
ROUNDS = 5


def with_network(box: Box) -> Advisor:
    """Returns the expert's advisor with the network of the box, or with one of small weights at random."""
    if ships_network(box):
        return advisor_with(box, SHIPPED)
    advisor = fresh_advisor(box)
    assert box.planes is not None
    features = len(advisor.features(example(box, box.players[-1]), 0))
    read = readable(box.planes, [example(box, seats) for seats in box.players])
    inputs = 2 * features + len(advisor.weights) + sum(plane.inputs() for plane in read)
    chance = Rng(1)
    numbers = [0.1 * (chance.share() - 0.5) for _ in range((inputs + 2) * HIDDEN)]
    advisor.network = Network(features, len(advisor.weights), HIDDEN, box.planes, read, numbers)
    return advisor


def rate(box: Box, seats: int, seconds: float, advisor: Advisor, *, guided: bool, practised: bool) -> float:
    """Returns the best rate of that many rounds, which share the seconds."""
    state = box.new(seats, Rng(1), complete(box, {}), None)
    return max(round_of(state, seconds / ROUNDS, advisor, guided=guided, practised=practised) for _ in range(ROUNDS))


def round_of(state: State, seconds: float, advisor: Advisor, *, guided: bool, practised: bool) -> float:
    seat = state.to_act[0]
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds or done == 0:
        # A bot's tree has some thousand nodes: start anew before it is larger.
        search.Search(state, seat, advisor, guided, 0.5, Rng(done), Tree(), practised=practised).run(BATCH)
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
        rates = {
            "plain": rate(box, seats, given.seconds, box.advisor, guided=False, practised=False),
            "guided": rate(box, seats, given.seconds, box.advisor, guided=True, practised=False),
            "linear": rate(box, seats, given.seconds, box.adept or box.advisor, guided=True, practised=True),
            "network": rate(box, seats, given.seconds, with_network(box), guided=True, practised=True),
        }
        figures[box.id] = {"seats": seats, **{f"{kind}_per_s": round(found) for kind, found in rates.items()}}
        if not given.json:
            told = ", ".join(f"{found:,.0f} {kind}" for kind, found in rates.items())
            print(f"{box.id}, {seats} players: {told} iterations/s")
    if given.json:
        print(json.dumps({"compiled": compiled, "games": figures}))
    measured = figures.get(TARGET_GAME, {})
    slow = [kind for kind in ("plain", "guided") if measured.get(f"{kind}_per_s", TARGET) < TARGET]
    if compiled and slow:
        sys.exit(f"{TARGET_GAME}, {' and '.join(slow)}: below {TARGET:,} iterations/s.")
    if slowed := [
        game
        for game, found in figures.items()
        if ships_network(BOXES[game]) and found["network_per_s"] < LEAST_WITH_NETWORK * found["linear_per_s"]
    ]:
        sys.exit(f"{', '.join(slowed)}: with a network less than a third of the linear rate.")


if __name__ == "__main__":
    main()
