"""Daily backups: one a day, old ones deleted, and the newest can be restored."""

from __future__ import annotations

from threading import Event

import pytest

from house.playing import BOT, ME, photograph, play_on
from veillee.house.accounts.sessions import DAY_SECONDS
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.maintenance.backup import restore
from veillee.house.maintenance.cleanup import DailyMaintenance
from veillee.house.maintenance.daily_backup import DailyBackups

NOON = 1_700_000_000.0 // DAY_SECONDS * DAY_SECONDS + DAY_SECONDS / 2


def test_one_a_day_is_kept_for_so_many_days_and_the_newest_is_the_house(house, ada, tmp_path):
    backups = DailyBackups(str(tmp_path), tmp_path / "backups", 3)
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    backups.run(NOON)
    (backups.folder / "mine.sqlite3").touch()
    for day in range(1, 5):
        play_on(table, [ada], 2)
        backups.run(NOON + day * DAY_SECONDS)
        backups.run(NOON + day * DAY_SECONDS + 60)
    assert [day.day for day in backups.files()] == [16, 17, 18]
    assert (backups.folder / "mine.sqlite3").exists()
    assert len(list(backups.folder.iterdir())) == 4, "nothing half-written is left"
    restore(list(backups.files().values())[-1], tmp_path / "again")
    restored = House.open(tmp_path / "again", workers=0)
    assert photograph(restored.tables.find(table.id)) == photograph(table)
    assert restored.guests.find(ada.token) is not None
    restored.close()


def test_a_backup_that_fails_is_an_error_and_deletes_none(house, tmp_path):
    backups = DailyBackups(str(tmp_path), tmp_path / "backups", 1)
    backups.run(NOON)
    broken = DailyBackups(str(tmp_path / "nowhere"), backups.folder, 1)
    with pytest.raises(StoreError, match="no house"):
        broken.run(NOON + 5 * DAY_SECONDS)
    assert len(backups.files()) == 1
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        DailyBackups(str(tmp_path), tmp_path / "file" / "backups", 1).run(NOON)


def test_the_maintenance_of_an_open_house_writes_it(house, tmp_path, monkeypatch):
    backups, written = DailyBackups(str(tmp_path), tmp_path / "backups", 3), Event()
    monkeypatch.setattr("veillee.house.maintenance.cleanup.seal_deals", lambda *_: written.set())
    maintenance = DailyMaintenance(house.store, often=0.01, backups=backups)
    maintenance.start()
    assert written.wait(60)
    maintenance.stop()
    assert len(backups.files()) == 1
