"""A child process that is written lines of JSON, and whose lines are read with a time limit."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import msgspec


class LineProcess:
    """A running child. Its output is read by a thread, so that a slow or endless answer blocks nothing."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        """Starts the process. Raises OSError."""
        self.process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603  the caller named this program to be run
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._said: SimpleQueue[bytes] = SimpleQueue()
        Thread(target=self._listen, daemon=True).start()

    def say(self, message: Mapping[str, Any]) -> None:
        """Writes a message. A process that has ended is noticed by read()."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(msgspec.json.encode(message) + b"\n")
            self.process.stdin.flush()

    def read(self, seconds: float) -> bytes | None:
        """Returns the next line; empty if the process has ended, None if there is none in time."""
        try:
            return self._said.get(timeout=max(0.0, seconds))
        except Empty:
            return None

    def close(self) -> None:
        """Kills the process and closes its pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(OSError):  # unsent data in the buffer
                pipe.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError, OSError):  # closed meanwhile
            for line in self.process.stdout:
                self._said.put(line)
        self._said.put(b"")
