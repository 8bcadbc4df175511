"""Looking for circles: what refers to itself is only freed when somebody searches for it, and a search stops everything.

Python searches by itself whenever so many things are new. In a full house nearly all that is new is a position that will be freed
by itself at the table's next answer; looking through a thousand of those took a tenth of all work, a quarter of a second at a
time, and more than a second for all that is old. An answer leaves no circle behind; connections and streams do, when they end.
So the house searches when it can tell that there is something to find, if possible when nobody waits.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

MANY = (
    200_000  # things more than after the last search: some of them may be circles. In a full house, as many as it had
)
SOME = 5_000  # are worth a search when nobody asks for anything
SHARE = 100  # a search that took a second is not repeated for so many
QUIET = 2.0  # seconds without a request


class Circles:
    """Of a process; it looks whenever it is told to. `answered`: how many requests have been, so far."""

    def __init__(self, answered: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        self._answered = answered
        self._clock = clock
        self._rested = float("-inf")  # until when it does not search again
        self._left = 0  # things that were there after the last search
        self._known = -1  # requests
        self._since = clock()  # when there was the last

    def start(self) -> None:
        """What is there before the first guest stays, and is looked through no more; from now on nobody else searches."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def look(self) -> bool:
        """Is it time to search? Then it is done."""
        now, answered = self._clock(), self._answered()
        if answered != self._known:
            self._known, self._since = answered, now
        new = gc.get_count()[0]
        enough = SOME if now - self._since >= QUIET else max(MANY, self._left)
        if new < enough or now < self._rested:
            return False
        gc.collect()
        self._left = len(gc.get_objects())
        after = self._clock()
        self._rested = after + SHARE * (after - now)
        return True
