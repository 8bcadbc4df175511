"""`veillee serve --processes N`: several processes behind one door, on one PostgreSQL (ADR 16).

This one opens the door (a socket), starts the others and sees that they are there: one that dies is replaced. All of
them take in guests at the same door, whoever is free first; what they need to know of each other is in the database.
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

from veillee.web.http.shared_counters import Ledger, laid_out

LOOK = 0.1  # seconds between two looks
REST = 1.0  # seconds: who dies at its start, as when there is no database, is not replaced more often
PATIENCE = 10.0  # seconds that they have to close
DOOR = "VEILLEE_DOOR"  # tells a process that it is one of several: five numbers


class Place(NamedTuple):
    """Of one process among the others."""

    door: int  # the socket
    lifeline: int  # a pipe that ends when the process that sees to us does
    book: int  # the file of what all of them count together
    processes: int
    number: int

    @classmethod
    def mine(cls) -> Place | None:
        """None: this process is not one of several."""
        numbers = os.environ.get(DOOR, "")
        return cls(*map(int, numbers.split())) if numbers else None

    def take(self) -> socket.socket:
        """The door. From now on this process ends when nobody sees to it any more."""
        del os.environ[DOOR]  # it is not for those who think for the bots
        threading.Thread(target=self._wait_for_the_end, name="lifeline", daemon=True).start()
        return socket.socket(fileno=self.door)

    def ledger(self) -> Ledger:
        return Ledger(self.book, self.processes, self.number)

    def _wait_for_the_end(self) -> None:
        os.read(self.lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)


def oversee(door: socket.socket, number: int, replaced: Callable[[], None]) -> None:
    """Until interrupted. `replaced` is called when another one has taken the place of one that died."""
    lifeline, end = os.pipe()
    book = laid_out(number)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    places = [Place(door.fileno(), lifeline, book, number, n) for n in range(number)]
    serving: list[subprocess.Popen[bytes]] = []
    since: list[float] = []
    try:
        for place in places:
            serving.append(_start(place))
            since.append(time.monotonic())
        while True:
            time.sleep(LOOK)
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


def _start(place: Place) -> subprocess.Popen[bytes]:
    """The same command as ours."""
    env = {**os.environ, DOOR: " ".join(map(str, place))}
    return subprocess.Popen(  # noqa: S603 (ourselves)
        [sys.executable, "-m", "veillee", *sys.argv[1:]],
        env=env,
        pass_fds=(place.door, place.lifeline, place.book),
        start_new_session=True,  # Ctrl+C is for us, who tell them
    )


def _end(serving: list[subprocess.Popen[bytes]]) -> None:
    for process in serving:
        process.terminate()
    until = time.monotonic() + PATIENCE
    for process in serving:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
