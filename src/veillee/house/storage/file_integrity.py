"""Is a database file whole?

While a house is open, SQLite writes what is new into a second file beside the first, `…-wal`, and carries it over now and
then. Whoever copies the first file alone takes an older evening home, or an empty house. So the file itself says that it
is in use, from the moment a house opens it until that house has carried everything over: found in use and without its
other half, it is not whole, and nobody may go on from it without knowing.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from veillee.house.errors import StoreError, t
from veillee.house.storage.database import APPLICATION

IN_USE = 1  # in user_version, in the header of the file; 0: closed, or of a time before this was kept
HEADER = 100  # bytes
WAL_MODE = 2  # at place 18
USER_VERSION, OWNER = slice(60, 64), slice(68, 72)


def check(path: Path) -> None:
    """Before it is opened. Raises StoreError: its other half is missing."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
        size = path.stat().st_size
    except OSError:
        return  # whoever opens it will say what is wrong
    if len(header) < HEADER or not header.startswith(b"SQLite format 3\0"):
        return
    other = path.with_name(path.name + "-wal")
    in_use, owner = (int.from_bytes(header[place], "big") for place in (USER_VERSION, OWNER))
    never_carried_over = header[18] == WAL_MODE and size <= int.from_bytes(header[16:18], "big")
    if ((in_use == IN_USE and owner == APPLICATION) or never_carried_over) and not other.exists():
        raise StoreError(
            t(
                "{path} was in use when it was copied or left, and its other half is missing: what was played last is "
                "in {other}. Put that file beside it; or take what is left, in another place: `veillee restore --as-it-is {path} --data …`.",
                path=str(path),
                other=other.name,
            )
        )


def opened(engine: sa.Engine) -> None:
    """Say in the file that it is in use."""
    _mark(engine, IN_USE)


def closed(engine: sa.Engine) -> None:
    """Carry everything over, and say so: the file alone is whole. Also where nobody could use it, as one of a newer version:
    SQLite takes the other half away by itself when the last one leaves. In another program's file nothing is said."""
    with engine.begin() as db:
        ours = db.exec_driver_sql("PRAGMA application_id").scalar() == APPLICATION
    if ours:
        _mark(engine, 0)


def _mark(engine: sa.Engine, use: int) -> None:
    with engine.begin() as db:
        db.exec_driver_sql(f"PRAGMA user_version = {use}")
    connection = engine.raw_connection()  # in no transaction
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()
