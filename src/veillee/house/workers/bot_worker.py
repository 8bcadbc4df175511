"""A process that thinks for bots, and for people who ask what they would do: one question per line in, one line of
answers or advice out. Run by workers.py.

An error ends the process, its story on stderr: whoever asked notices, and asks another one.
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

MODEST = 5  # as `nice` counts


def main() -> None:
    give_way()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing but answers may get into the pipe
    for line in sys.stdin:
        job = json.loads(line)
        if job["wanted"] == "take":  # what owners have brought, before what is played with it
            take(job["files"])
            continue
        said = answer(**job)
        try:
            answers.write(json.dumps(said) + "\n")
            answers.flush()
        except BrokenPipeError:  # the server was killed while we thought
            os._exit(0)


def give_way() -> None:
    """People's clicks go first. Where Linux weighs sessions against each other, and not processes, ours is told so, too."""
    if hasattr(os, "nice"):
        os.nice(MODEST)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(MODEST), encoding="ascii")


def answer(wanted: str, **job: Any) -> Any:
    """ "engine" asks whether it is the compiled one."""
    return engine.is_compiled() if wanted == "engine" else think(wanted, **job)


def think(wanted: str, box_id: str, position: dict[str, Any], seat: int, level: str, seed: int, *, timed: bool) -> Any:
    if wanted == "advise":
        box = catalogue.BOXES[box_id]
        return asdict(advise_blind(box, box.load(position), seat, seed, level, timed=timed))
    return plan(box_id, position, seat, level, seed, timed=timed)


if __name__ == "__main__":
    main()
