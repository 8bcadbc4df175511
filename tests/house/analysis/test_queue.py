"""Analyses of finished games: made once for all readers, stored, and never for a running game; and playing on from a moment."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from house.playing import BOT, ME, OPEN, play_on
from veillee.bots.evaluation import Budget
from veillee.house.analysis.queue import Analysis, AnalysisQueue
from veillee.house.errors import BadRequest, NotNow
from veillee.house.house import House
from veillee.match.analysis import Account, analyse, analyse_for, restore_findings, to_json
from veillee.match.verify import verify

GAME = "takara-island"
SMALL = Budget(2, 2, 2)


@pytest.fixture
def over(house, ada):
    table = house.tables.create(ada, GAME, [ME, BOT])
    play_on(table, [ada])
    return table


def done(analyses, table, seconds=60.0):
    """When it has been gone through."""
    end = time.monotonic() + seconds
    while (found := analyses.find(table.id)).state in ("waiting", "running") and time.monotonic() < end:
        time.sleep(0.02)
    return found


def test_it_is_made_once_for_all_who_ask_and_kept(house, over, place):
    house.analyses.budget = SMALL
    with ThreadPoolExecutor(100) as people:  # all at once
        asked = list(people.map(lambda number: house.analyses.enqueue(over.id, over.match, number % 2), range(100)))
    assert all(one is asked[0] for one in asked)
    found = done(house.analyses, over)
    assert found.state == "done"
    assert found.rows == json.loads(json.dumps([to_json(one) for one in analyse(over.match, budget=SMALL)]))
    house.close()
    again = House.open(place, workers=0)
    kept = again.analyses.find(over.id)
    assert (kept.state, kept.rows) == ("done", found.rows)
    assert again.analyses.enqueue(over.id, over.match) is kept
    again.close()


def test_what_was_written_down_is_what_was_found(over):
    findings = list(analyse(over.match, budget=SMALL))
    again = restore_findings(over.match, [to_json(one) for one in findings])
    assert [one.sentences("en") for one in again[1:]] == [one.sentences("en") for one in findings[1:]]
    sums = [Account(2), Account(2)]
    for account, every in zip(sums, (findings, again), strict=True):
        for one in every:
            account.add(one)
    assert sums[0] == sums[1]


def test_whoever_asks_first_is_told_first_and_what_is_kept_is_in_order(over):
    told = [(one.number, to_json(one)) for one in analyse_for(over.match, 1, budget=SMALL)]
    found, met = Analysis(len(over.match.answers) + 1), set()
    for done, (number, row) in enumerate(told, 1):
        found.add(number, row)
        met.add(number)
        assert found.completed == len(met)
        if done == len(told) // 3:
            ahead = restore_findings(over.match, found.rows, found.ahead)[len(found.rows) :]
            assert [one.number for one in ahead] == sorted(found.ahead) != []
            assert {one.seat for one in ahead} == {1}
    assert found.rows == [row for _, row in sorted(dict(told).items())]
    assert not found.ahead


def test_what_is_told_again_takes_the_place_of_what_was_told_before():
    found = Analysis(3)
    for number, row in ((0, "start"), (2, "mine"), (0, "again"), (2, "mine, and why"), (1, "theirs"), (1, "why")):
        found.add(number, {"told": row})
    assert [row["told"] for row in found.rows] == ["again", "why", "mine, and why"]
    assert not found.ahead


def test_a_complete_analysis_is_restored_once(over, monkeypatch):
    rows = [to_json(one) for one in analyse(over.match, budget=SMALL)]
    replayed, from_the_start = [], type(over.match).from_the_start

    def count(match):
        replayed.append(match)
        return from_the_start(match)

    monkeypatch.setattr(type(over.match), "from_the_start", count)
    complete, running = Analysis(len(rows), "done", rows), Analysis(len(rows), "running", rows[:3])
    assert complete.findings(over.match) is complete.findings(over.match)
    assert len(replayed) == 1
    assert [one.number for one in running.findings(over.match)] == [0, 1, 2]
    running.add(3, rows[3])
    assert [one.number for one in running.findings(over.match)] == [0, 1, 2, 3], "more has come"


def test_a_game_that_goes_on_is_not_analysed(house, ada, bob):
    table = house.tables.create(ada, GAME, [ME, OPEN])
    table.sit(bob, 1)
    with pytest.raises(NotNow, match="over"):
        house.analyses.enqueue(table.id, table.match)
    assert house.analyses.find(table.id).state == "none"


def test_a_process_that_fails_is_told_of_and_may_be_asked_again(house, over):
    broken = AnalysisQueue(house.store, (sys.executable, "-c", "input(); print('{}')"))
    broken.enqueue(over.id, over.match)
    assert done(broken, over).state == "failed"
    assert broken.enqueue(over.id, over.match).state in ("waiting", "running", "failed")
    broken.close()


def test_an_error_that_nobody_foresees_fails_one_analysis_which_may_be_asked_again(house, over, monkeypatch):
    def fail():
        raise SystemExit

    house.analyses.budget = SMALL
    with monkeypatch.context() as broken:
        broken.setattr(house.analyses, "_running_process", fail)
        house.analyses.enqueue(over.id, over.match)
        assert done(house.analyses, over).state == "failed"
    house.analyses.enqueue(over.id, over.match)
    assert done(house.analyses, over).state == "done"


def test_addresses_take_turns_and_none_has_the_whole_queue(house, over, monkeypatch):
    monkeypatch.setattr(AnalysisQueue, "_start_work", lambda _: None)
    queue = AnalysisQueue(house.store)
    for number in range(15):
        queue.enqueue(f"a{number}", over.match, address="192.0.2.1")
    with pytest.raises(NotNow, match="Many games wait"):
        queue.enqueue("a15", over.match, address="192.0.2.1")
    assert queue.find("a15").state == "none"
    queue.enqueue("b0", over.match, address="192.0.2.2")
    assert [queue._next()[0] for _ in range(3)] == ["a0", "b0", "a1"]


def test_only_so_many_wait(house, over, monkeypatch):
    monkeypatch.setattr("veillee.house.analysis.queue.MAX_QUEUED", 0)
    with pytest.raises(NotNow, match="Many games wait"):
        house.analyses.enqueue(over.id, over.match)


def test_one_plays_on_from_a_moment_and_the_record_says_so(house, ada, bob, over, place):
    at = next(n for n in range(10, len(over.match.answers)) if over.match.answers[n][0] == 0)
    table = house.tables.play_on(bob, over, at, 0)
    assert table.match.answers[:at] == over.match.answers[:at]
    assert table.match.to_act == (0,)
    assert [seat.kind for seat in table.seats] == ["person", "bot"]
    assert (table.seats[1].name, table.seats[1].level) == (over.seats[1].name, over.seats[1].level), "whom one knows"
    assert house.tables.play_on(bob, over, at, 1).seats[0].name != over.seats[0].name, "no bot goes by a person's name"
    assert not table.moment.row.rated
    play_on(table, [bob], 3)
    house.close()
    again = House.open(place, workers=0)
    table = again.tables.find(table.id)
    play_on(table, [bob])
    record = table.record()
    assert record["played_on_from"] == f"{over.id} {at}"
    assert verify(record).holds
    again.close()


def test_there_is_nothing_to_play_on_from(house, ada, over):
    running = house.tables.create(ada, GAME, [ME, BOT])
    with pytest.raises(NotNow):
        house.tables.play_on(ada, running, 0, 0)
    for at, seat in ((-1, 0), (len(over.match.answers), 0), (0, 2), (0, -1)):
        with pytest.raises(BadRequest):
            house.tables.play_on(ada, over, at, seat)
    today = house.daily_deals.open_table(ada, GAME)
    play_on(today, [ada])
    with pytest.raises(NotNow, match="still playing"):
        house.tables.play_on(ada, today, 0, 0)
