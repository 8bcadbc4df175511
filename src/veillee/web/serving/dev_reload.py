"""Live reload (`veillee serve --dev`): changed sources are in the browser a moment later.

A watcher process runs the server process (web/serving/dev_watcher.py). The server itself reads changed templates,
styles, pictures, translations and rulebooks again; after a change in Python, or in the content of a box, it is
restarted, with the compiled engine only if nothing in it has changed (veillee/engine.py). Tables go on: they are in the
database. Pages listen for both and reload.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

from litestar import get
from litestar.response import Stream

from veillee.house.background import PeriodicThread
from veillee.web.http.request import AnyRequest
from veillee.web.http.work_in_flight import become_stream
from veillee.web.live.streams import open_stream
from veillee.web.rendering import table_parts
from veillee.web.serving import dev_watcher
from veillee.web.serving.dev_watcher import POLL_SECONDS, WATCHED, modification_times

__all__ = ["WATCHED", "DevReloader", "inherited_socket", "run_watcher"]

WATCHED_SUFFIXES = (".html", ".css", ".js", ".svg", ".po", ".md")


def source() -> Path:
    """Returns the package under development: that of the checkout in the current directory, else the running one."""
    here = Path("src/veillee").resolve()
    return here if (here / "engine.py").exists() else Path(__file__).resolve().parents[2]


def run_watcher(door: socket.socket, again: str, broken: str) -> int:
    """Replaces this process by the watcher (web/serving/dev_watcher.py). Its servers use the same listening socket one
    after the other."""
    package = source()
    command = [sys.executable, "-P", dev_watcher.__file__, str(package), again, broken, *sys.argv[1:]]
    env = {**os.environ, "PYTHONPATH": str(package.parent)}
    if hasattr(os, "fork"):
        door.set_inheritable(True)
        return os.execve(sys.executable, command, env | {WATCHED: str(door.fileno())})  # noqa: S606 (ourselves)
    door.close()
    return subprocess.run(command, env=env | {WATCHED: "-1"}, check=False).returncode  # noqa: S603 (the same)


def inherited_socket() -> socket.socket | None:
    """Returns the listening socket that the watcher keeps open for us; None if there is none."""
    number = int(os.environ.get(WATCHED, "-1"))
    return socket.socket(fileno=number) if number >= 0 else None


# -- the server process ---------------------------------------------------------------------------------------------
class DevReloader:
    """Polls the files that are read at run time, clears the caches when one has changed, and notifies the pages."""

    def __init__(self) -> None:
        self.package = Path(table_parts.__file__).parents[2]
        self.file_times = modification_times(self.package, WATCHED_SUFFIXES)
        self.changes = 0

        @get("/dev", include_in_schema=False)
        async def route(request: AnyRequest) -> Stream:
            become_stream(request.scope)
            headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
            return Stream(self.events(), media_type="text/event-stream", headers=headers)

        self.route: Any = route
        self._thread = PeriodicThread(
            "dev-reload", self.poll, POLL_SECONDS, failure="Changed files cannot be looked for"
        )

    def start(self) -> None:
        self._thread.start()

    def poll(self) -> None:
        """Clears the caches if a file has changed."""
        now = modification_times(self.package, WATCHED_SUFFIXES)
        if now != self.file_times:
            self.file_times = now
            clear_caches()
            self.changes += 1

    async def events(self) -> AsyncIterator[bytes]:
        """Yields the process id and the number of changes as a server-sent event, each time they change."""
        told, over = -1, asyncio.Event()
        yield b"retry: 150\n\n"  # milliseconds: a restart is quick
        with open_stream(over):
            while not over.is_set():
                if told != self.changes:
                    told = self.changes
                    yield f"data: {os.getpid()}.{told}\n\n".encode()
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await over.wait()


def clear_caches() -> None:
    """Clears every cache of files, and the parts rendered from them."""
    for name, module in list(sys.modules.items()):
        if name.startswith("veillee."):
            for thing in list(vars(module).values()):
                if isinstance(thing, _lru_cache_wrapper):
                    thing.cache_clear()
    table_parts.LATEST.moments.clear()
