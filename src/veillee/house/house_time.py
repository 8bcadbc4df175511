"""The house's clock, which does not advance while the house is closed.

All of house/ uses one clock (`Store.now`), which a test can stop and advance. The database stores wall time; what is
counted is house time, the time the house was open. The two differ by the closings, which are stored. An open house
writes a heartbeat (storage/uptime.py), so the next start knows since when it was closed, also after a kill.

The machine's clock may be wrong for a while. A jump of it is held back (SteadyClock); if it is believed in the end, it
counts as a closing, so that no player loses time by it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

log = logging.getLogger(__name__)

Now = Callable[[], float]  # seconds since 1970
Jump = tuple[float, float]  # the time before it, and after it

MAX_STEP_SECONDS = 120.0  # by which the clock may be set without being held: a time server corrects less
BELIEVE_SECONDS = 3600.0  # after which a clock that has jumped, and runs on from there, is believed
IMPLAUSIBLE_CLOSING_SECONDS = 180 * 86_400.0  # a longer closing may be a wrong clock: nothing expires by it


def today(now: Now) -> date:
    """Returns the day in UTC: it begins at the same moment for all."""
    return datetime.fromtimestamp(now(), UTC).date()


class Hourglass:
    """A clock that advances only when told to: for tests, and for simulations that pass a month in a second."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


def boot_seconds() -> float:
    """Returns the seconds since the machine started, where possible with those that it slept."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SteadyClock:
    """The machine's clock, checked against its monotonic clock. Safe to use from any thread.

    A jump of more than MAX_STEP_SECONDS is held: time goes on as if there had been none. A clock that is set back where
    it was changes nothing at all; one that runs on for an hour after its jump is believed.
    """

    def __init__(self, wall: Now = time.time, steady: Now = boot_seconds) -> None:
        self._wall = wall
        self._steady = steady
        self._offset = wall() - steady()
        self._held = 0.0  # seconds of the jump that is held; 0: none
        self._held_since = 0.0
        self._believed: list[Jump] = []
        self._lock = threading.Lock()  # guards the fields above

    def __call__(self) -> float:
        wall, steady = self._wall(), self._steady()
        jump = wall - steady - self._offset
        if abs(jump) > MAX_STEP_SECONDS:
            return self._hold(jump, steady)
        self._offset += jump
        if self._held:
            self._held = 0.0
            log.warning("The clock of this machine is right again.")
        return wall

    def take_believed_jumps(self) -> list[Jump]:
        """Returns the jumps that were believed since the last call."""
        with self._lock:
            jumps, self._believed = self._believed, []
        return jumps

    def _hold(self, jump: float, steady: float) -> float:
        with self._lock:
            expected = steady + self._offset
            if abs(jump - self._held) > MAX_STEP_SECONDS:
                self._held, self._held_since = jump, steady
                said = (
                    "The clock of this machine has jumped by %d s: it is not believed unless it stays so for an hour."
                )
                log.error(said, round(jump))
            elif steady - self._held_since >= BELIEVE_SECONDS:
                self._offset += jump
                self._held = 0.0
                self._believed.append((expected, expected + jump))
                log.error("The clock of this machine has been set by %d s: it is believed now.", round(jump))
                return expected + jump
            return expected


class Downtime:
    """The periods during which the house was closed, in order, as wall time."""

    def __init__(self, closed: Sequence[tuple[float, float]] = ()) -> None:
        self.closings = tuple(sorted(closed))

    def house_seconds(self, wall: float) -> float:
        """Returns the house time at this wall time. It does not advance during a closing."""
        return wall - sum(min(until, wall) - since for since, until in self.closings if since < wall)

    def expiry_cutoff(self, now: float, lifetime: float) -> float:
        """Returns the time before which things of that lifetime have expired. An implausibly long closing does not
        count: if the clock was wrong, everything would have expired.
        """
        cutoff = now - lifetime
        for since, until in reversed(self.closings):
            end = min(until, now)
            if end - since > IMPLAUSIBLE_CLOSING_SECONDS and end > cutoff:
                cutoff -= end - since
        return cutoff

    def wall_seconds(self, awake: float) -> float:
        """Returns the wall time of this house time; if the house was closed then, the time it opened again."""
        wall = awake
        for since, until in self.closings:
            if since <= wall:
                wall += until - since
        return wall
