"""Nothing is lost: closing, reopening, kill -9."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from house.playing import BOT, ME, OPEN, answer, photograph, play_on
from veillee.games.catalogue import BOXES
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.tables.repository import TableRepository
from veillee.house.tables.seats import SeatPlan

ROOT = Path(__file__).parents[3]
ON_BOTH = True


@pytest.mark.parametrize("answers", [1, 30])
@pytest.mark.parametrize("game", list(BOXES))
def test_a_table_is_as_it_was_left(house, ada, bob, place, game, answers):
    seats = min(max(3, BOXES[game].players[0]), BOXES[game].players[-1])
    table = house.tables.create(ada, game, [ME, OPEN, SeatPlan("hotseat", "Zoé"), *[BOT] * 5][:seats], luck="brume")
    table.sit(bob, 1)
    play_on(table, [ada, bob], answers)
    if table.status == "playing":  # some games are shorter
        table.leave(bob, 1)
        table.come_back(bob, 1)
    before = photograph(table)
    house.close()
    again = House.open(place, workers=0)
    assert photograph(again.tables.find(table.id)) == before
    play_on(again.tables.find(table.id), [ada, bob], 5)
    again.close()


def test_a_move_in_hand_survives_with_its_undo_and_its_stamp(house, ada, place):
    table = house.tables.create(ada, "ghost-knights", [ME] + [SeatPlan("hotseat")] * 3)
    (seat,) = table.match.to_act
    start = table.match.view(seat)
    play = next(choice.id for choice in table.match.choices(seat) if choice.verb == "play")
    stamp = table.stamp(seat)
    answer(table, ada, seat, play)
    house.close()
    again = House.open(place, workers=0)
    reopened = again.tables.find(table.id)
    reopened.answer(ada, seat, stamp, [play])  # the click that was sent once more because the server was gone
    assert len(reopened.match.answers) == 1
    reopened.undo(ada, seat, table.stamp(seat))
    assert reopened.match.view(seat) == start
    again.close()
    once_more = House.open(place, workers=0)
    assert once_more.tables.find(table.id).match.answers == [], "taking back is on disk, too"
    once_more.close()


def test_a_waiting_table_waits_on(house, ada, bob, place):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, OPEN, BOT])
    table.sit(bob, 2)
    house.close()
    again = House.open(place, workers=0)
    reopened = again.tables.find(table.id)
    assert (reopened.status, reopened.seats, reopened.commitment) == ("waiting", table.seats, table.commitment)
    again.close()


def test_bots_go_on_after_a_restart(house, ada, place, monkeypatch):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, OPEN])
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: None)  # the server dies while they think
    table.seat_bot(ada, 3)
    while 0 in table.match.to_act:
        answer(table, ada, 0)
    house.close()
    again = House.open(place, workers=0)
    (glance,) = again.tables.for_guest(ada)
    assert glance.asked == (0,), "they have answered before anybody looked at the table"
    assert len(again.tables.find(table.id).match.answers) > len(table.match.answers)
    again.close()


def test_a_table_that_nobody_uses_leaves_the_memory_and_comes_back(house, ada, monkeypatch):
    monkeypatch.setattr(house.tables.cache, "_most", 1)
    table = house.tables.play_now(ada, "ghost-knights")
    name, before = table.id, photograph(table)
    house.tables.play_now(ada, "ghost-knights")
    assert house.tables.find(name) is table, "one object as long as somebody holds it"
    del table
    house.tables.play_now(ada, "ghost-knights")
    assert house.tables.cache.find(name) is None
    assert photograph(house.tables.find(name)) == before


def test_kill_minus_nine(tmp_path):
    """The long version is run by `make soak`."""
    command = [
        sys.executable,
        str(ROOT / "tools" / "stress" / "kill_test.py"),
        "--kills",
        "2",
        "--terms",
        "1",
        "--backups",
        "1",
    ]
    env = {"PYTHONPATH": str(ROOT / "src")}
    run = subprocess.run(
        [*command, "--clients", "3", "--folder", str(tmp_path)], env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert " 0 lost" in run.stdout


def test_a_house_that_opens_reads_no_table(house, ada, place, monkeypatch):
    """At any number of tables: bots alone wait for a spectator, and bots among people for one of these."""
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: None)  # the house closes while they think
    alone = house.tables.create(ada, "takara-island", [BOT, BOT])
    while 0 in table.match.to_act:
        answer(table, ada, 0)
    house.close()
    with monkeypatch.context() as patch:
        patch.setattr(TableRepository, "find", lambda repository, table_id: pytest.fail("nobody has asked for it"))
        again = House.open(place, workers=0)
        assert again.guests.find(ada.token) == Guest(ada.id, "Ada")
        assert again.tables.list_open() == []
    assert [glance.asked for glance in again.tables.for_guest(ada)] == [(0,)]
    assert again.tables.repository.find(alone.id)[1] == []
    assert again.tables.find(alone.id).status == "over", "they have played, for somebody looks"
    again.close()


def test_whoever_asks_for_a_table_waits_for_no_other(house, ada, monkeypatch):
    """One table is being read, slowly: others are there at once, and it is read once however many want it."""
    monkeypatch.setattr(house.tables.cache, "_most", 1)
    slow, quick = [house.tables.create(ada, "takara-island", [ME, OPEN]).id for _ in range(2)]
    house.tables.create(ada, "takara-island", [ME, OPEN])
    began, go_on, read = threading.Event(), threading.Event(), []
    find = house.tables.repository.find

    def find_table(table_id):
        read.append(table_id)
        if table_id == slow:
            began.set()
            assert go_on.wait(20)
        return find(table_id)

    monkeypatch.setattr(house.tables.repository, "find", find_table)
    with ThreadPoolExecutor(2) as others:
        waiting = [others.submit(house.tables.find, slow)]
        assert began.wait(20)
        waiting.append(others.submit(house.tables.find, slow))
        assert house.tables.find(quick).id == quick
        go_on.set()
        first, second = [one.result() for one in waiting]
    assert first is second
    assert sorted(read) == sorted([slow, quick])
