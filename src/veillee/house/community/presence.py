"""Presence of guests at tables: present, or away since some time. Nothing else about guests is stored or shown.

A guest is present while a page of the table is visible: a stream reports that its page is visible, or, without
JavaScript, a request came a moment ago. Only tables with several human players are tracked: in memory, with changes
written every 5 s in one batch, for the other processes and for a restart.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable

import sqlalchemy as sa

from veillee.house.storage.schema import presence
from veillee.house.storage.store import Store
from veillee.house.tables.table import Table

RELOAD_GRACE_SECONDS = 15.0  # seconds that a guest counts as present after their page is closed: it may be reloading
NO_JS_VISIT_SECONDS = 120.0  # seconds that a guest counts as present after a request without JavaScript
WRITE_SECONDS = 5.0  # seconds between two writes
REWRITE_SECONDS = 30.0  # seconds after which guests who are still present are written again
MAX_CACHED = 20_000

Place = tuple[str, str]  # a guest's id, a table's


def is_tracked(table: Table) -> bool:
    """Returns whether several human players play there."""
    now = table.moment
    return now.status == "playing" and len({seat.guest for seat in now.seats if seat.guest}) > 1


class Presence:
    """Presence tracker of one process. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()  # guards all fields below
        self._pages = Counter[Place]()  # number of visible pages
        self._visit_ends: dict[Place, float] = {}  # present until then, for guests without a visible page
        self._seen: dict[Place, float] = {}  # last seen, by this or another process
        self._changed: dict[Place, float] = {}  # last seen, not written yet
        self._listeners: dict[str, list[Callable[[], None]]] = {}  # by table
        self._wrote = self._wrote_all = float("-inf")

    def page_opened(self, guest: str, table_id: str) -> Callable[[], None]:
        """Registers a visible page of the guest. Returns a function that unregisters it."""
        place = guest, table_id
        was = self.is_here(guest, table_id)
        with self._lock:
            self._pages[place] += 1
            self._record(place)
        if not was:
            self.notify(table_id)

        def leaves() -> None:
            with self._lock:
                self._pages[place] -= 1
                if self._pages[place] <= 0:
                    del self._pages[place]
                self._record(place)
                self._visit_ends[place] = self._store.now() + RELOAD_GRACE_SECONDS

        return leaves

    def record_visit(self, guest: str, table_id: str) -> None:
        """Records a request or an answer of the guest at the table."""
        place = guest, table_id
        was = self.is_here(guest, table_id)
        with self._lock:
            self._record(place)
            self._visit_ends[place] = max(self._visit_ends.get(place, 0.0), self._store.now() + NO_JS_VISIT_SECONDS)
        if not was:
            self.notify(table_id)

    def is_here(self, guest: str, table_id: str) -> bool:
        place = guest, table_id
        with self._lock:
            return place in self._pages or self._store.now() < self._visit_ends.get(place, 0.0)

    def last_seen(self, guest: str, table_id: str) -> float | None:
        """Returns the time (wall clock) when the guest was last present; None: unknown."""
        if self.is_here(guest, table_id):
            return self._store.now()
        with self._lock:
            return self._seen.get((guest, table_id))

    def subscribe(self, table_id: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Registers a callback for arrivals and departures. Returns a function that unsubscribes."""
        with self._lock:
            self._listeners.setdefault(table_id, []).append(callback)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners[table_id].remove(callback)
                if not self._listeners[table_id]:
                    del self._listeners[table_id]

        return unsubscribe

    def notify(self, table_id: str) -> None:
        """Notifies the table's subscribers."""
        with self._lock:
            told = list(self._listeners.get(table_id, ()))
        for callback in told:
            callback()

    def poll(self) -> None:
        """Polls once: expires guests who have left, writes changes and reads those of other processes. Raises
        StoreError."""
        now = self._store.now()
        with self._lock:
            gone = [place for place, until in self._visit_ends.items() if until <= now]
            for place in gone:
                del self._visit_ends[place]
            followed = set(self._listeners)
        self._write(now)
        for table_id in {table for _, table in gone} | self._read(followed):
            self.notify(table_id)

    def load(self, places: Collection[Place]) -> dict[Place, float]:
        """Returns when these guests were last seen, by any process."""
        self._read({table for _, table in places}, always=True)
        return {place: seen for place in places if (seen := self.last_seen(*place)) is not None}

    # -- internals ----------------------------------------------------------------------------------------------
    def _record(self, place: Place) -> None:
        self._remember(place, self._store.now())
        self._changed[place] = self._seen[place]

    def _remember(self, place: Place, seen: float) -> None:
        """Caches when a guest was last seen. Of a full cache the older half goes: it is in the database."""
        self._seen.pop(place, None)
        if len(self._seen) >= MAX_CACHED:
            for old in list(self._seen)[: MAX_CACHED // 2]:
                del self._seen[old]
        self._seen[place] = seen

    def _write(self, now: float) -> None:
        with self._lock:
            if 0 <= now - self._wrote < WRITE_SECONDS:
                return
            if not 0 <= now - self._wrote_all < REWRITE_SECONDS:
                self._wrote_all = now
                for place in self._pages:
                    self._record(place)
            self._wrote = now
            changed, self._changed = self._changed, {}
        if not changed:
            return
        rows = [{"guest": guest, "table_id": table, "seen": seen} for (guest, table), seen in changed.items()]
        try:
            with self._store.writing() as db:
                db.execute(sa.text(UPSERT), rows)
        except BaseException:
            with self._lock:
                waiting = list((changed | self._changed).items())
                self._changed = dict(waiting[-MAX_CACHED:])  # for the next write
            raise

    def _read(self, ids: Iterable[str], *, always: bool = False) -> set[str]:
        """Reads what other processes, or an earlier run, have written. Returns the tables with a newly present
        guest."""
        wanted = sorted(ids)
        if not wanted or not (always or self._store.is_shared):
            return set()
        with self._store.reading() as db:
            found = db.execute(sa.select(presence).where(presence.c.table_id.in_(wanted))).all()
        now, news = self._store.now(), set()
        with self._lock:
            for row in found:
                place = row.guest, row.table_id
                if row.seen > self._seen.get(place, 0.0):
                    self._remember(place, row.seen)
                    if self._store.is_shared and row.seen + REWRITE_SECONDS + RELOAD_GRACE_SECONDS > now:
                        if place not in self._visit_ends and place not in self._pages:
                            news.add(row.table_id)
                        self._visit_ends[place] = max(
                            self._visit_ends.get(place, 0.0), row.seen + REWRITE_SECONDS + RELOAD_GRACE_SECONDS
                        )
        return news


UPSERT = """
    INSERT INTO presence (guest, table_id, seen) VALUES (:guest, :table_id, :seen)
    ON CONFLICT (guest, table_id) DO UPDATE SET seen = excluded.seen WHERE presence.seen < excluded.seen
"""
