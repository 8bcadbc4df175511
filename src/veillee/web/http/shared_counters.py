"""What the processes of one house count together: a share is a guest's or an address's, whichever process they land at.

It is a piece of memory that all of them have open (`veillee serve --processes N`); one process alone has its own. In it are
*buckets*, each written down as the moment when it is full again, which tells how much is in it now. Nobody waits for a lock: of
two processes that take a drop of the same bucket at the same instant one may go uncounted. And there are *counts* of what is
open. Each process writes them on a sheet of its own and reads those of the others; who begins begins with an empty sheet,
so what was open when a process died is not counted for ever.

It has its size from the beginning, however many ask: where it is crowded the bucket that is full again soonest is forgotten,
and a count is known to its own process alone.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

WAYS = 8  # places side by side where a name may stand
BUCKETS = 1 << 16
COUNTS = 1 << 13  # of each process
SALT = 16  # bytes that make names, so that nobody outside can choose beside whom they stand
EACH = 16  # bytes: a name, and a number

Columns = tuple["memoryview[int]", "memoryview[float]"]  # names, and the numbers beside them


def laid_out(processes: int) -> int:
    """An empty one for so many processes, in a file without a name: it lasts as long as somebody has it open."""
    file, path = tempfile.mkstemp()
    Path(path).unlink()
    os.truncate(file, _size(processes))
    os.write(file, os.urandom(SALT))
    return file


class Ledger:
    """As one process has it open. Used in its event loop alone."""

    def __init__(self, file: int | None = None, processes: int = 1, number: int = 0) -> None:
        """file: that laid_out() has made; else it is this process's own. number: of this process among them."""
        room = mmap.mmap(-1 if file is None else file, _size(processes))
        if file is None:
            room[:SALT] = os.urandom(SALT)
        self._salt = room[:SALT]
        self._name = lru_cache(4096)(self._named)
        view, at = memoryview(room), SALT + EACH * BUCKETS
        self._buckets = _columns(view[SALT:at])
        sheets = [view[at + EACH * COUNTS * n : at + EACH * COUNTS * (n + 1)] for n in range(processes)]
        sheets[number][:] = bytes(EACH * COUNTS)
        self._others = [_columns(sheet) for sheet in sheets]
        self._mine = self._others.pop(number)

    # -- buckets --------------------------------------------------------------------------------------------------
    def wait(self, who: str, burst: int, refill: float, now: float) -> float:
        """Take a drop of a bucket that holds so many, and is filled by so many a second: 0.0. Or the seconds until there
        is one."""
        names, filled = self._buckets
        name = self._name(who)
        place = _found(names, name, BUCKETS)
        if place is None:
            place = min(_places(name, BUCKETS), key=filled.__getitem__)
            names[place], filled[place] = name, now
        full = max(now, filled[place])
        missing = (full - now) * refill - (burst - 1)  # for a whole drop
        if missing > 0:
            return missing / refill
        filled[place] = full + 1 / refill
        return 0.0

    # -- counts ---------------------------------------------------------------------------------------------------
    def note(self, who: str, number: int) -> None:
        """So many of theirs are open here."""
        names, numbers = self._mine
        name = self._name(who)
        place = _found(names, name, COUNTS)
        if place is None:
            place = next((place for place in _places(name, COUNTS) if not numbers[place]), None)
        if place is not None:
            names[place], numbers[place] = name, number

    def elsewhere(self, who: str) -> int:
        """How many of theirs are open at the other processes."""
        elsewhere = 0
        for names, numbers in self._others:
            place = _found(names, self._name(who), COUNTS)
            elsewhere += 0 if place is None else int(numbers[place])
        return elsewhere

    def _named(self, who: str) -> int:
        word = blake2b(who.encode(errors="surrogateescape"), digest_size=8, key=self._salt)
        return int.from_bytes(word.digest(), "little") or 1  # 0 is nobody's


def _size(processes: int) -> int:
    return SALT + EACH * (BUCKETS + COUNTS * processes)


def _columns(view: memoryview[int]) -> Columns:
    half = len(view) // 2
    return view[:half].cast("Q"), view[half:].cast("d")


def _places(name: int, size: int) -> range:
    first = name % (size // WAYS) * WAYS
    return range(first, first + WAYS)


def _found(names: memoryview[int], name: int, size: int) -> int | None:
    for place in _places(name, size):
        if names[place] == name:
            return place
    return None
