"""The store: its schema, and files that are not ours."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from house.playing import ME, answer, photograph
from veillee.games import catalogue
from veillee.house.accounts import sessions
from veillee.house.errors import NoTable, StoreError
from veillee.house.house import House
from veillee.house.storage.database import FILE
from veillee.house.storage.schema import metadata
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.repository import AnswerRequest
from veillee.house.tables.seats import SeatPlan


def test_the_migrations_make_the_schema_of_the_code(tmp_path):
    store = Store.open(tmp_path)
    with store.engine.begin() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []
    store.close()


def test_what_is_acknowledged_has_been_flushed_to_the_disk(tmp_path, flushed):
    store = Store.open(tmp_path)
    with store.engine.begin() as db:
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert db.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_seeds_are_for_the_owners_eyes_only(tmp_path):
    Store.open(tmp_path / "new" / "folder").close()
    assert stat.S_IMODE((tmp_path / "new" / "folder" / FILE).stat().st_mode) == 0o600


def test_a_folder_with_a_strange_name(tmp_path):
    folder = tmp_path / "veillées d'hiver? 100 % #1"
    Store.open(folder).close()
    assert (folder / FILE).stat().st_size > 0


def test_answers_are_only_appended(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME] + [SeatPlan("hotseat")] * 3)
    (seat,) = table.match.to_act
    play = next(choice.id for choice in table.match.choices(seat) if choice.verb == "play")
    answer(table, ada, seat, play)
    table.undo(ada, seat, table.stamp(seat))
    answer(table, ada, seat, play)
    log = [AnswerRequest(seat, (play,)), AnswerRequest(seat, ()), AnswerRequest(seat, (play,))]
    assert house.tables.repository.find(table.id)[1] == log
    with pytest.raises(Conflict):
        house.tables.repository.append(table.moment.row, 2, AnswerRequest(seat, (play,)))
    assert house.tables.repository.find(table.id)[1] == log


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Richard,\n" * 1000)
    with pytest.raises(StoreError, match=r"letter\.txt is no database of Veillée"):
        Store.open(path)
    assert path.read_text().startswith("Dear Richard"), "it is left as it was"


def test_another_programs_database(tmp_path):
    path = tmp_path / "recipes.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    with pytest.raises(StoreError, match="another program's database"):
        Store.open(path)
    assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("recipes",)]
    other.close()


def test_a_database_of_a_newer_version(tmp_path):
    Store.open(tmp_path).close()
    newer = sqlite3.connect(tmp_path / FILE)
    newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.commit()
    newer.close()
    with pytest.raises(StoreError, match="newer version of Veillée"):
        Store.open(tmp_path)


def test_a_house_of_a_newer_version_that_was_killed_is_left_whole_by_an_older_one(tmp_path):
    """Who is refused leaves, and SQLite takes the other half away as the last one does: the file must not say that it is missing."""
    here, there = tmp_path / "here", tmp_path / "there"
    killed = Store.open(here, alone=True)
    sessions.create_guest(killed, "g", "Ada", "hash")
    with killed.engine.begin() as db:
        present = db.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    shutil.copytree(here, there)
    killed.close()
    with pytest.raises(StoreError, match="newer version of Veillée"):
        Store.open(there, alone=True)
    newer = sqlite3.connect(there / FILE)
    newer.execute("UPDATE alembic_version SET version_num = ?", (present,))
    newer.commit()
    newer.close()
    again = Store.open(there, alone=True)
    with again.engine.begin() as db:
        assert db.exec_driver_sql("SELECT name FROM guests").scalar() == "Ada"
    again.close()


def test_another_programs_database_is_not_marked_by_us(tmp_path):
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.execute("PRAGMA user_version = 1")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="another program's database"):
        Store.open(tmp_path, alone=True)
    other = sqlite3.connect(tmp_path / FILE)
    assert other.execute("PRAGMA user_version").fetchone() == (1,)
    other.close()


def test_a_locked_database(tmp_path, monkeypatch):
    monkeypatch.setattr("veillee.house.storage.database.BUSY_TIMEOUT_MS", 1)
    Store.open(tmp_path).close()
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="in use by another program"):
        Store.open(tmp_path)
    other.close()


def test_a_database_that_gets_locked_during_play(tmp_path, monkeypatch):
    monkeypatch.setattr("veillee.house.storage.database.BUSY_TIMEOUT_MS", 1)
    house = House.open(tmp_path, workers=0)
    ada = house.guests.new("Ada")
    table = house.tables.create(ada, "ghost-knights", [ME] + [SeatPlan("hotseat")] * 3)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = photograph(table)
    with pytest.raises(StoreError, match="in use by another program"):
        answer(table, ada, table.match.to_act[0])
    assert photograph(table) == before
    other.close()
    answer(table, ada, table.match.to_act[0])
    assert len(table.match.answers) == 1
    house.close()


def test_a_second_house_on_the_same_file(tmp_path):
    """Readers are not blocked; once the first process closes the file, another may open it."""
    house = House.open(tmp_path, workers=0)
    with pytest.raises(StoreError, match=r"Another Veillée has .*veillee\.sqlite3 open"):
        House.open(tmp_path, workers=0)
    Store.open(tmp_path).close()
    house.close()
    House.open(tmp_path / FILE, workers=0).close()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file.*cannot be written"):
        Store.open(tmp_path / "file" / "below")


@pytest.mark.parametrize(
    "url", ["nonsense://somewhere/veillee", "postgresql+nosuchdriver://ada:secret@nowhere/veillee", "://"]
)
def test_a_database_that_cannot_be_used(url):
    with pytest.raises(StoreError) as error:
        Store.open(url)
    assert "secret" not in str(error.value)


def test_a_table_of_older_rules_is_not_played_under_newer_ones(house, ada, tmp_path, monkeypatch):
    from dataclasses import replace

    table = house.tables.play_now(ada, "ghost-knights")
    house.close()
    newer = replace(catalogue.BOXES["ghost-knights"], version=99)
    monkeypatch.setitem(catalogue.BOXES, "ghost-knights", newer)
    again = House.open(tmp_path, workers=0)
    with pytest.raises(NoTable, match="older rules"):
        again.tables.find(table.id)
    again.close()


def test_answers_that_do_not_fit_are_a_sentence(house, ada, tmp_path):
    table = house.tables.play_now(ada, "ghost-knights")
    house.close()
    vandal = sqlite3.connect(tmp_path / FILE)
    next_one = "SELECT id, requests + 1, 0, '[9999]', 0, NULL FROM tables WHERE id = ?"
    vandal.execute(f"INSERT INTO answers {next_one}", (table.id,))
    vandal.commit()
    vandal.close()
    again = House.open(tmp_path, workers=0)
    with pytest.raises(StoreError, match=f"Table {table.id} cannot be read"):
        again.tables.find(table.id)
    again.close()


def test_a_closed_house_says_so(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME] + [SeatPlan("hotseat")] * 3)
    house.close()
    before = photograph(table)
    with pytest.raises(StoreError, match="closed"):
        answer(table, ada, table.match.to_act[0])
    with pytest.raises(StoreError, match="closed"):
        house.guests.find(ada.token)
    assert photograph(table) == before
