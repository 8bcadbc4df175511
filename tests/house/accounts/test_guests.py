"""Guests without accounts: a cookie, a name, a link for another device."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from house.playing import BOT, ME
from veillee.house.accounts.sessions import COOKIE_LIFETIME_SECONDS, DAY_SECONDS, RECOVERY_LIFETIME_SECONDS
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.storage.database import FILE, MIGRATIONS


def test_a_cookie_brings_a_guest_back(house, ada):
    found = house.guests.find(ada.token)
    assert (found.id, found.name, found.token) == (ada.id, "Ada", "")


@pytest.mark.parametrize("token", ["", "nonsense", "\x00", "é" * 1000, "\ud800", "' OR 1=1 --"])
def test_what_is_no_cookie_is_nobody(house, ada, token):
    assert house.guests.find(token) is None


def test_tokens_are_not_on_disk(house, ada, tmp_path):
    recovery = house.guests.make_recovery_link(ada)
    house.close()
    bytes_on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert ada.id.encode() in bytes_on_disk
    assert ada.token.encode() not in bytes_on_disk
    assert recovery.encode() not in bytes_on_disk


def test_a_new_name_stays(house, ada, place):
    assert house.accounts.rename(ada, " Ada   Lovelace\n").name == "Ada Lovelace"
    house.close()
    again = House.open(place, workers=0)
    assert again.guests.find(ada.token).name == "Ada Lovelace"
    again.close()


def test_a_recovery_link_brings_all_seats_to_another_device(house, ada):
    tables = [house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT]) for _ in range(2)]
    elsewhere = house.guests.use_recovery_link(house.guests.make_recovery_link(ada))
    assert elsewhere.token != ada.token
    assert house.guests.find(elsewhere.token) == house.guests.find(ada.token)
    assert {glance.id for glance in house.tables.for_guest(elsewhere)} == {table.id for table in tables}
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
    assert house.guests.find(house.guests.make_recovery_link(ada)) is None
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
    assert house.guests.find(phone.token) is not None, "somebody else's device is nobody's business"
    for nothing in ("", "%", "_" * 16):
        house.guests.sign_out(ada, nothing)
    assert house.guests.find(phone.token) is not None
    house.guests.sign_out(ada, there.id)
    assert house.guests.find(phone.token) is None
    assert house.guests.find(ada.token) is not None


def test_signing_out_everywhere_else_takes_the_recovery_link_too(house, ada, bob):
    others = [house.guests.use_recovery_link(house.guests.make_recovery_link(ada)) for _ in range(3)]
    link = house.guests.make_recovery_link(ada)
    house.guests.sign_out_elsewhere(ada, ada.token)
    assert house.guests.find(ada.token) is not None
    assert [house.guests.find(other.token) for other in others] == [None] * 3
    assert house.guests.find(bob.token) is not None
    with pytest.raises(BadRequest):
        house.guests.use_recovery_link(link)


def test_a_cookie_lives_as_long_as_it_is_used_and_a_link_for_a_month(house, ada, later):
    link = house.guests.make_recovery_link(ada)
    for _ in range(3):
        later(COOKIE_LIFETIME_SECONDS - DAY_SECONDS)
        assert house.guests.find(ada.token) is not None
    later(COOKIE_LIFETIME_SECONDS + DAY_SECONDS)
    assert house.guests.find(ada.token) is None
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


# -- what nobody will miss ----------------------------------------------------------------------------------------------
