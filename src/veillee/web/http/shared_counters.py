"""Counters shared by the processes of one server: rate limits hold whichever process a request reaches.

They are in memory shared by all processes (`veillee serve --processes N`); a single process has its own. *Buckets* are
token buckets, each stored as the time when it is full again. There are no locks: of two processes that take a token of
the same bucket at the same instant one may go uncounted. *Counts* say what is open. Each process writes them to its own
section and reads those of the others; a process clears its section when it starts, so what was open when its
predecessor died does not count for ever.

The size is fixed, however many clients there are: where a set of slots is full, the bucket that is full again soonest
is overwritten, and a count is known to its own process only.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

SLOTS_PER_SET = 8  # slots of a set: a key is in one of them
BUCKETS = 1 << 16
SLOTS_PER_PROCESS = 1 << 13  # per process
SALT = 16  # bytes of hash key, random so that clients cannot choose colliding keys
EACH = 16  # bytes per slot: a hash and a number

Columns = tuple["memoryview[int]", "memoryview[float]"]  # hashes, and the numbers beside them


def create_counters(processes: int) -> int:
    """Creates empty counters for so many processes in an unlinked file, which lasts as long as a process has it open.
    Returns its descriptor."""
    file, path = tempfile.mkstemp()
    Path(path).unlink()
    os.truncate(file, _size(processes))
    os.write(file, os.urandom(SALT))
    return file


class SharedCounters:
    """The counters as one process has them open. Used in its event loop only."""

    def __init__(self, file: int | None = None, processes: int = 1, number: int = 0) -> None:
        """file: made by laid_out(); None: memory of this process only. number: index of this process."""
        room = mmap.mmap(-1 if file is None else file, _size(processes))
        if file is None:
            room[:SALT] = os.urandom(SALT)
        self._salt = room[:SALT]
        self._name = lru_cache(4096)(self._named)
        view, at = memoryview(room), SALT + EACH * BUCKETS
        self._buckets = _columns(view[SALT:at])
        sheets = [
            view[at + EACH * SLOTS_PER_PROCESS * n : at + EACH * SLOTS_PER_PROCESS * (n + 1)] for n in range(processes)
        ]
        sheets[number][:] = bytes(EACH * SLOTS_PER_PROCESS)
        self._others = [_columns(sheet) for sheet in sheets]
        self._mine = self._others.pop(number)

    # -- buckets --------------------------------------------------------------------------------------------------
    def wait(self, who: str, burst: int, refill: float, now: float) -> float:
        """Takes one token of a bucket of size `burst` that refills by `refill` per second. Returns 0.0, or the seconds
        until one is available."""
        names, filled = self._buckets
        name = self._name(who)
        place = _find_slot(names, name, BUCKETS)
        if place is None:
            place = min(_candidate_slots(name, BUCKETS), key=filled.__getitem__)
            names[place], filled[place] = name, now
        full = max(now, filled[place])
        missing = (full - now) * refill - (burst - 1)  # for a whole token
        if missing > 0:
            return missing / refill
        filled[place] = full + 1 / refill
        return 0.0

    # -- counts ---------------------------------------------------------------------------------------------------
    def set_own_count(self, who: str, number: int) -> None:
        """Stores how many are open in this process."""
        names, numbers = self._mine
        name = self._name(who)
        place = _find_slot(names, name, SLOTS_PER_PROCESS)
        if place is None:
            place = next((place for place in _candidate_slots(name, SLOTS_PER_PROCESS) if not numbers[place]), None)
        if place is not None:
            names[place], numbers[place] = name, number

    def count_in_other_processes(self, who: str) -> int:
        """Returns how many are open in the other processes."""
        elsewhere = 0
        for names, numbers in self._others:
            place = _find_slot(names, self._name(who), SLOTS_PER_PROCESS)
            elsewhere += 0 if place is None else int(numbers[place])
        return elsewhere

    def _named(self, who: str) -> int:
        word = blake2b(who.encode(errors="surrogateescape"), digest_size=8, key=self._salt)
        return int.from_bytes(word.digest(), "little") or 1  # 0 marks an empty slot


def _size(processes: int) -> int:
    return SALT + EACH * (BUCKETS + SLOTS_PER_PROCESS * processes)


def _columns(view: memoryview[int]) -> Columns:
    half = len(view) // 2
    return view[:half].cast("Q"), view[half:].cast("d")


def _candidate_slots(name: int, size: int) -> range:
    first = name % (size // SLOTS_PER_SET) * SLOTS_PER_SET
    return range(first, first + SLOTS_PER_SET)


def _find_slot(names: memoryview[int], name: int, size: int) -> int | None:
    for place in _candidate_slots(name, size):
        if names[place] == name:
            return place
    return None
