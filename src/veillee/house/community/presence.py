"""Who is at a table: here, or away since then. Nothing else about anybody is known or told.

Here is who has a page of the table before their eyes: a stream that says that its page is visible, or, without JavaScript, a
request a moment ago. It matters where several people play, and is kept for those tables alone: in memory, and every few
seconds what has changed is written down in one go, for the other processes of the house and for the one that comes after.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable

import sqlalchemy as sa

from veillee.house.storage.schema import presence
from veillee.house.storage.store import Store
from veillee.house.tables.table import Table

RELOAD = 15.0  # seconds that somebody is still here after their page has gone: it may be on its way back
READ = 120.0  # seconds that somebody reads a page without JavaScript
WRITE = 5.0  # seconds between two times that it is written down
AGAIN = 30.0  # seconds after which who is still here is written down once more
MOST = 20_000

Place = tuple[str, str]  # a guest's id, a table's


def matters(table: Table) -> bool:
    """Do several people play there?"""
    now = table.now
    return now.status == "playing" and len({seat.guest for seat in now.seats if seat.guest}) > 1


class Presence:
    """Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()  # of all below
        self._pages = Counter[Place]()  # that are open before somebody's eyes
        self._until: dict[Place, float] = {}  # here until then, but for those with a page
        self._seen: dict[Place, float] = {}  # when they were last seen, here or by another process
        self._changed: set[Place] = set()  # to be written down
        self._listeners: dict[str, list[Callable[[], None]]] = {}  # of tables
        self._wrote = self._wrote_all = float("-inf")

    def arrives(self, guest: str, table_id: str) -> Callable[[], None]:
        """A page of theirs is visible. The result ends it."""
        place = guest, table_id
        was = self.is_here(guest, table_id)
        with self._lock:
            self._pages[place] += 1
            self._note(place)
        if not was:
            self.tell(table_id)

        def leaves() -> None:
            with self._lock:
                self._pages[place] -= 1
                if self._pages[place] <= 0:
                    del self._pages[place]
                self._note(place)
                self._until[place] = self._store.now() + RELOAD

        return leaves

    def looks(self, guest: str, table_id: str) -> None:
        """They have asked for the table, or answered there."""
        place = guest, table_id
        was = self.is_here(guest, table_id)
        with self._lock:
            self._note(place)
            self._until[place] = max(self._until.get(place, 0.0), self._store.now() + READ)
        if not was:
            self.tell(table_id)

    def is_here(self, guest: str, table_id: str) -> bool:
        place = guest, table_id
        with self._lock:
            return place in self._pages or self._store.now() < self._until.get(place, 0.0)

    def seen(self, guest: str, table_id: str) -> float | None:
        """When they were last here, on the wall; None: nobody knows."""
        if self.is_here(guest, table_id):
            return self._store.now()
        with self._lock:
            return self._seen.get((guest, table_id))

    def subscribe(self, table_id: str, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back when somebody comes or goes. The result ends it."""
        with self._lock:
            self._listeners.setdefault(table_id, []).append(callback)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners[table_id].remove(callback)
                if not self._listeners[table_id]:
                    del self._listeners[table_id]

        return unsubscribe

    def tell(self, table_id: str) -> None:
        """Those who follow the table that something about its company has changed."""
        with self._lock:
            told = list(self._listeners.get(table_id, ()))
        for callback in told:
            callback()

    def look(self) -> None:
        """Now and then: who has gone, and what the others know. Raises StoreError."""
        now = self._store.now()
        with self._lock:
            gone = [place for place, until in self._until.items() if until <= now]
            for place in gone:
                del self._until[place]
            followed = set(self._listeners)
        self._write(now)
        for table_id in {table for _, table in gone} | self._read(followed):
            self.tell(table_id)

    def known(self, places: Collection[Place]) -> dict[Place, float]:
        """When these were last seen, by whatever process."""
        self._read({table for _, table in places}, always=True)
        return {place: seen for place in places if (seen := self.seen(*place)) is not None}

    # -- inside -------------------------------------------------------------------------------------------------
    def _note(self, place: Place) -> None:
        if len(self._seen) >= MOST:
            self._seen.clear()
        self._seen[place] = self._store.now()
        self._changed.add(place)

    def _write(self, now: float) -> None:
        with self._lock:
            if now - self._wrote < WRITE:
                return
            if now - self._wrote_all >= AGAIN:
                self._wrote_all = now
                self._changed |= set(self._pages)
                self._seen |= dict.fromkeys(self._pages, now)
            self._wrote = now
            rows = [
                {"guest": guest, "table_id": table, "seen": self._seen[guest, table]} for guest, table in self._changed
            ]
            self._changed = set()
        if rows:
            with self._store.writing() as db:
                db.execute(sa.text(UPSERT), rows)

    def _read(self, ids: Iterable[str], *, always: bool = False) -> set[str]:
        """What other processes have written, or a house before this one; the tables about which that is new."""
        wanted = sorted(ids)
        if not wanted or not (always or self._store.shared):
            return set()
        with self._store.reading() as db:
            found = db.execute(sa.select(presence).where(presence.c.table_id.in_(wanted))).all()
        now, news = self._store.now(), set()
        with self._lock:
            for row in found:
                place = row.guest, row.table_id
                if row.seen > self._seen.get(place, 0.0):
                    self._seen[place] = row.seen
                    if self._store.shared and row.seen + AGAIN + RELOAD > now:
                        if place not in self._until and place not in self._pages:
                            news.add(row.table_id)
                        self._until[place] = max(self._until.get(place, 0.0), row.seen + AGAIN + RELOAD)
        return news


UPSERT = """
    INSERT INTO presence (guest, table_id, seen) VALUES (:guest, :table_id, :seen)
    ON CONFLICT (guest, table_id) DO UPDATE SET seen = excluded.seen WHERE presence.seen < excluded.seen
"""
