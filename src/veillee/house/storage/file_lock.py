"""Lock file that allows one process per SQLite database.

The lock is the operating system's (flock): it ends with the process, however that ends. It is on a separate file beside
the database, so readers (`veillee doctor`, a backup) are not affected.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from veillee.house.errors import StoreError, t


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
