"""Presence, and substitutes for players who are away on their turn."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from house.playing import ME, OPEN, answer, play_on
from veillee.house.community import presence
from veillee.house.community.presence import (
    NO_JS_VISIT_SECONDS,
    RELOAD_GRACE_SECONDS,
    REWRITE_SECONDS,
    WRITE_SECONDS,
    is_tracked,
)
from veillee.house.errors import NotNow, NotYours, StoreError
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.storage.schema import presence as presence_table
from veillee.house.tables.clocks.time_control import HOUR, UNTIMED_ABSENCE_SECONDS, TimeControl
from veillee.match.verify import verify

ON_BOTH = True


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def house(place, clock):
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


@pytest.fixture
def eve(house):
    return house.guests.new("Eve")


@pytest.fixture
def table(house, ada, bob, eve):
    """Ada, Bob and Eve take turns, and Ada begins."""
    return ada_begins(house, ada, [bob, eve])


def ada_begins(house, ada, others, **agreed):
    for _ in range(20):
        table = house.tables.create(ada, "takara-island", [ME, *[OPEN] * len(others)], **agreed)
        for seat, guest in enumerate(others, 1):
            table.sit(guest, seat)
        if table.match.to_act == (0,):
            return table
    raise AssertionError


def test_here_is_who_has_the_page_before_their_eyes_and_away_who_had_it(house, clock, ada, table):
    told = []
    house.presence.subscribe(table.id, lambda: told.append(house.presence.is_here(ada.id, table.id)))
    assert house.presence.last_seen(ada.id, table.id) is None
    leave = house.presence.page_opened(ada.id, table.id)
    clock.pass_by(HOUR)
    house.timeouts.poll()
    assert house.presence.is_here(ada.id, table.id)
    leave()
    assert house.presence.is_here(ada.id, table.id), "the page may be on its way back"
    clock.pass_by(RELOAD_GRACE_SECONDS)
    house.timeouts.poll()
    assert not house.presence.is_here(ada.id, table.id)
    assert house.presence.last_seen(ada.id, table.id) == clock.now - RELOAD_GRACE_SECONDS
    assert told == [True, False]


def test_without_javascript_a_request_says_it_for_a_while(house, clock, ada, table):
    house.presence.record_visit(ada.id, table.id)
    clock.pass_by(NO_JS_VISIT_SECONDS - 1)
    assert house.presence.is_here(ada.id, table.id)
    clock.pass_by(1)
    assert not house.presence.is_here(ada.id, table.id)


def test_it_is_written_down_now_and_then_and_in_one_go(house, clock, ada, bob, table):
    for guest in (ada, bob):
        house.presence.page_opened(guest.id, table.id)
    wrote = []
    writing = house.store.writing
    house.store.writing = lambda: wrote.append(1) or writing()
    house.presence.poll()
    for _ in range(100):
        house.presence.record_visit(ada.id, table.id)
    house.presence.poll()
    assert len(wrote) == 1
    clock.pass_by(REWRITE_SECONDS)
    house.presence.poll()
    assert len(wrote) == 2


def test_more_places_than_are_cached_are_written_all_the_same(house, clock, ada, table, monkeypatch):
    monkeypatch.setattr(presence, "MAX_CACHED", 4)
    guests = [f"guest {number}" for number in range(10)]
    house.presence.page_opened(ada.id, table.id)
    for guest in guests:
        house.presence.record_visit(guest, table.id)
    assert len(house.presence._seen) <= 4
    house.presence.poll()
    clock.pass_by(REWRITE_SECONDS)
    house.presence.poll()
    seen = house.presence.load([(guest, table.id) for guest in (ada.id, *guests)])
    assert {guest for guest, _ in seen} >= {ada.id}
    with house.store.reading() as db:
        written = {row.guest for row in db.execute(sa.select(presence_table))}
    assert written == {ada.id, *guests}


def test_what_cannot_be_written_is_written_later(house, clock, ada, table, monkeypatch):
    house.presence.record_visit(ada.id, table.id)
    with monkeypatch.context() as broken:
        broken.setattr(presence, "UPSERT", "nonsense")
        with pytest.raises(StoreError):
            house.presence.poll()
    clock.pass_by(WRITE_SECONDS)
    house.presence.poll()
    with house.store.reading() as db:
        assert [row.guest for row in db.execute(sa.select(presence_table))] == [ada.id]


def test_whoever_opens_the_house_next_knows_when_somebody_was_last_here(house, place, clock, ada, table):
    house.presence.record_visit(ada.id, table.id)
    seen = clock.now
    house.presence.poll()
    house.close()
    clock.pass_by(HOUR)
    again = House.open(place, workers=0, now=clock)
    assert again.presence.load([(ada.id, table.id)]) == {(ada.id, table.id): seen}
    assert not again.presence.is_here(ada.id, table.id)
    again.close()


def test_all_who_are_present_must_agree_and_the_absent_come_back_by_answering(house, clock, ada, bob, eve, table):
    for guest in (bob, eve):
        house.presence.page_opened(guest.id, table.id)
    with pytest.raises(NotNow):
        house.substitutes.vote(bob, table, 0)
    clock.pass_by(UNTIMED_ABSENCE_SECONDS)
    stranger = house.guests.new("Zoé")
    for guest in (stranger, ada):
        with pytest.raises(NotYours):
            house.substitutes.vote(guest, table, 0)
    assert not house.substitutes.vote(bob, table, 0)
    assert not house.substitutes.vote(bob, table, 0), "twice is once"
    assert not table.seats[0].away
    assert house.substitutes.vote(eve, table, 0)
    assert table.seats[0].away
    assert table.match.to_act == (1,), "the bot has played"
    assert [(line.what, line.seat) for line in table.moment.row.lines] == [("agreed", 0)]
    table.come_back(ada, 0)
    play_on(table, [ada, bob, eve])
    assert verify(table.record()).holds


def test_who_is_here_is_not_stood_in_for(house, clock, ada, bob, table):
    house.presence.page_opened(bob.id, table.id)
    house.presence.page_opened(ada.id, table.id)
    clock.pass_by(10 * UNTIMED_ABSENCE_SECONDS)
    with pytest.raises(NotNow):
        house.substitutes.vote(bob, table, 0)


def test_who_is_absent_has_no_say_and_an_agreement_is_about_one_turn(house, clock, ada, bob, eve, table):
    leave = house.presence.page_opened(eve.id, table.id)
    house.presence.page_opened(bob.id, table.id)
    clock.pass_by(UNTIMED_ABSENCE_SECONDS)
    assert not house.substitutes.vote(bob, table, 0)
    answer(table, ada, 0)
    answer(table, bob, 1)
    answer(table, eve, 2)
    clock.pass_by(UNTIMED_ABSENCE_SECONDS)
    assert house.substitutes.votes(table.moment, 0) == set()
    leave()
    clock.pass_by(RELOAD_GRACE_SECONDS)
    assert house.substitutes.vote(bob, table, 0), "he is alone"


def test_where_all_wait_those_present_may_agree_when_time_is_out(house, clock, ada, bob):
    table = ada_begins(house, ada, [bob], pace=TimeControl.validated("post", each=HOUR, then="wait"))
    clock.pass_by(HOUR - 1)
    with pytest.raises(NotNow):
        house.substitutes.vote(bob, table, 0)
    clock.pass_by(1)
    assert house.substitutes.vote(bob, table, 0)


def test_it_matters_where_several_people_play(house, ada, table):
    assert is_tracked(table)
    assert not is_tracked(house.tables.play_now(ada, "ghost-knights"))
