"""Worker process that judges positions of a finished game (match/puzzle_judges.py) until one becomes a puzzle: a job
in, a line for each position out. Run by house/analysis/puzzle_collector.py; one process per game, which can simply
be killed when the house is busy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from veillee.games.owners import take
from veillee.house.workers.json_lines import serve_lines
from veillee.kernel.chance import Rng
from veillee.match.puzzle_judges import Judges
from veillee.match.puzzles import earlier, plain
from veillee.match.saves import load


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(19)  # lowest priority: no guest waits for it
    serve_lines(judge_positions)


def judge_positions(job: dict[str, Any]) -> Iterator[dict[str, Any] | None]:
    """Yields for each position None, until one is accepted: then what the judges agreed on."""
    take(job["files"])  # owners' content files
    match, judges = load(job["match"]), Judges(**job["judges"])
    for at, seed in job["places"]:
        agreed = judges.judge(earlier(match, at), match.answers[at][0], Rng(seed))
        yield None if agreed is None else plain(*agreed)
        if agreed is not None:
            return


if __name__ == "__main__":
    main()
