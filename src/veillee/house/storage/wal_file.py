"""Checks SQLite's write-ahead log (…-wal) before it is opened: damage in it would lose acknowledged answers.

SQLite reads the log up to the first frame whose checksum is wrong, and drops the rest without a word: an unfinished
transaction looks like that, after a kill. So does damage, but then transactions follow that were finished. Opening the
log would overwrite them, so a house with such a log is not opened. The format is described at
https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import logging
import struct
import sys
from array import array
from pathlib import Path
from typing import NamedTuple

from veillee.house.errors import StoreError, t

log = logging.getLogger(__name__)

HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
MAGIC = 0x377F0682  # with the lowest bit set if checksums are computed from big-endian words
FORMAT_VERSION = 3_007_000
SECTOR_BYTES = 512  # that a disk writes whole, or not
MAX_OLDER_LOGS = 1 << 20  # the first salt grows by one whenever the log begins anew: frames of an earlier one are older
MASK = 0xFFFF_FFFF


class Frame(NamedTuple):
    """Header of one frame: a page that was written."""

    page: int
    is_commit: bool  # the last frame of a transaction
    is_split: bool  # a disk may have written `is_commit` without the rest, or the rest without it
    salts: tuple[int, int]
    checksum: tuple[int, int]


class LogDamage(NamedTuple):
    """Damage found in a log."""

    readable: int  # transactions before it
    lost: int  # transactions after it, or with it
    is_certain: bool  # False: it may be a transaction that a power cut left unfinished


def check_log_intact(database: Path) -> None:
    """Raises StoreError if transactions in the log cannot be read. No process may have the database open."""
    path = database.with_name(database.name + "-wal")
    try:
        found = find_damage(path.read_bytes())
    except OSError:
        return  # there is none; or opening it will report the error
    if found is None:
        return
    if not found.is_certain:
        log.warning("The last transaction in %s is not complete, after a power cut or damage: it is left out.", path)
        return
    raise StoreError(
        t(
            "{other} is damaged: of the changes that were made last, about {lost} cannot be read ({readable} before them can). "
            "Put a good copy of both files in their place, or restore a backup; or take what is left, in another place: "
            "`veillee restore --as-it-is {path} --data …`.",
            other=str(path),
            lost=found.lost,
            readable=found.readable,
            path=str(database),
        )
    )


def find_damage(data: bytes) -> LogDamage | None:
    """Returns the damage in the bytes of a log; None: SQLite reads everything that was committed."""
    if len(data) <= HEADER_BYTES or not any(data):
        return None
    magic, version, page_size, _, *salt_words = struct.unpack(">6I", data[:24])
    salts = (salt_words[0], salt_words[1])
    is_big = bool(magic & 1)
    checksum = _checksum(data[:24], (0, 0), is_big=is_big)
    is_header_good = magic & ~1 == MAGIC and version == FORMAT_VERSION
    if not is_header_good or checksum != struct.unpack(">2I", data[24:HEADER_BYTES]):
        return _damage_of_header(data)
    size = FRAME_HEADER_BYTES + page_size
    frames = [_frame(data, at) for at in range(HEADER_BYTES, len(data) - size + 1, size)]
    readable = 0
    for number, frame in enumerate(frames):
        at = HEADER_BYTES + number * size
        if frame.page and frame.salts == salts:
            content = data[at : at + 8] + data[at + FRAME_HEADER_BYTES : at + size]
            checksum = _checksum(content, checksum, is_big=is_big)
            if checksum == frame.checksum:
                readable += frame.is_commit
                continue
        return _damage_after(frames[number:], salts, readable)
    return None


def _damage_after(rest: list[Frame], salts: tuple[int, int], readable: int) -> LogDamage | None:
    """Returns the damage in frames of which the first is wrong. Frames of an earlier log are no damage: this one has
    overwritten its beginning.
    """
    written = [number for number, frame in enumerate(rest) if frame.salts == salts]
    if not written:
        age = (salts[0] - rest[0].salts[0]) & MASK
        is_older = 0 < age <= MAX_OLDER_LOGS or rest[0].salts == (0, 0)
        return None if is_older else LogDamage(readable, 1, is_certain=False)
    commits = [number for number in written if rest[number].is_commit]
    if not commits:
        return None  # a transaction that was never finished
    # A commit is flushed before the next transaction begins: only the last transaction can be cut off by a power cut.
    is_followed = any(number < written[-1] for number in commits if not rest[number].is_split)
    return LogDamage(readable, len(commits), is_certain=is_followed)


def _damage_of_header(data: bytes) -> LogDamage | None:
    """Returns the damage if the log's header is wrong: nothing can be read. The page size is that which fits best."""
    sizes = [1 << power for power in range(9, 17)]
    commits = []
    for page_size in sizes:
        size = FRAME_HEADER_BYTES + page_size
        frames = [_frame(data, at) for at in range(HEADER_BYTES, len(data) - size + 1, size)]
        same = [frame for frame in frames if frame.salts == frames[0].salts and frame.page]
        commits.append((len(same) * page_size, sum(frame.is_commit for frame in same)))
    lost = max(commits)[1]
    return LogDamage(0, lost, is_certain=True) if lost else None


def _frame(data: bytes, at: int) -> Frame:
    page, database_size, salt, other_salt, *checksum = struct.unpack_from(">6I", data, at)
    is_split = (at + 8) % SECTOR_BYTES == 0
    return Frame(page, database_size != 0, is_split, (salt, other_salt), (checksum[0], checksum[1]))


def _checksum(data: bytes, before: tuple[int, int], *, is_big: bool) -> tuple[int, int]:
    """Returns SQLite's checksum of these bytes, continued from that of the bytes before."""
    words = array("I", data)
    if is_big != (sys.byteorder == "big"):
        words.byteswap()
    first, second = before
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & MASK
        second = (second + odd + first) & MASK
    return first, second
