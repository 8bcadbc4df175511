"""Whose cookie is it? Asked with every request, so the answers are kept for a while.

A guest who changes their name, or signs out, is forgotten here at once, and, where the house has several processes, in the others as
soon as they hear of it; what they miss they have read again a minute later. Where nobody else writes there is nothing to miss.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from veillee.tables import sessions
from veillee.tables.people import Guest
from veillee.tables.store import Store

MOST = 10_000
FRESH = 60.0  # seconds, where others write, too
ALONE = 900.0  # where nobody does: a visit is noted now and then all the same


class Guests:
    """By the hash of their cookie's token. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh = FRESH if store.shared else ALONE
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[Guest, float]] = OrderedDict()  # with when it was read
        self.when_forgotten: Callable[[str], None] = lambda _: None  # told which guest; empty: all
        self._forgotten = 0  # how often: what was read before must not be remembered after

    def known(self, token: str) -> Guest | None:
        """If they were here a moment ago."""
        with self._lock:
            known, read = self._known.get(token, (None, 0.0))
            if known is None or time.monotonic() - read >= self._fresh:
                return None
            self._known.move_to_end(token)
            return known

    def find(self, token: str) -> Guest | None:
        """None for anything that is no cookie of ours: that is not remembered, or strangers could fill the memory."""
        if (known := self.known(token)) is not None:
            return known
        with self._lock:
            forgotten = self._forgotten
        guest = sessions.visit(self._store, token)
        if guest is None:
            return None
        with self._lock:
            if forgotten == self._forgotten:
                self._known[token] = guest, time.monotonic()
                self._known.move_to_end(token)
                if len(self._known) > MOST:
                    self._known.popitem(last=False)
        return guest

    def forget(self, guest: str = "") -> None:
        """What was known of this guest, or of all."""
        with self._lock:
            self._forgotten += 1
            for token in [token for token, (known, _) in self._known.items() if guest in ("", known.id)]:
                del self._known[token]
        self.when_forgotten(guest)
