"""Failures of the database file: the disk is full, the file is read-only, damaged, or in use by another process. Each gives a
sentence and the right exit code, and loses nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing, contextmanager

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from typer.testing import CliRunner

from house.playing import BOT, HOTSEAT, ME, answer, photograph, play_on
from veillee.cli import app
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.maintenance import backup as keeping
from veillee.house.storage import database, sqlite_file
from veillee.house.storage.database import FILE
from veillee.house.storage.schema import answers, guests

STORE = 4  # the exit code


def run(*words, expect):
    told = CliRunner(env={"VEILLEE_LANG": "en"}).invoke(app, [str(word) for word in words])
    assert told.exit_code == expect, told.output
    assert "Traceback" not in told.output
    return told.output


@contextmanager
def full_disk(room):
    """No file of this process can grow beyond so many bytes."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_full_disk_acknowledges_nothing_lets_read_and_recovers(tmp_path, house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, HOTSEAT, HOTSEAT, HOTSEAT])
    other = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(other, [ada], 5)
    with full_disk((tmp_path / f"{FILE}-wal").stat().st_size + 20_000):
        shown = []
        with pytest.raises(StoreError):
            play_till_it_fails(table, ada, shown)
        acknowledged = shown[-1]
        assert photograph(table) == acknowledged
        assert photograph(house.tables.replay(table.id)) == acknowledged, "and so it is on the disk"
        with pytest.raises(StoreError):
            house.guests.new("Bob")
        assert house.tables.replay(other.id).moment.requests == other.moment.requests, "reading goes on"
        assert house.tables.repository.find(table.id)[0].status == "playing"
        with pytest.raises(StoreError), full_disk(5_000):
            keeping.backup(tmp_path, tmp_path / "backup")
        assert not list(tmp_path.glob("*backup*")), "half a backup is none"
    answer(table, ada, table.match.to_act[0])
    after = photograph(table)
    house.close()
    again = House.open(tmp_path, workers=0)
    assert photograph(again.tables.find(table.id)) == after
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_house_closed_on_a_full_disk_opens_again_with_everything(tmp_path, house, ada):
    """The mark of a clean close cannot be written as a transaction, but SQLite makes the file complete."""
    table = house.tables.create(ada, "ghost-knights", [ME, HOTSEAT, HOTSEAT, HOTSEAT])
    with full_disk((tmp_path / f"{FILE}-wal").stat().st_size + 20_000):
        shown = []
        with pytest.raises(StoreError):
            play_till_it_fails(table, ada, shown)
        house.close()
    again = House.open(tmp_path, workers=0)
    assert photograph(again.tables.find(table.id)) == shown[-1]
    again.close()


@pytest.mark.parametrize("error", [sqlite3.OperationalError("disk is full"), OperationalError("", {}, OSError())])
def test_a_mark_that_cannot_be_written_as_a_transaction_is_written_in_place(tmp_path, house, ada, monkeypatch, error):
    """As on a full disk, when the log cannot grow but everything in it fits into the file."""
    table = house.tables.create(ada, "takara-island", [ME, BOT])

    def full(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "_write_mark", full)
        house.close()
    assert not (tmp_path / f"{FILE}-wal").exists()
    again = House.open(tmp_path, workers=0)
    assert photograph(again.tables.find(table.id)) == photograph(table)
    again.close()


def play_till_it_fails(table, guest, shown):
    for _ in range(1000):
        shown.append(photograph(table))
        answer(table, guest, table.match.to_act[0])


def test_a_database_that_may_not_be_written(tmp_path, house, ada, monkeypatch):
    """SQLite says the same when it is told not to write as when the system does not let it (and root may always)."""
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    house.close()
    before = (tmp_path / FILE).read_bytes()
    usual = database._set_up_sqlite

    def read_only(connection, record):
        usual(connection, record)
        connection.execute("PRAGMA query_only = ON")

    with monkeypatch.context() as patch:
        patch.setattr(database, "_set_up_sqlite", read_only)
        for words in (["serve", "--port", "0"], ["prune"]):
            assert "cannot be written" in run(*words, "--data", tmp_path, expect=STORE)
    assert (tmp_path / FILE).read_bytes() == before
    again = House.open(tmp_path, workers=0)
    assert photograph(again.tables.find(table.id)) == photograph(table)
    with again.store.engine.connect() as db:
        db.exec_driver_sql("PRAGMA query_only = ON")  # as when the system puts a disk that fails into read-only mode
        db.commit()
    now = photograph(again.tables.find(table.id))
    with pytest.raises(StoreError, match="cannot be written"):
        play_on(again.tables.find(table.id), [ada], 1)
    assert photograph(again.tables.find(table.id)) == now
    again.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    assert "cannot be written" in run("serve", "--port", "0", "--data", tmp_path, expect=STORE)


@pytest.fixture
def damaged(tmp_path, house, ada):
    """A house in whose file the pages of the answers are noise."""
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(table, [ada], 5)
    house.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        size = db.execute("PRAGMA page_size").fetchone()[0]
        roots = db.execute("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'answers' AND rootpage").fetchall()
    with (tmp_path / FILE).open("rb+") as file:
        for (page,) in roots:
            file.seek((page - 1) * size)
            file.write(b"\xa5" * size)
    return table.id


def test_a_damaged_database_is_said_and_left_as_it_is(tmp_path, damaged):
    house = House.open(tmp_path, workers=0)
    with pytest.raises(StoreError, match="is damaged"):
        house.tables.find(damaged)
    assert house.guests.new("Bob").name == "Bob", "what is not damaged can be used"
    house.close()
    before = (tmp_path / FILE).read_bytes()
    for words in (["backup", tmp_path / "copy"], ["doctor", "--replay"]):
        assert "is damaged" in run(*words, "--data", tmp_path, expect=STORE)
    assert (tmp_path / FILE).read_bytes() == before
    assert not (tmp_path / "copy").exists()


def test_a_damaged_mark_is_called_damage(tmp_path, house, ada):
    """Not another program's file, nor one of a newer version."""
    house.close()
    file = tmp_path / FILE
    whole = file.read_bytes()
    file.write_bytes(whole[:68] + b"V\x00il" + whole[72:])
    with pytest.raises(StoreError, match="or it is damaged"):
        House.open(tmp_path, workers=0)
    with closing(sqlite3.connect(file)) as db:
        (revision,) = db.execute("SELECT version_num FROM alembic_version").fetchone()
    file.write_bytes(whole.replace(revision.encode(), b"0o" + revision.encode()[2:]))
    with pytest.raises(StoreError, match="or it is damaged"):
        House.open(tmp_path, workers=0)


def test_a_backup_of_a_newer_version(tmp_path, house, ada):
    keeping.backup(tmp_path, tmp_path / "backup")
    with closing(sqlite3.connect(tmp_path / "backup")) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
        db.commit()
    told = run("restore", tmp_path / "backup", "--data", tmp_path / "new", expect=STORE)
    assert "was written by a newer version of Veillée" in told
    assert not (tmp_path / "new").exists()


def test_a_second_process_on_the_same_file(tmp_path, house, ada):
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    told = run("serve", "--port", "0", "--data", tmp_path, expect=STORE)
    assert "Another Veillée has" in told
    play_on(table, [ada], 3)
    assert photograph(house.tables.replay(table.id)) == photograph(table), "the first one is not disturbed"


def test_a_misspelt_key(tmp_path):
    (tmp_path / "house.toml").write_text("prot = 8000\n", encoding="utf-8")
    told = run("serve", "--config", tmp_path / "house.toml", "--data", tmp_path / "data", expect=2)
    assert "did you mean port" in told
    assert not (tmp_path / "data").exists()


def test_an_answer_that_damage_has_made_another_legal_one_is_noticed(house, ada):
    """A changed byte may leave a legal answer: the game would go on as another one, without a word."""
    table = house.tables.create(ada, "takara-island", [ME, HOTSEAT])
    for _ in range(3):
        (seat,) = table.match.to_act
        table.answer(ada, seat, table.stamp(seat), [table.match.choices(seat)[0].id])
    with house.store.writing() as db:
        stored = db.execute(sa.select(answers).where(answers.c.table_id == table.id, answers.c.seq == 1)).one()
        assert stored.checksum is not None
        other = json.dumps([json.loads(stored.actions)[0] + 1])
        db.execute(answers.update().where(answers.c.table_id == table.id, answers.c.seq == 1).values(actions=other))
    with pytest.raises(StoreError, match="Answer 1 of this table is damaged"):
        house.tables.replay(table.id)
    with house.store.writing() as db:  # the row as an earlier version wrote it
        first = answers.update().where(answers.c.table_id == table.id, answers.c.seq == 1)
        db.execute(first.values(checksum=None, actions=stored.actions))
    assert house.tables.replay(table.id).match.answers == table.match.answers


@pytest.mark.parametrize(("lost", "missing"), [([1], 1), ([2], 2), ([3, 4], 3), ([4], 4)])
def test_an_answer_that_damage_has_hidden_is_missed(house, ada, around, lost, missing):
    """A changed bit in a page of the file can hide rows, without an error of SQLite."""
    for _ in range(4):
        seat = around.match.to_act[0]
        around.answer(ada, seat, around.stamp(seat), [around.match.choices(seat)[0].id])
    with house.store.writing() as db:
        db.execute(answers.delete().where(answers.c.table_id == around.id, answers.c.seq.in_(lost)))
    with pytest.raises(StoreError, match=f"Answer {missing} of this table is missing"):
        house.tables.replay(around.id)


def test_text_that_damage_has_made_unreadable_is_called_damage(tmp_path, house, ada):
    """SQLite checks no text: a damaged letter is found by the driver, which cannot decode it."""
    house.close()
    file = tmp_path / FILE
    whole = file.read_bytes()
    assert b"Ada" in whole
    file.write_bytes(whole.replace(b"Ada", b"\xffda"))
    again = House.open(tmp_path, workers=0)
    try:
        with pytest.raises(StoreError, match="or it is damaged"), again.store.reading() as db:
            db.execute(sa.select(guests.c.name)).all()
    finally:
        again.close()
