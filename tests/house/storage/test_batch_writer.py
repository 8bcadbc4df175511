"""Batch writer: queued answers are written in one transaction, and each caller gets the result of its own answer."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace

import pytest
import sqlalchemy as sa

from house.playing import ME, OPEN, photograph
from veillee.house.errors import NotYours, Stale, StoreError
from veillee.house.house import House
from veillee.house.storage import answer_sql
from veillee.house.storage.batch_writer import BatchWriter
from veillee.house.storage.store import Conflict
from veillee.house.tables.repository import AnswerRequest
from veillee.match.verify import verify
from veillee.web.live.submit_answer import submit_answer

PATIENCE = 20.0


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=1)  # one that does not wait for bots
    yield house
    house.close()


class Told:
    """Collects the result that a caller gets."""

    def __init__(self):
        self.words, self.heard = [], threading.Event()

    def __call__(self, wrong):
        self.words.append(wrong)
        self.heard.set()

    def wait(self):
        assert self.heard.wait(PATIENCE)
        (word,) = self.words
        return word


def two(house, ada, bob, game="takara-island"):
    table = house.tables.create(ada, game, [ME, OPEN])
    table.sit(bob, 1)
    return table


def choice(table):
    seat = table.match.to_act[0]
    return seat, table.stamp(seat), [table.match.choices(seat)[0].id]


def test_what_comes_while_the_disk_is_busy_is_written_in_one_go():
    busy, free, written = threading.Event(), threading.Event(), []

    def write(lines):
        written.append(list(lines))
        busy.set()
        assert free.wait(PATIENCE)
        return [None] * len(lines)

    scribe, told = BatchWriter(write), [Told() for _ in range(5)]
    assert scribe.submit(0, told[0])
    assert busy.wait(PATIENCE)
    for number in range(1, 5):
        assert scribe.submit(number, told[number])
    assert not any(one.heard.is_set() for one in told), "nothing is on disk yet"
    free.set()
    assert [one.wait() for one in told] == [None] * 5
    assert written == [[0], [1, 2, 3, 4]]
    scribe.close()


def test_what_waits_is_written_before_the_scribe_goes_home():
    written, told = [], [Told() for _ in range(3)]
    slow = threading.Event()

    def write(lines):
        slow.wait(0.01)
        written.extend(lines)
        return [None] * len(lines)

    scribe = BatchWriter(write)
    for number, one in enumerate(told):
        scribe.submit(number, one)
    scribe.close()
    assert written == [0, 1, 2]
    assert [one.wait() for one in told] == [None] * 3
    assert not scribe.submit(3, Told())


def test_one_answer_that_comes_too_late_takes_no_other_with_it(house):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    tables = [two(house, ada, bob) for _ in range(3)]
    asked = [table.match.to_act[0] for table in tables]
    records = [
        house.tables.repository._record(
            table.moment.row, 1, AnswerRequest(seat, (table.match.choices(seat)[0].id,)), shown=True
        )[1]
        for table, seat in zip(tables, asked, strict=True)
    ]
    records[1]["seq"] = 7
    found = house.store._append(records)
    assert [type(wrong) for wrong in found] == [type(None), Conflict, type(None)]
    assert [len(house.tables.repository.find(table.id)[1]) for table in tables] == [1, 0, 1]


def test_together_they_are_written_as_each_by_itself_would_be(house, monkeypatch):
    monkeypatch.setattr(answer_sql, "_write_one", None)  # no answer is written on its own here
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    tables = [two(house, ada, bob) for _ in range(3)]
    records = []
    for number, table in enumerate(tables):
        seat, due = table.match.to_act[0], 1_700_000_000.1 + number / 3
        row, request = replace(table.moment.row, asked=(seat, 1 - seat), due=due), AnswerRequest(seat, (number,))
        records.append(house.tables.repository._record(row, 1, request, shown=True)[1])
    assert house.store._append(records) == [None] * 3
    known = "SELECT id, status, asked, touched, requests, due, reseated FROM tables WHERE id = :table"
    with house.store.reading() as db:
        for record in records:
            names = ("table", "status", "asked", "touched", "seq", "due", "known")
            assert tuple(db.execute(sa.text(known), record).one()) == tuple(record[name] for name in names)
    for table, record in zip(tables, records, strict=True):
        (answer,) = house.tables.repository.find(table.id)[1]
        assert (answer.seat, list(answer.actions)) == (record["seat"], json.loads(record["actions"]))


def test_two_answers_of_one_table_are_one_too_many(house):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = two(house, ada, bob)
    seat = table.match.to_act[0]
    record = house.tables.repository._record(table.moment.row, 1, AnswerRequest(seat, (0,)), shown=True)[1]
    assert [type(wrong) for wrong in house.store._append([record, record])] == [type(None), Conflict]
    assert len(house.tables.repository.find(table.id)[1]) == 1


def test_an_answer_is_on_disk_when_whoever_gave_it_is_told(house):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table, told, seen = two(house, ada, bob), Told(), []
    table.subscribe(lambda: seen.append(table.moment.requests))
    seat, stamp, actions = choice(table)
    guest = (ada, bob)[seat]
    assert table.submit_answer(guest, seat, stamp, actions, told)
    assert told.wait() is None
    assert seen == [1]
    assert house.tables.repository.find(table.id)[1] == [AnswerRequest(seat, tuple(actions))]
    again = Told()
    assert table.submit_answer(guest, seat, stamp, actions, again), "twice is once"
    assert again.wait() is None
    assert table.moment.requests == 1


def test_what_is_refused_is_refused_at_once_and_the_table_is_free(house):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = two(house, ada, bob)
    seat, stamp, actions = choice(table)
    before = photograph(table)
    with pytest.raises(NotYours):
        table.submit_answer((bob, ada)[seat], seat, stamp, actions, Told())
    with pytest.raises(Stale):
        table.submit_answer((ada, bob)[seat], seat, "xyz", actions, Told())
    assert not table.submit_answer((ada, bob)[seat], 9, stamp, actions, Told()), "answer() says why"
    assert photograph(table) == before
    table.answer((ada, bob)[seat], seat, stamp, actions)


def test_while_somebody_else_changes_the_table_answers_wait_in_a_thread(house):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = two(house, ada, bob)
    seat, stamp, actions = choice(table)
    with table._lock:
        assert not table.submit_answer((ada, bob)[seat], seat, stamp, actions, Told())


def test_a_full_disk_is_told_and_changes_nothing(house, monkeypatch):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table, told = two(house, ada, bob), Told()
    seat, stamp, actions = choice(table)
    before = photograph(table)
    with monkeypatch.context() as patch:
        patch.setattr("veillee.house.storage.answer_sql.MOVED", "UPDATE nowhere SET nothing = :table")
        assert table.submit_answer((ada, bob)[seat], seat, stamp, actions, told)
        assert isinstance(told.wait(), StoreError)
    assert photograph(table) == before
    asyncio.run(submit_answer(table, (ada, bob)[seat], seat, stamp, actions))
    assert table.moment.requests == 1


def test_a_table_that_was_changed_behind_our_back_is_read_again(house):
    """The scribe finds a conflict: the answer is given on what the store has."""
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = two(house, ada, bob)
    seat, stamp, actions = choice(table)
    house.tables.repository.save_seats(table.moment.row, table.moment.requests)
    asyncio.run(submit_answer(table, (ada, bob)[seat], seat, stamp, actions))
    assert table.moment.requests == 1
    assert table.moment.row.reseated == house.tables.repository.find(table.id)[0].reseated


def test_many_tables_play_whole_games_at_once(house):
    """Everybody answers in one loop; nothing is lost, doubled or out of order."""
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    tables = [two(house, ada, bob, game) for game in ("takara-island", "paper-tales", "takara-island")]

    async def play(table):
        while table.status == "playing":
            seat, stamp, actions = choice(table)
            twice = [submit_answer(table, (ada, bob)[seat], seat, stamp, actions) for _ in range(2)]
            for wrong in await asyncio.gather(*twice, return_exceptions=True):
                assert wrong is None or isinstance(wrong, Stale)

    async def all_of_them():
        await asyncio.gather(*[play(table) for table in tables])

    asyncio.run(all_of_them())
    for table in tables:
        row, requests = house.tables.repository.find(table.id)
        assert row.status == "over"
        assert [action for request in requests for action in request.actions] == [a for _, a in table.match.answers]
        assert verify(table.record()).holds
