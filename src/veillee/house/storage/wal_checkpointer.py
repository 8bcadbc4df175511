"""The carrier brings what is written from SQLite's log (-wal) into the file itself, while others go on writing.

SQLite would do so within whichever commit has made the log long enough, and in a full house that one, and everybody behind it,
waited for half a second. Nothing depends on it: what is in the log is on disk, and is found there.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import AbstractContextManager, closing, suppress

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

OFTEN = 250  # transactions between two walks
LONGEST = 16_384  # pages of the log, after which SQLite does it by itself after all


class Carrier:
    """Of one database. `writing` is held by whoever writes."""

    def __init__(self, engine: sa.Engine, writing: AbstractContextManager[object]) -> None:
        self._engine = engine
        self._writing = writing
        self._written = 0  # transactions since the last walk
        self._asked = threading.Event()
        self._thread: threading.Thread | None = None
        self._closed = False

    def tell(self) -> None:
        """Something is written. To be called by whoever holds `writing`."""
        self._written += 1
        if self._written < OFTEN or self._closed:
            return
        self._written = 0
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="carrier", daemon=True)
            self._thread.start()
        self._asked.set()

    def close(self) -> None:
        self._closed = True
        self._asked.set()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while self._asked.wait() and not self._closed:
            self._asked.clear()
            with suppress(sqlite3.Error, SQLAlchemyError):  # a full disk, say: then it stays in the log for now
                self._carry()
                # What came in between is little. When nothing is left, the log begins anew instead of growing.
                with self._writing:
                    self._carry()

    def _carry(self) -> None:
        with closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
