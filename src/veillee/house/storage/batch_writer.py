"""The scribe writes down what waits to be written, all of it in one go.

A loop that serves thousands must not wait for a disk, and a thread for every answer costs more than the answer: each gives
way to the loop at every step, and they stand in line behind one another. One pair of hands takes what has come meanwhile
along: the busier the house is, the more answers share one transaction.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

log = logging.getLogger(__name__)

MOST = 64  # in one go: who came first is not kept waiting by whoever comes last

Line = TypeVar("Line")
Done = Callable[[Exception | None], None]  # it is on disk, or why it is not


class Scribe(Generic[Line]):
    """`write` writes some lines in one transaction and says what came of each: None, or what was wrong with that one. What it
    raises happened to all of them."""

    def __init__(self, write: Callable[[Sequence[Line]], Sequence[Exception | None]]) -> None:
        self._write = write
        self._waiting: SimpleQueue[tuple[Line, Done] | None] = SimpleQueue()  # None: that was the last one
        self._thread: threading.Thread | None = None
        self._hiring = threading.Lock()
        self._closed = False

    def take(self, line: Line, done: Done) -> bool:
        """Write it soon. `done` is called from the scribe's own thread, and must not wait for anything that is written.
        False: the scribe has gone home."""
        if self._thread is None:
            self._hire()
        with self._hiring:
            if self._closed:
                return False
            self._waiting.put((line, done))
        return True

    def close(self) -> None:
        """Write what waits; then take nothing more."""
        with self._hiring:
            self._closed = True
            self._waiting.put(None)
        if self._thread is not None:
            self._thread.join()

    def _hire(self) -> None:
        with self._hiring:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="scribe", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while (first := self._waiting.get()) is not None:
            lines = [first]
            last = False
            while len(lines) < MOST and not last:
                try:
                    more = self._waiting.get_nowait()
                except Empty:
                    break
                last = more is None
                lines += [more] if more is not None else []
            for (_, done), wrong in zip(lines, self._all(lines), strict=True):
                try:
                    done(wrong)
                except Exception:  # one's trouble is not the others'
                    log.exception("Somebody could not be told that their answer is written.")
            if last:
                return

    def _all(self, lines: Sequence[tuple[Line, Done]]) -> Sequence[Exception | None]:
        try:
            return self._write([line for line, _ in lines])
        except Exception as error:  # noqa: BLE001 (whatever it was, nothing is written, and all of them are told)
            return [error] * len(lines)
