"""Two Ray workers against one, on the same contest: python benchmarks/cluster.py [GAMES]

Prints how many times as fast two are, and whether all that was found is the same as here, byte by byte (but for the seconds).
Measure on a machine with two free cores, with the compiled engine.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict

from veillee.lab.arena import Contest, Played, play, run
from veillee.lab.workers import hired


def told(games: list[Played]) -> bytes:
    return json.dumps([{**asdict(game), "clocks": None} for game in games]).encode()


def timed(contest: Contest, workers: int) -> tuple[float, bytes]:
    """Without the start of Ray, which a long run does not notice: its workers have imported everything."""
    with hired("ray", workers) as crew:
        list(crew.map(abs, range(workers)))
        list(crew.map(_warm, [contest] * 2 * workers))
        start = time.perf_counter()
        games = run(contest, on="ray")  # the connection that is there
        return time.perf_counter() - start, told(games)


def _warm(contest: Contest) -> int:
    return play(contest, 0).number


def main() -> None:
    contest = Contest("takara-island", ("regular", "novice", "novice"), int(sys.argv[1]) if sys.argv[1:] else 60)
    here = told(run(contest))
    one, first = timed(contest, 1)
    two, second = timed(contest, 2)
    same = here == first == second
    print(json.dumps({"games": contest.games, "one": one, "two": two, "ratio": one / two, "byte_equal": same}))
    sys.exit(not same)


if __name__ == "__main__":
    main()
