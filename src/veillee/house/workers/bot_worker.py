"""Worker process that computes bots' answers and advice: one question per line in, one line out. Run by pool.py.

An error ends the process, with a traceback on stderr: the pool notices, and starts another one.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from veillee import engine
from veillee.bots.advice import advise_blind
from veillee.bots.planning import plan
from veillee.games import catalogue
from veillee.games.owners import take

NICE_LEVEL = 5  # nice level


def main() -> None:
    lower_priority()
    answers, sys.stdout = sys.stdout, sys.stderr  # stray prints must not get into the pipe
    for line in sys.stdin:
        job = json.loads(line)
        if job["wanted"] == "take":  # owners' content files, sent before a position that needs them
            take(job["files"])
            continue
        said = answer(**job)
        try:
            answers.write(json.dumps(said) + "\n")
            answers.flush()
        except BrokenPipeError:  # the server was killed meanwhile
            os._exit(0)


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
