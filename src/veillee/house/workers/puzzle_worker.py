"""Worker process that judges positions of a finished game (match/puzzle_judges.py) until one becomes a puzzle: a job
in, a line for each position out. Run by house/analysis/puzzle_collector.py; one process per game, which can simply
be killed when the house is busy.
"""

from __future__ import annotations

import json
import os
import sys

from veillee.games.owners import take
from veillee.kernel.chance import Rng
from veillee.match.puzzle_judges import Judges
from veillee.match.puzzles import earlier, plain
from veillee.match.saves import load


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(19)  # lowest priority: no guest waits for it
    told, sys.stdout = sys.stdout, sys.stderr  # stray prints must not get into the pipe
    job = json.loads(sys.stdin.readline())
    take(job["files"])  # owners' content files
    match, judges = load(job["match"]), Judges(**job["judges"])
    for at, seed in job["places"]:
        agreed = judges.judge(earlier(match, at), match.answers[at][0], Rng(seed))
        told.write(json.dumps(None if agreed is None else plain(*agreed)) + "\n")
        told.flush()
        if agreed is not None:
            return


if __name__ == "__main__":
    main()
