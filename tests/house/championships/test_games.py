"""Games of a championship: read again when they have changed, and only then; analysed by a queue that is bounded."""

from __future__ import annotations

import json

import pytest

from house.playing import play_on
from veillee.house.analysis import queue
from veillee.house.championships.service import Championships
from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.storage.schema import analyses

ON_BOTH = True
GAME = "tales-of-glory"
BREAK = 61.0


@pytest.fixture
def house(place):
    """A house that has no time to analyse games."""
    house = House.open(place, workers=0, now=Hourglass())
    house.analyses.is_house_busy = lambda: True
    yield house
    house.close()


def analyse(house, table):
    """As if the game of that table had just been analysed."""
    rows = [{"luck": [0.1] * table.match.seats}]
    with house.store.writing() as db:
        db.execute(analyses.insert().values(table_id=table.id, findings=json.dumps(rows)))
    house.analyses._cache.pop(table.id, None)
    house._on_analysed(table.id, table.match, [])


def test_what_is_in_memory_is_what_is_stored(house, ada, bob):
    """After each thing that can happen to a game."""
    cup = house.championships.create(
        ada, GAME, "Cup", {}, ChampionshipTerms(form="rounds", deals=3, level="novice", hours=2)
    )
    for guest in (ada, bob):
        house.championships.enter(guest, cup)
    seen = []

    def look():
        cold = Championships(house.store, house.tables, house.analyses, "another process")
        for guest in (ada, None):
            now = house.championships.standings(house.championships.find(cup.id), guest)
            fresh = cold.standings(house.championships.find(cup.id), guest)
            assert now == fresh
        seen.append(now.games)

    look()
    house.championships.rounds.start(ada, cup)
    for number in (1, 2, 3):
        look()
        (table,) = (house.tables.find(one.table_id) for one in house.championships.standings(cup, None).tables)
        play_on(table, [ada, bob], seed=number)
        look()
        if number < 3:
            house.store.now.pass_by(BREAK)
            house.championships.rounds.poll()
        analyse(house, table)
        look()
    first = house.championships.standings(cup, None).games[0].table_id
    house.accounts.delete(bob)
    house.archive.delete(ada, first)
    look()
    assert len({str(games) for games in seen}) > 5, "each of these things was seen"


def test_a_deal_tells_luck_when_most_of_its_games_are_analysed(house, ada, bob):
    cup = house.championships.create(ada, GAME, "Cup", {}, ChampionshipTerms(deals=2, level="novice", hours=2))
    guests = [ada, bob, *[house.guests.new(name) for name in ("Cléa", "Dan")]]
    tables = []
    for seed, guest in enumerate(guests):
        house.championships.enter(guest, cup)
        tables.append(house.championships.open_table(guest, cup, 1))
        play_on(tables[-1], [guest], seed=seed)

    def look():
        now = house.championships.standings(cup, ada)
        by_victories = sorted(now.lines, key=lambda one: (-one.victories, -one.points))
        return now.unanalysed, now.analysing, sum(one.skill is not None for one in now.lines), now.lines == by_victories

    assert look() == (4, [1], 0, True)
    for number in (1, 2):
        analyse(house, tables[number])
        assert look() == (4 - number, [1], 0, True), "compared with so few a result would jump"
    analyse(house, tables[3])
    assert look()[:3] == (1, [], 3)
    house.accounts.delete(ada)
    assert house.championships.standings(cup, bob).unanalysed == 0, "its table is gone, and will not be analysed"


def test_the_queue_of_analyses_is_bounded_and_goes_on_by_itself(house, ada, bob, monkeypatch):
    monkeypatch.setattr(queue, "MAX_IDLE_QUEUED", 2)
    cup = house.championships.create(ada, GAME, "Cup", {}, ChampionshipTerms(deals=2, level="novice", hours=2))
    tables = []
    for guest in (ada, bob):
        house.championships.enter(guest, cup)
        for deal in (1, 2):
            tables.append(house.championships.open_table(guest, cup, deal))
            play_on(tables[-1], [guest])

    def waiting():
        return [job[0] for job in house.analyses._idle]

    def is_analysed():
        games = house.championships.standings(cup, ada).games
        return {one.table_id for one in games if one.luck is not None}

    assert waiting() == [tables[0].id, tables[1].id]
    replayed = []
    replay = house.tables.replay
    monkeypatch.setattr(house.tables, "replay", lambda table_id: replayed.append(table_id) or replay(table_id))
    for _ in range(3):
        assert is_analysed() == set()
    assert replayed == [], "a page does not replay what there is no room for"
    house.analyses._idle.popleft()
    analyse(house, tables[0])
    assert len(waiting()) == 2, "the next one waits now, though there was no reader"
    assert is_analysed() == {tables[0].id}
    analyse(house, tables[1])
    assert is_analysed() == {tables[0].id, tables[1].id}
