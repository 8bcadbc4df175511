"""The address that bans and limits go by."""

from __future__ import annotations

from veillee.house.accounts.client_address import network


def test_a_household_is_one_address():
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::1") != network("2001:db8:1:3::1")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") == "192.0.2.1"


def test_what_is_no_address_stays_as_it_is():
    assert network("a socket") == "a socket"
