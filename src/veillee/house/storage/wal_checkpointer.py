"""Runs SQLite's WAL checkpoints in a thread while other threads go on writing.

By default SQLite checkpoints within the commit that makes the log long enough; in a full house that commit, and every
one behind it, waited for 0.5 s. Nothing depends on checkpoints: data in the log is on disk, and is read from there.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import AbstractContextManager, closing, suppress

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from veillee.house.background import SupervisedThread

COMMITS_PER_CHECKPOINT = 250  # transactions between two checkpoints
WAL_AUTOCHECKPOINT_PAGES = 16_384  # of the log, after which SQLite checkpoints within a commit after all


class WalCheckpointer:
    """Checkpoint thread of one database. `writing` is the lock held by writers."""

    def __init__(self, engine: sa.Engine, writing: AbstractContextManager[object]) -> None:
        self._engine = engine
        self._writing = writing
        self._written = 0  # transactions since the last checkpoint
        self._asked = threading.Event()
        self._thread = SupervisedThread("wal-checkpointer", self._run, failure="The log cannot be checkpointed")

    def count_commit(self) -> None:
        """Counts a committed transaction. The caller must hold `writing`."""
        self._written += 1
        if self._written < COMMITS_PER_CHECKPOINT or self._thread.is_stopping:
            return
        self._written = 0
        self._thread.start()
        self._asked.set()

    def close(self) -> None:
        self._thread.signal_stop()
        self._asked.set()
        self._thread.stop()

    def _run(self) -> None:
        while self._asked.wait() and not self._thread.is_stopping:
            self._asked.clear()
            # A full disk, say: the data stays in the log for now.
            with self._thread.working(), suppress(sqlite3.Error, SQLAlchemyError):
                self._checkpoint()
                # Little was written in between. Once the log is fully checkpointed, SQLite starts it from the beginning
                # instead of growing it.
                with self._writing:
                    self._checkpoint()

    def _checkpoint(self) -> None:
        with closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
