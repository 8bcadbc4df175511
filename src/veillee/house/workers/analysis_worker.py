"""Worker process that analyses finished games (veillee/match/analysis.py). Run by house/analysis/queue.py.

Reads one game per line; writes its numbered findings line by line, and an empty line after each game. Some findings
come twice, the second time with their reasons.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from veillee.bots.evaluation import Budget
from veillee.games.owners import take
from veillee.house.workers.json_lines import serve_lines
from veillee.match.analysis import analyse, analyse_for, to_json
from veillee.match.saves import load


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(10)  # requests go first, then bots
    serve_lines(analyse_game, mark_end=True)


def analyse_game(job: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the findings about a game, with their numbers."""
    take(job["files"])  # owners' content files
    match, first, budget = load(job["match"]), job["first"], Budget(**job["budget"])
    for found in analyse(match, budget=budget) if first is None else analyse_for(match, first, budget=budget):
        yield found.number, to_json(found)


if __name__ == "__main__":
    main()
