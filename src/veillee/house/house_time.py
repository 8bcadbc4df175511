"""The house's clock, which does not advance while the house is closed.

All of house/ uses one clock (`Store.now`), which a test can stop and advance. The database stores wall time; what is
counted is house time, the time the house was open. The two differ by the closings, which are stored. An open house
writes a heartbeat (storage/uptime.py), so the next start knows since when it was closed, also after a kill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

Now = Callable[[], float]  # seconds since 1970


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


class Downtime:
    """The periods during which the house was closed, in order, as wall time."""

    def __init__(self, closed: Sequence[tuple[float, float]] = ()) -> None:
        self.closings = tuple(sorted(closed))

    def house_seconds(self, wall: float) -> float:
        """Returns the house time at this wall time. It does not advance during a closing."""
        return wall - sum(min(until, wall) - since for since, until in self.closings if since < wall)

    def wall_seconds(self, awake: float) -> float:
        """Returns the wall time of this house time; if the house was closed then, the time it opened again."""
        wall = awake
        for since, until in self.closings:
            if since <= wall:
                wall += until - since
        return wall
