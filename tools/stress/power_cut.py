"""Simulates a power cut: undoes everything that a server has written since it last synced a file.

    with PowerCut(folder) as power:
        house = subprocess.Popen(…, env=os.environ | power.environment)
        …
        house.kill()
        power.cut(random.Random(1))

A killed process loses nothing that it has written: the system keeps it. So SIGKILL alone cannot test whether a commit was
flushed. A small library (power_cut.c, compiled with cc, loaded with LD_PRELOAD; Linux) records every write to the files of the
folder together with the previous content, and discards the records at each fsync. `cut` restores the files to their last
sync, and then applies some of the later writes in part, as a disk may. Creating and removing files counts as durable.
"""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

SOURCE = Path(__file__).with_suffix(".c")
HEAD = struct.Struct("=qqqq")
SECTOR = 512  # bytes that a disk writes whole, or not


def available() -> bool:
    return sys.platform == "linux" and shutil.which("cc") is not None


class PowerCut:
    """Simulates power cuts for the database files of one folder."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()

    def __enter__(self) -> Self:
        self._place = tempfile.TemporaryDirectory()
        self._notes = Path(self._place.name) / "notes"
        self._notes.mkdir()
        library = Path(self._place.name) / "power_cut.so"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
        self.environment = {
            "LD_PRELOAD": str(library),
            "POWER_FOLDER": str(self.folder),
            "POWER_NOTES": str(self._notes),
        }
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._place.cleanup()

    def cut(self, chance: random.Random | None = None) -> int:
        """Restores the last synced state. Returns the number of unsynced writes; with `chance` some of them are applied."""
        unsynced = 0
        for notes in list(self._notes.iterdir()):
            records = list(read(notes.read_bytes()))
            notes.unlink()
            file = self.folder / notes.name
            if file.exists():
                unsynced += len(records)
                file.write_bytes(left(file.read_bytes(), records, chance))
        for index in self.folder.glob("*-shm"):  # lives in memory
            index.unlink()
        return unsynced


Record = tuple[
    int, int, int, bytes, bytes
]  # offset, length, size of the file before, what stood there, what was written


def read(data: bytes) -> Iterator[Record]:
    place = 0
    while place + HEAD.size <= len(data):
        offset, length, size, reach = HEAD.unpack_from(data, place)
        place += HEAD.size
        before, written = data[place : place + reach], data[place + reach : place + reach + max(0, length)]
        place += reach + max(0, length)
        yield offset, length, size, before, written


def left(data: bytes, records: list[Record], chance: random.Random | None) -> bytes:
    """Returns the content of a file after the cut."""
    file = bytearray(data)
    for offset, _, size, before, _ in reversed(records):
        file.extend(bytes(max(0, size - len(file))))
        del file[size:]
        file[offset : offset + len(before)] = before
    for offset, length, _, _, written in records if chance is not None and chance.random() < 0.5 else ():
        assert chance is not None
        for start in range(0, max(0, length), SECTOR):
            if chance.random() < 0.5:
                piece = written[start : start + SECTOR]
                file.extend(bytes(max(0, offset + start + len(piece) - len(file))))
                file[offset + start : offset + start + len(piece)] = piece
    return bytes(file)
