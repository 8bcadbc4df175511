"""Switches the bots to the compiled engine when it has been built while the server runs (tools/setup/build_engine.py): bots
then think ten times faster, without a restart.

The build writes to the folder of the engines: a file `building`, touched every second while it lasts, and the engine
itself when it is done. The house polls that folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from veillee import engine
from veillee.house.background import PeriodicThread
from veillee.house.workers.jobs import Thinkers

EngineStatus = Literal["", "building", "changed", "failed", "slow"]
POLL_SECONDS = 1.0  # seconds between two polls
BUILD_STALLED_SECONDS = 30.0  # seconds after which a build that does not touch its file counts as dead
BANNER_SECONDS = 90.0  # seconds for which pages report the end of the build


class EngineUpgradeWatcher:
    """Watches for the compiled engine, for one pool of workers."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._on_status: Callable[[EngineStatus], None] = lambda _: None
        self._state: EngineStatus = ""
        self._since = 0.0
        self._thread = PeriodicThread(
            "engine-upgrade", self.poll, POLL_SECONDS, failure="The compiled engine cannot be looked for"
        )

    @property
    def status(self) -> EngineStatus:
        """What a page should report now; empty when the state has not changed for a while."""
        ended = self._state in ("changed", "failed", "slow")
        return "" if ended and time.monotonic() - self._since > BANNER_SECONDS else self._state

    def start(self, tell: Callable[[EngineStatus], None]) -> None:
        """Starts watching, unless the engine is compiled already. `tell` is called once for each change of state."""
        self._on_status = tell
        if not engine.is_compiled() and engine.shelf() is not None:
            self.poll()
            self._thread.start()

    def stop(self) -> None:
        self._thread.stop()

    def report_slow(self) -> None:
        """Reports once that the time limit cuts the bots' thinking short: in a browser page, where nothing is compiled."""
        self._set_status("slow")

    def poll(self) -> None:
        """Polls the folder once."""
        place = engine.shelf()
        if place is None:
            return
        if engine.fitting() is not None:
            self._set_status("changed" if self._thinkers.switch_engine() else "failed")
        elif is_build_running(place):
            self._set_status("building")
        elif self._state == "building":  # the build has ended without an engine
            self._set_status("failed")

    def _set_status(self, state: EngineStatus) -> None:
        if state in ("changed", "failed"):
            self._thread.signal_stop()
        if state != self._state:
            self._state, self._since = state, time.monotonic()
            self._on_status(state)


def is_build_running(place: Path) -> bool:
    """Returns whether a build is running there. An interrupted build leaves its file behind, but no longer touches
    it.
    """
    try:
        return time.time() - (place / "building").stat().st_mtime < BUILD_STALLED_SECONDS
    except OSError:
        return False
