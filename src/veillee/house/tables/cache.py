"""Tables in memory: one object for each that is in use, and those that were used last, so that they need no replay.

A table is read, and its game replayed, outside of any lock that others wait for: whoever asks for the same one
meanwhile waits for that one alone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from weakref import WeakValueDictionary

from veillee.house.tables.table import Table

MOST = 128_000_000  # bytes, about, of tables that stay though nobody looks at them
# What a table takes, measured on all five games: its first position, and what each request leaves behind.
FIRST = 10_000
EACH = 1_000


class Memory:
    """Safe to use from any thread."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()  # of all below
        self._in_use: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._kept: OrderedDict[str, tuple[Table, int]] = OrderedDict()  # with what it took when it was asked for last
        self._taken = 0
        self._being_read: dict[str, Future[Table]] = {}

    def find(self, table_id: str) -> Table | None:
        """If it is here."""
        with self._lock:
            return self._in_use.get(table_id)

    def in_use(self) -> list[Table]:
        """All that are here."""
        with self._lock:
            return list(self._in_use.values())

    def get(self, table_id: str, read: Callable[[str], Table]) -> tuple[Table, bool]:
        """If it is not here it is read: once, however many ask for it. And: has it been read after this was asked?"""
        with self._lock:
            table = self._in_use.get(table_id)
            if table is not None:
                self._keep(table)
                return table, False
            reading = self._being_read.get(table_id)
            mine = reading is None
            if reading is None:
                reading = self._being_read[table_id] = Future()
        if not mine:
            return reading.result(), False
        try:
            table = read(table_id)
        except BaseException as error:
            with self._lock:
                del self._being_read[table_id]
            reading.set_exception(error)
            raise
        with self._lock:
            del self._being_read[table_id]
            self._keep(table)
        reading.set_result(table)
        return table, True

    def add(self, table: Table) -> None:
        """A new one."""
        with self._lock:
            self._keep(table)

    def drop(self, table_id: str) -> None:
        """It is no more."""
        with self._lock:
            self._in_use.pop(table_id, None)
            _, freed = self._kept.pop(table_id, (None, 0))
            self._taken -= freed

    def _keep(self, table: Table) -> None:
        self._in_use[table.id] = table
        _, before = self._kept.pop(table.id, (table, 0))
        takes = FIRST + EACH * table.now.requests
        self._kept[table.id] = table, takes
        self._taken += takes - before
        while self._taken > self._most and len(self._kept) > 1:
            _, (_, freed) = self._kept.popitem(last=False)
            self._taken -= freed
