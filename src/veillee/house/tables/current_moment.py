"""Current moment of a table, and the only way to replace it.

The state of a table is an immutable `Moment`. A change builds the next one (with a copy of the match), writes it to the
store, and only then replaces the current one: readers never see what is not on disk, and a refused request or a full
disk changes nothing.

With several processes (ADR 16) the current moment may be outdated: a change that conflicts with the store, or would be
refused, is retried on the state read from the store.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from veillee.house.errors import NoTable, StoreError, t
from veillee.house.storage.store import Conflict
from veillee.house.tables.moment import Moment, apply_requests, with_seats
from veillee.house.tables.repository import TableDeleted, TableRepository, Version
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

T = TypeVar("T")
ATTEMPTS = 10  # to write while other processes write to the same table


class CurrentMoment:
    """Base class of Table (table.py) that holds the current moment. `now` may only be replaced within _changing()."""

    def __init__(
        self, repository: TableRepository, now: Moment, changed: Callable[[Any], None], behind: Callable[[Any], None]
    ) -> None:
        """changed: called after every change of this table. behind: called when a subscriber joins a table that other
        processes have changed since. Both get this object."""
        self.moment = now
        self.is_deleted = False  # the table was deleted
        self._repository = repository
        self._changed = changed
        self._behind = behind
        self._latest = Version(0, 0)  # latest version announced by other processes
        self._lock = threading.Lock()  # held from reading the present moment to replacing it
        self._publish_lock = threading.Lock()  # of callbacks and spectators: subscribing never waits for the disk
        self._callbacks: list[Callable[[], None]] = []

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Registers a callback called after every change, in the thread that made it. Returns a function that
        unsubscribes."""
        with self._publish_lock:
            self._callbacks = [*self._callbacks, callback]
            behind = self.is_before(self._latest)
        if behind:
            self._behind(self)

        def unsubscribe() -> None:
            with self._publish_lock:
                self._callbacks = [known for known in self._callbacks if known is not callback]

        return unsubscribe

    @property
    def is_followed(self) -> bool:
        """Whether there are subscribers."""
        return bool(self._callbacks)

    def close(self) -> None:
        """Marks this object as gone, so that it accepts no more changes; the table must be loaded again."""
        with self._changing():
            self.is_deleted = True
            self.moment = replace(self.moment)  # a new object: subscribers are notified

    def set_rematch(self, table_id: str) -> None:
        """Shows the rematch, which is already in the store, to this table's subscribers."""
        with self._lock:
            row = self.moment.row
            if row.rematch == table_id:
                return
            self.moment = replace(self.moment, row=replace(row, rematch=table_id, reseated=row.reseated + 1))
        self._publish()

    # -- what other processes do ----------------------------------------------------------------------------------
    def is_before(self, version: Version) -> bool:
        """Returns whether that version is newer than the current moment."""
        now = self.moment
        return version.requests > now.requests or version.reseated > now.row.reseated

    def note_remote_version(self, version: Version) -> bool:
        """Records a version announced by another process. Returns whether to read it now: without subscribers that can
        wait."""
        with self._publish_lock:
            self._latest = Version(*map(max, self._latest, version))
        return self.is_followed and self.is_before(version)

    def catch_up(self) -> None:
        """Reads what other processes have written."""
        with self._changing():
            self._load_newer()

    def catch_up_if_behind(self) -> None:
        """Reads what other processes have written, unless the announced version is known: most announcements are this
        process's own."""
        with self._changing():
            if self.is_before(self._latest):
                self._load_newer()

    # -- changing the current moment ------------------------------------------------------------------------------
    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Holds the table's lock for a change; afterwards notifies subscribers if the moment was replaced."""
        changed = False
        try:
            with self._lock:
                before = self.moment
                try:
                    yield
                finally:
                    changed = self.moment is not before
        finally:
            if changed:
                self._publish()

    def _retry_on_conflict(self, do: Callable[[Moment], T]) -> T:
        """Calls `do` with the current moment. If that is refused or conflicts with another writer, retries on the state
        read from the store, so that a process that is behind refuses nothing because of that. Raises StoreError after
        too many conflicts."""
        for _ in range(ATTEMPTS):
            self._check_not_deleted()
            now = self.moment
            try:
                return do(now)
            except Conflict:
                self._load_newer()
            except StoreError:
                raise
            except VeilleeError:
                if self._repository.store.is_shared:
                    self._load_newer()
                if self.moment is now:
                    raise
        raise StoreError(t("Too many changes at once: please try again."))

    def _load_newer(self) -> None:
        """Reads from the store what the current moment lacks."""
        now = self.moment
        try:
            row, requests = self._repository.load_newer(now.row, now.requests)
        except TableDeleted:
            self.is_deleted = True
            self.moment = replace(now)  # a new object: subscribers are notified
            return
        if row is not now.row or requests:
            self.moment = apply_requests(with_seats(now.box, now, row, row.begun), requests)

    def _check_not_deleted(self) -> None:
        if self.is_deleted:
            raise NoTable(t("This table was deleted."))

    def _publish(self) -> None:
        self._call_back()
        self._changed(self)

    def _call_back(self) -> None:
        for callback in self._callbacks:
            try:
                callback()
            except Exception:  # one failing callback must not affect the others
                log.exception("Somebody who follows table %s could not be told of a change.", self.moment.id)

    def _time(self) -> float:
        """Returns the present house time, which excludes closures."""
        return self._repository.store.downtime.house_seconds(self._repository.store.now())
