"""Backs up a house into one file while people play, and restores a house from such a file.

The file is a closed, complete SQLite database, whichever database the house uses: a backup of SQLite or PostgreSQL can
be restored into either. It is a consistent snapshot that contains every row acknowledged before it.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from veillee.house.errors import StoreError, t
from veillee.house.storage import database, sqlite_file
from veillee.house.storage.database import APPLICATION, FILE
from veillee.house.storage.schema import EPHEMERAL_TABLES, metadata
from veillee.house.storage.store import Store

ROWS = 1000  # that are copied at a time
COUNT_ROWS_SQL = "SELECT (SELECT count(*) FROM guests), (SELECT count(*) FROM tables), (SELECT count(*) FROM answers)"
REVISION = "SELECT version_num FROM alembic_version"


@dataclass(frozen=True)
class BackupCounts:
    """Numbers of rows in a backup."""

    guests: int
    tables: int
    answers: int


def backup(place: str | Path, file: Path) -> BackupCounts:
    """Copies everything in the house at `place`, which may be open, into a new file. Raises StoreError."""
    if file.exists():
        raise StoreError(t("There is a file {path} already: choose another name.", path=str(file)))
    part = file.with_name(f".{file.name}.part")
    with _explain_errors(str(file)):
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
    try:
        if (path := _sqlite_path(place)) is None:
            where = _url_without_password(place)
            with _explain_errors(where):
                _copy_from_server(str(place), part)
        else:
            path = _existing_file(path)
            where = str(path)
            with _explain_errors(where):
                _copy_file(path, part)
        kept = check_backup(part, where)  # damage in the copy is damage in the house
        with _explain_errors(str(file)):
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(file)
        return kept
    finally:
        for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def restore(file: Path, place: str | Path, *, as_it_is: bool = False) -> BackupCounts:
    """Restores the file to `place`, where there must be no house yet. Raises StoreError.

    as_it_is: accepts a database file whose -wal file is missing or damaged.
    """
    if not file.is_file():
        raise StoreError(t("There is no file {path}.", path=str(file)))
    if not as_it_is:
        sqlite_file.check_file_complete(file)
        sqlite_file.check_log_if_closed(file)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.sqlite3"
        with _explain_errors(str(file)):
            _copy_file(file, copy)
        kept = check_backup(copy, str(file))
        Store.open(copy).close()  # migrated to the current schema
        target = Store.open(place, alone=True)  # created if needed
        try:
            with (
                _explain_errors(target.where),
                closing_engine(database.open_engine(copy)[0]) as source,
                source.connect() as here,
                target.engine.begin() as there,
            ):
                if there.execute(sa.select(sa.func.count()).select_from(metadata.tables["guests"])).scalar():
                    where = target.where
                    raise StoreError(
                        t("There is a house at {path} already: name another place for this one.", path=where)
                    )
                _copy_rows(here, there)
        finally:
            target.close()
    return kept


def check_backup(file: Path, named: str) -> BackupCounts:
    """Checks a backup and returns its counts. Raises StoreError if it is none, damaged, or of a newer version."""
    with _explain_errors(named), closing(_open_read_only(file)) as db:
        owner = db.execute("PRAGMA application_id").fetchone()[0]
        if owner != APPLICATION or db.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            raise StoreError(t("{path} is no database of Veillée, or it is damaged.", path=named))
        if db.execute("PRAGMA foreign_key_check").fetchall():
            raise StoreError(t("{path} is no database of Veillée, or it is damaged.", path=named))
        if db.execute(REVISION).fetchone()[0] not in database.revisions():
            raise StoreError(t("{path} was written by a newer version of Veillée.", path=named))
        counts = db.execute(COUNT_ROWS_SQL).fetchone()
    return BackupCounts(*counts)


def _sqlite_path(place: str | Path) -> Path | None:
    """Returns the path of the house on this disk; None: its database is a server."""
    if "://" not in str(place):
        return Path(place)
    try:
        url = sa.make_url(str(place))
    except SQLAlchemyError:
        return None  # opening it will report the error
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _existing_file(place: Path) -> Path:
    """Returns the database file of a house, which must exist."""
    path = place.expanduser()
    path = path / FILE if path.is_dir() else path
    if not path.is_file():
        raise StoreError(t("There is no house at {path}.", path=str(place)))
    sqlite_file.check_file_complete(path)
    sqlite_file.check_log_if_closed(path)
    return path


def _copy_file(source: Path, target: Path) -> None:
    """Copies all pages in one step: a snapshot, also while others write. The copy is closed and one file."""
    with closing(_open_read_only(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
        there.execute("PRAGMA journal_mode = DELETE")
        there.execute("PRAGMA user_version = 0")
        there.commit()


def _open_read_only(file: Path) -> sqlite3.Connection:
    """Opens a file read-only. On a read-only disk SQLite cannot create files beside it; a closed house needs none
    (immutable).
    """
    alone = not os.access(file.parent, os.W_OK) and not file.with_name(file.name + "-wal").exists()
    how = "mode=ro&immutable=1" if alone else "mode=ro"
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=10)


def _copy_from_server(url: str, target: Path) -> None:
    """Copies all rows in one snapshot from a database server, in the schema that it has, which may be an older one."""
    with (
        closing_engine(database.open_engine(url)[0]) as server,
        server.execution_options(isolation_level="REPEATABLE READ").connect() as here,
        closing_engine(database.open_engine(target)[0]) as file,
    ):
        revision = here.exec_driver_sql(REVISION).scalar() if _is_ours(here) else None
        if revision is None:
            raise StoreError(t("There is no house at {path}.", path=_url_without_password(url)))
        database.migrate(file, str(target), str(revision))
        theirs = sa.MetaData()
        theirs.reflect(file)
        with file.begin() as there:
            _copy_rows(here, there, theirs)
    with closing(sqlite3.connect(target)) as db:
        db.execute("PRAGMA journal_mode = DELETE")


def _is_ours(db: sa.Connection) -> bool:
    return {"alembic_version", "guests", "tables", "answers"} <= set(sa.inspect(db).get_table_names())


def _copy_rows(here: sa.Connection, there: sa.Connection, ours: sa.MetaData = metadata) -> None:
    """Copies every row of every table, referenced tables first."""
    for table in [table for table in ours.sorted_tables if table.name not in (*EPHEMERAL_TABLES, "alembic_version")]:
        rows = here.execution_options(yield_per=ROWS).execute(sa.select(table))
        for part in rows.mappings().partitions(ROWS):
            there.execute(table.insert(), [dict(row) for row in part])


@contextmanager
def closing_engine(engine: sa.Engine) -> Iterator[sa.Engine]:
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _explain_errors(where: str) -> Iterator[None]:
    """Turns errors of a database or disk into a StoreError that names the place."""
    try:
        yield
    except (SQLAlchemyError, database.MigrationError, OSError) as error:
        raise StoreError(database.explain_error(error, where, opening=True)) from error
    except sqlite3.Error as error:
        raise StoreError(database.explain_error(DBAPIError("", None, error), where, opening=True)) from error


def _url_without_password(url: str | Path) -> str:
    """Returns the URL of a database without its password."""
    try:
        return sa.make_url(str(url)).render_as_string(hide_password=True)
    except SQLAlchemyError as error:
        raise StoreError(t("The database cannot be used: {reason}.", reason=str(error).split("\n")[0])) from None
