"""Worker process that computes bots' answers and advice: one question per line in, one line out. Run by pool.py.

An error ends the process, with a traceback on stderr: the pool notices, and starts another one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from veillee import engine
from veillee.bots.advice import advise_blind
from veillee.bots.planning import plan
from veillee.games import catalogue
from veillee.games.owners import take
from veillee.house.workers.json_lines import serve_lines

NICE_LEVEL = 5  # nice level


def main() -> None:
    lower_priority()
    serve_lines(handle)


def handle(job: dict[str, Any]) -> Iterator[Any]:
    """Yields the answer to a job. "take": takes owners' content files, sent before a position that needs them."""
    if job["wanted"] == "take":
        take(job["files"])
    else:
        yield answer(**job)


def lower_priority() -> None:
    """Lowers the priority, so that requests go first. Where Linux schedules by session (autogroup), sets the
    session's too.
    """
    if hasattr(os, "nice"):
        os.nice(NICE_LEVEL)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICE_LEVEL), encoding="ascii")


def answer(wanted: str, **job: Any) -> Any:
    """Answers one job. "engine": returns whether this process runs the compiled engine."""
    return engine.is_compiled() if wanted == "engine" else think(wanted, **job)


def think(wanted: str, box_id: str, position: dict[str, Any], seat: int, level: str, seed: int, *, timed: bool) -> Any:
    if wanted == "advise":
        box = catalogue.BOXES[box_id]
        return asdict(advise_blind(box, box.load(position), seat, seed, level, timed=timed))
    return plan(box_id, position, seat, level, seed, timed=timed)


if __name__ == "__main__":
    main()
