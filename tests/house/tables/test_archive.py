"""Tables put away from one's own list, and deleted where no other guest sits."""

from __future__ import annotations

import pytest

from house.playing import BOT, HOTSEAT, ME, OPEN, answer, play_on
from veillee.house.errors import NoTable, NotYours
from veillee.house.house import House


def test_a_table_is_put_away_for_oneself_and_taken_out_again(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    house.archive.hide(ada, table.id)
    house.archive.hide(ada, table.id)  # twice is once
    assert house.archive.hidden_tables(ada) == {table.id}
    assert house.archive.hidden_tables(bob) == set()
    assert [glance.id for glance in house.tables.for_guest(ada)] == [table.id]  # nothing else has changed
    house.archive.unhide(ada, table.id)
    assert house.archive.hidden_tables(ada) == set()


@pytest.mark.parametrize("plans", [[ME, OPEN], [ME, BOT], [ME, HOTSEAT]])
def test_a_table_where_nobody_else_sits_can_be_deleted(house, ada, tmp_path, plans):
    table = house.tables.create(ada, "takara-island", plans)
    kept = house.tables.create(ada, "takara-island", plans)
    house.archive.hide(ada, table.id)
    if OPEN not in plans:
        answer(table, ada, table.match.to_act[0])
    told = []
    table.subscribe(lambda: told.append(table.is_deleted))
    house.archive.delete(ada, table.id)
    assert told == [True]  # its readers are told
    with pytest.raises(NoTable):
        house.tables.find(table.id)
    with pytest.raises(NoTable):
        house.archive.delete(ada, table.id)
    with pytest.raises(NoTable):  # a page that was open
        table.sit(ada, 1)
    assert table.bots_asked() == []
    house.close()
    again = House.open(tmp_path, workers=0)
    assert [glance.id for glance in again.tables.for_guest(ada)] == [kept.id]
    again.close()


def test_what_is_somebody_elses_too_is_not_deleted(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    for deed in (house.archive.delete, house.archive.hide):
        with pytest.raises(NotYours):
            deed(bob, table.id)
    table.sit(bob, 1)
    for guest in (ada, bob):
        with pytest.raises(NotYours, match="archive it"):
            house.archive.delete(guest, table.id)
    assert house.tables.find(table.id) is table


def test_somebody_who_sits_down_meanwhile_keeps_the_table(house, ada, bob):
    """Another process has seated them: this one has not heard of it."""
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    house.tables.replay(table.id).sit(bob, 1)
    with pytest.raises(NotYours):
        house.archive.delete(ada, table.id)
    assert [seat.name for seat in table.seats] == ["Ada", "Bob"]
    other = house.tables.create(ada, "takara-island", [ME, OPEN])
    house.tables.replay(other.id).delete(ada)
    with pytest.raises(NoTable):  # nor is what was deleted elsewhere played on here
        other.sit(bob, 1)
    assert other.is_deleted


def test_the_rematch_that_was_deleted_can_be_asked_for_again(house, ada):
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(table, [ada])
    again = house.tables.rematch(ada, table)
    house.archive.delete(ada, again.id)
    assert table.rematch_id == ""
    assert house.tables.rematch(ada, table).id != again.id
