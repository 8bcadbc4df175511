"""A house in one file, taken while people play, and a house made of such a file again.

The file is a SQLite database like that of a house, closed and whole, wherever the house keeps its tables: so a backup of
either kind of database can be restored into either. It is a picture of one moment, and every row that was acknowledged
before that moment is in it.
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
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from veillee.house.errors import StoreError, t
from veillee.house.storage import database, file_integrity
from veillee.house.storage.database import APPLICATION, FILE, MIGRATIONS
from veillee.house.storage.schema import OF_THE_MOMENT, metadata
from veillee.house.storage.store import Store

ROWS = 1000  # that are carried at a time
COUNTS = "SELECT (SELECT count(*) FROM guests), (SELECT count(*) FROM tables), (SELECT count(*) FROM answers)"
REVISION = "SELECT version_num FROM alembic_version"


@dataclass(frozen=True)
class Kept:
    """What is in a backup."""

    guests: int
    tables: int
    answers: int


def backup(place: str | Path, file: Path) -> Kept:
    """Everything that is in the house at `place`, which may be open, into a new file. Raises StoreError."""
    if file.exists():
        raise StoreError(t("There is a file {path} already: choose another name.", path=str(file)))
    part = file.with_name(f".{file.name}.part")
    with _words(str(file)):
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
    try:
        if (path := _path(place)) is None:
            where = _shown(place)
            with _words(where):
                _from_server(str(place), part)
        else:
            path = _there(path)
            where = str(path)
            with _words(where):
                _copied(path, part)
        kept = check(part, where)  # what is wrong with the copy is wrong with the house
        with _words(str(file)):
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(file)
        return kept
    finally:
        for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm", "-journal"))):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def restore(file: Path, place: str | Path, *, as_it_is: bool = False) -> Kept:
    """A house at `place`, where there is none yet, as it was when the file was taken. Raises StoreError.

    as_it_is: from a database file whose other half is missing, too.
    """
    if not file.is_file():
        raise StoreError(t("There is no file {path}.", path=str(file)))
    if not as_it_is:
        file_integrity.check(file)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup.sqlite3"
        with _words(str(file)):
            _copied(file, copy)
        kept = check(copy, str(file))
        Store.open(copy).close()  # brought to the present schema
        target = Store.open(place, alone=True)  # made, if it is not there
        try:
            with (
                _words(target.where),
                closing_engine(database.opened(copy)[0]) as source,
                source.connect() as here,
                target.engine.begin() as there,
            ):
                if there.execute(sa.select(sa.func.count()).select_from(metadata.tables["guests"])).scalar():
                    where = target.where
                    raise StoreError(
                        t("There is a house at {path} already: name another place for this one.", path=where)
                    )
                _carry(here, there)
        finally:
            target.close()
    return kept


def check(file: Path, named: str) -> Kept:
    """What is in a backup. Raises StoreError if it is none, damaged, or of a newer version."""
    with _words(named), closing(_reading(file)) as db:
        owner = db.execute("PRAGMA application_id").fetchone()[0]
        if owner != APPLICATION or db.execute("PRAGMA quick_check").fetchall() != [("ok",)]:
            raise StoreError(t("{path} is no database of Veillée, or it is damaged.", path=named))
        if db.execute("PRAGMA foreign_key_check").fetchall():
            raise StoreError(t("{path} is no database of Veillée, or it is damaged.", path=named))
        if db.execute(REVISION).fetchone()[0] not in known():
            raise StoreError(t("{path} was written by a newer version of Veillée.", path=named))
        counts = db.execute(COUNTS).fetchone()
    return Kept(*counts)


def known() -> set[str]:
    """The revisions of the database that this version can read."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}


def _path(place: str | Path) -> Path | None:
    """Where the house is on this disk; None: it is in a database that is no file."""
    if "://" not in str(place):
        return Path(place)
    try:
        url = sa.make_url(str(place))
    except SQLAlchemyError:
        return None  # whoever opens it will say what is wrong
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _there(place: Path) -> Path:
    """The database file of a house that must be there."""
    path = place.expanduser()
    path = path / FILE if path.is_dir() else path
    if not path.is_file():
        raise StoreError(t("There is no house at {path}.", path=str(place)))
    file_integrity.check(path)
    return path


def _copied(source: Path, target: Path) -> None:
    """All pages in one step: a picture of one moment, whoever writes meanwhile. Closed and in one file."""
    with closing(_reading(source)) as here, closing(sqlite3.connect(target)) as there:
        here.backup(there)
        there.execute("PRAGMA journal_mode = DELETE")
        there.execute("PRAGMA user_version = 0")
        there.commit()


def _reading(file: Path) -> sqlite3.Connection:
    """On a disk that may only be read SQLite can make nothing beside the file; a house that was closed needs nothing there."""
    alone = not os.access(file.parent, os.W_OK) and not file.with_name(file.name + "-wal").exists()
    how = "mode=ro&immutable=1" if alone else "mode=ro"
    return sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=10)


def _from_server(url: str, target: Path) -> None:
    """All rows of one moment, from a database that is no file: in the schema that it has, which may be an older one."""
    with (
        closing_engine(database.opened(url)[0]) as server,
        server.execution_options(isolation_level="REPEATABLE READ").connect() as here,
        closing_engine(database.opened(target)[0]) as file,
    ):
        revision = here.exec_driver_sql(REVISION).scalar() if _is_ours(here) else None
        if revision is None:
            raise StoreError(t("There is no house at {path}.", path=_shown(url)))
        database.migrate(file, str(target), str(revision))
        theirs = sa.MetaData()
        theirs.reflect(file)
        with file.begin() as there:
            _carry(here, there, theirs)
    with closing(sqlite3.connect(target)) as db:
        db.execute("PRAGMA journal_mode = DELETE")


def _is_ours(db: sa.Connection) -> bool:
    return {"alembic_version", "guests", "tables", "answers"} <= set(sa.inspect(db).get_table_names())


def _carry(here: sa.Connection, there: sa.Connection, ours: sa.MetaData = metadata) -> None:
    """Every row of every table of ours: those that others point to first."""
    for table in [table for table in ours.sorted_tables if table.name not in (*OF_THE_MOMENT, "alembic_version")]:
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
def _words(where: str) -> Iterator[None]:
    """What a database or a disk complains about, as a sentence that names the place."""
    try:
        yield
    except (SQLAlchemyError, CommandError, OSError) as error:
        raise StoreError(database.in_words(error, where, opening=True)) from error
    except sqlite3.Error as error:
        raise StoreError(database.in_words(DBAPIError("", None, error), where, opening=True)) from error


def _shown(url: str | Path) -> str:
    """The address of a database, without its password."""
    try:
        return sa.make_url(str(url)).render_as_string(hide_password=True)
    except SQLAlchemyError as error:
        raise StoreError(t("The database cannot be used: {reason}.", reason=str(error).split("\n")[0])) from None
