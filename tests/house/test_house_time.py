"""The clock of the house: jumps of the machine's clock are held, and cost nobody their cookie, their game or their time."""

from __future__ import annotations

import pytest

from house.playing import ME, OPEN
from veillee.house.accounts.sessions import COOKIE_LIFETIME_SECONDS
from veillee.house.house import House
from veillee.house.house_time import BELIEVE_SECONDS, MAX_STEP_SECONDS, Downtime, Hourglass, SteadyClock
from veillee.house.maintenance.cleanup import delete_expired
from veillee.house.tables.clocks.time_control import DAY, HOUR, MINUTE, TimeControl
from veillee.house.tables.clocks.timeouts import seconds_left

ON_BOTH = True
YEARS = 3 * 365 * DAY
BEGIN = 1_800_000_000.0
EVENING = TimeControl.validated("evening", 10 * MINUTE, 15)


class Machine:
    """Its clocks: one that can be set, and one that cannot."""

    def __init__(self):
        self.wall, self.steady = BEGIN, 1000.0

    def pass_by(self, seconds):
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def machine():
    return Machine()


@pytest.fixture
def clock(machine):
    return SteadyClock(lambda: machine.wall, lambda: machine.steady)


@pytest.mark.parametrize("jump", [YEARS, -YEARS, DAY, -HOUR])
def test_a_jump_for_two_minutes_changes_nothing(machine, clock, caplog, jump):
    machine.wall += jump
    assert clock() == BEGIN
    machine.pass_by(2 * MINUTE)
    assert clock() == clock() == BEGIN + 2 * MINUTE
    machine.wall -= jump
    assert clock() == BEGIN + 2 * MINUTE
    assert [one.getMessage().split(":")[0] for one in caplog.records] == [
        f"The clock of this machine has jumped by {round(jump)} s",
        "The clock of this machine is right again.",
    ]
    assert clock.take_believed_jumps() == []


@pytest.mark.parametrize("jump", [YEARS, -YEARS])
def test_a_clock_that_stays_where_it_jumped_is_believed_in_the_end(machine, clock, jump):
    machine.wall += jump
    clock()
    machine.pass_by(BELIEVE_SECONDS - 1)
    assert clock() == BEGIN + BELIEVE_SECONDS - 1
    machine.pass_by(1)
    assert clock() == machine.wall
    before = BEGIN + BELIEVE_SECONDS
    assert clock.take_believed_jumps() == [(before, before + jump)]
    assert clock.take_believed_jumps() == []


def test_a_clock_that_goes_on_jumping_is_not_believed(machine, clock):
    for _ in range(100):
        machine.wall += DAY
        machine.pass_by(BELIEVE_SECONDS / 10)
        clock()
    assert clock() == BEGIN + 10 * BELIEVE_SECONDS


def test_a_time_server_may_correct_the_clock(machine, clock):
    for step in (MAX_STEP_SECONDS, -1.0, -MAX_STEP_SECONDS, 0.1):
        machine.wall += step
        assert clock() == machine.wall


@pytest.fixture
def house(place, clock):
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


def rest(house, table, seat):
    return seconds_left(house.store, house.quiet_hours, table.moment, seat)


@pytest.mark.parametrize("jump", [YEARS, -YEARS])
def test_players_lose_no_time_by_a_jump_that_is_held(house, machine, ada, bob, jump):
    table = house.tables.create(ada, "paper-tales", [ME, OPEN], pace=EVENING)
    table.sit(bob, 1)
    house.timeouts.poll()
    left = rest(house, table, 0)
    machine.wall += jump
    house.timeouts.poll()
    assert rest(house, table, 0) == left
    machine.pass_by(5)
    house.timeouts.poll()
    assert rest(house, table, 0) == left - 5
    assert not any(seat.away for seat in table.seats)
    assert house.guests.find(ada.token) is not None
    delete_expired(house.store)
    house.guests.invalidate()
    assert house.guests.find(ada.token) is not None


def test_a_jump_ahead_that_is_believed_counts_as_a_closing(house, machine, ada, bob):
    table = house.tables.create(ada, "paper-tales", [ME, OPEN], pace=TimeControl.validated("post", each=2 * DAY))
    table.sit(bob, 1)
    house.timeouts.poll()
    left = rest(house, table, 0)
    machine.wall += YEARS
    house.timeouts.poll()
    machine.pass_by(BELIEVE_SECONDS)
    house.timeouts.poll()
    assert rest(house, table, 0) == pytest.approx(left - BELIEVE_SECONDS)
    delete_expired(house.store)
    house.guests.invalidate()
    assert house.guests.find(ada.token) is not None


def test_a_house_that_was_opened_by_a_wrong_clock_goes_on_with_the_right_one(place, caplog):
    """Its clocks do not stand still for three years, and nobody is signed out."""
    clock = Hourglass()
    house = House.open(place, workers=0, now=clock)
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table_id = house.tables.create(ada, "paper-tales", [ME, OPEN], pace=EVENING).id
    house.tables.find(table_id).sit(bob, 1)
    house.close()
    clock.pass_by(YEARS)
    house = House.open(place, workers=0, now=clock)
    delete_expired(house.store)
    assert house.guests.find(ada.token) is not None
    house.close()
    clock.pass_by(HOUR - YEARS)
    house = House.open(place, workers=0, now=clock)
    left = rest(house, house.tables.find(table_id), 0)
    clock.pass_by(60)
    house.timeouts.poll()
    assert rest(house, house.tables.find(table_id), 0) == left - 60
    assert house.guests.find(ada.token) is not None
    house.close()
    assert [one.getMessage().split(":")[0] for one in caplog.records] == [
        "The house was closed for 1095 days, or the clock of this machine is wrong.",
        "The clock of this machine is behind the last time the house was open",
    ]


def test_nothing_expires_by_an_implausible_closing():
    downtime = Downtime([(0.0, 10 * DAY), (20 * DAY, 20 * DAY + YEARS)])
    now = 30 * DAY + YEARS
    assert downtime.expiry_cutoff(now, 15 * DAY) == 15 * DAY
    assert downtime.expiry_cutoff(now, 5 * DAY) == now - 5 * DAY
    assert downtime.expiry_cutoff(now, COOKIE_LIFETIME_SECONDS) == 30 * DAY - COOKIE_LIFETIME_SECONDS
