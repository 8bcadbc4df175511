"""A process that judges positions of a finished game (match/puzzle_judges.py) until one becomes a puzzle: a job in, a line for each
position out. Run by collector.py; one for each game, so that whoever waits for something else just ends it.
"""

from __future__ import annotations

import json
import os
import sys

from veillee.games.owners import take
from veillee.kernel.chance import Rng
from veillee.match.match import load
from veillee.match.puzzle_judges import Judges
from veillee.match.puzzles import earlier, plain


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(19)  # nobody waits for it
    told, sys.stdout = sys.stdout, sys.stderr  # nothing else may get into the pipe
    job = json.loads(sys.stdin.readline())
    take(job["files"])  # what owners have brought
    match, judges = load(job["match"]), Judges(**job["judges"])
    for at, seed in job["places"]:
        agreed = judges.judge(earlier(match, at), match.answers[at][0], Rng(seed))
        told.write(json.dumps(None if agreed is None else plain(*agreed)) + "\n")
        told.flush()
        if agreed is not None:
            return


if __name__ == "__main__":
    main()
