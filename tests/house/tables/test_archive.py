"""One's own corner: tables put away for oneself, deleted where nobody else sits, and how finished ones ended."""

from __future__ import annotations

import pytest

from house.playing import BOT, HOTSEAT, ME, OPEN, answer, play_on
from veillee.house.errors import NoTable, NotYours
from veillee.house.house import House


def test_a_table_is_put_away_for_oneself_and_taken_out_again(house, ada, bob):
    table = house.new_table(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    house.corner.put_away(ada, table.id)
    house.corner.put_away(ada, table.id)  # twice is once
    assert house.corner.away_from(ada) == {table.id}
    assert house.corner.away_from(bob) == set()
    assert [glance.id for glance in house.my_tables(ada)] == [table.id]  # nothing else has changed
    house.corner.take_out(ada, table.id)
    assert house.corner.away_from(ada) == set()


@pytest.mark.parametrize("plans", [[ME, OPEN], [ME, BOT], [ME, HOTSEAT]])
def test_a_table_where_nobody_else_sits_can_be_deleted(house, ada, tmp_path, plans):
    table = house.new_table(ada, "takara-island", plans)
    kept = house.new_table(ada, "takara-island", plans)
    house.corner.put_away(ada, table.id)
    if OPEN not in plans:
        answer(table, ada, table.match.to_act[0])
    told = []
    table.subscribe(lambda: told.append(table.gone))
    house.corner.clear_away(ada, table.id)
    assert told == [True]  # those who look at it
    with pytest.raises(NoTable):
        house.table(table.id)
    with pytest.raises(NoTable):
        house.corner.clear_away(ada, table.id)
    with pytest.raises(NoTable):  # a page that was open
        table.sit(ada, 1)
    assert table.bots_asked() == []
    house.close()
    again = House.open(tmp_path, workers=0)
    assert [glance.id for glance in again.my_tables(ada)] == [kept.id]
    again.close()


def test_what_is_somebody_elses_too_is_not_deleted(house, ada, bob):
    table = house.new_table(ada, "takara-island", [ME, OPEN])
    for deed in (house.corner.clear_away, house.corner.put_away):
        with pytest.raises(NotYours):
            deed(bob, table.id)
    table.sit(bob, 1)
    for guest in (ada, bob):
        with pytest.raises(NotYours, match="put it away"):
            house.corner.clear_away(guest, table.id)
    assert house.table(table.id) is table


def test_somebody_who_sits_down_meanwhile_keeps_the_table(house, ada, bob):
    """Another process has seated them: this one has not heard of it."""
    table = house.new_table(ada, "takara-island", [ME, OPEN])
    house.replayed(table.id).sit(bob, 1)
    with pytest.raises(NotYours):
        house.corner.clear_away(ada, table.id)
    assert [seat.name for seat in table.seats] == ["Ada", "Bob"]
    other = house.new_table(ada, "takara-island", [ME, OPEN])
    house.replayed(other.id).clear_away(ada)
    with pytest.raises(NoTable):  # nor is what was deleted elsewhere played on here
        other.sit(bob, 1)
    assert other.gone


def test_the_rematch_that_was_deleted_can_be_asked_for_again(house, ada):
    table = house.new_table(ada, "takara-island", [ME, BOT])
    play_on(table, [ada])
    again = house.rematch(ada, table)
    house.corner.clear_away(ada, again.id)
    assert table.rematch_id == ""
    assert house.rematch(ada, table).id != again.id


def test_lists_tell_how_a_game_ended_without_replaying_it_each_time(house, ada, monkeypatch):
    table = house.new_table(ada, "takara-island", [ME, BOT, BOT])
    running = house.new_table(ada, "takara-island", [ME, BOT])
    play_on(table, [ada])
    told = house.corner.results(house.my_tables(ada))
    assert running.id not in told
    match = table.match
    assert told[table.id].winners == tuple(match.winners)
    assert [told[table.id].places[seat] for group in match.ranking for seat in group] == [1, 2, 3]
    monkeypatch.setattr(house.corner, "_find", None)
    assert house.corner.results(house.my_tables(ada)) == told
