"""`veillee serve --dev`: for those who are building here. What they change is in the browser a moment later.

A process watches the package and has another one serve it. Templates, styles, pictures, words and rulebooks are read
again by the one that serves; after a change in Python, or in the content of a box, it is started anew, and with it the
compiled engine is used only if nothing in it has changed (veillee/engine.py). Tables go on: they are in the store. Pages
listen for both and load themselves again.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

from litestar import get
from litestar.response import Stream

from veillee.web import parts

LOOK = 0.25  # seconds between two looks
AGAIN = (".py", ".toml")  # a process has read these once and for all
READ = (".html", ".css", ".js", ".svg", ".po", ".md")
WATCHED = "VEILLEE_WATCHED"  # set for the process that serves
BROKEN = 1  # the exit code of Python when the code has an error

Stamps = dict[Path, int]


def stamps(package: Path, suffixes: Sequence[str]) -> Stamps:
    """When each file was changed."""
    found: Stamps = {}
    for folder, inside, names in os.walk(package):
        inside[:] = [name for name in inside if name != "__pycache__"]
        for name in names:
            if name.endswith(tuple(suffixes)):
                path = Path(folder, name)
                try:
                    found[path] = path.stat().st_mtime_ns
                except OSError:  # it is just being replaced
                    found[path] = 0
    return found


def source() -> Path:
    """The package that is being built: the checkout's if we stand in one, else the one that runs."""
    here = Path("src/veillee").resolve()
    return here if (here / "engine.py").exists() else Path(__file__).resolve().parent.parent


# -- the process that watches ---------------------------------------------------------------------------------------
def supervise(say: Callable[[str], None], again: str, broken: str) -> int:
    """Serve, and start anew whenever Python has changed; until interrupted. `again` and `broken` are what it says."""
    package = source()
    env = {**os.environ, WATCHED: "1", "PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-m", "veillee", *sys.argv[1:]]
    try:
        while True:
            seen = stamps(package, AGAIN)
            with subprocess.Popen(command, env=env) as serving:  # noqa: S603 (ourselves)
                try:
                    told = False
                    while stamps(package, AGAIN) == seen:
                        time.sleep(LOOK)
                        code = serving.poll()
                        if code is not None and code != BROKEN:
                            return code
                        if code == BROKEN and not told:
                            say(broken)
                            told = True
                finally:
                    serving.kill()  # nothing that was played is lost by it
            say(again)
            command = [word for word in command if word != "--open"]  # the browser is there already
    except KeyboardInterrupt:
        return 0


# -- the process that serves ----------------------------------------------------------------------------------------
class Loop:
    """Reads again what has changed, and tells the pages."""

    def __init__(self) -> None:
        self.package = Path(parts.__file__).parent.parent
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
        told = -1
        yield b"retry: 150\n\n"  # the house comes back soon when it is started anew
        while True:
            if told != self.changes:
                told = self.changes
                yield f"data: {os.getpid()}.{told}\n\n".encode()
            await asyncio.sleep(LOOK)


def forget() -> None:
    """All that was read from files, and what was made of it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("veillee."):
            for thing in list(vars(module).values()):
                if isinstance(thing, _lru_cache_wrapper):
                    thing.cache_clear()
    parts.KEEP.ready.clear()
