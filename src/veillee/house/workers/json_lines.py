"""Child processes that read JSON lines and answer with JSON lines: the side of the parent and the side of the child."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import veillee

# Ctrl+C must reach the server only, which then closes the pipes; from the first moment on, also for a process that is
# just starting.
if sys.platform == "win32":
    NEW_GROUP, NEW_SESSION = subprocess.CREATE_NEW_PROCESS_GROUP, False
else:
    NEW_GROUP, NEW_SESSION = 0, True


STALL_SECONDS = 3.0  # seconds without progress after which a process counts as hung
STALL_POLL_SECONDS = 0.5  # seconds between two looks at its progress


class JsonLinesProcess:
    """A running child that imports this same package, wherever it lies. kill() is safe from any thread."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts the process. Raises OSError."""
        home = str(Path(veillee.__file__).parent.parent)
        paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(  # noqa: S603 (our own)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            encoding="utf-8",
            start_new_session=NEW_SESSION,
            creationflags=NEW_GROUP,
        )

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def ask(self, *messages: Any, seconds: float) -> Any:
        """Sends these messages and returns the first answer (read_answer). Raises OSError, ValueError."""
        stdin = self._process.stdin
        assert stdin is not None
        with self._kill_after(seconds):
            stdin.write("".join(json.dumps(message) + "\n" for message in messages))
            stdin.flush()
            return self._read_answer()

    def read_answer(self, seconds: float) -> Any:
        """Returns the next answer; None for an empty line. Kills a process that does not answer in time, or hangs. Raises
        ValueError if the process has ended or the line is not JSON.
        """
        with self._kill_after(seconds):
            return self._read_answer()

    def ask_last(
        self, message: Any, *, seconds: float, poll_seconds: float, should_stop: Callable[[], bool]
    ) -> tuple[str, bool]:
        """Sends the last message. Returns all output, and whether `should_stop`, called while waiting, has cut it
        short. Kills a process that has not ended in time, or that hangs.
        """
        until = time.monotonic() + seconds
        given: str | None = json.dumps(message) + "\n"
        stopped, stall = False, StallDetector(self._process.pid)
        while not stopped:
            try:
                return self._process.communicate(given, timeout=poll_seconds)[0], False
            except subprocess.TimeoutExpired:
                given = None
                if time.monotonic() > until or stall.is_stalled():
                    break
                stopped = should_stop()
        self.kill()
        return self._process.communicate()[0], stopped

    def kill(self) -> None:
        """Kills the process, which ends a call that waits for it."""
        self._process.kill()

    def close(self) -> None:
        """Kills the process, closes its pipes and waits for its end."""
        self._process.kill()
        with contextlib.suppress(OSError):
            self._process.communicate()

    def _read_answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ValueError("the process has ended")
        return json.loads(line) if line.strip() else None

    @contextlib.contextmanager
    def _kill_after(self, seconds: float) -> Iterator[None]:
        """Kills the process if the block does not end in time, or if the process hangs meanwhile."""
        ended = threading.Event()

        def watch() -> None:
            until, stall = time.monotonic() + seconds, StallDetector(self._process.pid)
            while not ended.wait(max(0.0, min(STALL_POLL_SECONDS, until - time.monotonic()))):
                if time.monotonic() >= until or stall.is_stalled():
                    self.kill()
                    return

        threading.Thread(target=watch, name="worker-timeout", daemon=True).start()
        try:
            yield
        finally:
            ended.set()


class StallDetector:
    """Notices within seconds that a process which has work to do hangs: it sleeps or is stopped, and uses no processor
    time. One that computes, or waits for a processor or a disk, is slow and not stalled. Needs /proc; elsewhere a
    process that hangs is noticed by its timeout only.
    """

    def __init__(self, pid: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._stat = Path(f"/proc/{pid}/stat")
        self._clock = clock
        self._used = ""  # processor time at the last progress
        self._since = clock()  # time of the last progress

    def is_stalled(self) -> bool:
        """Returns whether the process has made no progress for STALL_SECONDS. Must be called every second or so."""
        try:
            fields = self._stat.read_text(encoding="ascii", errors="replace").rpartition(") ")[2].split()
        except OSError:
            return False
        state, used = fields[0], " ".join(fields[11:13])  # 11, 12: user and system time, see proc(5)
        if state not in ("S", "T", "t") or used != self._used:
            self._used, self._since = used, self._clock()
        return self._clock() - self._since >= STALL_SECONDS


def serve_lines(handle: Callable[[dict[str, Any]], Iterable[Any]], *, mark_end: bool = False) -> None:
    """Runs a child: calls `handle` for each message and writes a line for each of its answers, until stdin is closed.

    mark_end: writes an empty line after the answers to each message. An error ends the process, with a traceback on
    stderr: the parent notices.
    """
    pipe, sys.stdout = sys.stdout, sys.stderr  # stray prints must not get into the pipe

    def write(line: str) -> None:
        try:
            pipe.write(line + "\n")
            pipe.flush()
        except BrokenPipeError:  # the parent was closed or killed
            os._exit(0)

    for message in sys.stdin:
        for answer in handle(json.loads(message)):
            write(json.dumps(answer))
        if mark_end:
            write("")
