"""How answers are written: by one thread that writes all queued ones in one transaction, so batches grow with load; or
by the caller, where there are no threads.

An event loop that serves thousands of clients must not wait for a disk, and one thread per answer costs more than the
answer: each thread gives up the GIL to the loop at every step, and they queue behind one another.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from veillee.house.background import SupervisedThread

log = logging.getLogger(__name__)

MAX_BATCH = 64  # lines per transaction: limits how long the first one waits
WRITE_HANG_SECONDS = 30.0  # seconds for one transaction before health checks report that the disk does not answer

Line = TypeVar("Line")
Done = Callable[[Exception | None], None]  # called with None once it is on disk, or with the reason it is not


class BatchWriter(Generic[Line]):
    """The writer thread and its queue.

    `write` writes several lines in one transaction and returns for each None or its error. An exception that it raises
    is the error of all of them.
    """

    def __init__(self, write: Callable[[Sequence[Line]], Sequence[Exception | None]]) -> None:
        self._write = write
        self._waiting: SimpleQueue[tuple[Line, Done] | None] = SimpleQueue()  # None: close the thread
        self._thread = SupervisedThread(
            "batch-writer",
            self._run,
            failure="The thread that writes answers has failed",
            is_essential=True,
            hang_seconds=WRITE_HANG_SECONDS,
        )
        self._closing = threading.Lock()  # guards _closed
        self._closed = False

    def submit(self, line: Line, done: Done) -> bool:
        """Queues a line to be written. `done` is called from the writer thread, and must not wait for another write.
        Returns False if the writer is closed.
        """
        with self._closing:
            if self._closed:
                return False
            self._thread.start()
            self._waiting.put((line, done))
        return True

    def close(self) -> None:
        """Writes what is queued, then accepts nothing more."""
        with self._closing:
            self._closed = True
            self._waiting.put(None)
        self._thread.stop()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            lines = [first]
            last = False
            while len(lines) < MAX_BATCH and not last:
                try:
                    more = self._waiting.get_nowait()
                except Empty:
                    break
                last = more is None
                lines += [more] if more is not None else []
            with self._thread.working():
                outcomes = self._write_all(lines)
            for (_, done), wrong in zip(lines, outcomes, strict=True):
                try:
                    done(wrong)
                except BaseException:  # an error in one callback must not affect the others
                    log.exception("Somebody could not be told that their answer is written.")
            if last:
                return

    def _write_all(self, lines: Sequence[tuple[Line, Done]]) -> Sequence[Exception | None]:
        try:
            return self._write([line for line, _ in lines])
        except Exception as error:  # noqa: BLE001 (any error: nothing is written, and every caller is told)
            return [error] * len(lines)
        except BaseException as error:  # noqa: BLE001 (a SystemExit, which a caller would not expect)
            return [RuntimeError(repr(error))] * len(lines)


class DirectWriter(Generic[Line]):
    """Writes each line in the calling thread, before submit() returns. Has the methods of BatchWriter."""

    def __init__(self, write: Callable[[Sequence[Line]], Sequence[Exception | None]]) -> None:
        self._write = write
        self._closed = False

    def submit(self, line: Line, done: Done) -> bool:
        if self._closed:
            return False
        try:
            outcome = self._write([line])[0]
        except Exception as error:  # noqa: BLE001 (any error: nothing is written, and the caller is told)
            outcome = error
        done(outcome)
        return True

    def close(self) -> None:
        self._closed = True
