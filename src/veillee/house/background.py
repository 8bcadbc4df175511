"""Background work: supervised threads, which outlive every error, and work that is done once, in threads or, where there
are none (a house in a browser page), in the event loop.

Each supervised thread is known to the process (`running_threads`): health checks, metrics and the watchdog
(web/serving/watchdog.py) read from there whether it works. The watchdog starts a thread that has ended again, and
replaces one whose poll hangs.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Literal, Protocol

from veillee.house.errors import StoreError
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

FOLLOW_UP_THREADS = 4  # saving a result waits for the disk: meanwhile bots of other tables are scheduled
RESTART_SECONDS = 0.1  # seconds before work that has failed begins again
HANG_SECONDS = 60.0  # seconds without progress after which a thread counts as hung
STOP_TIMEOUT_SECONDS = (
    10.0  # seconds to wait for a thread that was told to stop: a hung one must not keep the house open
)
MAX_HUNG_THREADS = 3  # of one PeriodicThread: a further one is not replaced, for the next would hang too

Trouble = Literal["", "ended", "hung"]

_running: set[SupervisedThread] = set()
_running_lock = threading.Lock()


def running_threads() -> list[SupervisedThread]:
    """Returns the threads of this process that were started and not told to stop, by name."""
    with _running_lock:
        return sorted(_running, key=lambda thread: thread.name)


def essential_troubles() -> dict[str, Trouble]:
    """Returns the essential threads that do not work, by name: without them the house cannot serve guests."""
    return {one.name: one.trouble for one in running_threads() if one.is_essential and one.trouble}


@contextmanager
def logged(failure: str, *about: object) -> Iterator[None]:
    """Logs any error of the block, so that trouble with one item does not stop the others. failure: what the log says
    of it, with a %s for each of `about`.
    """
    try:
        yield
    except VeilleeError as error:
        log.warning(f"{failure}: %s", *about, error)
    except Exception:
        log.exception(f"{failure}.", *about)


class SupervisedThread:
    """Daemon thread that calls `work`, which returns when the thread is told to stop.

    Any error is logged, SystemExit too, and `work` is called again. It is logged when it first occurs, and not again
    while every call fails with it.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], None],
        *,
        failure: str,
        is_essential: bool = False,
        hang_seconds: float = HANG_SECONDS,
    ) -> None:
        """failure: what the log says of an error. is_essential: whether the house cannot serve guests without it.
        hang_seconds: seconds within which working() ends, or beat() is called.
        """
        self.name = name
        self.is_essential = is_essential
        self.errors = 0
        self.restarts = 0
        self._work = work
        self._failure = failure
        self._hang_seconds = hang_seconds
        self._last_error = ""
        self._busy_since: float | None = None  # time of its last sign of progress while it works; None: it waits
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()  # guards _thread

    def start(self) -> None:
        """Starts the thread, unless it was started before."""
        with self._starting:
            if self._thread is None and not self.is_stopping:
                with _running_lock:
                    _running.add(self)
                self._start_thread()

    @property
    def is_stopping(self) -> bool:
        """Whether the thread was told to stop."""
        return self._stopping.is_set()

    @property
    def is_alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def trouble(self) -> Trouble:
        """What is wrong with the thread; empty: it works, waits, or is not expected to."""
        since = self._busy_since
        if self._thread is None or self.is_stopping:
            return ""
        if not self.is_alive:
            return "ended"
        return "hung" if since is not None and time.monotonic() - since > self._hang_seconds else ""

    def signal_stop(self) -> None:
        """Tells the thread to stop, without waiting for it."""
        self._stopping.set()
        with _running_lock:
            _running.discard(self)

    def stop(self) -> None:
        """Tells the thread to stop and waits until it has ended; not for ever, should it hang."""
        self.signal_stop()
        with self._starting:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(STOP_TIMEOUT_SECONDS)
            if thread.is_alive():
                log.error("The thread %s does not end: it is left behind.", self.name)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Marks the thread as working: the block must end, or show progress, within the hang limit."""
        self.beat()
        try:
            yield
        finally:
            if self._is_current():
                self._busy_since = None

    def beat(self) -> None:
        """Shows progress of a long work. Does nothing in another thread, as in one that was replaced."""
        if self._is_current():
            self._busy_since = time.monotonic()

    def repair(self) -> None:
        """Starts the thread again if it has ended. Called by the watchdog."""
        with self._starting:
            if self.trouble == "ended":
                log.error("The thread %s has ended: it is started again.", self.name)
                self._restart()

    def _restart(self) -> None:
        self.restarts += 1
        self._start_thread()

    def _start_thread(self) -> None:
        self._busy_since = None
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def _is_current(self) -> bool:
        return threading.current_thread() is self._thread

    def _run(self) -> None:
        while True:
            try:
                self._work()
            except BaseException as error:  # noqa: BLE001 (nothing may end the thread)
                self._report(error)
                self._stopping.wait(RESTART_SECONDS)
            else:
                self._last_error = ""
            if self.is_stopping or not self._is_current():
                return

    def _report(self, error: BaseException) -> None:
        """Logs an error, unless the call before failed with it, or the thread is stopping: the store may be closed."""
        self.errors += 1
        last, self._last_error = self._last_error, repr(error)
        if self._last_error == last or self.is_stopping:
            return
        if isinstance(error, StoreError):
            log.warning("%s: %s", self._failure, error)
        else:
            log.error("%s.", self._failure, exc_info=error)


class PeriodicThread(SupervisedThread):
    """Supervised thread that calls `poll` at an interval until it is stopped. If a poll hangs, another thread goes on
    in its place, and the first one ends after that poll.
    """

    def __init__(
        self,
        name: str,
        poll: Callable[[], float | None],
        seconds: float,
        *,
        failure: str,
        first_seconds: float | None = None,
        is_essential: bool = False,
        hang_seconds: float = HANG_SECONDS,
    ) -> None:
        """poll: may return the seconds until its next call, in place of `seconds`; a long one calls beat().

        first_seconds: seconds before the first call, if others than `seconds`.
        """
        super().__init__(
            name, self._poll_when_due, failure=failure, is_essential=is_essential, hang_seconds=hang_seconds
        )
        self._poll = poll
        self._seconds = seconds
        self._wait_seconds = seconds if first_seconds is None else first_seconds  # before the next poll
        self._hung: list[threading.Thread] = []  # threads that were replaced and have not ended yet

    def repair(self) -> None:
        super().repair()
        with self._starting:
            self._hung = [thread for thread in self._hung if thread.is_alive()]
            if self.trouble == "hung" and self._thread is not None and len(self._hung) < MAX_HUNG_THREADS:
                log.error("The thread %s hangs: another one takes its place.", self.name)
                self._hung.append(self._thread)
                self._restart()

    def _poll_when_due(self) -> None:
        if self._stopping.wait(self._wait_seconds):
            return
        self._wait_seconds = self._seconds
        with self.working():
            wanted = self._poll()
        if wanted is not None and self._is_current():
            self._wait_seconds = wanted


class Background(Protocol):
    """Runs work of the house beside its caller. Errors are logged."""

    def run_soon(self, do: Callable[[], None]) -> None:
        """Calls `do` soon, after the caller has gone on. Must not be called after close()."""
        ...

    def run_later(self, seconds: float, do: Callable[[], None]) -> None:
        """Calls `do` after so many seconds."""
        ...

    def run_apart(self, name: str, do: Callable[[], None]) -> None:
        """Calls `do` soon; it may take long, and delays no other work where there are threads."""
        ...

    def close(self) -> None:
        """Waits until the work of run_soon() is done."""
        ...


class ThreadBackground:
    """Background work in threads."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(FOLLOW_UP_THREADS, thread_name_prefix="follow-up")

    def run_soon(self, do: Callable[[], None]) -> None:
        self._pool.submit(_run_logged, do)

    def run_later(self, seconds: float, do: Callable[[], None]) -> None:
        timer = threading.Timer(seconds, _run_logged, [do])
        timer.daemon = True
        timer.start()

    def run_apart(self, name: str, do: Callable[[], None]) -> None:
        threading.Thread(target=_run_logged, args=[do], name=name, daemon=True).start()

    def close(self) -> None:
        self._pool.shutdown()


class LoopBackground:
    """Background work in an event loop, between the requests that it serves: for a house without threads. Must be used
    from that loop alone.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._closed = False

    def run_soon(self, do: Callable[[], None]) -> None:
        self._loop.call_soon(self._run, do)

    def run_later(self, seconds: float, do: Callable[[], None]) -> None:
        self._loop.call_later(seconds, self._run, do)

    def run_apart(self, name: str, do: Callable[[], None]) -> None:
        self._loop.call_soon(self._run, do)

    def run_every(self, seconds: float, do: Callable[[], None]) -> None:
        """Calls `do` at this interval until close(), first after one interval."""

        def run() -> None:
            self._run(do)
            if not self._closed:
                self._loop.call_later(seconds, run)

        self._loop.call_later(seconds, run)

    def close(self) -> None:
        """Drops what has not begun: the house is closed, and the loop must not wait for itself."""
        self._closed = True

    def _run(self, do: Callable[[], None]) -> None:
        if not self._closed:
            _run_logged(do)


def _run_logged(do: Callable[[], None]) -> None:
    try:
        do()
    except BaseException:  # a pool would keep it in a future that is never read
        log.exception("Background work has failed.")
