"""A process that goes through finished games (veillee/match/analysis.py): a game per line in, its findings with their numbers
line by line out, and an empty line at the end of each. Some come twice, the second time with their reasons. Run by
analyses.py.
"""

from __future__ import annotations

import json
import os
import sys

from veillee.bots.evaluation import Budget
from veillee.games.owners import take
from veillee.match.analysis import analyse, analyse_for, plain
from veillee.match.match import load


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(10)  # people's clicks go first, then bots
    findings, sys.stdout = sys.stdout, sys.stderr  # nothing else may get into the pipe
    for line in sys.stdin:
        job = json.loads(line)
        take(job["files"])  # what owners have brought
        try:
            match, first, budget = load(job["match"]), job["first"], Budget(**job["budget"])
            every = analyse(match, budget=budget) if first is None else analyse_for(match, first, budget=budget)
            for found in every:
                findings.write(json.dumps([found.number, plain(found)]) + "\n")
                findings.flush()
            findings.write("\n")
            findings.flush()
        except BrokenPipeError:  # the house was closed
            os._exit(0)


if __name__ == "__main__":
    main()
