"""Background threads that poll."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from veillee.house.errors import StoreError

log = logging.getLogger(__name__)


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
