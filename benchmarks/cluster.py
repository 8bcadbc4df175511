"""Compares two Ray workers with one on the same contest: python benchmarks/cluster.py [GAMES]      two minutes

Prints the speed-up of two workers, that of two plain processes (the limit of the machine), and whether all results are the
same as in one process, byte by byte (except for the seconds). Measure on a machine with two free cores, with the compiled
engine. The start of Ray is reported separately: it does not matter in a long run.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from functools import partial

from veillee.lab.arena import Contest, Played, play
from veillee.lab.executors import IN_THIS_PROCESS, RAY, open_executor

GAMES = 90  # about half a minute for one
WARM = 6  # for each worker, which has then imported everything


def told(games: list[Played]) -> bytes:
    return json.dumps([{**asdict(game), "clocks": None} for game in games]).encode()


def timed(contest: Contest, on: str, workers: int) -> tuple[float, float, bytes]:
    """Returns the seconds to start, the seconds to play, and the games."""
    start = time.perf_counter()
    with open_executor(on, workers) as crew:
        for _ in crew.map(partial(play, contest), [0] * WARM * workers):
            pass
        begun = time.perf_counter()
        games = list(crew.map(partial(play, contest), range(contest.games)))
        return begun - start, time.perf_counter() - begun, told(games)


def main() -> None:
    contest = Contest("takara-island", ("expert", "regular", "regular"), int(sys.argv[1]) if sys.argv[1:] else GAMES)
    _, alone, here = timed(contest, IN_THIS_PROCESS, 1)
    _, beside, apart = timed(contest, IN_THIS_PROCESS, 2)
    first, one, found = timed(contest, RAY, 1)
    second, two, again = timed(contest, RAY, 2)
    same = here == apart == found == again
    figures = {
        "games": contest.games,
        "here": round(alone, 2),
        "two_processes": round(beside, 2),
        "one": round(one, 2),
        "two": round(two, 2),
        "ratio": round(one / two, 2),
        "ratio_of_processes": round(alone / beside, 2),
        "to_start": [round(first, 1), round(second, 1)],
        "byte_equal": same,
    }
    print(json.dumps(figures))
    sys.exit(not same)


if __name__ == "__main__":
    main()
