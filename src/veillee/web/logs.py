"""What whoever runs the house reads: lines of text, or of JSON for a program; and never a flood of them.

The same message is written so often in a row, and then once in a while, with how many were left out. So whoever makes
the house complain cannot fill its disk.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

ROW = 20  # lines of one kind that are written at once …
REFILL = 1 / 30  # … and then so many a second
REQUESTS, REQUESTS_REFILL = 100, 1.0  # of those with the same method, address (as a pattern) and status
LONGEST = 2_000  # characters of a message
TOO_LONG = 20_000  # characters of a story of an error


class Calm(logging.Filter):
    """Lets so many records of one kind through. A kind is the message before it is filled in, and the kind of error;
    of requests, which are only there where they are asked for, their method, pattern and status."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[tuple[str, object, object], list[float]] = {}  # lines left, since when, left out

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[0] if record.exc_info else None
        what, row, refill = str(record.msg)[:200], ROW, REFILL
        if record.name == "veillee.requests":
            what, row, refill = record.getMessage(), REQUESTS, REQUESTS_REFILL
        now = self._clock()
        kind = self._kinds.setdefault((record.name, what, error), [row, now, 0])
        if len(self._kinds) > 1000:
            self._kinds.clear()
        kind[0] = min(row, kind[0] + (now - kind[1]) * refill)
        kind[1] = now
        if kind[0] < 1:
            kind[2] += 1
            return False
        record.left_out = int(kind[2])
        kind[0] -= 1
        kind[2] = 0
        return True


class Lines(logging.Formatter):
    """For people."""

    def format(self, record: logging.LogRecord) -> str:
        return cut(super().format(record) + left_out(record), TOO_LONG)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (its name in logging)
        record.message = cut(record.message, LONGEST)
        return super().formatMessage(record)


class JsonLines(logging.Formatter):
    """For programs: one object a line. What a record is told with `extra={"told": {…}}` is in it, too."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": cut(record.getMessage(), LONGEST),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            told["error"] = cut(self.formatException(record.exc_info), TOO_LONG)
        if missed := getattr(record, "left_out", 0):
            told["left_out"] = missed
        return json.dumps(told, ensure_ascii=False)


def security(scope: Mapping[str, Any], what: str, **told: object) -> None:
    """Who came in, went out or was turned away: for whoever runs the house, where they read lines for programs."""
    client = scope.get("client")
    told["client"] = client[0] if client else ""
    logging.getLogger("veillee.security").info(what, extra={"told": told})


def left_out(record: logging.LogRecord) -> str:
    missed = getattr(record, "left_out", 0)
    return f" (and {missed} more like this, which were left out)" if missed else ""


def cut(text: str, most: int) -> str:
    text = text if len(text) <= most else text[:most] + " …"
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def set_up(*, as_json: bool = False, stream: TextIO | None = None) -> logging.Handler:
    """One handler for everything that is worth a warning, and for what the house tells of itself; uvicorn's go there, too."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if as_json else Lines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(Calm())
    root = logging.getLogger()
    for old in [old for old in root.handlers if getattr(old, "of_the_house", False)]:
        root.removeHandler(old)
    handler.of_the_house = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    logging.getLogger("veillee").setLevel(logging.INFO if as_json else logging.WARNING)
    return handler
