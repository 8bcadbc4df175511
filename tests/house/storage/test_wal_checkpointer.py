"""WAL checkpointer: checkpoints run in a thread without blocking writers, and the WAL then starts again."""

from __future__ import annotations

import shutil
import sqlite3
import threading

import pytest

from veillee.house.accounts import sessions
from veillee.house.storage import wal_checkpointer
from veillee.house.storage.store import Store
from veillee.house.storage.wal_checkpointer import WalCheckpointer

PATIENCE = 20.0


@pytest.fixture
def walks(monkeypatch):
    """Released once for every walk that is over."""
    over, carry = threading.Semaphore(0), WalCheckpointer._checkpoint

    def counted(self):
        carry(self)
        over.release()

    monkeypatch.setattr(wal_checkpointer, "COMMITS_PER_CHECKPOINT", 5)
    monkeypatch.setattr(WalCheckpointer, "_checkpoint", counted)
    return over


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path / "veillee.db", alone=True)
    yield store
    store.close()


def walked(walks):
    """A walk is two times: all there is, and what has come meanwhile."""
    assert walks.acquire(timeout=PATIENCE)
    assert walks.acquire(timeout=PATIENCE)


def in_the_file(tmp_path):
    """Returns the guests in a copy of the file without its WAL."""
    alone = shutil.copy(tmp_path / "veillee.db", tmp_path / "alone.db")
    with sqlite3.connect(f"file:{alone}?immutable=1", uri=True) as db:
        found = db.execute("SELECT count(*) FROM guests").fetchone()[0]
    db.close()
    return found


def test_after_some_transactions_the_log_is_carried_into_the_file(store, walks, tmp_path):
    for number in range(4):
        sessions.create_guest(store, f"guest-{number}", "Ada", f"token-{number}")
    assert in_the_file(tmp_path) == 0, "nobody carries anything for so little"
    sessions.create_guest(store, "guest-4", "Ada", "token-4")
    walked(walks)
    assert in_the_file(tmp_path) == 5


def test_the_log_begins_anew_instead_of_growing(store, walks, tmp_path):
    sizes = []
    for number in range(60):
        sessions.create_guest(store, f"guest-{number}", "Ada", f"token-{number}")
        if number % 5 == 4:
            walked(walks)
            sizes.append((tmp_path / "veillee.db-wal").stat().st_size)
    assert len(sizes) == 12
    assert sizes[-1] <= 2 * sizes[0], "twelve walks, and the log is as long as after the first"


def test_a_walk_that_fails_harms_nobody(store, monkeypatch):
    failed = threading.Event()

    def carry(self):
        failed.set()
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(wal_checkpointer, "COMMITS_PER_CHECKPOINT", 1)
    monkeypatch.setattr(WalCheckpointer, "_checkpoint", carry)
    for number in range(3):
        failed.clear()
        sessions.create_guest(store, f"guest-{number}", "Ada", f"token-{number}")
        assert failed.wait(PATIENCE)
    with store.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM guests").scalar() == 3
