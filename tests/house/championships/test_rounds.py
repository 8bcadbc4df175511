"""Rounds: entrants at tables with each other, the same sealed deal at every table, round after round."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from house.playing import play_on
from veillee.house.championships.rounds import BREAK_SECONDS, MAX_WAIT_SECONDS, PATIENCE_SECONDS, why_blocked
from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.errors import NotNow, NotYours
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.storage import uptime
from veillee.house.storage.schema import analyses
from veillee.house.storage.store import Conflict

ON_BOTH = True
GAME = "tales-of-glory"  # for two to five: three at a table
HOURS = 2
NAMES = ("Ada", "Bob", "Cléa", "Dan", "Eva", "Fay", "Guy")


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def house(place, clock, monkeypatch):
    house = opened(place, clock, monkeypatch)
    yield house
    house.close()


def opened(place, clock, monkeypatch):
    house = House.open(place, workers=0, now=clock)
    monkeypatch.setattr(house.analyses, "enqueue_idle", lambda table_id, _: None)
    return house


@pytest.fixture
def guests(house):
    return [house.guests.new(name) for name in NAMES]


def cup(house, guests, rounds=2, entrants=6, **terms):
    terms = {"form": "rounds", "deals": rounds, "level": "novice", "hours": HOURS} | terms
    made = house.championships.create(guests[0], GAME, "Coupe", {}, ChampionshipTerms(**terms))
    for guest in guests[:entrants]:
        house.championships.enter(guest, made)
    return made


def tables_of(house, made):
    """The tables of the latest round."""
    return [house.tables.find(one.table_id) for one in now(house, made).tables]


def now(house, made, guest=None):
    return house.championships.standings(house.championships.find(made.id), guest)


def play_round(house, made, guests, clock=None, seed=1):
    for number, table in enumerate(tables_of(house, made)):
        play_on(table, guests, seed=seed + number)
    if clock is not None:
        clock.pass_by(BREAK_SECONDS)
        house.timeouts.poll()


def entrants_at(house, made):
    return [sorted(one.seating) for one in now(house, made).tables]


def test_every_table_of_a_round_has_the_same_sealed_deal(house, guests):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    first, second = tables_of(house, made)
    assert first.commitment == second.commitment == made.commitment(1)
    assert [len(table.seats) for table in (first, second)] == [3, 3]
    assert {seat.guest for table in (first, second) for seat in table.seats} == {guest.id for guest in guests[:6]}
    assert first.moment.row.pace.kind == "evening"
    assert not first.hints


def test_all_rounds_are_played_and_the_last_one_ends_it(house, guests, clock):
    made = cup(house, guests, rounds=3)
    house.championships.rounds.start(guests[0], made)
    for number in range(1, 4):
        assert len(now(house, made).rounds) == number
        play_round(house, made, guests, clock, seed=10 * number)
    done = now(house, made)
    assert done.is_over
    assert [len(done.games), len(done.places[1])] == [18, 3]
    assert sum(line.victories for line in done.lines) == pytest.approx(6), "a victory for each table"
    seats = Counter((one.entrant, one.seat) for one in done.games)
    assert max(seats.values()) <= 2, "who sits together decides whether all can sit on every seat"
    assert len(seats) >= 15
    assert house.timeouts.poll() is None
    assert len(now(house, made).rounds) == 3


def test_the_next_round_is_paired_by_the_standings(house, guests, clock):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    before = entrants_at(house, made)
    play_round(house, made, guests, clock)
    winners = {one.entrant for one in now(house, made).games if one.share == 1.0}
    after = entrants_at(house, made)
    assert before != after
    assert any(winners <= set(table) for table in after)


def test_a_latecomer_joins_at_the_next_round_and_who_withdraws_is_paired_no_more(house, guests, clock):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    house.championships.enter(guests[6], made)
    leaver = guests[1]
    table = next(table for table in tables_of(house, made) if table.seats_of(leaver))
    house.championships.withdraw(leaver, made)
    assert table.seats[table.seats_of(leaver)[0]].away, "a bot goes on"
    play_round(house, made, [guest for guest in guests if guest is not leaver], clock)
    marked = [one.entrant for one in now(house, made).games if one.is_substituted]
    assert marked == [2]
    assert sorted(one for table in entrants_at(house, made) for one in table) == [1, 3, 4, 5, 6, 7]
    assert now(house, made).places[1][0] is not None
    house.championships.enter(leaver, made)
    assert now(house, made, leaver).me.withdrawn is None, "they may come back"


def test_bots_fill_seats_where_no_table_size_divides(house, guests):
    terms = ChampionshipTerms(form="rounds", deals=1, level="novice", hours=HOURS)
    made = house.championships.create(guests[0], "ghost-knights", "Coupe", {}, terms)
    for guest in guests[:7]:
        house.championships.enter(guest, made)
    house.championships.rounds.start(guests[0], made)
    kinds = [[seat.kind for seat in table.seats].count("bot") for table in tables_of(house, made)]
    assert sorted(kinds) == [0, 1]


def test_nothing_of_a_deal_is_open_before_its_round_is_over_but_to_those_who_have_played_it(house, guests, clock):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    first, second = tables_of(house, made)
    play_on(first, guests)
    at_first, at_second = (next(guest for guest in guests if table.seats_of(guest)) for table in (first, second))
    assert not house.championships.may_look(at_second, first)
    assert house.championships.may_look(at_first, second)
    assert [len(now(house, made, guest).games) for guest in (at_first, at_second, None)] == [3, 0, 0]
    assert first.is_sealed
    play_on(second, guests)
    assert not first.is_sealed
    assert not second.is_sealed
    assert now(house, made, None).opened == [1]
    assert len(now(house, made, None).games) == 6
    assert first.record()["seed"] == made.seed(1).hex()


def test_when_the_time_of_a_round_is_over_bots_finish_its_games(house, guests, clock):
    made = cup(house, guests, rounds=1)
    house.championships.rounds.start(guests[0], made)
    first, second = tables_of(house, made)
    play_on(first, guests)
    clock.pass_by(HOURS * 3600)
    house.timeouts.poll()
    assert second.status == "over"
    assert now(house, made).is_over
    assert [one.is_substituted for one in now(house, made).games].count(True) == 3


def test_a_player_cannot_come_back_when_bots_finish_the_game(house, guests):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    table = tables_of(house, made)[0]
    guest = next(guest for guest in guests if table.seats_of(guest))
    table._changed = lambda _: None  # no bot plays yet
    table.let_bots_finish()
    with pytest.raises(NotNow, match="time of this round"):
        table.come_back(guest, table.seats_of(guest)[0])


def test_a_table_that_bots_cannot_finish_counts_for_nobody(house, guests, clock, monkeypatch):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    first, _ = tables_of(house, made)
    play_on(first, guests)
    monkeypatch.setattr(house.championships.rounds, "_let_bots_finish", lambda _: None)
    monkeypatch.setattr(house.timeouts, "_due", lambda _: [])
    clock.pass_by(HOURS * 3600 + PATIENCE_SECONDS)
    house.timeouts.poll()
    assert len(now(house, made).games) == 3
    clock.pass_by(BREAK_SECONDS)
    house.timeouts.poll()
    assert len(now(house, made).rounds) == 2


def test_the_time_during_which_the_house_was_closed_does_not_count(place, house, guests, clock, monkeypatch):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    uptime.record_heartbeat(house.store)
    house.close()
    clock.pass_by(HOURS * 3600)
    again = opened(place, clock, monkeypatch)
    try:
        again.timeouts.poll()
        assert now(again, made).rounds[-1].closed is None
        clock.pass_by(HOURS * 3600)
        again.timeouts.poll()
        assert now(again, made).rounds[-1].closed is not None
    finally:
        again.close()


def test_it_begins_at_a_set_time_and_with_too_few_it_ends(house, guests, clock):
    made = cup(house, guests, hours_before=1)
    alone = cup(house, guests, hours_before=1, entrants=1)
    nobody = cup(house, guests, hours_before=1, entrants=0)
    house.timeouts.poll()
    assert now(house, made).rounds == []
    clock.pass_by(3600)
    house.timeouts.poll()
    assert len(now(house, made).rounds) == 1
    for one in (alone, nobody):
        assert now(house, one).is_over
        assert now(house, one).rounds == []


def test_only_the_organiser_starts_it_once_and_not_alone(house, guests):
    made = cup(house, guests, entrants=1)
    with pytest.raises(NotNow, match="two players"):
        house.championships.rounds.start(guests[0], made)
    house.championships.enter(guests[1], made)
    with pytest.raises(NotYours):
        house.championships.rounds.start(guests[1], made)
    house.championships.rounds.start(guests[0], made)
    with pytest.raises(NotNow, match="begun"):
        house.championships.rounds.start(guests[0], made)


def test_it_goes_on_without_its_organiser(house, guests, clock):
    made = cup(house, guests, entrants=3)
    house.accounts.delete(guests[0])
    found = house.championships.find(made.id)
    house.championships.rounds.start(guests[1], found)
    assert entrants_at(house, made) == [[2, 3]]
    play_round(house, made, guests[1:], clock)
    house.accounts.delete(guests[1])
    play_round(house, made, guests[2:], clock)
    done = now(house, made)
    assert done.is_over
    assert [(one.entrant, one.deal) for one in done.games] == [(2, 1), (2, 2), (3, 1), (3, 2)]


def test_a_round_that_cannot_be_played_here_waits(house, guests, clock):
    """The rules it began with are gone, or the file of an owner: what was played stays."""
    made = cup(house, guests, entrants=2)
    house.championships.rounds.start(guests[0], made)
    play_round(house, made, guests)
    clock.pass_by(BREAK_SECONDS)
    house.championships.rounds.advance(replace(made, version=99))
    assert why_blocked(replace(made, version=99)).say("en").startswith("It was begun under older rules")
    assert len(now(house, made).rounds) == 1
    house.championships.rounds.advance(made)
    assert len(now(house, made).rounds) == 2


def test_one_that_is_never_started_ends(house, guests, clock):
    made = cup(house, guests)
    clock.pass_by(MAX_WAIT_SECONDS)
    house.timeouts.poll()
    assert now(house, made).is_over


def test_a_round_is_written_once_with_all_its_tables_or_not_at_all(house, guests, monkeypatch):
    made = cup(house, guests)
    rounds = house.championships.rounds
    write = house.tables.create_all

    def fail(terms, register):
        def and_fail(db, rows):
            register(db, rows)
            raise Conflict

        return write(terms, and_fail)

    monkeypatch.setattr(house.tables, "create_all", fail)
    rounds.start(guests[0], made)
    assert now(house, made).rounds == []
    assert not house.tables.for_guest(guests[0])
    monkeypatch.undo()
    rounds.start(guests[0], made)
    rounds._begin(made, 1)  # another process that has not seen it
    assert len(now(house, made).tables) == 2
    assert len(house.tables.for_guest(guests[0])) == 1


def test_luck_of_every_seat_comes_from_the_analysis(house, guests):
    made = cup(house, guests)
    house.championships.rounds.start(guests[0], made)
    for table in tables_of(house, made):
        play_on(table, guests)
        with house.store.writing() as db:
            rows = [{"luck": [0.25, -0.125, 0.0]}]
            db.execute(analyses.insert().values(table_id=table.id, findings=json.dumps(rows)))
    lucks = {(one.seat, one.luck) for one in now(house, made).games}
    assert lucks == {(0, 0.25), (1, -0.125), (2, 0.0)}


# -- leagues ----------------------------------------------------------------------------------------------------------
def league(house, guests, **terms):
    terms = {"form": "league", "deals": 2, "seasons": 2, "hours": 168} | terms
    made = cup(house, guests, rounds=terms.pop("deals"), **terms)
    house.championships.rounds.start(guests[0], made)
    return made


def test_a_season_is_played_by_post_with_the_same_deals_in_every_division(house, guests):
    made = league(house, guests)
    found = now(house, made).tables
    assert [(one.group, one.deal) for one in found] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert set(found[0].seating) == set(found[1].seating), "a division plays all deals"
    assert all(a != b for a, b in zip(found[0].seating, found[1].seating, strict=True)), "on changing seats"
    tables = tables_of(house, made)
    assert [table.commitment for table in tables[:2]] == [made.commitment(deal) for deal in (1, 2)]
    assert {table.moment.row.pace.kind for table in tables} == {"post"}
    assert len(made.seeds) == 4


def test_the_first_goes_up_the_last_goes_down_and_the_next_season_begins_by_itself(house, guests, clock):
    made = league(house, guests)
    house.championships.enter(guests[6], made)
    play_round(house, made, guests)
    season = now(house, made)
    upper, lower = season.divisions
    assert [place for one in (*upper, *lower) for place in season.places[one]] == [1, 2, 3, 4, 5, 6]
    clock.pass_by(BREAK_SECONDS)
    house.timeouts.poll()
    after = now(house, made)
    assert [one.number for one in after.rounds] == [1, 2]
    assert [sorted(one) for one in after.divisions] == [
        sorted([*upper[:2], lower[0]]),
        sorted([upper[2], *lower[1:], 7]),
    ]
    play_round(house, made, guests)
    assert now(house, made).is_over


def test_divisions_show_no_result_that_is_sealed_for_the_reader(house, guests):
    made = league(house, guests)
    before = now(house, made, None).divisions
    table = tables_of(house, made)[0]
    play_on(table, guests)
    player = next(guest for guest in guests if table.seats_of(guest))
    assert now(house, made, None).divisions == before
    assert now(house, made, player).games
