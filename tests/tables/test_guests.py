"""Guests without accounts: a cookie, a name, a link for another device."""

from __future__ import annotations

import pytest

from tables.playing import BOT, ME
from veillee.tables.errors import BadRequest
from veillee.tables.house import House


def test_a_cookie_brings_a_guest_back(house, ada):
    found = house.guest(ada.token)
    assert (found.id, found.name, found.token) == (ada.id, "Ada", "")


@pytest.mark.parametrize("token", ["", "nonsense", "\x00", "é" * 1000, "\ud800", "' OR 1=1 --"])
def test_what_is_no_cookie_is_nobody(house, ada, token):
    assert house.guest(token) is None


def test_tokens_are_not_on_disk(house, ada, tmp_path):
    recovery = house.recovery(ada)
    house.close()
    bytes_on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert ada.id.encode() in bytes_on_disk
    assert ada.token.encode() not in bytes_on_disk
    assert recovery.encode() not in bytes_on_disk


def test_a_new_name_stays(house, ada, tmp_path):
    assert house.rename(ada, " Ada   Lovelace\n").name == "Ada Lovelace"
    house.close()
    again = House.open(tmp_path, workers=0)
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
    elsewhere = house.recover(house.recovery(ada))
    assert elsewhere.token != ada.token
    assert house.guest(elsewhere.token) == house.guest(ada.token)
    assert {glance.id for glance in house.my_tables(elsewhere)} == {table.id for table in tables}
    for table in tables:
        assert table.seats_of(elsewhere) == [0]


def test_a_recovery_link_can_be_used_again_until_it_is_replaced(house, ada):
    first = house.recovery(ada)
    assert house.recover(first).id == house.recover(first).id == ada.id
    second = house.recovery(ada)
    assert house.recover(second).id == ada.id
    with pytest.raises(BadRequest):
        house.recover(first)


def test_cookies_and_recovery_links_are_not_interchangeable(house, ada):
    assert house.guest(house.recovery(ada)) is None
    with pytest.raises(BadRequest):
        house.recover(ada.token)
