"""Background threads: those that poll, and those that do follow-up work."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from veillee.house.errors import StoreError

log = logging.getLogger(__name__)

FOLLOW_UP_THREADS = 4  # saving a result waits for the disk: meanwhile bots of other tables are scheduled


class PeriodicThread:
    """Daemon thread that calls `poll` at an interval until it is stopped.

    An error does not end the thread. It is logged when it first occurs, and not again while every poll fails with it.
    """

    def __init__(
        self,
        name: str,
        poll: Callable[[], float | None],
        seconds: float,
        *,
        failure: str,
        first_seconds: float | None = None,
    ) -> None:
        """poll: may return the seconds until its next call, in place of `seconds`.

        failure: what the log says when a poll fails. first_seconds: seconds before the first call, if others than
        `seconds`.
        """
        self._poll = poll
        self._seconds = seconds
        self._first_seconds = seconds if first_seconds is None else first_seconds
        self._failure = failure
        self._last_error = ""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_stopping(self) -> bool:
        """Whether the thread was told to stop."""
        return self._stopping.is_set()

    def signal_stop(self) -> None:
        """Tells the thread to stop after the current poll, without waiting for it."""
        self._stopping.set()

    def stop(self) -> None:
        """Tells the thread to stop and waits until it has ended."""
        self.signal_stop()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wait = self._first_seconds
        while not self._stopping.wait(wait):
            wait = self._seconds
            try:
                wanted = self._poll()
            except StoreError as error:
                if self._is_new(error):
                    log.warning("%s: %s", self._failure, error)
            except Exception as error:  # an unexpected error must not end the thread
                if self._is_new(error):
                    log.exception("%s.", self._failure)
            else:
                self._last_error = ""
                wait = self._seconds if wanted is None else wanted

    def _is_new(self, error: Exception) -> bool:
        """Returns whether the poll before did not fail with this error. False while stopping: the store may be closed."""
        last, self._last_error = self._last_error, repr(error)
        return self._last_error != last and not self.is_stopping


class FollowUpExecutor:
    """Threads that do the work that follows an answer, so that the thread that wrote it does not wait."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(FOLLOW_UP_THREADS, thread_name_prefix="follow-up")

    def submit(self, do: Callable[[], None]) -> None:
        """Calls `do` soon, in another thread. An error is logged. Must not be called after close()."""
        self._pool.submit(_run_logged, do)

    def close(self) -> None:
        """Waits until all submitted work is done."""
        self._pool.shutdown()


def _run_logged(do: Callable[[], None]) -> None:
    try:
        do()
    except Exception:  # the pool would keep it in a future that is never read
        log.exception("The work that follows an answer has failed.")
