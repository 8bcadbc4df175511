"""A stopped house is one file, an incomplete file is detected, and a backup is a consistent snapshot."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing

import pytest

from house.playing import BOT, ME, answer, photograph, play_on
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.maintenance import backup as keeping
from veillee.house.storage.database import FILE


def lone(folder):
    """Returns the names in a folder, without the empty lock file."""
    return sorted(file.name for file in folder.iterdir() if file.suffix != ".lock")


def test_a_closed_house_is_one_file(tmp_path, house, ada):
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(table, [ada], 10)
    before = photograph(table)
    house.close()
    assert lone(tmp_path) == [FILE]
    shutil.copy(tmp_path / FILE, tmp_path / "copy.sqlite3")
    copy = House.open(tmp_path / "copy.sqlite3", workers=0)
    assert photograph(copy.tables.find(table.id)) == before
    assert copy.guests.find(ada.token) == house_guest(ada)
    copy.close()


def house_guest(guest):
    return type(guest)(guest.id, guest.name)


def test_half_a_house_is_noticed_and_what_is_left_can_be_taken(tmp_path, house, ada):
    """Copied while it was open, without what lies beside it: an empty house would have opened before."""
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    half = tmp_path / "half"
    half.mkdir()
    shutil.copy(tmp_path / FILE, half / FILE)
    before = (half / FILE).read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError, match=f"its other half is missing.*{FILE}-wal"):
            House.open(half)
    with pytest.raises(StoreError, match="other half"):
        keeping.restore(half / FILE, tmp_path / "again")
    with pytest.raises(StoreError, match="other half"):
        keeping.backup(half, tmp_path / "backup")
    assert (half / FILE).read_bytes() == before, "nothing was done to it"
    shutil.copy(tmp_path / f"{FILE}-wal", half / f"{FILE}-wal")
    found = House.open(half, workers=0)
    assert found.tables.find(table.id).moment.requests == table.moment.requests
    found.close()
    (tmp_path / "left").mkdir()
    shutil.copy(tmp_path / FILE, tmp_path / "left" / FILE)
    assert keeping.restore(tmp_path / "left" / FILE, tmp_path / "again", as_it_is=True).tables == 0
    House.open(tmp_path / "again", workers=0).close()


def test_half_a_house_of_before_is_noticed(tmp_path):
    """What an earlier version left at a plain kill: 4 KB without a single table."""
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE x (y)")
        shutil.copy(tmp_path / FILE, tmp_path / "half.sqlite3")
    with pytest.raises(StoreError, match="other half"):
        House.open(tmp_path / "half.sqlite3")


def test_a_house_that_was_killed_opens_again(tmp_path, house, ada):
    """Both halves are there: nothing is amiss."""
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    killed = tmp_path / "killed"
    killed.mkdir()
    for name in (FILE, f"{FILE}-wal"):
        shutil.copy(tmp_path / name, killed / name)
    again = House.open(killed, workers=0)
    assert photograph(again.tables.find(table.id)) == photograph(table)
    again.close()


def test_a_backup_during_play_has_every_answer_of_before(tmp_path, house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    stop, busy = threading.Event(), threading.Event()

    def keep_playing():
        other = house.guests.new("Bob")
        while not stop.is_set():
            play_on(house.tables.create(other, "takara-island", [ME, BOT]), [other], 5)
            busy.set()

    playing = threading.Thread(target=keep_playing)
    playing.start()
    try:
        assert busy.wait(60)
        for n in range(3):
            answer(table, ada, 0)
            before = photograph(table)
            kept = keeping.backup(tmp_path, tmp_path / f"backup-{n}")
            keeping.restore(tmp_path / f"backup-{n}", tmp_path / f"again-{n}")
            restored = House.open(tmp_path / f"again-{n}", workers=0)
            assert photograph(restored.tables.find(table.id)) == before
            assert restored.guests.find(ada.token) is not None
            answer(restored.tables.find(table.id), ada, 0)
            restored.close()
            assert kept.answers >= table.moment.requests
    finally:
        stop.set()
        playing.join()


def rows(file):
    with closing(sqlite3.connect(file)) as db:
        names = [name for name in keeping.metadata.tables if name not in keeping.EPHEMERAL_TABLES]
        return {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


def test_a_house_moves_to_a_server_and_back(tmp_path, house, ada, postgres):
    """From a file to PostgreSQL and to a file again, with every row of every table; each of the three can be played on."""
    over = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(over, [ada])
    house.results.load(house.tables.for_guest(ada))
    house.archive.hide(ada, over.id)
    table = house.tables.rematch(ada, over)
    play_on(table, [ada], 5)
    link = house.guests.make_recovery_link(ada)
    server = postgres.database()
    keeping.restore(kept(tmp_path, tmp_path / "first"), server)
    keeping.restore(kept(server, tmp_path / "second"), tmp_path / "again")
    keeping.backup(tmp_path / "again", tmp_path / "third")
    first = rows(tmp_path / "first")
    assert first == rows(tmp_path / "second") == rows(tmp_path / "third")
    assert all(first[name] for name in ("guests", "tokens", "tables", "seats", "answers", "put_away", "results"))
    for place in (server, tmp_path / "again"):
        restored = House.open(place, workers=0)
        assert photograph(restored.tables.find(table.id)) == photograph(table)
        assert restored.tables.find(over.id).rematch_id == table.id
        assert restored.guests.use_recovery_link(link).id == ada.id
        play_on(restored.tables.find(table.id), [ada], 5)
        restored.close()
    with pytest.raises(StoreError, match=r"a house at .* already"):
        keeping.restore(tmp_path / "first", server)


def kept(place, file):
    keeping.backup(place, file)
    return file


def test_a_backup_of_a_server_during_play_has_every_answer_of_before(tmp_path, database):
    """A picture of one moment: while others write, no answer is without its table, and none of before is missing."""
    house, elsewhere = House.open(database, workers=0), House.open(database, workers=0)
    stop, busy = threading.Event(), threading.Event()

    def keep_playing():
        other = elsewhere.guests.new("Bob")
        while not stop.is_set():
            play_on(elsewhere.tables.create(other, "takara-island", [ME, BOT]), [other], 5)
            busy.set()

    playing = threading.Thread(target=keep_playing)
    playing.start()
    try:
        ada = house.guests.new("Ada")
        table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
        assert busy.wait(60)
        answer(table, ada, 0)
        before = photograph(table)
        keeping.backup(database, tmp_path / "backup")  # which checks that nothing points nowhere
        keeping.restore(tmp_path / "backup", tmp_path / "again")
        restored = House.open(tmp_path / "again", workers=0)
        assert photograph(restored.tables.find(table.id)) == before
        restored.close()
    finally:
        stop.set()
        playing.join()
        for open_one in (house, elsewhere):
            open_one.close()


def test_a_server_of_an_earlier_version_is_kept_as_it_is(tmp_path, postgres):
    """For the rehearsal before an upgrade: the new version reads what the old one is playing on, and changes nothing."""
    address = postgres.database()
    with pytest.raises(StoreError, match="no house at"):
        keeping.backup(address, tmp_path / "nothing")
    engine = keeping.database.open_engine(address)[0]
    keeping.database.migrate(engine, "there", "0003")
    with engine.begin() as db:
        db.exec_driver_sql("INSERT INTO guests VALUES ('g', 'Ada', 7)")
        db.exec_driver_sql("INSERT INTO tokens VALUES ('h', 'g', 'cookie', 7)")
    keeping.backup(address, tmp_path / "old")
    keeping.restore(tmp_path / "old", tmp_path / "new")
    assert rows(tmp_path / "new" / FILE)["tokens"] == [("h", "g", "cookie", 7.0, "", 7.0)]
    with engine.begin() as db:
        assert db.exec_driver_sql(keeping.REVISION).scalar() == "0003"
        db.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(StoreError, match="newer version"):
        keeping.backup(address, tmp_path / "newer")


def test_what_cannot_be_kept_or_restored_is_said(tmp_path, house, ada):
    file = tmp_path / "backup"
    keeping.backup(tmp_path, file)
    with pytest.raises(StoreError, match="already: choose another name"):
        keeping.backup(tmp_path, file)
    with pytest.raises(StoreError, match="no house at"):
        keeping.backup(tmp_path / "nowhere", tmp_path / "other")
    with pytest.raises(StoreError, match="cannot be"):
        keeping.backup(tmp_path, tmp_path / "no" / "folder")
    with pytest.raises(StoreError, match="no file"):
        keeping.restore(tmp_path / "nothing", tmp_path / "new")
    with pytest.raises(StoreError, match="Another Veillée has"):
        keeping.restore(file, tmp_path)
    assert house.guests.find(ada.token) is not None
    house.close()
    with pytest.raises(StoreError, match=r"a house at .* already"):
        keeping.restore(file, tmp_path)


def test_what_is_wrong_with_the_house_is_not_said_of_its_backup(tmp_path, house, ada):
    house.close()
    run(tmp_path / FILE, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=rf"{FILE} was written by a newer version"):
        keeping.backup(tmp_path, tmp_path / "backup")
    assert not list(tmp_path.glob("*backup*"))


def test_a_closed_house_on_a_disk_that_may_only_be_read_can_be_kept(tmp_path, house, ada, monkeypatch):
    """As when the system has put a disk that fails into read-only mode: SQLite could make nothing beside the file."""
    house.close()
    for beside in ("-wal", "-shm"):
        assert not (tmp_path / f"{FILE}{beside}").exists()
    usual = os.access
    monkeypatch.setattr(os, "access", lambda path, how: path != tmp_path and usual(path, how))
    elsewhere = tmp_path.parent / f"{tmp_path.name}-backup"
    assert keeping.backup(tmp_path, elsewhere).guests == 1
    assert not (tmp_path / f"{FILE}-shm").exists(), "nothing was made there"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_bytes(b"no database at all" * 100), "no database of Veillée"),
        (lambda file: file.write_bytes(file.read_bytes()[:9000]), "no database of Veillée"),
        (lambda file: file.write_bytes(b""), "no database of Veillée"),
        (lambda file: run(file, "UPDATE alembic_version SET version_num = '9999'"), "newer version"),
        (lambda file: run(file, "PRAGMA application_id = 7"), "no database of Veillée"),
        (lambda file: run(file, "DELETE FROM guests"), "no database of Veillée"),
    ],
    ids=["text", "cut", "empty", "newer", "another's", "torn"],
)
def test_a_file_that_is_no_backup_makes_no_house(tmp_path, house, ada, spoil, said):
    house.tables.create(ada, "takara-island", [ME, BOT])
    file = tmp_path / "backup"
    keeping.backup(tmp_path, file)
    spoil(file)
    with pytest.raises(StoreError, match=said) as refused:
        keeping.restore(file, tmp_path / "new")
    assert str(file) in str(refused.value)
    assert not (tmp_path / "new").exists()


def run(file, statement):
    with closing(sqlite3.connect(file)) as db:
        db.execute(statement)
        db.commit()


@pytest.mark.parametrize("url", ["nosuch://ada:secret@host/db", "sqlite://ada:secret@host/db", "://ada:secret@host"])
def test_a_password_is_not_told(tmp_path, url):
    for do in (lambda: keeping.backup(url, tmp_path / "backup"), lambda: House.open(url)):
        with pytest.raises(StoreError) as refused:
            do()
        assert "secret" not in str(refused.value)
