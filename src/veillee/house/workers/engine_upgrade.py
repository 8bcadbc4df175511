"""How fast the bots think: the engine may be compiled while people play (tools/build_engine.py builds it), and then they think
ten times faster without anybody having to stop.

The build leaves word in the folder of the engines: a file `building`, touched every second while it lasts, and the engine
itself when it is done. The house looks there now and then.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from veillee import engine
from veillee.house.workers.pool import Thinkers

News = Literal["", "building", "changed", "failed"]
LOOK = 1.0  # seconds between two looks
ALIVE = 30.0  # seconds after which a build that gives no sign is no more
NEWS = 90.0  # seconds for which an end of the build is news


class Quickening:
    """Of one house's thinkers."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._tell: Callable[[News], None] = lambda _: None
        self._state: News = ""
        self._since = 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="quickening", daemon=True)

    @property
    def news(self) -> News:
        """What a page should say of it now; nothing when it is as it has been for a while."""
        ended = self._state in ("changed", "failed")
        return "" if ended and time.monotonic() - self._since > NEWS else self._state

    def start(self, tell: Callable[[News], None]) -> None:
        """Watch, where a compiled engine would be something new. `tell` is called once for each piece of news."""
        self._tell = tell
        if not engine.is_compiled() and engine.shelf() is not None:
            self.look()
            self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Once: is there news?"""
        place = engine.shelf()
        if place is None:
            return
        if engine.fitting() is not None:
            self._is("changed" if self._thinkers.change_over() else "failed")
        elif builds(place):
            self._is("building")
        elif self._state == "building":  # it has ended, and there is nothing
            self._is("failed")

    def _is(self, state: News) -> None:
        if state != self._state:
            self._state, self._since = state, time.monotonic()
            self._tell(state)

    def _watch(self) -> None:
        while self._state not in ("changed", "failed") and not self._stopped.wait(LOOK):
            self.look()


def builds(place: Path) -> bool:
    """Is somebody building an engine there? A build that was cut short leaves its word behind, but no longer touches it."""
    try:
        return time.time() - (place / "building").stat().st_mtime < ALIVE
    except OSError:
        return False
