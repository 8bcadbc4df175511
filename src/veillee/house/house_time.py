"""What time it is in the house. While the house is closed, time stands still there.

Everything in this room asks one clock (`Store.now`), which a test can hold still and turn on. What is written down is the
time on the wall; what is counted is the time that the house was awake: the two differ by the closings, which are kept.
An open house says so now and then; whoever opens it next knows since when it was closed, also after a kill.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Now = Callable[[], float]  # seconds since 1970


class Hourglass:
    """A clock that goes on when somebody turns it: for tests, and for whatever plays through a month in a second."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class Closings:
    """When the house was closed, in order: from when to when, on the wall."""

    def __init__(self, closed: Sequence[tuple[float, float]] = ()) -> None:
        self.closed = tuple(sorted(closed))

    def awake(self, wall: float) -> float:
        """The house's own time then: it stands still in a closing."""
        return wall - sum(min(until, wall) - since for since, until in self.closed if since < wall)

    def wall(self, awake: float) -> float:
        """When it was that time in the house; of a time at which it was closed, when it opened again."""
        wall = awake
        for since, until in self.closed:
            if since <= wall:
                wall += until - since
        return wall
