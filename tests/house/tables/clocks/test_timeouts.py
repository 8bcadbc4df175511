"""Time control: clocks run for the seats that are asked and stop with the server; timeouts."""

from __future__ import annotations

from datetime import date

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from house.playing import BOT, ME, OPEN, answer, play_on
from veillee.house.accounts.quiet_hours import QuietHours, seconds_outside
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.house_time import Downtime, Hourglass
from veillee.house.storage.database import MIGRATIONS
from veillee.house.tables.clocks.time_control import DAY, HOUR, MINUTE, UNTIMED, TimeControl
from veillee.house.tables.clocks.timeouts import seconds_left
from veillee.match.verify import verify

ON_BOTH = True
EVENING = TimeControl.validated("evening", 10 * MINUTE, 15)
POST = TimeControl.validated("post", each=2 * DAY)


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def house(place, clock):
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


def rest(house, table, seat):
    return seconds_left(house.store, house.quiet_hours, table.moment, seat)


def move(table, guest, seat):
    """Answer until everybody sees that it is done."""
    turn = table.moment.clocks[seat].turn
    while (seat, turn) in [(asked, table.moment.clocks[asked].turn) for asked in table.match.to_act]:
        answer(table, guest, seat)


def two(house, ada, bob, pace, game="paper-tales"):
    table = house.tables.create(ada, game, [ME, OPEN], pace=pace)
    table.sit(bob, 1)
    return table


def test_each_clock_runs_on_its_own_while_its_seat_is_asked(house, clock, ada, bob):
    table = two(house, ada, bob, EVENING)
    assert table.match.to_act == (0, 1)
    clock.pass_by(20)
    move(table, ada, 0)
    assert rest(house, table, 0) is None, "she is not asked"
    assert table.moment.clocks[0].spent == 5, "the first fifteen seconds are the question's own"
    clock.pass_by(40)
    assert rest(house, table, 1) == 10 * MINUTE + 15 - 60
    move(table, bob, 1)
    assert [hour.spent for hour in table.moment.clocks] == [5, 45]
    assert rest(house, table, 1) == 10 * MINUTE + 15 - 45


def test_clocks_survive_a_restart_and_stand_still_while_the_house_is_closed(house, place, clock, ada, bob):
    table = two(house, ada, bob, EVENING)
    clock.pass_by(60)
    move(table, ada, 0)
    clock.pass_by(60)
    before = rest(house, table, 1)
    house.close()
    clock.pass_by(3 * DAY)
    again = House.open(place, workers=0, now=clock)
    table = again.tables.find(table.id)
    assert rest(again, table, 1) == pytest.approx(before)
    clock.pass_by(30)
    assert rest(again, table, 1) == pytest.approx(before - 30)
    move(table, bob, 1)
    assert [round(hour.spent) for hour in table.moment.clocks] == [45, 135]
    again.close()


def test_after_a_kill_time_stands_still_from_the_last_sign_of_life(house, place, clock, ada, bob):
    """What a killed house leaves behind: it said last that it was open, and never that it closed."""
    table = two(house, ada, bob, EVENING)
    clock.pass_by(60)
    house.timeouts.poll()
    house.store.downtime = Downtime()
    seen = clock.now
    clock.pass_by(DAY)
    house.peers.close()
    house.store.close()
    again = House.open(place, workers=0, now=clock)
    assert again.store.downtime.closings[-1] == (seen, seen + DAY)
    assert rest(again, again.tables.find(table.id), 1) == pytest.approx(10 * MINUTE + 15 - 60)
    again.close()


def test_when_time_is_out_a_bot_plays_until_the_person_answers_again(house, clock, ada, bob):
    table = two(house, ada, bob, POST)
    move(table, ada, 0)
    clock.pass_by(2 * DAY - 1)
    house.timeouts.poll()
    assert not table.seats[1].away
    clock.pass_by(1)
    house.timeouts.poll()
    assert table.seats[1].away
    assert table.match.to_act == (0,), "the bot has answered what Bob was asked"
    assert [(line.what, line.seat) for line in table.moment.row.lines] == [("out", 1)]
    move(table, ada, 0)
    stamp = table.stamp(1)
    assert table.match.to_act == (0,)
    table.come_back(bob, 1)
    move(table, ada, 0)
    assert 1 in table.match.to_act
    clock.pass_by(3 * DAY)
    house.timeouts.poll()
    assert table.seats[1].away
    assert stamp != table.stamp(1)
    play_on(table, [ada])
    assert verify(table.record()).holds


def test_who_answers_takes_the_seat_back(house, clock, ada, bob, monkeypatch):
    table = two(house, ada, bob, POST)
    move(table, ada, 0)
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: None)  # the bot is still thinking
    clock.pass_by(2 * DAY)
    house.timeouts.poll()
    assert table.seats[1].away
    move(table, bob, 1)
    assert not table.seats[1].away
    assert [line.what for line in table.moment.row.lines] == ["out", "back"]
    assert [seat for seat, _ in table.match.answers] == [0, 0, 1, 1]
    again = house.tables.replay(table.id)
    assert (again.moment.clocks, again.moment.row.lines) == (table.moment.clocks, table.moment.row.lines)


def test_a_table_may_agree_to_wait(house, clock, ada, bob):
    table = two(house, ada, bob, TimeControl.validated("post", each=HOUR, then="wait"))
    clock.pass_by(DAY)
    house.timeouts.poll()
    assert not any(seat.away for seat in table.seats)
    assert rest(house, table, 0) == HOUR - DAY


def test_bots_have_no_clock_and_nobody_counts_where_nobody_is_in_a_hurry(house, clock, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    clock.pass_by(365 * DAY)
    house.timeouts.poll()
    assert not table.seats[0].away
    assert table.moment.row.due is None
    paced = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT], pace=EVENING)
    assert [rest(house, paced, seat) for seat in (1, 2, 3)] == [None] * 3


def test_a_bot_that_was_interrupted_goes_on_though_nobody_looks(house, place, clock, ada, bob, monkeypatch):
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: None)  # it never comes to an end
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, OPEN], pace=POST)
    table.sit(bob, 3)
    for guest, seat in ((ada, 0), (bob, 3)):
        if seat in table.match.to_act:
            move(table, guest, seat)
    while not any(table.seats[seat].is_played_by_bot for seat in table.match.to_act):
        (seat,) = table.match.to_act
        move(table, ada if seat == 0 else bob, seat)
    played = len(table.match.answers)
    house.close()
    again = House.open(place, workers=0, now=clock)
    clock.pass_by(5 * MINUTE)
    again.timeouts.poll()
    assert len(again.tables.replay(table.id).match.answers) > played
    again.close()


def test_nights_and_holidays_do_not_count_by_post(house, clock, ada, bob):
    house.quiet_hours.save(bob.id, QuietHours.validated("Europe/Paris", "22:00", "08:00"))
    table = two(house, ada, bob, TimeControl.validated("post", each=28 * HOUR))
    clock.pass_by(2 * DAY)
    assert rest(house, table, 0) == -20 * HOUR
    assert rest(house, table, 1) == 0, "two nights of ten hours"
    house.timeouts.poll()
    assert [seat.away for seat in table.seats] == [True, True]


def test_a_look_that_comes_too_early_comes_again(house, clock, ada, bob):
    """A table says when to look without knowing anybody's nights."""
    for guest in (ada, bob):
        house.quiet_hours.save(guest.id, QuietHours.validated("UTC", "20:00", "08:00"))
    table = two(house, ada, bob, TimeControl.validated("post", each=DAY))
    clock.pass_by(DAY)
    house.timeouts.poll()
    assert not any(seat.away for seat in table.seats)
    clock.pass_by(DAY)
    house.timeouts.poll()
    assert all(seat.away for seat in table.seats)


def test_what_is_free_is_not_counted_twice():
    assert seconds_outside(0, 100, [(10, 30), (20, 40), (90, 200)]) == 60
    assert seconds_outside(0, 100, []) == 100
    assert seconds_outside(0, 100, [(-50, 500)]) == 0


@pytest.mark.parametrize("zone", ["UTC", "Mars/Phobos"])
def test_a_holiday_that_an_earlier_version_accepted_stops_no_clock(house, clock, ada, bob, zone):
    """Until 9999-12-31: the day after it is in no calendar."""
    table, other = two(house, ada, bob, POST), two(house, bob, ada, POST)
    house.quiet_hours.save(ada.id, QuietHours(zone, 0, 0, date(9999, 12, 2), date(9999, 12, 31)))
    house.quiet_hours._cache.clear()
    clock.pass_by(2 * DAY + 1)
    house.timeouts.poll()
    assert all(seat.away for one in (table, other) for seat in one.seats)


def test_trouble_at_one_table_or_task_stops_no_other(house, clock, ada, bob, monkeypatch, caplog):
    table, other = two(house, ada, bob, POST), two(house, bob, ada, POST)
    find, done = house.timeouts._find, []

    def broken(table_id):
        if table_id == table.id:
            raise OverflowError("date value out of range")
        return find(table_id)

    monkeypatch.setattr(house.timeouts, "_find", broken)
    house.timeouts._tasks = {"broken": lambda: 1 / 0, "other": lambda: done.append(True)}
    clock.pass_by(2 * DAY + 1)
    house.timeouts.poll()
    assert all(seat.away for seat in other.seats)
    assert done
    said = [one.getMessage() for one in caplog.records]
    assert said == [
        f"The clocks of table {table.id} cannot be checked.",
        "The task broken of the timeout thread has failed.",
    ]


def test_a_holiday_and_a_night_that_cannot_be():
    holiday = QuietHours.validated("UTC", "", "", "2027-01-15", "2027-01-16")
    assert holiday.is_quiet(1_800_000_000.0)  # it is the fifteenth
    assert not QuietHours().is_quiet(1_800_000_000.0)
    for bad in (
        ("Mars/Phobos", "", ""),
        ("UTC", "22:00", "21:00"),
        ("UTC", "25:00", "8:00"),
        ("UTC", "", "", "2027-01-02", "2027-01-01"),
        ("UTC", "", "", "2027-01-01", "2027-12-31"),
        ("UTC", "", "", "9999-12-30", "9999-12-31"),
        ("UTC", "", "", "0001-01-01", "0001-01-02"),
    ):
        with pytest.raises(BadRequest):
            QuietHours.validated(*bad)


@pytest.mark.parametrize(
    "wanted",
    [
        ("evening", 0, 0),
        ("evening", 365 * DAY, 0),
        ("evening", 600, -1),
        ("post", 0, 0),
        ("post", 0, 365 * DAY),
        ("haste", 60, 60),
        ("post", 0, DAY, "cheat"),
    ],
)
def test_a_pace_of_nothing_or_of_a_year_is_refused(wanted):
    with pytest.raises(BadRequest):
        TimeControl.validated(*wanted)


def test_time_in_the_house_stands_still_in_a_closing():
    closings = Downtime([(100, 200), (300, 350)])
    assert [closings.house_seconds(wall) for wall in (50, 100, 150, 200, 250, 400)] == [50, 100, 100, 100, 150, 250]
    assert [closings.wall_seconds(awake) for awake in (50, 150, 250)] == [50, 250, 400]


def test_tables_of_before_have_no_hurry_and_go_on(tmp_path):
    """From the schema before: a running game is read, its clocks run from its answers, and it goes on."""
    house = House.open(tmp_path, workers=0)
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob], answers=5)
    house.close()
    engine = sa.create_engine(house.store.engine.url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.downgrade(config, ScriptDirectory.from_config(config).get_revision("0008").down_revision)
    engine.dispose()
    after = House.open(tmp_path, workers=0)
    again = after.tables.find(table.id)
    assert again.moment.row.pace == UNTIMED
    assert again.match.answers == table.match.answers
    assert [hour.turn for hour in again.moment.clocks] == [hour.turn for hour in table.moment.clocks]
    play_on(again, [ada, bob])
    assert again.status == "over"
    after.close()
