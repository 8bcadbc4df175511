"""Opens the database, checks that it belongs to Veillée, migrates it, and turns its errors into sentences.

SQLite runs in WAL mode with synchronous=FULL: a commit returns after the log file has been flushed to the disk, so an
acknowledged answer survives the death of the process and, if the disk honours the flush, of the machine. PostgreSQL
does the same by default.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from veillee.house.errors import StoreError, t
from veillee.house.storage.wal_checkpointer import WAL_AUTOCHECKPOINT_PAGES
from veillee.words import Sentence

FILE = "veillee.sqlite3"
MIGRATIONS = Path(__file__).parent / "migrations"
APPLICATION = (
    0x5665696C  # "Veil": application_id in the header of a SQLite file; in PostgreSQL, the advisory lock of the schema
)
BUSY_TIMEOUT_MS = 10_000  # milliseconds to wait for another process that is writing to SQLite
MIN_POSTGRES_VERSION = 13  # major version of PostgreSQL that is supported
MAX_CONNECTIONS = 20  # to PostgreSQL, at most, per process
DATABASE_CONNECT_TIMEOUT_SECONDS = 5  # seconds to connect to PostgreSQL
DAMAGE = ("not a database", "malformed", "decode to UTF-8")  # what the driver says of a damaged SQLite file
DRIVER = "postgresql+psycopg"
# A machine that has disappeared sends no error: TCP keepalives find out.
KEEPALIVE_OPTIONS = {
    "connect_timeout": DATABASE_CONNECT_TIMEOUT_SECONDS,
    "keepalives_idle": DATABASE_CONNECT_TIMEOUT_SECONDS,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 2 * DATABASE_CONNECT_TIMEOUT_SECONDS * 1000,
}


def open_engine(place: str | Path, *, has_log: bool = True) -> tuple[sa.Engine, str]:
    """Returns the engine for that place (a folder, a file or a URL), and its name for messages. has_log: whether SQLite
    writes to a log first (WAL), which needs a file system with locks and shared memory. Raises StoreError.
    """
    if "://" in str(place):
        url = _parse_address(str(place))
        return _make_engine(url), url.render_as_string(hide_password=True).replace(DRIVER, "postgresql")
    path = _sqlite_url(Path(place))
    return _make_engine(sa.URL.create("sqlite", database=str(path)), has_log=has_log), str(path)


def is_shared(place: str | Path) -> bool:
    """Returns whether several processes can use this database at once (PostgreSQL)."""
    return str(place).startswith(("postgresql", "postgres:")) and "://" in str(place)


class MigrationError(Exception):
    """Alembic cannot migrate the database."""


def revisions() -> set[str]:
    """Returns the numbers of all revisions of the schema up to the current one."""
    return {file.stem[1:5] for file in (MIGRATIONS / "versions").glob("r*.py")}


def migrate(engine: sa.Engine, where: str, revision: str = "head") -> None:
    """Migrates to the current schema (or to `revision`), all or nothing. Of several processes that start together one
    does it. Raises StoreError, MigrationError.
    """
    with engine.begin() as db:
        if db.dialect.name == "sqlite":
            _claim_file(db, where)
        elif db.dialect.name == "postgresql":
            _claim_database(db, where)
        if revision != "head" or _revision(db) != max(revisions()):
            _upgrade(db, revision)


def _revision(db: sa.Connection) -> str | None:
    """Returns the revision of the schema; None: the database is empty."""
    if not sa.inspect(db).has_table("alembic_version"):
        return None
    found: str | None = db.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return found


def _upgrade(db: sa.Connection, revision: str) -> None:
    # Imported for older databases only: a house in a browser page starts a tenth of a second sooner without.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = db
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise MigrationError(str(error)) from error


def explain_error(error: Exception, where: str, *, opening: bool) -> Sentence:
    """Returns a database error as a sentence, for the operator who opens it or for players."""
    said = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    reason = str(said).split("\n")[0].rstrip(".")
    if not opening and _is_unreachable(said):
        return t("The database is out of reach. Nothing that was played is lost: please try again in a moment.")
    if isinstance(error, UnicodeDecodeError) or any(sign in reason for sign in DAMAGE):
        return t("{path} is no database of Veillée, or it is damaged.", path=where)
    if "locked" in reason:
        return t("{path} is in use by another program: close it and try again.", path=where)
    if "readonly" in reason or "unable to open" in reason:
        return t("{path} cannot be written: {reason}.", path=where, reason=reason)
    if "Can't locate revision" in reason and not _names_newer_revision(reason):
        return t("{path} is no database of Veillée, or it is damaged.", path=where)
    if "Can't locate revision" in reason:
        return t("{path} was written by a newer version of Veillée.", path=where)
    return t("{path} cannot be used: {reason}.", path=where, reason=reason)


def _names_newer_revision(reason: str) -> bool:
    """Returns whether alembic's error names a revision as we number them: another one is damage."""
    return re.search(r"identified by '\d{4}'", reason) is not None


# -- opening ----------------------------------------------------------------------------------------------------------
def _parse_address(text: str) -> sa.URL:
    try:
        url = sa.make_url(text)
    except SQLAlchemyError as error:
        raise StoreError(t("The database cannot be used: {reason}.", reason=str(error).split("\n")[0])) from None
    return url.set(drivername=DRIVER) if url.drivername in ("postgresql", "postgres") else url


def _sqlite_url(place: Path) -> Path:
    """Returns the database file, created if needed, readable by its owner only: it holds the seeds of running games."""
    path = place.expanduser()
    path = path if path.suffix and not path.is_dir() else path / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(t("{path} cannot be written: {reason}.", path=str(path), reason=reason)) from None
    return path


def _make_engine(url: sa.URL, *, has_log: bool = True) -> sa.Engine:
    try:
        if url.drivername != DRIVER:
            engine = sa.create_engine(url)
        else:
            # No ping before each use, which would be half of its cost: the first error on a dead connection replaces
            # the whole pool, and the heartbeat thread (cluster/peers.py) usually finds it first.
            engine = sa.create_engine(
                url,
                pool_size=MAX_CONNECTIONS // 2,
                max_overflow=MAX_CONNECTIONS - MAX_CONNECTIONS // 2,
                pool_timeout=DATABASE_CONNECT_TIMEOUT_SECONDS,
                connect_args=KEEPALIVE_OPTIONS,
            )
    except ImportError as error:
        if url.drivername == DRIVER:
            said = t("PostgreSQL needs a driver that is not installed: `pip install veillee[postgresql]` brings it.")
            raise StoreError(said) from None
        raise StoreError(t("The database cannot be used: {reason}.", reason=str(error).split("\n")[0])) from None
    except SQLAlchemyError as error:
        raise StoreError(t("The database cannot be used: {reason}.", reason=str(error).split("\n")[0])) from None
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _set_up_sqlite if has_log else _set_up_sqlite_in_memory)
        sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # BEGIN is explicit (_begin_sqlite): migrations are atomic too
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_AUTOCHECKPOINT_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")


def _set_up_sqlite_in_memory(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(db: sa.Connection) -> None:
    """Starts a transaction. A writer takes the lock at once, so that it cannot fail halfway because another one was
    faster.
    """
    db.exec_driver_sql("BEGIN" if db.get_execution_options().get("reading") else "BEGIN IMMEDIATE")


def _is_unreachable(error: BaseException) -> bool:
    """Returns whether PostgreSQL cannot be reached, or is starting or stopping, rather than reporting an error."""
    if not type(error).__module__.startswith("psycopg"):
        return False
    state: str | None = getattr(error, "sqlstate", None)
    return (
        state.startswith(("08", "57P")) if state else any(k.__name__ == "OperationalError" for k in type(error).__mro__)
    )


# -- ownership of the database ----------------------------------------------------------------------------------------
def _claim_file(db: sa.Connection, where: str) -> None:
    """Marks an empty file as Veillée's; refuses one of another program."""
    owner = db.exec_driver_sql("PRAGMA application_id").scalar()
    if owner == APPLICATION:
        return
    names = set(db.exec_driver_sql("SELECT name FROM sqlite_schema").scalars())
    if names >= {"alembic_version", "guests", "answers"}:  # ours, but for its mark
        raise StoreError(t("{path} is no database of Veillée, or it is damaged.", path=where))
    if owner or names:
        raise StoreError(t("{path} is another program's database.", path=where))
    db.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")


def _claim_database(db: sa.Connection, where: str) -> None:
    """Waits for a process that migrates at the same time. Refuses a version that is too old, or another program's
    database.
    """
    version = int((db.dialect.server_version_info or (0,))[0])
    if version < MIN_POSTGRES_VERSION:
        raise StoreError(
            t(
                "{path} is a PostgreSQL {version}: {oldest} or newer is needed.",
                path=where,
                version=version,
                oldest=MIN_POSTGRES_VERSION,
            )
        )
    db.execute(sa.select(sa.func.pg_advisory_xact_lock(APPLICATION)))
    names = sa.inspect(db).get_table_names()
    if names and "alembic_version" not in names:
        raise StoreError(t("{path} is another program's database.", path=where))
