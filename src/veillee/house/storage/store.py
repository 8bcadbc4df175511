"""Transactions of the database. Other modules read and write their own tables with them.

With PostgreSQL several processes share one store (ADR 16): each write sends a NOTIFY to the others in its transaction.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from veillee.house.errors import StoreError, t
from veillee.house.house_time import Downtime, Now
from veillee.house.storage import answer_sql, database, sqlite_file
from veillee.house.storage.answer_sql import Record
from veillee.house.storage.batch_writer import BatchWriter, DirectWriter
from veillee.house.storage.sqlite_file import lock_database_file
from veillee.house.storage.wal_checkpointer import WalCheckpointer
from veillee.house.storage.wal_file import check_log_intact

CHANNEL = "veillee"  # of LISTEN/NOTIFY between server processes
CLOSED = t("The house is closed.")


class Conflict(Exception):
    """Another writer was first: read again."""


class Store:
    """Access to one database. Every method is one transaction, and safe from any thread."""

    def __init__(self, engine: sa.Engine, where: str, now: Now = time.time, *, threads: bool = True) -> None:
        """threads: whether threads write batches and checkpoint the log; see open()."""
        self.engine = engine
        self.where = where
        self.now = now  # the clock of everything that is stored here
        self.downtime = Downtime()  # loaded by uptime.py when the house opens
        self.is_shared = engine.dialect.name == "postgresql"  # by several processes; SQLite is for one (sqlite_file.py)
        # A reading transaction sees one snapshot; a single statement needs no transaction around it.
        self._reader = engine.execution_options(
            reading=True, **({"isolation_level": "REPEATABLE READ"} if self.is_shared else {})
        )
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT") if self.is_shared else self._reader
        # One writer at a time: threads wait on this lock, not in SQLite's busy loop.
        self._writing = contextlib.nullcontext() if self.is_shared else threading.Lock()
        self._batch_writer = BatchWriter(self._append) if threads else DirectWriter(self._append)
        self._wal_checkpointer = None if self.is_shared or not threads else WalCheckpointer(engine, self._writing)
        # Called after each commit in SQLite, by a thread that holds the lock of writers.
        self.on_commit: Callable[[], None] = (
            self._wal_checkpointer.count_commit if self._wal_checkpointer is not None else lambda: None
        )
        self._file_lock: IO[bytes] | None = None
        self._is_marked = False  # its file is marked in use, or is about to be (sqlite_file.py)
        self._beside = ""  # the file, if opened without the lock: a house may have it open too
        self._closed = False

    @classmethod
    def open(cls, place: str | Path, *, alone: bool = False, threads: bool = True, now: Now = time.time) -> Store:
        """Opens a folder, a SQLite file or a database URL; creates it if needed, and migrates it to the current schema.

        alone: takes the lock file, so that no other house can open that file. threads: False for a SQLite file in
        the memory of a browser's worker, which saves it elsewhere after each commit (on_commit): callers write, and
        there is no log beside the file. Raises StoreError.
        """
        store = cls(*database.open_engine(place, has_log=threads), now, threads=threads)
        file = store.engine.url.database if store.engine.dialect.name == "sqlite" else None
        try:
            if file:
                sqlite_file.check_file_complete(Path(file))
            with store._explain_errors(opening=True):
                if file and alone:
                    store._file_lock = lock_database_file(Path(file))
                    check_log_intact(Path(file))
                    store._is_marked = True
                elif file:
                    sqlite_file.check_log_if_closed(Path(file))
                    store._beside = file
                database.migrate(store.engine, store.where)
                if store._is_marked:
                    sqlite_file.mark_in_use(store.engine)
        except StoreError:
            store.close()
            raise
        return store

    def close(self) -> None:
        self._batch_writer.close()
        if self._wal_checkpointer is not None:
            self._wal_checkpointer.close()
        with self._writing:
            if self._is_marked and not self._closed:
                self._close_file(Path(str(self.engine.url.database)))
            elif self._beside and not self._closed:
                with contextlib.suppress(StoreError), lock_database_file(Path(self._beside)):  # else a house has it
                    self._close_file(Path(self._beside))
            self._closed = True
            self.engine.dispose()
            if self._file_lock is not None:
                self._file_lock.close()

    def _close_file(self, file: Path) -> None:
        """Closes the connections to a SQLite file and marks it as closed, also on a full disk."""
        with contextlib.suppress(
            SQLAlchemyError, sqlite3.Error
        ):  # on a full disk the mark cannot be written as a transaction
            sqlite_file.mark_closed(self.engine)
        self.engine.dispose()
        sqlite_file.mark_closed_in_place(file)

    @property
    def folder(self) -> Path | None:
        """The folder of the SQLite file; None: a database of its own, or one in memory."""
        file = self.engine.url.database if self.engine.dialect.name == "sqlite" else None
        return Path(file).parent if file and file != ":memory:" else None

    def ping(self) -> None:
        """Checks that the database responds. Raises StoreError."""
        with self.single_statement() as db:
            db.execute(sa.select(sa.literal(1)))

    # -- transactions, also for other modules -------------------------------------------------------------------------
    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Opens a transaction for reading: all its reads see one snapshot."""
        with self._explain_errors(), self._open(self._reader).begin() as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Opens a transaction for writing. Raises Conflict on a constraint violation: a row exists already, or one it
        refers to does not.
        """
        try:
            with self._explain_errors(), self._writing:
                with self._open(self.engine).begin() as db:
                    yield db
                self.on_commit()
        except IntegrityError:
            raise Conflict from None

    @contextmanager
    def single_statement(self) -> Iterator[sa.Connection]:
        """Opens a connection for one statement, which is a transaction by itself."""
        try:
            with self._explain_errors(), self._open(self._single).connect() as db:
                yield db
        except IntegrityError:
            raise Conflict from None

    # -- several processes ------------------------------------------------------------------------------------------
    @contextmanager
    def listening(self, process: str = "") -> Iterator[Callable[[float], Iterator[str]]]:
        """Subscribes to the messages of other processes (LISTEN). Yields a function that waits up to so many seconds
        for them.

        process: id of the listener. Its connection also shows that it is alive (leases.bury).
        """
        with self._explain_errors():
            connection = self._open(self.engine).raw_connection()
            driver: Any = connection.driver_connection
            connection.detach()  # never returned to the pool
            try:
                driver.autocommit = True
                driver.execute("SELECT set_config('application_name', %s, false)", [f"{CHANNEL} {process}"])
                driver.execute(f"LISTEN {CHANNEL}")
                yield lambda seconds: (notice.payload for notice in driver.notifies(timeout=seconds))
            finally:
                driver.close()

    def notify(self, word: str) -> None:
        """Sends a message to all processes that listen."""
        with self.writing() as db:
            self._notify(db, word)

    def notify_table(self, db: sa.Connection, table_id: str) -> None:
        """Notifies other processes that the table has changed, if this transaction commits."""
        if self.is_shared:
            db.execute(CHANGED, {"channel": CHANNEL, "table": table_id})

    def notify_deleted_table(self, db: sa.Connection, table_id: str, reseated: int) -> None:
        """Notifies other processes that the table was deleted, if this transaction commits."""
        self._notify(db, f"table {table_id} 0 {reseated}")

    def notify_guest(self, db: sa.Connection, guest: str) -> None:
        """Notifies other processes that a guest has changed, if this transaction commits."""
        self._notify(db, f"guest {guest}")

    def notify_chat(self, db: sa.Connection, table_id: str) -> None:
        """Notifies other processes of a chat message at the table, if this transaction commits."""
        self._notify(db, f"talk {table_id}")

    # -- answers ------------------------------------------------------------------------------------------------
    def append_answer(self, record: Record) -> None:
        """Appends an answer; it is on disk when this returns. Raises Conflict if its number is taken, or the seats have
        changed.
        """
        if self.is_shared:
            told = {"channel": CHANNEL, "told": f"table {record['table']} {record['seq']} {record['known']}"}
            with self.single_statement() as db:
                if db.exec_driver_sql(answer_sql.APPEND, record | told).first() is None:
                    raise Conflict
        elif (wrong := self._append([record])[0]) is not None:
            raise wrong

    def submit_answer(self, record: Record, done: Callable[[Exception | None], None]) -> None:
        """Like append_answer(), without waiting for the disk (SQLite only): `done` is called from the writer thread
        with what append_answer() would raise, or None.
        """
        if not self._batch_writer.submit(record, done):
            raise StoreError(CLOSED)

    def _append(self, records: Sequence[Record]) -> list[Exception | None]:
        """Writes answers of several tables in one transaction. Returns for each None, or Conflict if another writer was
        faster.
        """
        with self._explain_errors(), self._writing, closing(self._open(self.engine).raw_connection()) as connection:
            driver: Any = connection.driver_connection  # without SQLAlchemy: every request that plays waits for this
            driver.execute("BEGIN IMMEDIATE")
            entered = answer_sql.append_answers(driver, records)
            driver.commit()  # on an earlier error the pool rolls back
            self.on_commit()
        return [None if written else Conflict() for written in entered]

    # -- inside -------------------------------------------------------------------------------------------------
    def _notify(self, db: sa.Connection, word: str) -> None:
        """Notifies the other processes, if this transaction commits."""
        if self.is_shared:
            db.execute(sa.select(sa.func.pg_notify(CHANNEL, word)))

    def _open(self, engine: sa.Engine) -> sa.Engine:
        if self._closed:
            raise StoreError(CLOSED)
        return engine

    @contextmanager
    def _explain_errors(self, *, opening: bool = False) -> Iterator[None]:
        """Turns database errors into a StoreError with a sentence that names the database."""
        try:
            yield
        except IntegrityError:
            raise
        except (
            SQLAlchemyError,
            self.engine.dialect.loaded_dbapi.Error,
            database.MigrationError,
            OSError,
            UnicodeDecodeError,
        ) as error:
            raise StoreError(database.explain_error(error, self.where, opening=opening)) from error


CHANGED = sa.text("""
    SELECT pg_notify(:channel, 'table ' || id || ' ' || requests || ' ' || reseated) FROM tables WHERE id = :table
""")
