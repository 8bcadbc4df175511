"""Worker process that analyses finished games (veillee/match/analysis.py). Run by house/analysis/queue.py.

Reads one game per line; writes its numbered findings line by line, and an empty line after each game. Some findings
come twice, the second time with their reasons.
"""

from __future__ import annotations

import json
import os
import sys

from veillee.bots.evaluation import Budget
from veillee.games.owners import take
from veillee.match.analysis import analyse, analyse_for, to_json
from veillee.match.saves import load


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(10)  # requests go first, then bots
    findings, sys.stdout = sys.stdout, sys.stderr  # stray prints must not get into the pipe
    for line in sys.stdin:
        job = json.loads(line)
        take(job["files"])  # owners' content files
        try:
            match, first, budget = load(job["match"]), job["first"], Budget(**job["budget"])
            every = analyse(match, budget=budget) if first is None else analyse_for(match, first, budget=budget)
            for found in every:
                findings.write(json.dumps([found.number, to_json(found)]) + "\n")
                findings.flush()
            findings.write("\n")
            findings.flush()
        except BrokenPipeError:  # the server was closed
            os._exit(0)


if __name__ == "__main__":
    main()
