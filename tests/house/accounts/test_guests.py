"""Guests without accounts: a cookie, a name, a link for another device."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from house.playing import BOT, HOTSEAT, ME, OPEN, play_on
from veillee.house.accounts.name_safety import confusable_skeleton
from veillee.house.accounts.sessions import COOKIE_LIFETIME_SECONDS, DAY, RECOVERY_LIFETIME_SECONDS
from veillee.house.errors import BadRequest, NotNow, NotYours
from veillee.house.house import House
from veillee.house.maintenance.cleanup import (
    INACTIVE_GUEST_SECONDS,
    UNUSED_TABLE_SECONDS,
    DailyMaintenance,
    delete_expired,
)
from veillee.house.storage.database import FILE, MIGRATIONS


def test_a_cookie_brings_a_guest_back(house, ada):
    found = house.guest(ada.token)
    assert (found.id, found.name, found.token) == (ada.id, "Ada", "")


@pytest.mark.parametrize("token", ["", "nonsense", "\x00", "é" * 1000, "\ud800", "' OR 1=1 --"])
def test_what_is_no_cookie_is_nobody(house, ada, token):
    assert house.guest(token) is None


def test_tokens_are_not_on_disk(house, ada, tmp_path):
    recovery = house.guests.make_recovery_link(ada)
    house.close()
    bytes_on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert ada.id.encode() in bytes_on_disk
    assert ada.token.encode() not in bytes_on_disk
    assert recovery.encode() not in bytes_on_disk


def test_a_new_name_stays(house, ada, place):
    assert house.rename(ada, " Ada   Lovelace\n").name == "Ada Lovelace"
    house.close()
    again = House.open(place, workers=0)
    assert again.guest(ada.token).name == "Ada Lovelace"
    again.close()


@pytest.mark.parametrize(
    "name", ["", "  \n", "\u202e", "\x07", "\u200d\u200d", "\u3164\u2800", "\ufe0f", "\u0301", "x" * 31, "x" * 10_000]
)
def test_a_name_that_cannot_be_shown_is_refused(house, ada, name):
    with pytest.raises(BadRequest):
        house.new_guest(name)
    with pytest.raises(BadRequest):
        house.rename(ada, name)
    assert house.guest(ada.token).name == "Ada"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Zoë", "Zoë"), ("a\u202eb", "ab"), ("👩\u200d🚀", "👩\u200d🚀"), ("\ud800x", "x"), ("李", "李")],
)
def test_names_are_shown_without_what_is_invisible(house, name, shown):
    assert house.new_guest(name).name == shown


def test_a_recovery_link_brings_all_seats_to_another_device(house, ada):
    tables = [house.new_table(ada, "ghost-knights", [ME, BOT, BOT, BOT]) for _ in range(2)]
    elsewhere = house.guests.use_recovery_link(house.guests.make_recovery_link(ada))
    assert elsewhere.token != ada.token
    assert house.guest(elsewhere.token) == house.guest(ada.token)
    assert {glance.id for glance in house.my_tables(elsewhere)} == {table.id for table in tables}
    for table in tables:
        assert table.seats_of(elsewhere) == [0]


def test_a_recovery_link_works_once_and_not_after_it_was_replaced_or_revoked(house, ada):
    first = house.guests.make_recovery_link(ada)
    assert house.guests.has_recovery(ada)
    assert house.guests.use_recovery_link(first).id == ada.id
    assert not house.guests.has_recovery(ada)
    second, third = house.guests.make_recovery_link(ada), house.guests.make_recovery_link(ada)
    house.guests.revoke_recovery(ada)
    for spent in (first, second, third):
        with pytest.raises(BadRequest):
            house.guests.use_recovery_link(spent)


def test_of_two_who_open_a_recovery_link_at_once_one_comes_in(house, ada):
    link = house.guests.make_recovery_link(ada)
    with ThreadPoolExecutor(8) as many:
        tries = [many.submit(house.guests.use_recovery_link, link) for _ in range(8)]
    assert [one.exception() is None for one in tries].count(True) == 1


def test_cookies_and_recovery_links_are_not_interchangeable(house, ada):
    assert house.guest(house.guests.make_recovery_link(ada)) is None
    with pytest.raises(BadRequest):
        house.guests.use_recovery_link(ada.token)


# -- devices ------------------------------------------------------------------------------------------------------------
@pytest.fixture
def later(house, monkeypatch):
    """Let time pass."""
    now = [time.time()]
    monkeypatch.setattr(house.store, "now", lambda: now[0])

    def pass_by(seconds):
        now[0] += seconds
        house.guests.invalidate()  # as it does after a minute

    return pass_by


def test_devices_are_listed_and_signed_out(house, ada, bob):
    phone = house.guests.use_recovery_link(house.guests.make_recovery_link(ada), "Firefox, Android")
    shown = house.guests.devices(ada, ada.token)
    assert [(device.name, device.is_current) for device in shown if not device.is_current] == [
        ("Firefox, Android", False)
    ]
    assert [device.is_current for device in house.guests.devices(ada, phone.token)].count(True) == 1
    (there,) = [device for device in shown if not device.is_current]
    house.guests.sign_out(bob, there.id)
    assert house.guest(phone.token) is not None, "somebody else's device is nobody's business"
    for nothing in ("", "%", "_" * 16):
        house.guests.sign_out(ada, nothing)
    assert house.guest(phone.token) is not None
    house.guests.sign_out(ada, there.id)
    assert house.guest(phone.token) is None
    assert house.guest(ada.token) is not None


def test_signing_out_everywhere_else_takes_the_recovery_link_too(house, ada, bob):
    others = [house.guests.use_recovery_link(house.guests.make_recovery_link(ada)) for _ in range(3)]
    link = house.guests.make_recovery_link(ada)
    house.guests.sign_out_elsewhere(ada, ada.token)
    assert house.guest(ada.token) is not None
    assert [house.guest(other.token) for other in others] == [None] * 3
    assert house.guest(bob.token) is not None
    with pytest.raises(BadRequest):
        house.guests.use_recovery_link(link)


def test_a_cookie_lives_as_long_as_it_is_used_and_a_link_for_a_month(house, ada, later):
    link = house.guests.make_recovery_link(ada)
    for _ in range(3):
        later(COOKIE_LIFETIME_SECONDS - DAY)
        assert house.guest(ada.token) is not None
    later(COOKIE_LIFETIME_SECONDS + DAY)
    assert house.guest(ada.token) is None
    with pytest.raises(BadRequest):
        house.guests.use_recovery_link(link)
    assert RECOVERY_LIFETIME_SECONDS < COOKIE_LIFETIME_SECONDS


def test_guests_of_before_keep_their_devices(tmp_path):
    """From the schema before: a cookie is as old as it was made."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "0003")
        db.exec_driver_sql("INSERT INTO guests VALUES ('g', 'Ada', 7)")
        db.exec_driver_sql("INSERT INTO tokens VALUES ('h', 'g', 'cookie', 7)")
        command.upgrade(config, "head")
        assert tuple(db.exec_driver_sql("SELECT used, device FROM tokens").one()) == (7, "")
        command.downgrade(config, "0003")
        assert db.exec_driver_sql("SELECT count(*) FROM tokens").scalar() == 1
    engine.dispose()


# -- seats --------------------------------------------------------------------------------------------------------------
def test_the_seats_of_a_rematch_are_kept_for_those_who_played(house, ada, bob):
    table = house.new_table(ada, "takara-island", [ME, OPEN, BOT])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    again = house.rematch(ada, table)
    (place,) = [number for number, seat in enumerate(again.seats) if seat.kind == "open"]
    eve = house.new_guest("Eve")
    for found in (again, house.replay_table(again.id)):
        with pytest.raises(NotYours, match="kept for Bob"):
            found.sit(eve, place)
        with pytest.raises(NotYours):
            found.sit(ada, place)
    house.rematch(bob, table)
    assert again.seats_of(bob) == [place]
    assert again.status == "playing"


def test_at_a_public_table_one_guest_takes_one_seat(house, ada, bob):
    for public in (True, False):
        table = house.new_table(ada, "takara-island", [ME, OPEN, OPEN], public=public)
        table.sit(bob, 1)
        if public:
            with pytest.raises(NotNow, match="one seat"):
                table.sit(bob, 2)
            assert table.status == "waiting"
        else:
            table.sit(bob, 2, "Bea")
            assert table.status == "playing", "a friend at the same screen"


# -- confusable names ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["\u0410da", "Zo\u0435", "Ωmega", "\u3164", "\u2800 \u2800", "\u115f\u1160"])
def test_a_name_in_which_letters_hide_is_refused(house, name):
    with pytest.raises(BadRequest):
        house.new_guest(name)


@pytest.mark.parametrize(
    "name", ["Николай", "Αθηνά", "さくらサクラ桜", "김 Kim", "مريم", "O’Brien-Müller ½", "❤\ufe0f Zoé"]
)
def test_names_of_all_the_world_are_welcome(house, name):
    assert house.new_guest(name).name == name


def test_invisible_letters_are_left_out_and_accents_do_not_pile_up(house):
    assert house.new_guest("A\u200dd\u034fa\u3164").name == "Ada"
    assert len(house.new_guest("x" + "\u0301" * 25).name) == 3


@pytest.mark.parametrize(("first", "second"), [("Capa", "Сара"), ("Ada", "ADA"), ("Paul", "Pau1"), ("Ole", "0le")])
def test_two_names_at_a_table_differ_to_the_eye(house, first, second):
    assert confusable_skeleton(first) == confusable_skeleton(second)
    table = house.new_table(house.new_guest(first), "takara-island", [ME, OPEN])
    table.sit(house.new_guest(second), 1)
    assert table.names == [first, f"{second} 2"]


# -- deletion of expired data -------------------------------------------------------------------------------------------
def test_what_nobody_will_miss_is_thrown_away_and_nothing_else(house, ada, bob, tmp_path):
    played = house.new_table(ada, "takara-island", [ME, BOT])
    play_on(played, [ada])
    again = house.rematch(ada, played)
    waiting = house.new_table(bob, "takara-island", [ME, OPEN])
    stranger = house.new_guest("Eve")
    house.guests.make_recovery_link(ada)
    now = time.time()
    assert delete_expired(house.store, now) == delete_expired(house.store, now + UNUSED_TABLE_SECONDS - DAY)
    gone = delete_expired(house.store, now + UNUSED_TABLE_SECONDS + DAY)
    assert (gone.tokens, gone.tables, gone.guests) == (1, 1, 0)
    gone = delete_expired(house.store, now + INACTIVE_GUEST_SECONDS + DAY)
    assert (gone.tables, gone.guests) == (0, 2), "Bob sits nowhere any more, and Eve never did"
    assert house.guest(stranger.token) is None
    house.close()
    after = House.open(tmp_path, workers=0)
    assert after.guest(ada.token) is not None
    assert {glance.id for glance in after.my_tables(ada)} == {played.id, again.id}
    assert after.table(played.id).status == "over"
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    assert waiting.id not in {glance.id for glance in after.open_tables()}
    after.close()


def test_a_rematch_that_waited_in_vain_can_be_asked_for_again(house, ada, bob):
    table = house.new_table(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    vain = house.rematch(ada, table)
    delete_expired(house.store, time.time() + UNUSED_TABLE_SECONDS + DAY)
    house._cache.__init__()
    again = house.rematch(ada, house.table(table.id))
    assert again.id != vain.id


def test_an_open_house_prunes_by_itself(house, monkeypatch):
    pruned = Event()
    monkeypatch.setattr("veillee.house.maintenance.cleanup.delete_expired", lambda store: pruned.set())
    broom = DailyMaintenance(house.store, often=0.01)
    broom.start()
    assert pruned.wait(60)
    broom.stop()


def test_a_friend_at_the_same_screen_has_a_seat_of_a_rematch_too(house, ada):
    table = house.new_table(ada, "takara-island", [ME, HOTSEAT])
    play_on(table, [ada])
    assert house.rematch(ada, table).status == "playing"
