"""Transactions of the database, and the repository of tables, seats and answers. Answers are only ever appended. Other
modules read and write their own tables with the transactions of this one.

The answers (with the sealed seed) are the source of truth: a table is what they replay to. What its row copies of that
(table_rows.py) is written in the same transaction. `requests` and `reseated` number its changes (optimistic locking): a
writer says which numbers it knows, and gets Conflict if there are newer ones.

With PostgreSQL several processes share one store (ADR 16): each write sends a NOTIFY to the others in its transaction.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, overload

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from veillee.house.errors import StoreError, t
from veillee.house.house_time import Downtime, Now
from veillee.house.storage import answer_sql, database, sqlite_file
from veillee.house.storage.batch_writer import BatchWriter
from veillee.house.storage.schema import (
    answers,
    claims,
    dealt,
    house_lines,
    seats,
    tables,
)
from veillee.house.storage.sqlite_file import lock_database_file
from veillee.house.storage.table_rows import AnswerRequest, TableRow, Version, load_rows, seat_rows
from veillee.house.storage.wal_checkpointer import WalCheckpointer
from veillee.house.tables.clocks.seat_clocks import HouseEvent

CHANNEL = "veillee"  # of LISTEN/NOTIFY between server processes
CLOSED = t("The house is closed.")


class Conflict(Exception):
    """Another writer was first: read again."""


class TableDeleted(Exception):
    """The table was deleted."""


class Store:
    """Database access without knowledge of the rules. Every method is one transaction, and safe from any thread."""

    def __init__(self, engine: sa.Engine, where: str, now: Now = time.time) -> None:
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
        self._batch_writer = BatchWriter(self._append)
        self._wal_checkpointer = None if self.is_shared else WalCheckpointer(engine, self._writing)
        self._file_lock: IO[bytes] | None = None
        self._is_marked = False  # its file is marked in use, or is about to be (sqlite_file.py)
        self._beside = ""  # the file, if opened without the lock: a house may have it open too
        self._closed = False

    @classmethod
    def open(cls, place: str | Path, *, alone: bool = False, now: Now = time.time) -> Store:
        """Opens a folder, a SQLite file or a database URL; creates it if needed, and migrates it to the current schema.

        alone: takes the lock file, so that no other house can open that file. Raises StoreError.
        """
        store = cls(*database.open_engine(place), now)
        file = store.engine.url.database if store.engine.dialect.name == "sqlite" else None
        try:
            if file:
                sqlite_file.check_file_complete(Path(file))
            with store._explain_errors(opening=True):
                if file and alone:
                    store._file_lock = lock_database_file(Path(file))
                    store._is_marked = True
                elif file:
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
                with contextlib.suppress(SQLAlchemyError):  # a full disk: the -wal file stays beside it
                    sqlite_file.mark_closed(self.engine)
            elif self._beside and not self._closed:
                with (
                    contextlib.suppress(SQLAlchemyError, StoreError),
                    lock_database_file(Path(self._beside)),
                ):  # else a house has it
                    sqlite_file.mark_closed(self.engine)
            self._closed = True
            self.engine.dispose()
            if self._file_lock is not None:
                self._file_lock.close()

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
                if self._wal_checkpointer is not None:
                    self._wal_checkpointer.count_commit()
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

    def notify_guest(self, db: sa.Connection, guest: str) -> None:
        """Notifies other processes that a guest has changed, if this transaction commits."""
        self._notify(db, f"guest {guest}")

    def notify_chat(self, db: sa.Connection, table_id: str) -> None:
        """Notifies other processes of a chat message at the table, if this transaction commits."""
        self._notify(db, f"talk {table_id}")

    # -- tables -------------------------------------------------------------------------------------------------
    def add_table(self, row: TableRow, rematch_of: str = "", played: Sequence[tuple[int, int]] = ()) -> None:
        """Inserts a new table; `rematch_of`: the table whose rematch it is. Raises Conflict if that one has a rematch
        already, or the guest has begun that daily deal before.
        """
        values = {
            name: getattr(row, name)
            for name in (
                "id",
                "game",
                "version",
                "seed",
                "public",
                "status",
                "reseated",
                "hints",
                "guide",
                "deal",
                "rated",
                "branch",
            )
        }
        values |= {
            "pace": row.pace.serialize(),
            "begun": self._wall_seconds(row.begun),
            "due": self._wall_seconds(row.due),
        }
        values |= {"options": json.dumps(row.options), "asked": json.dumps(row.asked), "rematch": row.rematch}
        values |= {"created": row.created, "touched": row.touched}
        with self.writing() as db:
            if rematch_of:
                free = tables.update().where(tables.c.id == rematch_of, tables.c.rematch == "")
                if db.execute(free.values(rematch=row.id, reseated=tables.c.reseated + 1)).rowcount != 1:
                    raise Conflict
                self.notify_table(db, rematch_of)
            db.execute(tables.insert().values(values))
            db.execute(seats.insert(), seat_rows(row))
            if played:  # it continues from a moment of another table
                records = [
                    {
                        "table_id": row.id,
                        "seq": seq,
                        "seat": seat,
                        "actions": json.dumps([action]),
                        "created": row.created,
                    }
                    for seq, (seat, action) in enumerate(played, 1)
                ]
                db.execute(answers.insert(), records)
                db.execute(tables.update().where(tables.c.id == row.id).values(requests=len(records)))
            if row.deal:
                guest = next(seat.guest for seat in row.seats if seat.guest)
                begun = {"day": row.deal, "game": row.game, "guest": guest, "table_id": row.id, "begun": row.created}
                db.execute(dealt.insert().values(begun))

    def find_table(self, table_id: str) -> tuple[TableRow, list[AnswerRequest]] | None:
        """Returns the table and its answers, in order."""
        log = sa.select(answers.c.seat, answers.c.actions, answers.c.created)
        log = log.where(answers.c.table_id == table_id).order_by(answers.c.seq)
        told = sa.select(house_lines).where(house_lines.c.table_id == table_id).order_by(house_lines.c.number)
        with self.reading() as db:
            found = next(iter(load_rows(db, tables.c.id == table_id)), None)
            if found is None:
                return None
            lines = [
                HouseEvent(one.what, one.seat, one.after, one.shown, self._house_seconds(one.at))
                for one in db.execute(told)
            ]
            row = replace(found, begun=self._house_seconds(found.begun or found.created), lines=tuple(lines))
            return row, [self._request(*one) for one in db.execute(log)]

    def load_newer(self, row: TableRow, requests: int) -> tuple[TableRow, list[AnswerRequest]]:
        """Returns the table as it is now, and the answers after the first `requests`; the same row if its seats have
        not changed. Raises Gone.
        """
        with self.single_statement() as db:
            found = db.execute(SINCE, {"table": row.id, "known": requests}).all()
        if not found:
            raise TableDeleted
        if found[0].reseated == row.reseated:
            new = [self._request(*one[2:]) for one in found if one.actions is not None]
            return (replace(row, touched=found[0].touched) if new else row), new
        whole = self.find_table(row.id)
        if whole is None:
            raise TableDeleted
        return whole[0], whole[1][requests:]

    def versions(self, ids: Collection[str]) -> dict[str, Version]:
        """Returns the version of each of these tables."""
        query = sa.select(tables.c.id, tables.c.requests, tables.c.reseated).where(tables.c.id.in_(ids))
        with self.single_statement() as db:
            return {row.id: Version(row.requests, row.reseated) for row in db.execute(query)}

    def append(self, row: TableRow, seq: int, request: AnswerRequest, *, shown: bool = True) -> TableRow:
        """Appends an answer; it is on disk when this returns. Raises Conflict if the number is taken, or the seats have
        changed.

        shown: the change is public. Otherwise the table keeps its place in the lists.
        """
        row, record = self._record(row, seq, request, shown=shown)
        if self.is_shared:
            told = {"channel": CHANNEL, "told": f"table {row.id} {seq} {row.reseated}"}
            with self.single_statement() as db:
                if db.exec_driver_sql(answer_sql.APPEND, record | told).first() is None:
                    raise Conflict
        elif (wrong := self._append([record])[0]) is not None:
            raise wrong
        return row

    def submit_answer(
        self,
        row: TableRow,
        seq: int,
        request: AnswerRequest,
        done: Callable[[TableRow | Exception], None],
        *,
        shown: bool = True,
    ) -> None:
        """Like append(), without waiting for the disk (SQLite only): `done` is called from the writer thread with what
        append() would return or raise.
        """
        row, record = self._record(row, seq, request, shown=shown)
        if not self._batch_writer.submit(record, lambda wrong: done(wrong or row)):
            raise StoreError(CLOSED)

    def _record(
        self, row: TableRow, seq: int, request: AnswerRequest, *, shown: bool
    ) -> tuple[TableRow, answer_sql.Record]:
        """Returns the table after an answer, and the SQL parameters for both."""
        now = self._wall_seconds(request.at) if request.at else self.now()
        row = replace(row, touched=now) if shown else row
        return row, {
            "table": row.id,
            "known": row.reseated,
            "status": row.status,
            "asked": json.dumps(row.asked),
            "touched": row.touched,
            "due": self._wall_seconds(row.due),
            "seq": seq,
            "seat": request.seat,
            "actions": json.dumps(request.actions),
            "created": now,
        }

    def _append(self, records: Sequence[answer_sql.Record]) -> list[Exception | None]:
        """Writes answers of several tables in one transaction. Returns for each None, or Conflict if another writer was
        faster.
        """
        with self._explain_errors(), self._writing, closing(self._open(self.engine).raw_connection()) as connection:
            driver: Any = connection.driver_connection  # without SQLAlchemy: every request that plays waits for this
            driver.execute("BEGIN IMMEDIATE")
            entered = answer_sql.append_answers(driver, records)
            driver.commit()  # on an earlier error the pool rolls back
            if self._wal_checkpointer is not None:
                self._wal_checkpointer.count_commit()
        return [None if written else Conflict() for written in entered]

    def save_seats(self, row: TableRow, requests: int, *, moved: bool = True) -> TableRow:
        """Saves the seats, and what their change brought about. Raises Conflict if they have changed since `row` was
        read, or the number of answers is not `requests`.

        moved: a player came or went. A new name alone leaves the table where it is in the lists.
        """
        row = replace(row, reseated=row.reseated + 1, touched=self.now() if moved else row.touched)
        with self.writing() as db:
            known = sa.and_(tables.c.reseated == row.reseated - 1, tables.c.requests == requests)
            copies = {"status": row.status, "asked": json.dumps(row.asked), "touched": row.touched}
            copies |= {"begun": self._wall_seconds(row.begun), "due": self._wall_seconds(row.due)}
            present = tables.update().where(tables.c.id == row.id, known)
            if db.execute(present.values(copies | {"reseated": row.reseated, "guide": row.guide})).rowcount != 1:
                raise Conflict
            db.execute(seats.delete().where(seats.c.table_id == row.id))
            db.execute(seats.insert(), seat_rows(row))
            if row.lines:
                db.execute(house_lines.delete().where(house_lines.c.table_id == row.id))
                db.execute(house_lines.insert(), self._line_rows(row))
            self.notify_table(db, row.id)
        return row

    def rematch_of(self, table_id: str) -> TableRow | None:
        """Returns the table whose rematch this one is."""
        with self.reading() as db:
            return next(iter(load_rows(db, tables.c.rematch == table_id)), None)

    def delete_table(self, row: TableRow) -> None:
        """Deletes the table and all that was played there. Raises Conflict if its seats have changed since `row` was
        read.
        """
        with self.writing() as db:
            present = tables.update().where(tables.c.id == row.id, tables.c.reseated == row.reseated)
            if db.execute(present.values(reseated=row.reseated + 1)).rowcount != 1:
                raise Conflict
            was = tables.update().where(tables.c.rematch == row.id)
            db.execute(was.values(rematch="", reseated=tables.c.reseated + 1))
            for part in (answers, seats):  # the rest is deleted by ON DELETE CASCADE
                db.execute(part.delete().where(part.c.table_id == row.id))
            db.execute(claims.delete().where(claims.c.table_id == row.id))
            db.execute(tables.delete().where(tables.c.id == row.id))
            self._notify(db, f"table {row.id} 0 {row.reseated + 1}")

    # -- inside -------------------------------------------------------------------------------------------------
    def _house_seconds(self, wall: float) -> float:
        return self.downtime.house_seconds(wall)

    @overload
    def _wall_seconds(self, awake: float) -> float: ...
    @overload
    def _wall_seconds(self, awake: float | None) -> float | None: ...
    def _wall_seconds(self, awake: float | None) -> float | None:
        return self.downtime.wall_seconds(awake) if awake else awake

    def _request(self, seat: int, actions: str, created: float) -> AnswerRequest:
        return AnswerRequest(seat, tuple(json.loads(actions)), self._house_seconds(created))

    def _line_rows(self, row: TableRow) -> list[dict[str, Any]]:
        return [
            line._asdict() | {"table_id": row.id, "number": number, "at": self._wall_seconds(line.at)}
            for number, line in enumerate(row.lines)
        ]

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
        except (SQLAlchemyError, self.engine.dialect.loaded_dbapi.Error, CommandError, OSError) as error:
            raise StoreError(database.explain_error(error, self.where, opening=opening)) from error


# -- statements, compiled once ----------------------------------------------------------------------------------------
SINCE = (
    sa.select(tables.c.reseated, tables.c.touched, answers.c.seat, answers.c.actions, answers.c.created)
    .outerjoin(answers, sa.and_(answers.c.table_id == tables.c.id, answers.c.seq > sa.bindparam("known")))
    .where(tables.c.id == sa.bindparam("table"))
    .order_by(answers.c.seq)
)
CHANGED = sa.text("""
    SELECT pg_notify(:channel, 'table ' || id || ' ' || requests || ' ' || reseated) FROM tables WHERE id = :table
""")
