"""`veillee serve --dev`: for those who are building here. What they change is in the browser a moment later.

A process watches the package and has another one serve it (nursery.py). Templates, styles, pictures, words and rulebooks
are read again by the one that serves; after a change in Python, or in the content of a box, it is started anew, with the
compiled engine only if nothing in it has changed (veillee/engine.py). Tables go on: they are in the store. Pages listen
for both and load themselves again.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

from litestar import get
from litestar.response import Stream

from veillee.web.live.streams import opened
from veillee.web.rendering import table_parts
from veillee.web.serving import dev_watcher
from veillee.web.serving.dev_watcher import LOOK, WATCHED, stamps

__all__ = ["WATCHED", "Loop", "door_kept", "supervise"]

READ = (".html", ".css", ".js", ".svg", ".po", ".md")


def source() -> Path:
    """The package that is being built: the checkout's if we stand in one, else the one that runs."""
    here = Path("src/veillee").resolve()
    return here if (here / "engine.py").exists() else Path(__file__).resolve().parents[2]


def supervise(door: socket.socket, again: str, broken: str) -> int:
    """Become the process that watches (nursery.py): houses listen at the same door one after the other."""
    package = source()
    command = [sys.executable, "-P", dev_watcher.__file__, str(package), again, broken, *sys.argv[1:]]
    env = {**os.environ, "PYTHONPATH": str(package.parent)}
    if hasattr(os, "fork"):
        door.set_inheritable(True)
        return os.execve(sys.executable, command, env | {WATCHED: str(door.fileno())})  # noqa: S606 (ourselves)
    door.close()
    return subprocess.run(command, env=env | {WATCHED: "-1"}, check=False).returncode  # noqa: S603 (the same)


def door_kept() -> socket.socket | None:
    """The door that the process that watches keeps open for us."""
    number = int(os.environ.get(WATCHED, "-1"))
    return socket.socket(fileno=number) if number >= 0 else None


# -- the process that serves ----------------------------------------------------------------------------------------
class Loop:
    """Reads again what has changed, and tells the pages."""

    def __init__(self) -> None:
        self.package = Path(table_parts.__file__).parents[2]
        self.seen = stamps(self.package, READ)
        self.changes = 0

        @get("/dev", include_in_schema=False)
        async def route() -> Stream:
            headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
            return Stream(self.events(), media_type="text/event-stream", headers=headers)

        self.route: Any = route

    def start(self) -> None:
        threading.Thread(target=self._watch, name="dev", daemon=True).start()

    def look(self) -> None:
        """What has changed will be read again."""
        now = stamps(self.package, READ)
        if now != self.seen:
            self.seen = now
            forget()
            self.changes += 1

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK)
            self.look()

    async def events(self) -> AsyncIterator[bytes]:
        """The number of this state of the house, each time it is another one."""
        told, over = -1, asyncio.Event()
        yield b"retry: 150\n\n"  # the house comes back soon when it is started anew
        with opened(over):
            while not over.is_set():
                if told != self.changes:
                    told = self.changes
                    yield f"data: {os.getpid()}.{told}\n\n".encode()
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK):
                        await over.wait()


def forget() -> None:
    """All that was read from files, and what was made of it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("veillee."):
            for thing in list(vars(module).values()):
                if isinstance(thing, _lru_cache_wrapper):
                    thing.cache_clear()
    table_parts.LATEST.moments.clear()
