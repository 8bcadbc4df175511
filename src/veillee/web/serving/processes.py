"""Several server processes on one PostgreSQL (`veillee serve --processes N`, ADR 16).

The parent opens the listening socket, starts the others and replaces any that dies. All of them accept connections on
the same socket; what they need to know of each other is in the database.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from veillee.web.http.shared_counters import SharedCounters, create_counters

POLL_SECONDS = 0.1  # seconds between two polls
REST = 1.0  # seconds before a process that dies at its start, as without a database, is replaced
SHUTDOWN_TIMEOUT_SECONDS = 10.0  # seconds for a process to shut down before SIGKILL
DOOR = "VEILLEE_DOOR"  # environment variable of a child process: the five numbers of its Place


class ProcessSlot(NamedTuple):
    """What a child process inherits: descriptors, and its number."""

    door: int  # listening socket
    lifeline: int  # pipe that is closed when the parent dies
    book: int  # file of the shared counters
    processes: int
    number: int

    @classmethod
    def mine(cls) -> ProcessSlot | None:
        """Returns the place of this process; None: it is not one of several."""
        numbers = os.environ.get(DOOR, "")
        return cls(*map(int, numbers.split())) if numbers else None

    def inherit_socket(self) -> socket.socket:
        """Returns the listening socket. From now on this process ends when its parent does."""
        del os.environ[DOOR]  # bot worker processes must not inherit it
        threading.Thread(target=self._wait_for_the_end, name="lifeline", daemon=True).start()
        return socket.socket(fileno=self.door)

    def shared_counters(self) -> SharedCounters:
        return SharedCounters(self.book, self.processes, self.number)

    def _wait_for_the_end(self) -> None:
        os.read(self.lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)


def supervise(door: socket.socket, number: int, replaced: Callable[[], None]) -> None:
    """Starts and replaces processes until interrupted. `replaced` is called whenever one that died is replaced."""
    lifeline, end = os.pipe()
    book = create_counters(number)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    places = [ProcessSlot(door.fileno(), lifeline, book, number, n) for n in range(number)]
    serving: list[subprocess.Popen[bytes]] = []
    since: list[float] = []
    try:
        for place in places:
            serving.append(_start(place))
            since.append(time.monotonic())
        while True:
            time.sleep(POLL_SECONDS)
            for n, process in enumerate(serving):
                if process.poll() is not None and time.monotonic() - since[n] > REST:
                    replaced()
                    serving[n], since[n] = _start(places[n]), time.monotonic()
    except KeyboardInterrupt:
        pass
    finally:
        _end(serving)
        os.close(lifeline)
        os.close(end)
        os.close(book)


def _start(place: ProcessSlot) -> subprocess.Popen[bytes]:
    """Starts a child process with the same command as ours."""
    env = {**os.environ, DOOR: " ".join(map(str, place))}
    return subprocess.Popen(  # noqa: S603 (ourselves)
        [sys.executable, "-m", "veillee", *sys.argv[1:]],
        env=env,
        pass_fds=(place.door, place.lifeline, place.book),
        start_new_session=True,  # Ctrl+C reaches the parent only, which ends them
    )


def _end(serving: list[subprocess.Popen[bytes]]) -> None:
    for process in serving:
        process.terminate()
    until = time.monotonic() + SHUTDOWN_TIMEOUT_SECONDS
    for process in serving:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
