"""Runs Python's cyclic garbage collector when the server is idle.

Automatic collection is off. With many tables in memory nearly all new objects are positions, which reference counting
frees at the table's next answer: with a thousand of them automatic collection took a tenth of all work, 0.25 s at a
time, and a full one more than 1 s, during which every thread stops. Answers and connections leave no reference cycles
behind; a stream does when it ends. So a collection runs when enough cycles are expected, if possible while there are no
requests.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

OBJECTS_PER_STREAM = 150  # objects that an ended stream leaves in cycles
BUSY_THRESHOLD_OBJECTS = 200_000  # objects in cycles worth a collection under load; with many objects, half of them
GROWN = 3  # times the objects left by the last collection are new: some may be unknown cycles
IDLE_THRESHOLD_OBJECTS = 5_000  # new objects worth a collection when idle
MIN_PAUSE_FACTOR = 100  # times its duration a collection is not repeated
IDLE_SECONDS = 2.0  # seconds without a request: idle


class IdleGarbageCollector:
    """Decides when to collect, at each poll. `answered`: number of requests so far; `ended`: number of streams ended so
    far."""

    def __init__(
        self, answered: Callable[[], int], ended: Callable[[], int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._answered = answered
        self._ended = ended
        self._searched = 0  # streams ended at the last collection
        self._clock = clock
        self._rested = float("-inf")  # no collection before this time
        self._left = 0  # objects after the last collection
        self._known = -1  # requests at the last poll
        self._since = clock()  # time of the last request

    def start(self) -> None:
        """Excludes all objects made so far from collection (gc.freeze) and turns automatic collection off."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def poll(self) -> bool:
        """Runs a collection if it is worth one now. Returns whether it did."""
        now, answered = self._clock(), self._answered()
        if answered != self._known:
            self._known, self._since = answered, now
        new, ended = gc.get_count()[0], self._ended()
        if now - self._since >= IDLE_SECONDS:
            worth = new >= IDLE_THRESHOLD_OBJECTS
        else:
            known = (ended - self._searched) * OBJECTS_PER_STREAM >= max(
                BUSY_THRESHOLD_OBJECTS, (self._left + new) // 2
            )
            worth = known or new >= max(BUSY_THRESHOLD_OBJECTS, GROWN * self._left)
        if not worth or now < self._rested:
            return False
        gc.collect()
        self._left = len(gc.get_objects())
        self._searched = ended
        after = self._clock()
        self._rested = after + MIN_PAUSE_FACTOR * (after - now)
        return True
