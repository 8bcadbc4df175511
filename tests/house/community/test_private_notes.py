"""Private notes: kept for each guest and table, exported to their owner, gone with the guest or the table."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from house.playing import BOT, ME, OPEN, photograph
from veillee.house.accounts.personal_data import export_json
from veillee.house.community.private_notes import MAX_NOTE_LENGTH
from veillee.house.errors import NotYours
from veillee.house.house import House
from veillee.house.storage.schema import private_notes

ON_BOTH = True


@pytest.fixture
def table(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    return table


def stored(house):
    with house.store.reading() as db:
        return [row.words for row in db.execute(sa.select(private_notes))]


def test_each_guest_has_notes_of_their_own_at_each_table(place, house, ada, bob, table):
    house.private_notes.save(ada, table, "  the bat is at site 2\r\n")
    house.private_notes.save(bob, table, "dig at 5")
    house.private_notes.save(bob, table, "dig at 6\0")
    assert house.private_notes.load(ada, table.id) == "the bat is at site 2"
    assert house.private_notes.load(bob, table.id) == "dig at 6"
    other = house.tables.create(ada, "takara-island", [ME, BOT])
    assert house.private_notes.load(ada, other.id) == ""
    house.private_notes.save(ada, table, "  ")
    assert stored(house) == ["dig at 6"]


def test_they_are_bounded_and_a_spectator_writes_none(house, ada, table):
    house.private_notes.save(ada, table, "x" * (MAX_NOTE_LENGTH + 50))
    assert len(house.private_notes.load(ada, table.id)) == MAX_NOTE_LENGTH
    with pytest.raises(NotYours):
        house.private_notes.save(house.guests.new("Eve"), table, "I see you")


def test_they_are_no_part_of_the_game(house, ada, table):
    before = photograph(table)
    house.private_notes.save(ada, table, "the bat is at site 2")
    assert photograph(table) == before


def test_their_owner_exports_them_and_takes_them_along(house: House, ada, bob, table):
    house.private_notes.save(ada, table, "the bat is at site 2")
    house.private_notes.save(bob, table, "dig at 6")
    told = json.loads(b"".join(export_json(house.store, ada)))
    assert [one["words"] for one in told["private_notes"]] == ["the bat is at site 2"]
    house.accounts.delete(ada)
    assert stored(house) == ["dig at 6"]


def test_they_go_with_their_table(house, ada):
    own = house.tables.create(ada, "takara-island", [ME, BOT])
    house.private_notes.save(ada, own, "later")
    house.archive.delete(ada, own.id)
    assert stored(house) == []
