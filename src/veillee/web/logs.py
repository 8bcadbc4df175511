"""Logging for the operator: lines of text, or JSON lines for programs, rate limited per kind of message.

The same message is written 20 times in a row, then every 30 s with the number of lines left out, so that no client can
fill the disk by causing log messages. No line contains what opens something: tokens, signed links, seeds and addresses
of tables are replaced, in tracebacks too.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, TextIO

from veillee.house.tables.creation import TABLE_ID

ROW = 20  # burst: lines of one kind
REFILL = 1 / 30  # lines per second after the burst
REQUESTS, REQUESTS_REFILL = 100, 1.0  # the same for request lines of one method, route pattern and status
MAX_MESSAGE_CHARACTERS = 2_000  # characters of a message
TOO_LONG = 20_000  # characters of a traceback


SECRET = re.compile(r"[\w-]{40,}|[0-9a-f]{16}\.[\w-]{22}")  # a token or a seed: no word is as long; a signed link


def redact(text: str) -> str:
    """Replaces tokens by dots, and the address of a table by a fingerprint, under which the lines about one table can be
    found."""
    without = SECRET.sub("…", text)
    return TABLE_ID.sub(lambda found: f"#{blake2b(found[0].encode(), digest_size=4).hexdigest()}", without)


class FloodFilter(logging.Filter):
    """Token bucket filter per kind of record. A kind is the logger, the message before formatting and the exception
    type; for request lines (logged with JSON output only) the method, route pattern and status."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._kinds: dict[tuple[str, object, object], list[float]] = {}  # tokens left, as of when, lines left out

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


class TextFormatter(logging.Formatter):
    """Formatter of plain text lines."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(truncate(super().format(record) + suppressed_count(record), TOO_LONG))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (its name in logging)
        record.message = truncate(record.message, MAX_MESSAGE_CHARACTERS)
        return super().formatMessage(record)


class JsonFormatter(logging.Formatter):
    """Formatter of JSON lines, one object per record, with the fields of `extra={"told": {…}}`."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": truncate(record.getMessage(), MAX_MESSAGE_CHARACTERS),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            told["error"] = truncate(self.formatException(record.exc_info), TOO_LONG)
        if missed := getattr(record, "left_out", 0):
            told["left_out"] = missed
        return redact(json.dumps(told, ensure_ascii=False))


def log_uncaught_errors() -> None:
    """Sends to the log what Python prints on stderr otherwise: an error that ends a thread, or that a finalizer or a
    callback raises.
    """
    log = logging.getLogger("veillee.uncaught")

    def in_thread(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "?"
        if args.exc_value is not None:
            log.error("The thread %s has ended with an error.", name, exc_info=args.exc_value)

    def unraisable(args: sys.UnraisableHookArgs) -> None:
        log.error("%s: %s", args.err_msg or "An error was ignored", type(args.object).__name__, exc_info=args.exc_value)

    threading.excepthook = in_thread
    sys.unraisablehook = unraisable


def security(scope: Mapping[str, Any], what: str, **told: object) -> None:
    """Logs a security event (sign-in, sign-out, refusal) with the client's address at INFO level: written with JSON
    output only."""
    client = scope.get("client")
    told["client"] = client[0] if client else ""
    logging.getLogger("veillee.security").info(what, extra={"told": told})


def suppressed_count(record: logging.LogRecord) -> str:
    missed = getattr(record, "left_out", 0)
    return f" (and {missed} more like this, which were left out)" if missed else ""


def truncate(text: str, most: int) -> str:
    text = text if len(text) <= most else text[:most] + " …"
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def set_up(*, as_json: bool = False, stream: TextIO | None = None) -> logging.Handler:
    """Installs one root handler: for warnings and, with JSON output, for INFO of our own loggers. uvicorn's records go
    there too."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        JsonFormatter() if as_json else TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    handler.addFilter(FloodFilter())
    root = logging.getLogger()
    for old in [old for old in root.handlers if getattr(old, "of_the_house", False)]:
        root.removeHandler(old)
    handler.of_the_house = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    logging.getLogger("veillee").setLevel(logging.INFO if as_json else logging.WARNING)
    return handler
