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
from veillee.house.storage.store import Conflict, Store, TableDeleted
from veillee.house.storage.table_rows import Version
from veillee.house.tables.moment import Moment, continued, reseated
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

T = TypeVar("T")
ATTEMPTS = 10  # to write while other processes write to the same table


class CurrentMoment:
    """Base class of Table (table.py) that holds the current moment. `now` may only be replaced within _changing()."""

    def __init__(
        self, store: Store, now: Moment, changed: Callable[[Any], None], behind: Callable[[Any], None]
    ) -> None:
        """changed: called after every change of this table. behind: called when a subscriber joins a table that other
        processes have changed since. Both get this object."""
        self.now = now
        self.gone = False  # the table was deleted
        self._store = store
        self._changed = changed
        self._behind = behind
        self._latest = Version(0, 0)  # latest version announced by other processes
        self._lock = threading.Lock()  # held from reading the present moment to replacing it
        self._telling = threading.Lock()  # of callbacks and spectators: subscribing never waits for the disk
        self._callbacks: list[Callable[[], None]] = []

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Registers a callback called after every change, in the thread that made it. Returns a function that
        unsubscribes."""
        with self._telling:
            self._callbacks = [*self._callbacks, callback]
            behind = self.is_before(self._latest)
        if behind:
            self._behind(self)

        def unsubscribe() -> None:
            with self._telling:
                self._callbacks = [known for known in self._callbacks if known is not callback]

        return unsubscribe

    @property
    def is_followed(self) -> bool:
        """Whether there are subscribers."""
        return bool(self._callbacks)

    def shut(self) -> None:
        """Marks this object as gone, so that it accepts no more changes; the table must be loaded again."""
        with self._changing():
            self.gone = True
            self.now = replace(self.now)  # a new object: subscribers are notified

    def rematch_is(self, table_id: str) -> None:
        """Shows the rematch, which is already in the store, to this table's subscribers."""
        with self._lock:
            row = self.now.row
            if row.rematch == table_id:
                return
            self.now = replace(self.now, row=replace(row, rematch=table_id, reseated=row.reseated + 1))
        self._tell()

    # -- what other processes do ----------------------------------------------------------------------------------
    def is_before(self, version: Version) -> bool:
        """Returns whether that version is newer than the current moment."""
        now = self.now
        return version.requests > now.requests or version.reseated > now.row.reseated

    def heard_of(self, version: Version) -> bool:
        """Records a version announced by another process. Returns whether to read it now: without subscribers that can
        wait."""
        with self._telling:
            self._latest = Version(*map(max, self._latest, version))
        return self.is_followed and self.is_before(version)

    def catch_up(self) -> None:
        """Reads what other processes have written."""
        with self._changing():
            self._read_on()

    def listen_up(self) -> None:
        """Reads what other processes have written, unless the announced version is known: most announcements are this
        process's own."""
        with self._changing():
            if self.is_before(self._latest):
                self._read_on()

    # -- changing the current moment ------------------------------------------------------------------------------
    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Holds the table's lock for a change; afterwards notifies subscribers if the moment was replaced."""
        changed = False
        try:
            with self._lock:
                before = self.now
                try:
                    yield
                finally:
                    changed = self.now is not before
        finally:
            if changed:
                self._tell()

    def _on_the_present(self, do: Callable[[Moment], T]) -> T:
        """Calls `do` with the current moment. If that is refused or conflicts with another writer, retries on the state
        read from the store, so that a process that is behind refuses nothing because of that. Raises StoreError after
        too many conflicts."""
        for _ in range(ATTEMPTS):
            self._check_there()
            now = self.now
            try:
                return do(now)
            except Conflict:
                self._read_on()
            except StoreError:
                raise
            except VeilleeError:
                if self._store.shared:
                    self._read_on()
                if self.now is now:
                    raise
        raise StoreError(t("Too many changes at once: please try again."))

    def _read_on(self) -> None:
        """Reads from the store what the current moment lacks."""
        now = self.now
        try:
            row, requests = self._store.read_on(now.row, now.requests)
        except TableDeleted:
            self.gone = True
            self.now = replace(now)  # a new object: subscribers are notified
            return
        if row is not now.row or requests:
            self.now = continued(reseated(now.box, now, row, row.begun), requests)

    def _check_there(self) -> None:
        if self.gone:
            raise NoTable(t("This table was deleted."))

    def _tell(self) -> None:
        self._call_back()
        self._changed(self)

    def _call_back(self) -> None:
        for callback in self._callbacks:
            try:
                callback()
            except Exception:  # one failing callback must not affect the others
                log.exception("Somebody who follows table %s could not be told of a change.", self.now.id)

    def _time(self) -> float:
        """Returns the present house time, which excludes closures."""
        return self._store.closings.awake(self._store.now())
