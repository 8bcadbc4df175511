"""The write-ahead log: damage in it is noticed, and what a kill leaves behind is none."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing

import pytest

from house.playing import BOT, ME, play_on
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.maintenance import backup
from veillee.house.storage.database import FILE
from veillee.house.storage.wal_file import find_damage

CHANGES = 20
PAGE_SIZE = 512
PLACES = 100


@pytest.fixture
def files(tmp_path):
    """A database and its log, as a kill leaves them: each of twenty changes is in the log."""
    (tmp_path / "left").mkdir()
    with closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("CREATE TABLE changes (number INTEGER PRIMARY KEY, text TEXT)")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for number in range(CHANGES):
            db.execute("INSERT INTO changes VALUES (?, ?)", (number, "x" * random.Random(number).randrange(900)))
        for name in ("db", "db-wal"):
            shutil.copy(tmp_path / name, tmp_path / "left" / name)
    return tmp_path / "left" / "db", tmp_path / "left" / "db-wal"


def rows(files, log):
    """How many changes SQLite reads with that log."""
    database = files[0]
    place = database.parent / "opened"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(database, place / "db")
    (place / "db-wal").write_bytes(log)
    with closing(sqlite3.connect(place / "db")) as db:
        return db.execute("SELECT count(*) FROM changes").fetchone()[0]


def test_a_damaged_byte_anywhere_is_noticed_where_sqlite_would_say_nothing(files):
    log = files[1].read_bytes()
    assert find_damage(log) is None
    assert rows(files, log) == CHANGES
    chance = random.Random(1)
    noticed = 0
    for place in [*range(56), *(chance.randrange(56, len(log)) for _ in range(PLACES))]:
        damaged = bytearray(log)
        damaged[place] ^= 1 << chance.randrange(8)
        found, left = find_damage(bytes(damaged)), rows(files, damaged)
        if found is None:
            assert left == CHANGES, f"byte {place}"
        else:
            noticed += 1
            assert left == found.readable, f"byte {place}"
            assert found.is_certain or found.lost == 1
            assert abs(CHANGES - left - found.lost) <= 1, f"byte {place}: whether it is a commit may be unreadable"
    assert noticed > PLACES


def test_what_a_kill_leaves_is_no_damage(files):
    """A log that was cut off anywhere: its last transaction was not acknowledged."""
    log = files[1].read_bytes()
    for length in range(0, len(log), 97):
        assert find_damage(log[:length]) is None
    assert find_damage(bytes(4096)) is None


def test_frames_of_an_earlier_log_are_no_damage(files, tmp_path):
    with closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executemany("INSERT INTO changes VALUES (?, 'x')", [(number,) for number in range(100, 150)])
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        long = (tmp_path / "db-wal").stat().st_size
        db.execute("INSERT INTO changes VALUES (200, 'x')")
        log = (tmp_path / "db-wal").read_bytes()
        assert len(log) == long, "it began anew"
        assert find_damage(log) is None


def test_a_house_with_a_damaged_log_is_not_opened_and_says_what_is_lost(tmp_path, house, ada):
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(table, [ada], 12)
    left = tmp_path / "left"
    left.mkdir()
    for name in (FILE, f"{FILE}-wal"):
        shutil.copy(tmp_path / name, left / name)
    log = bytearray((left / f"{FILE}-wal").read_bytes())
    log[len(log) // 2] ^= 1
    (left / f"{FILE}-wal").write_bytes(log)
    for opens in (
        lambda: House.open(left, workers=0),
        lambda: backup.backup(left, tmp_path / "copy"),
        lambda: backup.restore(left / FILE, tmp_path / "new"),
    ):
        with pytest.raises(
            StoreError, match=r"-wal is damaged: of the changes that were made last, about \d+ cannot be read"
        ):
            opens()
        assert (left / f"{FILE}-wal").read_bytes() == log, "nothing is touched"
    backup.restore(left / FILE, tmp_path / "taken", as_it_is=True)
    with closing(sqlite3.connect(tmp_path / "taken" / FILE)) as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone()[0] < table.moment.requests
