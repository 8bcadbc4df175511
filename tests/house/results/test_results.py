"""How tables ended, for lists."""

from __future__ import annotations

from house.playing import BOT, ME, play_on


def test_lists_tell_how_a_game_ended_without_replaying_it_each_time(house, ada, monkeypatch):
    table = house.tables.create(ada, "takara-island", [ME, BOT, BOT])
    running = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(table, [ada])
    told = house.results.load(house.tables.for_guest(ada))
    assert running.id not in told
    match = table.match
    assert told[table.id].winners == tuple(match.winners)
    assert [told[table.id].places[seat] for group in match.ranking for seat in group] == [1, 2, 3]
    monkeypatch.setattr(house.results, "_find", None)
    assert house.results.load(house.tables.for_guest(ada)) == told
