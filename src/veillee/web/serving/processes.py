"""Several server processes on one PostgreSQL (`veillee serve --processes N`, ADR 16).

The parent opens the listening socket, starts the others and replaces any that dies or sends no heartbeat. All of them accept connections on
the same socket; what they need to know of each other is in the database.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from veillee.web.http.shared_counters import SharedCounters, create_counters
from veillee.web.serving.watchdog import notify_systemd

log = logging.getLogger(__name__)

POLL_SECONDS = 0.1  # seconds between two polls
POLLS_PER_HEARTBEAT = 10  # to systemd
REST = 1.0  # seconds before a process that dies at its start, as without a database, is replaced
HEARTBEAT_TIMEOUT_SECONDS = 8.0  # seconds without a heartbeat of a process before SIGKILL; it sends one a second
START_TIMEOUT_SECONDS = 60.0  # seconds until the first heartbeat of a process before SIGKILL
SHUTDOWN_TIMEOUT_SECONDS = 10.0  # seconds for a process to shut down before SIGKILL
DOOR = "VEILLEE_DOOR"  # environment variable of a child process: the numbers of its ProcessSlot


class ProcessSlot(NamedTuple):
    """What a child process inherits: descriptors, and its number."""

    door: int  # listening socket
    lifeline: int  # pipe that is closed when the parent dies
    book: int  # file of the shared counters
    processes: int
    number: int
    heartbeat: int = -1  # pipe to the parent, which replaces a process that sends nothing

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

    def send_heartbeat(self) -> None:
        """Tells the parent that this process works (watchdog.py)."""
        with suppress(OSError):  # the pipe is full: the parent is slow, and will find enough in it
            os.write(self.heartbeat, b".")

    def shared_counters(self) -> SharedCounters:
        return SharedCounters(self.book, self.processes, self.number)

    def _wait_for_the_end(self) -> None:
        os.read(self.lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)


class ServerProcess:
    """One child process and its replacements. It is killed when no heartbeat has come from it for a while."""

    def __init__(self, slot: ProcessSlot, command: Sequence[str]) -> None:
        """Starts the process. slot: what it inherits, without the pipe for its heartbeats."""
        self._heartbeats, pipe = os.pipe()
        os.set_blocking(self._heartbeats, False)
        os.set_blocking(pipe, False)
        self._slot = slot._replace(heartbeat=pipe)
        self._command = command
        self._start()

    def _start(self) -> None:
        env = {**os.environ, DOOR: " ".join(map(str, self._slot))}
        env.pop("NOTIFY_SOCKET", None)  # the parent speaks to systemd
        slot = self._slot
        self.process = subprocess.Popen(  # noqa: S603 (ourselves)
            self._command,
            env=env,
            pass_fds=(slot.door, slot.lifeline, slot.book, slot.heartbeat),
            start_new_session=True,  # Ctrl+C reaches the parent only, which ends them
        )
        self._started_at = time.monotonic()
        self._silent_after = self._started_at + START_TIMEOUT_SECONDS

    def replace_if_gone(self) -> bool:
        """Replaces the process if it has ended, and kills it if it hangs. Returns whether it was replaced."""
        now = time.monotonic()
        with suppress(BlockingIOError):
            if os.read(self._heartbeats, 4096):
                self._silent_after = now + HEARTBEAT_TIMEOUT_SECONDS
        if self.process.poll() is None:
            if now > self._silent_after:
                log.error("The process %d hangs: it is killed.", self.process.pid)
                self.process.kill()
            return False
        if now - self._started_at <= REST:
            return False
        self._start()
        return True

    def close(self) -> None:
        os.close(self._heartbeats)
        os.close(self._slot.heartbeat)


def supervise(door: socket.socket, number: int, replaced: Callable[[], None]) -> None:
    """Starts and replaces processes until interrupted. `replaced` is called whenever one that died or hung is
    replaced.
    """
    lifeline, end = os.pipe()
    book = create_counters(number)
    command = [sys.executable, "-m", "veillee", *sys.argv[1:]]  # our own
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    serving: list[ServerProcess] = []
    polls = 0
    try:
        for n in range(number):
            serving.append(ServerProcess(ProcessSlot(door.fileno(), lifeline, book, number, n), command))
        notify_systemd("READY=1")
        while True:
            time.sleep(POLL_SECONDS)
            for one in serving:
                if one.replace_if_gone():
                    replaced()
            polls += 1
            if polls % POLLS_PER_HEARTBEAT == 0:
                notify_systemd("WATCHDOG=1")
    except KeyboardInterrupt:
        pass
    finally:
        notify_systemd("STOPPING=1")
        _end([one.process for one in serving])
        for one in serving:
            one.close()
        os.close(lifeline)
        os.close(end)
        os.close(book)


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
