"""The deal of the day: committed to the day before, the same for all guests, played once, revealed when the day is over."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from house.playing import play_on
from veillee.games.catalogue import BOXES
from veillee.house.errors import NotNow
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.results import daily_deals
from veillee.house.results.daily_deals import PlayedDay, streak

ON_BOTH = True
DAY = date(2026, 11, 17)
NEXT = DAY + timedelta(days=1)


@pytest.fixture
def clock():
    """Noon of that day, until a test lets it be another time."""
    return Hourglass(datetime(2026, 11, 17, 12, tzinfo=UTC).timestamp())


@pytest.fixture
def house(place, clock):
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


def of(house, day=DAY, game="takara-island"):
    return daily_deals.load_deals(house.store, day)[game]


def test_tomorrows_is_sealed_today_once(house):
    daily_deals.seal_deals(house.store, list(BOXES))
    first = {day: daily_deals.load_deals(house.store, day) for day in (DAY, NEXT)}
    assert all(found.keys() == BOXES.keys() for found in first.values())
    assert of(house, NEXT).is_sealed_in_time
    assert not of(house, DAY).is_sealed_in_time, "nobody had sealed it before"
    daily_deals.seal_deals(house.store, list(BOXES))
    assert {day: daily_deals.load_deals(house.store, day) for day in (DAY, NEXT)} == first
    assert daily_deals.load_deals(house.store, NEXT + timedelta(days=1)) == {}


@pytest.mark.parametrize("game", list(BOXES))
def test_strangers_get_the_same_deal_and_the_same_answers_of_bots_for_equal_play(house, ada, bob, game):
    """Also if one of them takes something back on the way, and in whatever order they play."""
    hers, his = house.daily_deals.open_table(ada, game), house.daily_deals.open_table(bob, game)
    assert hers.id != his.id
    seat = hers.seats_of(ada)[0]
    assert his.seats_of(bob) == [seat]
    names = [[place.name for number, place in enumerate(table.seats) if number != seat] for table in (hers, his)]
    assert names[0] == names[1]
    for _ in range(25):
        if hers.status == "over":
            break
        assert _seen(hers, seat) == _seen(his, seat)
        choices = hers.match.choices(seat)
        hers.answer(ada, seat, hers.stamp(seat), [choices[0].id])
        trial = his.match.copy()
        trial.play(seat, choices[-1].id)
        if trial.can_undo(seat) and seat in trial.to_act:  # no bot goes on meanwhile
            his.answer(bob, seat, his.stamp(seat), [choices[-1].id])
            his.undo(bob, seat, his.stamp(seat))
        his.answer(bob, seat, his.stamp(seat), [choices[0].id])
    assert _seen(hers, seat) == _seen(his, seat)


def _seen(table, seat):
    return json.dumps([table.match.view(seat), table.match.answers, table.commitment], sort_keys=True)


def test_its_bots_think_without_a_clock(house, ada, monkeypatch):
    told = []
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: told.append(job) or True)
    while not told:
        table = house.daily_deals.open_table(ada, "takara-island")
        seat = table.seats_of(ada)[0]
        if seat in table.match.to_act:
            table.answer(ada, seat, table.stamp(seat), [table.match.choices(seat)[0].id])
    assert [job.timed for job in told] == [False] * len(told)
    other = house.tables.play_now(ada, "takara-island")
    assert all(asked.job.timed for asked in other.bots_asked())


def test_it_is_played_once(house, ada):
    table = house.daily_deals.open_table(ada, "takara-island")
    assert house.daily_deals.open_table(ada, "takara-island") is table
    seat = table.seats_of(ada)[0]
    with pytest.raises(NotNow, match="without help"):
        table.leave(ada, seat)
    assert not table.hints
    house.archive.delete(ada, table.id)
    with pytest.raises(NotNow, match="tomorrow"):
        house.daily_deals.open_table(ada, "takara-island")


def test_the_record_is_handed_out_when_the_day_is_over(house, ada, clock):
    table = house.daily_deals.open_table(ada, "takara-island")
    play_on(table, [ada])
    assert table.status == "over"
    with pytest.raises(NotNow, match="Others play this deal"):
        table.record()
    clock.pass_by(86_400)
    assert table.record()["seed"] == of(house).seed.hex()


def test_another_day_has_another_deal_on_another_seat(house, ada, clock):
    first = house.daily_deals.open_table(ada, "takara-island")
    clock.pass_by(86_400)
    second = house.daily_deals.open_table(ada, "takara-island")
    assert first.commitment != second.commitment
    assert first.seats_of(ada) != second.seats_of(ada)
    assert of(house, NEXT).is_sealed_in_time


def test_it_survives_a_restart(house, ada, place, clock):
    table = house.daily_deals.open_table(ada, "takara-island")
    house.close()
    again = House.open(place, workers=0, now=clock)
    assert again.daily_deals.open_table(ada, "takara-island").id == table.id
    again.close()


def test_who_stands_where():
    def one(guest, place, points, *, late=False):
        return daily_deals.DealResult(guest, guest, "t", is_over=True, place=place, points=points, is_late=late)

    lines = daily_deals.rank_results(
        [one("a", 2, 50), one("b", 1, 30), one("c", 1, 40), one("d", 1, 30), one("e", 0, 0), one("f", 1, 99, late=True)]
    )
    assert [(line.result.guest, line.rank) for line in lines] == [("c", 1), ("b", 2), ("d", 2), ("a", 4), ("f", 0)]


def test_a_row_of_days_skips_days_when_the_house_was_closed_and_may_wait_for_today():
    def days(text):
        return [
            PlayedDay(date(2026, 1, 1) + timedelta(days=n), int(c == "x"), 0) for n, c in enumerate(text) if c != " "
        ]

    def row(text):
        found = days(text)
        return streak(found, date(2026, 1, len(text)))

    assert row("xxx") == 3
    assert row("xx.") == 2, "today is not over"
    assert row("xx..") == 0
    assert row("x xx") == 3, "a day without deals does not count"
    assert row("x.x") == 1
    assert row(".") == 0
