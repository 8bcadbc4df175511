"""In-memory cache of tables: one object per table in use, plus the most recently used ones, which need no replay.

A table is read and its game replayed outside the cache's lock: only callers that ask for the same table wait for it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from weakref import WeakValueDictionary

from veillee.house.tables.table import Table

MAX_CACHE_BYTES = 128_000_000  # estimated bytes of cached tables
# Estimated bytes of a table, measured on all five games: its first position, and each request.
BASE_TABLE_BYTES = 10_000
BYTES_PER_REQUEST = 1_000


class TableCache:
    """LRU cache of tables. Safe to use from any thread."""

    def __init__(self, most: int = MAX_CACHE_BYTES) -> None:
        self._most = most
        self._lock = threading.Lock()  # guards all fields below
        self._in_use: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._tables: OrderedDict[str, tuple[Table, int]] = OrderedDict()  # LRU, with estimated bytes
        self._bytes = 0
        self._loading: dict[str, Future[Table]] = {}

    def find(self, table_id: str) -> Table | None:
        """Returns the table if it is in memory."""
        with self._lock:
            return self._in_use.get(table_id)

    def in_use(self) -> list[Table]:
        """Returns all tables in memory."""
        with self._lock:
            return list(self._in_use.values())

    def get(self, table_id: str, read: Callable[[str], Table]) -> tuple[Table, bool]:
        """Returns the table and whether this call read it. A table that is not in memory is read once, however many
        callers ask for it at the same time."""
        with self._lock:
            table = self._in_use.get(table_id)
            if table is not None:
                self._insert(table)
                return table, False
            reading = self._loading.get(table_id)
            mine = reading is None
            if reading is None:
                reading = self._loading[table_id] = Future()
        if not mine:
            return reading.result(), False
        try:
            table = read(table_id)
        except BaseException as error:
            with self._lock:
                del self._loading[table_id]
            reading.set_exception(error)
            raise
        with self._lock:
            del self._loading[table_id]
            self._insert(table)
        reading.set_result(table)
        return table, True

    def add(self, table: Table) -> None:
        """Adds a new table."""
        with self._lock:
            self._insert(table)

    def drop(self, table_id: str) -> None:
        """Removes a deleted table."""
        with self._lock:
            self._in_use.pop(table_id, None)
            _, freed = self._tables.pop(table_id, (None, 0))
            self._bytes -= freed

    def _insert(self, table: Table) -> None:
        self._in_use[table.id] = table
        _, before = self._tables.pop(table.id, (table, 0))
        takes = BASE_TABLE_BYTES + BYTES_PER_REQUEST * table.moment.requests
        self._tables[table.id] = table, takes
        self._bytes += takes - before
        while self._bytes > self._most and len(self._tables) > 1:
            _, (_, freed) = self._tables.popitem(last=False)
            self._bytes -= freed
