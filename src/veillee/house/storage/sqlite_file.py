"""The file of a SQLite database: the lock that allows one process, and the mark that shows an incomplete copy.

The lock is the operating system's (flock): it ends with the process, however that ends. It is on a separate file beside
the database, so readers (`veillee doctor`, a backup) are not affected.

While a house is open, SQLite writes new data to a second file, `…-wal`, and copies it over at checkpoints. A copy of
the first file alone is an older state, or empty. So the file's header says that it is in use, from the moment a house
opens it until that house has made its last checkpoint. A file that is marked in use and has no -wal beside it is
incomplete, and is not opened.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from veillee.house.errors import StoreError, t
from veillee.house.storage.database import APPLICATION
from veillee.house.storage.wal_file import check_log_intact

log = logging.getLogger(__name__)

IN_USE = 1  # in user_version, in the header of the file; 0: closed, or written before this mark existed
HEADER = 100  # bytes
WAL_MODE = 2  # at byte 18
PAGE_SIZES = [1 << power for power in range(9, 16)]  # bytes, at byte 16; another one is damage
USER_VERSION, OWNER = slice(60, 64), slice(68, 72)


def check_file_complete(path: Path) -> None:
    """Checks a file before it is opened. Raises StoreError if its -wal file is missing."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER)
        size = path.stat().st_size
    except OSError:
        return  # opening it will report the error
    if len(header) < HEADER or not header.startswith(b"SQLite format 3\0"):
        return
    other = path.with_name(path.name + "-wal")
    in_use, owner = (int.from_bytes(header[place], "big") for place in (USER_VERSION, OWNER))
    page_size = int.from_bytes(header[16:18], "big")
    never_carried_over = header[18] == WAL_MODE and page_size in PAGE_SIZES and size <= page_size
    if ((in_use == IN_USE and owner == APPLICATION) or never_carried_over) and not other.exists():
        raise StoreError(
            t(
                "{path} was in use when it was copied or left, and its other half is missing: what was played last is "
                "in {other}. Put that file beside it; or take what is left, in another place: `veillee restore --as-it-is {path} --data …`.",
                path=str(path),
                other=other.name,
            )
        )


def mark_in_use(engine: sa.Engine) -> None:
    """Marks the file as in use."""
    _write_mark(engine, IN_USE)


def mark_closed(engine: sa.Engine) -> None:
    """Checkpoints the WAL and marks the file as closed: it is then complete by itself. Also done for a file that could
    not be used, such as one of a newer version, because SQLite deletes the -wal file when the last connection closes.
    Does not change another program's file.
    """
    with engine.begin() as db:
        ours = db.exec_driver_sql("PRAGMA application_id").scalar() == APPLICATION
    if ours:
        _write_mark(engine, 0)


def mark_closed_in_place(database: Path) -> None:
    """Marks a file that no process has open as closed, if SQLite has copied its whole log over and deleted it. Needs no
    space on the disk: on a full one mark_closed() fails, and then SQLite's last connection makes the file complete.
    """
    try:
        if database.with_name(database.name + "-wal").exists():
            return
        with database.open("rb+") as file:
            header = file.read(HEADER)
            in_use, owner = (int.from_bytes(header[place], "big") for place in (USER_VERSION, OWNER))
            if in_use == IN_USE and owner == APPLICATION:
                file.seek(USER_VERSION.start)
                file.write(bytes(4))
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        log.warning("%s cannot be marked as closed: %s", database, error)


def _write_mark(engine: sa.Engine, use: int) -> None:
    with engine.begin() as db:
        db.exec_driver_sql(f"PRAGMA user_version = {use}")
    connection = engine.raw_connection()  # outside a transaction, as a checkpoint requires
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()


def check_log_if_closed(database: Path) -> None:
    """Checks the log of a file (wal_file.py), unless a house has it open. Raises StoreError if it is damaged."""
    if not database.with_name(database.name + "-wal").exists():
        return
    try:
        lock = lock_database_file(database)
    except StoreError:
        return  # a house has it open, and has checked it
    except OSError:  # a read-only disk: no process writes there
        check_log_intact(database)
        return
    with lock:
        check_log_intact(database)


# -- the lock ----------------------------------------------------------------------------------------------------------
def lock_database_file(database: Path) -> IO[bytes]:
    """Locks the database; closing the returned file releases it. Raises StoreError if another process holds the lock."""
    handle = database.with_name(database.name + ".lock").open("ab")
    try:
        _take(handle.fileno())
    except BlockingIOError:
        handle.close()
        said = t(
            "Another Veillée has {path} open: use that one, close it, or give this one another folder with --data.",
            path=str(database),
        )
        raise StoreError(said) from None
    return handle


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None
else:
    import errno
    import fcntl

    def _take(handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise BlockingIOError from None
            # some network disks do not support locks: then the database is opened without one
