"""Looking for circles: what refers to itself is only freed when somebody searches for it, and a search stops everything.

Python searches by itself whenever so many things are new. In a full house nearly all that is new is a position that will be freed
by itself at the table's next answer; looking through a thousand of those took a tenth of all work, a quarter of a second at a
time, and more than a second for all that is old. An answer leaves no circle behind, nor does a connection; a stream does, when it
ends. So the house searches when it can tell that there is something to find, if possible when nobody waits.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

CIRCLE = 150  # things that a stream leaves behind when it ends
MANY = 200_000  # things in circles are worth a search; in a full house half as many as there are
GROWN = 3  # times as many things as after the last search have come: some may be circles that nobody knows of
SOME = 5_000  # are worth a search when nobody asks for anything
SHARE = 100  # a search that took a second is not repeated for so many
QUIET = 2.0  # seconds without a request


class Circles:
    """Of a process; it looks whenever it is told to. `answered`: how many requests have been, so far; `ended`: how many streams
    have ended."""

    def __init__(
        self, answered: Callable[[], int], ended: Callable[[], int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._answered = answered
        self._ended = ended
        self._searched = 0  # how many had ended at the last search
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
        new, ended = gc.get_count()[0], self._ended()
        if now - self._since >= QUIET:
            worth = new >= SOME
        else:
            known = (ended - self._searched) * CIRCLE >= max(MANY, (self._left + new) // 2)
            worth = known or new >= max(MANY, GROWN * self._left)
        if not worth or now < self._rested:
            return False
        gc.collect()
        self._left = len(gc.get_objects())
        self._searched = ended
        after = self._clock()
        self._rested = after + SHARE * (after - now)
        return True
