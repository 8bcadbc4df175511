"""Measures the duration of an analysis: python benchmarks/findings.py [--games 3] [--level regular] [--seed 1] [--clock] [GAME …]

Finished games between bots are analysed on one core as the server does it, the answers of one seat first. Reported is the
longest of these games: until the first finding, until that seat is done (and until its mistakes are explained, too), and
until the end. Exit code 1: one of them is above its target. Seconds are processor time, so that other load does not count;
--clock uses wall-clock time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import perf_counter, process_time

from veillee.games.catalogue import BOXES
from veillee.lab.analysis_validation import play_match
from veillee.match.analysis import analyse_for, in_rounds

FIRST, OWN, WHOLE = 0.5, 3.0, 15.0  # seconds that each may take


def clock(game: str, level: str, seed: int, now: Callable[[], float]) -> tuple[float, float, float, float]:
    match = play_match(BOXES[game], seed, level)
    own, others = map(len, in_rounds(match, 0))
    start = now()
    found = [now() - start for _ in analyse_for(match, 0, seed)]
    return found[0], found[own - 1], found[-others - 1], found[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boxes", nargs="*", metavar="GAME", default=list(BOXES))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--level", default="regular")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clock", action="store_true")
    given = parser.parse_args()
    now, late = perf_counter if given.clock else process_time, False
    for game in given.boxes:
        every = [clock(game, given.level, given.seed * 1000 + number, now) for number in range(given.games)]
        first, own, why, whole = (max(column) for column in zip(*every, strict=True))
        late |= first > FIRST or own > OWN or whole > WHOLE
        print(
            f"{game:18} {given.level:8} first {first:5.2f} s   own seat {own:5.2f} s (with reasons {why:5.2f} s)"
            f"   whole {whole:5.2f} s",
            flush=True,
        )
    sys.exit(1 if late else 0)


if __name__ == "__main__":
    main()
