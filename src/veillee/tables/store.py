"""What is on disk: guests, tables, seats, owners' files that tables are played with, and the answers, which are only
ever appended.

The answers (with the sealed seed) are the truth: a table is what they replay to. `status`, `asked` and `touched` of a
table are copies of what the replay says, written in the same transaction, so that lists need no replay.

SQLite runs in WAL mode with synchronous=FULL: a commit returns after the log file has been flushed to the disk, so an
acknowledged answer survives the death of the process and, as far as the disk keeps its word, of the machine.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from veillee.tables.errors import StoreError, t
from veillee.tables.people import Seat
from veillee.words import Sentence

FILE = "veillee.sqlite3"
MIGRATIONS = Path(__file__).parent / "migrations"
APPLICATION = 0x5665696C  # "Veil" in the header of the file: whose database it is
PATIENCE = 10_000  # milliseconds to wait for another process that is writing
LONGEST_LIST = 200

metadata = sa.MetaData()

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # cookie or recovery
    sa.Column("created", sa.Float, nullable=False),
)
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # of the rules that the table began with
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("reseated", sa.Integer, nullable=False),  # how often the seats, or the rematch, have changed
    sa.Column("rematch", sa.Text, nullable=False),
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()),  # may those who play ask for advice?
    sa.Column("guide", sa.Text, nullable=False, server_default=""),  # of a first game: on, or left
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False),
)
seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("guest", sa.Text, sa.ForeignKey("guests.id"), nullable=True),
    sa.Column("level", sa.Text, nullable=False),
    sa.Column("away", sa.Boolean, nullable=False),
    sa.Column("luck", sa.Text, nullable=False),
)
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),  # 1, 2, 3, … without a gap
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("actions", sa.Text, nullable=False),  # one request: its answers in a row, all or none; [] took one back
    sa.Column("created", sa.Float, nullable=False),
)
contents = sa.Table(
    "contents",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # as tables name it
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("file", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
sa.Index("seats_by_guest", seats.c.guest)
sa.Index("tables_by_status", tables.c.status, tables.c.touched)

Status = Literal["waiting", "playing", "over"]
TokenKind = Literal["cookie", "recovery"]
Guide = Literal[
    "", "on", "left"
]  # a game like any other; a first game that is guided, or was begun so: its deal is known


class Conflict(Exception):
    """Another process has written first: read again."""


@dataclass(frozen=True)
class Request:
    """One appended record: the seat's answers in a row, or none: it took one back."""

    seat: int
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """A table as it is stored, without its answers."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    seed: bytes
    public: bool
    status: Status
    asked: tuple[int, ...]
    reseated: int
    rematch: str
    hints: bool
    created: float
    touched: float
    seats: tuple[Seat, ...]
    luck: tuple[str, ...]  # each seat's word, empty if it gave none
    guide: Guide = ""


class Store:
    """Rows in, rows out; knows no rules. Every method is one transaction, and safe from any thread."""

    def __init__(self, engine: sa.Engine, where: str) -> None:
        self.engine = engine
        self.reader = engine.execution_options(reading=True)
        self.where = where
        self._writing = threading.Lock()  # one writer at a time: threads queue here, not in SQLite's busy loop
        self._closed = False

    @classmethod
    def open(cls, place: str | Path) -> Store:
        """A folder, a SQLite file or a database URL; made if it is not there, brought to the present schema."""
        if "://" in str(place):
            store = cls(_engine(str(place)), sa.make_url(str(place)).render_as_string(hide_password=True))
        else:
            path = _file(Path(place))
            store = cls(_engine(sa.URL.create("sqlite", database=str(path))), str(path))
        try:
            with store._sentences():
                store._migrate()
        except StoreError:
            store.close()
            raise
        return store

    def close(self) -> None:
        with self._writing:
            self._closed = True
            self.engine.dispose()

    # -- guests -------------------------------------------------------------------------------------------------
    def add_guest(self, guest: str, name: str, token: str) -> None:
        with self._write() as db:
            db.execute(guests.insert().values(id=guest, name=name, created=time.time()))
            db.execute(tokens.insert().values(hash=token, guest=guest, kind="cookie", created=time.time()))

    def find_guest(self, token: str, kind: TokenKind) -> tuple[str, str] | None:
        """The id and the name of a token's guest."""
        query = sa.select(guests.c.id, guests.c.name).join(tokens, tokens.c.guest == guests.c.id)
        with self._read() as db:
            row = db.execute(query.where(tokens.c.hash == token, tokens.c.kind == kind)).first()
        return (row.id, row.name) if row else None

    def rename(self, guest: str, name: str) -> None:
        with self._write() as db:
            db.execute(guests.update().where(guests.c.id == guest).values(name=name))

    def add_token(self, guest: str, token: str, kind: TokenKind) -> None:
        """A recovery token takes the place of the one before; cookies are one per device."""
        with self._write() as db:
            if kind == "recovery":
                db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.kind == kind))
            db.execute(tokens.insert().values(hash=token, guest=guest, kind=kind, created=time.time()))

    # -- tables -------------------------------------------------------------------------------------------------
    def add_table(self, row: Row, rematch_of: str = "") -> None:
        """A new table; the rematch of another one, where it is named. Conflict: that one has a rematch already."""
        values = {
            name: getattr(row, name)
            for name in ("id", "game", "version", "seed", "public", "status", "reseated", "hints", "guide")
        }
        values |= {"options": json.dumps(row.options), "asked": json.dumps(row.asked), "rematch": row.rematch}
        values |= {"created": row.created, "touched": row.touched}
        with self._write() as db:
            if rematch_of:
                free = tables.update().where(tables.c.id == rematch_of, tables.c.rematch == "")
                if db.execute(free.values(rematch=row.id, reseated=tables.c.reseated + 1)).rowcount != 1:
                    raise Conflict
            db.execute(tables.insert().values(values))
            db.execute(seats.insert(), _seat_rows(row))

    def keep_content(self, game: str, content: str, file: str, text: str) -> None:
        """An owner's file that a table is played with: the table goes on, whatever becomes of the file."""
        row = {"game": game, "id": content, "file": file, "text": text, "created": time.time()}
        with contextlib.suppress(Conflict), self._write() as db:  # it is there already
            db.execute(contents.insert().values(row))

    def find_content(self, game: str, content: str) -> tuple[str, str] | None:
        """The name and the text of such a file."""
        query = sa.select(contents.c.file, contents.c.text)
        with self._read() as db:
            row = db.execute(query.where(contents.c.game == game, contents.c.id == content)).first()
        return (row.file, row.text) if row else None

    def find_table(self, table_id: str) -> tuple[Row, list[Request]] | None:
        """The table and its answers, in order."""
        log = sa.select(answers.c.seat, answers.c.actions).where(answers.c.table_id == table_id).order_by(answers.c.seq)
        with self._read() as db:
            rows = _rows(db, tables.c.id == table_id)
            if not rows:
                return None
            return rows[0], [Request(seat, tuple(json.loads(actions))) for seat, actions in db.execute(log)]

    def append(self, row: Row, seq: int, request: Request, *, shown: bool = True) -> Row:
        """The table's next answer, on disk when this returns. Conflict: the number is taken.

        shown: everybody sees that something has changed. Otherwise the table keeps its place in the lists.
        """
        now = time.time()
        row = replace(row, touched=now) if shown else row
        record = {"table_id": row.id, "seq": seq, "seat": request.seat, "actions": json.dumps(request.actions)}
        with self._write() as db:
            db.execute(answers.insert().values(record | {"created": now}))
            db.execute(tables.update().where(tables.c.id == row.id).values(_copies(row)))
        return row

    def reseat(self, row: Row) -> Row:
        """The seats, and what their change brought about. Conflict: they have been changed since `row` was read."""
        row = replace(row, reseated=row.reseated + 1, touched=time.time())
        with self._write() as db:
            present = tables.update().where(tables.c.id == row.id, tables.c.reseated == row.reseated - 1)
            if db.execute(present.values(_copies(row) | {"reseated": row.reseated, "guide": row.guide})).rowcount != 1:
                raise Conflict
            db.execute(seats.delete().where(seats.c.table_id == row.id))
            db.execute(seats.insert(), _seat_rows(row))
        return row

    def tables_of(self, guest: str) -> list[Row]:
        """Where the guest sits, the latest change first."""
        with self._read() as db:
            return _rows(db, tables.c.id.in_(sa.select(seats.c.table_id).where(seats.c.guest == guest)))

    def tables_that_wait(self) -> list[Row]:
        """Public tables with an open seat, the latest change first."""
        with self._read() as db:
            return _rows(db, sa.and_(tables.c.status == "waiting", tables.c.public))

    def tables_of_bots(self) -> list[str]:
        """Running tables where a bot sits."""
        bots = sa.select(seats.c.table_id).where(sa.or_(seats.c.kind == "bot", seats.c.away))
        query = sa.select(tables.c.id).where(tables.c.status == "playing", tables.c.id.in_(bots))
        with self._read() as db:
            return list(db.execute(query.order_by(tables.c.touched.desc())).scalars())

    # -- inside -------------------------------------------------------------------------------------------------
    @contextmanager
    def _write(self) -> Iterator[sa.Connection]:
        try:
            with self._sentences(), self._writing, self._open(self.engine).begin() as db:
                yield db
        except IntegrityError:
            raise Conflict from None

    @contextmanager
    def _read(self) -> Iterator[sa.Connection]:
        with self._sentences(), self._open(self.reader).begin() as db:
            yield db

    def _open(self, engine: sa.Engine) -> sa.Engine:
        if self._closed:
            raise StoreError(t("The house is closed."))
        return engine

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """What the database complains about, as a sentence that names the file."""
        try:
            yield
        except IntegrityError:
            raise
        except (SQLAlchemyError, CommandError, OSError) as error:
            raise StoreError(_sentence(error, self.where)) from error

    def _migrate(self) -> None:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        with self.engine.begin() as db:
            if db.dialect.name == "sqlite":
                self._claim(db)
            config.attributes["connection"] = db
            command.upgrade(config, "head")

    def _claim(self, db: sa.Connection) -> None:
        """Mark an empty file as ours; refuse one that is another program's."""
        owner = db.exec_driver_sql("PRAGMA application_id").scalar()
        if owner == APPLICATION:
            return
        if owner or db.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar():
            raise StoreError(t("{path} is another program's database.", path=self.where))
        db.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")


def _file(place: Path) -> Path:
    """The database file, there and for our eyes only: it holds the seeds of games that are being played."""
    path = place.expanduser()
    path = path if path.suffix and not path.is_dir() else path / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(t("{path} cannot be written: {reason}.", path=str(path), reason=reason)) from None
    return path


def _engine(url: str | sa.URL) -> sa.Engine:
    try:
        engine = sa.create_engine(url)
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        raise StoreError(t("The database cannot be used: {reason}.", reason=str(error).split("\n")[0])) from None
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_up_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so: tables are made all or none, too
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(db: sa.Connection) -> None:
    """A writer takes the lock at once, so that it never finds out halfway that another one was faster."""
    db.exec_driver_sql("BEGIN" if db.get_execution_options().get("reading") else "BEGIN IMMEDIATE")


def _sentence(error: Exception, where: str) -> Sentence:
    reason = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    reason = reason.split("\n")[0].rstrip(".")
    if "not a database" in reason or "malformed" in reason:
        return t("{path} is no database of Veillée, or it is damaged.", path=where)
    if "locked" in reason:
        return t("{path} is in use by another program: close it and try again.", path=where)
    if "readonly" in reason or "unable to open" in reason:
        return t("{path} cannot be written: {reason}.", path=where, reason=reason)
    if "Can't locate revision" in reason:
        return t("{path} was written by a newer version of Veillée.", path=where)
    return t("{path} cannot be used: {reason}.", path=where, reason=reason)


def _rows(db: sa.Connection, which: sa.ColumnElement[bool]) -> list[Row]:
    found = db.execute(sa.select(tables).where(which).order_by(tables.c.touched.desc()).limit(LONGEST_LIST)).all()
    theirs = sa.select(seats).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.seat)
    around: dict[str, list[Any]] = {row.id: [] for row in found}
    for seat in db.execute(theirs):
        around[seat.table_id].append(seat)
    return [
        Row(
            id=row.id,
            game=row.game,
            version=row.version,
            options=json.loads(row.options),
            seed=row.seed,
            public=row.public,
            status=cast(Status, row.status),
            asked=tuple(json.loads(row.asked)),
            reseated=row.reseated,
            rematch=row.rematch,
            hints=row.hints,
            created=row.created,
            touched=row.touched,
            seats=tuple(Seat(s.kind, s.name, s.guest or "", s.level, s.away) for s in around[row.id]),
            luck=tuple(s.luck for s in around[row.id]),
            guide=cast(Guide, row.guide),
        )
        for row in found
    ]


def _copies(row: Row) -> dict[str, Any]:
    return {"status": row.status, "asked": json.dumps(row.asked), "touched": row.touched}


def _seat_rows(row: Row) -> list[dict[str, Any]]:
    return [
        {
            "table_id": row.id,
            "seat": number,
            "kind": seat.kind,
            "name": seat.name,
            "guest": seat.guest or None,
            "level": seat.level,
            "away": seat.away,
            "luck": luck,
        }
        for number, (seat, luck) in enumerate(zip(row.seats, row.luck, strict=True))
    ]
