"""What an open house deletes by itself, and what it never deletes."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from threading import Event

from house.playing import BOT, ME, OPEN, play_on
from veillee.house.accounts.sessions import DAY_SECONDS
from veillee.house.house import House
from veillee.house.maintenance.cleanup import (
    INACTIVE_GUEST_SECONDS,
    UNUSED_TABLE_SECONDS,
    DailyMaintenance,
    delete_expired,
)
from veillee.house.storage.database import FILE


def test_what_nobody_will_miss_is_thrown_away_and_nothing_else(house, ada, bob, tmp_path):
    played = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(played, [ada])
    again = house.tables.rematch(ada, played)
    waiting = house.tables.create(bob, "takara-island", [ME, OPEN])
    stranger = house.guests.new("Eve")
    house.guests.make_recovery_link(ada)
    now = time.time()
    assert delete_expired(house.store, now) == delete_expired(house.store, now + UNUSED_TABLE_SECONDS - DAY_SECONDS)
    gone = delete_expired(house.store, now + UNUSED_TABLE_SECONDS + DAY_SECONDS)
    assert (gone.tokens, gone.tables, gone.guests) == (1, 1, 0)
    gone = delete_expired(house.store, now + INACTIVE_GUEST_SECONDS + DAY_SECONDS)
    assert (gone.tables, gone.guests) == (0, 2), "Bob sits nowhere any more, and Eve never did"
    assert house.guests.find(stranger.token) is None
    house.close()
    after = House.open(tmp_path, workers=0)
    assert after.guests.find(ada.token) is not None
    assert {glance.id for glance in after.tables.for_guest(ada)} == {played.id, again.id}
    assert after.tables.find(played.id).status == "over"
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert waiting.id not in {glance.id for glance in after.tables.list_open()}
    after.close()


def test_a_rematch_that_waited_in_vain_can_be_asked_for_again(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    vain = house.tables.rematch(ada, table)
    delete_expired(house.store, time.time() + UNUSED_TABLE_SECONDS + DAY_SECONDS)
    house.tables.cache.__init__()
    again = house.tables.rematch(ada, house.tables.find(table.id))
    assert again.id != vain.id


def test_an_open_house_prunes_by_itself(house, monkeypatch):
    pruned = Event()
    monkeypatch.setattr("veillee.house.maintenance.cleanup.delete_expired", lambda store: pruned.set())
    maintenance = DailyMaintenance(house.store, often=0.01)
    maintenance.start()
    assert pruned.wait(60)
    maintenance.stop()
