"""The present moment of a table, and the one way to the next.

All that a table is at one moment is a `Moment`, which never changes. A change builds the next one aside (with a copy
of the match), writes it to the store, and only then puts it in the place of the present one: so nobody sees what is not
on disk, and a request that is refused, or a disk that is full, changes nothing.

Where a house has several processes (ADR 16) the present moment may be another one's: a change that does not fit it, or
would be refused on it, is tried on what the store has.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from veillee.house.errors import NoTable, StoreError, t
from veillee.house.storage.store import Conflict, Gone, Store
from veillee.house.storage.table_rows import Version
from veillee.house.tables.moment import Moment, continued, reseated
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

T = TypeVar("T")
ATTEMPTS = 10  # to write beside other processes that write


class Present:
    """What a table has of it (table.py). Whoever changes `now` does so within _changing()."""

    def __init__(
        self, store: Store, now: Moment, changed: Callable[[Any], None], behind: Callable[[Any], None]
    ) -> None:
        """changed: the house's own ear. behind: called where somebody begins to follow a table that other processes have
        written at since. Both are told of this object."""
        self.now = now
        self.gone = False  # it was cleared away
        self._store = store
        self._changed = changed
        self._behind = behind
        self._latest = Version(0, 0)  # that other processes have told of
        self._lock = threading.Lock()  # held from reading the present moment to replacing it
        self._telling = threading.Lock()  # of who is told and who looks on: nobody waits for a disk to join them
        self._callbacks: list[Callable[[], None]] = []

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change, from whatever thread made it. The result ends the subscription."""
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
        """Does somebody want to know of changes?"""
        return bool(self._callbacks)

    def shut(self) -> None:
        """Nobody plays on at this object; whoever may opens the table anew."""
        with self._changing():
            self.gone = True
            self.now = replace(self.now)  # those who look on are told

    def rematch_is(self, table_id: str) -> None:
        """The store has it: show it to those who look at this table."""
        with self._lock:
            row = self.now.row
            if row.rematch == table_id:
                return
            self.now = replace(self.now, row=replace(row, rematch=table_id, reseated=row.reseated + 1))
        self._tell()

    # -- what other processes do ----------------------------------------------------------------------------------
    def is_before(self, version: Version) -> bool:
        """Is there more than what is known here?"""
        now = self.now
        return version.requests > now.requests or version.reseated > now.row.reseated

    def heard_of(self, version: Version) -> bool:
        """Another process has brought the table so far. Should it be read now? If nobody follows it, that can wait."""
        with self._telling:
            self._latest = Version(*map(max, self._latest, version))
        return self.is_followed and self.is_before(version)

    def catch_up(self) -> None:
        """With what others have written."""
        with self._changing():
            self._read_on()

    def listen_up(self) -> None:
        """Catch up, unless all that others have told of is known: most of it is our own."""
        with self._changing():
            if self.is_before(self._latest):
                self._read_on()

    # -- the way to the next --------------------------------------------------------------------------------------
    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Nobody else changes the table meanwhile; then those who follow it are told of a change."""
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
        """Do it with the present moment. What is refused there, or finds that somebody has written first, is tried on
        what the store has: a process that has not heard of a change refuses nothing because of that."""
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
        """What the store has and this moment has not."""
        now = self.now
        try:
            row, requests = self._store.read_on(now.row, now.requests)
        except Gone:
            self.gone = True
            self.now = replace(now)  # those who look on are told
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
            except Exception:  # one listener's trouble is not the others'
                log.exception("Somebody who follows table %s could not be told of a change.", self.now.id)

    def _time(self) -> float:
        """By the house's own clock."""
        return self._store.closings.awake(self._store.now())
