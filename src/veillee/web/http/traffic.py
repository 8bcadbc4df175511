"""Counts of the requests answered, for the metrics."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

DURATION_BOUNDS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # of the histogram


class Traffic:
    """Counts requests by method, route pattern and status, and their durations. Used in the event loop only."""

    def __init__(self) -> None:
        self.answers = Counter[tuple[str, str, int]]()  # method, route pattern, status
        self.seconds = [0] * (len(DURATION_BOUNDS_SECONDS) + 1)
        self.total = 0.0
        self.answered = 0

    def record(self, method: str, pattern: str, status: int, seconds: float) -> None:
        self.answers[method, pattern, status] += 1
        self.seconds[bisect_left(DURATION_BOUNDS_SECONDS, seconds)] += 1
        self.total += seconds
        self.answered += 1
