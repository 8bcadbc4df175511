"""A house that is kept in a file is one process: a second one on the same file is told so.

The lock is the system's: it ends with the process, however that ends. It is on a file beside the database, so whoever
only reads (`veillee doctor`, a backup) is in nobody's way.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from veillee.house.errors import StoreError, t


def hold(database: Path) -> IO[bytes]:
    """Closing it gives it back. Raises StoreError if another house holds it."""
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
            # some network disks know no locks: then nobody is turned away
