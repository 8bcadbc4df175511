"""Adaptive bots: as strong as their host has played, fixed when they sit down."""

from __future__ import annotations

import json
import sys
import threading
import time

import pytest
import sqlalchemy as sa

from house.playing import BOT, HOTSEAT, ME, OPEN, play_on
from veillee.bots.evaluation import Budget
from veillee.bots.levels import MEASURE, strength_of
from veillee.games.catalogue import BOXES
from veillee.house.accounts import personal_data
from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.analysis.strength import load_analysed_games, load_strength
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.results.statistics import load_games, summarize
from veillee.house.storage.schema import measures
from veillee.house.tables.seats import SeatPlan
from veillee.match.errors import VeilleeError

GAME = "sourire-du-dragon"
BOX = BOXES[GAME]
TO_MEASURE = SeatPlan("bot", level=MEASURE)
SMALL = Budget(2, 2, 2)


@pytest.fixture(autouse=True)
def _one_game_is_enough(monkeypatch):
    monkeypatch.setattr("veillee.house.analysis.strength.MIN_ANALYSED_GAMES", 1)


def finished(house, guest, plans=(ME, BOT)):
    table = house.tables.create(guest, GAME, plans)
    play_on(table, [guest])
    return table


def findings(table, given_away):
    """As if each answer of the first seat had given so much away, in a game in which luck moved a tenth at each."""
    rows = [{"chances": [0.5, 0.5], "worth": [0.0, 0.0], "luck": [0.0, 0.0]}]
    for seat, action in table.match.answers:
        rows.append({"chances": [0.5, 0.5], "worth": [0.0, 0.0], "luck": [0.1, -0.1]})
        if seat == 0:
            rows[-1]["options"] = [[action + 1, 0.5, 0.0], [action, 0.5 - given_away, 0.0]]
    return rows


def measured(house, guest, given_away):
    table = finished(house, guest)
    house.strength.record_analysis(table.id, table.match, findings(table, given_away))


def level_of(table):
    return next(seat.level for seat in table.seats if seat.kind == "bot")


def test_who_answers_better_meets_a_stronger_bot(house, ada, bob):
    measured(house, ada, 0.2)
    measured(house, bob, 0.001)
    weak, strong = (level_of(house.tables.create(guest, GAME, [ME, TO_MEASURE])) for guest in (ada, bob))
    assert strength_of(weak) < 0.3
    assert strength_of(strong) > 0.8


def test_before_enough_is_known_it_plays_like_a_regular(house, ada, monkeypatch):
    monkeypatch.setattr("veillee.house.analysis.strength.MIN_ANALYSED_GAMES", 2)
    measured(house, ada, 0.2)
    assert load_strength(house.store, ada.id, BOX).missing == 1
    assert level_of(house.tables.play_now(ada, GAME, MEASURE)) == "measure-0.67"


def test_the_latest_games_count(house, ada, monkeypatch):
    monkeypatch.setattr("veillee.house.analysis.strength.GAMES_COUNTED", 1)
    measured(house, ada, 0.2)
    before = load_strength(house.store, ada.id, BOX)
    measured(house, ada, 0.001)
    after = load_strength(house.store, ada.id, BOX)
    assert (before.games, after.games) == (1, 1)
    assert before.strength < after.strength
    assert load_strength(house.store, ada.id, BOXES["takara-island"]).games == 0


def test_it_is_settled_when_it_sits_down_and_outlasts_a_restart(house, ada, place):
    measured(house, ada, 0.05)
    table = house.tables.create(ada, GAME, [ME, TO_MEASURE])
    was = level_of(table)
    assert 0.0 < strength_of(was) < 1.0
    measured(house, ada, 0.2)
    assert level_of(house.tables.find(table.id)) == was
    house.close()
    again = House.open(place, workers=0)
    table = again.tables.find(table.id)
    assert level_of(table) == was
    play_on(table, [ada])
    assert table.status == "over"
    assert level_of(again.tables.rematch(ada, table)) == load_strength(again.store, ada.id, BOX).level != was
    again.close()


def test_among_several_people_a_rematch_has_the_same_company(house, ada, bob):
    measured(house, ada, 0.05)
    table = house.tables.create(ada, GAME, [ME, OPEN, TO_MEASURE])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    again = house.tables.rematch(bob, table)
    assert level_of(again) == level_of(table)


def test_whoever_puts_it_on_a_chair_is_its_measure(house, ada, bob):
    measured(house, bob, 0.05)
    table = house.tables.create(ada, GAME, [ME, OPEN, OPEN])
    table.sit(bob, 1)
    house.tables.seat_bot(bob, table, 2, MEASURE)
    assert level_of(table) == load_strength(house.store, bob.id, BOX).level
    with pytest.raises(BadRequest, match="There is no level measure-9"):
        house.tables.seat_bot(ada, house.tables.create(ada, GAME, [ME, OPEN]), 1, "measure-9")


def test_it_is_never_rated(house, ada):
    with pytest.raises(BadRequest, match="rated"):
        house.tables.create(ada, GAME, [ME, TO_MEASURE], hints=False, rated=True)
    table = house.tables.create(ada, GAME, [ME, OPEN], hints=False, rated=True)
    with pytest.raises(BadRequest, match="rated"):
        house.tables.seat_bot(ada, table, 1, MEASURE)


def test_games_that_were_not_ones_own_do_not_count(house, ada, bob):
    around = finished(house, ada, [ME, HOTSEAT])
    left = house.tables.create(ada, GAME, [ME, OPEN])
    left.sit(bob, 1)
    left.leave(ada, 0)
    play_on(left, [bob])
    source = finished(house, ada)
    branch = house.tables.play_on(ada, source, 2, 0)
    play_on(branch, [ada])
    for table in (around, left, branch):
        assert table.status == "over"
        house.strength.record_analysis(table.id, table.match, findings(table, 0.1))
    assert load_analysed_games(house.store, ada.id, BOX) == []
    assert [game.table_id for game in load_analysed_games(house.store, bob.id, BOX)] == [left.id]


def until(holds, seconds=60.0):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def test_games_against_it_and_the_latest_before_are_analysed_by_themselves(house, ada, monkeypatch):
    monkeypatch.setattr("veillee.house.analysis.strength.MIN_ANALYSED_GAMES", 2)
    house.analyses.budget = SMALL
    before = finished(house, ada)
    table = house.tables.create(ada, GAME, [ME, TO_MEASURE])
    assert until(lambda: len(load_analysed_games(house.store, ada.id, BOX)) == 1), "the game before"
    play_on(table, [ada])
    assert until(lambda: len(load_analysed_games(house.store, ada.id, BOX)) == 2), "the game against it"
    assert {game.table_id for game in load_analysed_games(house.store, ada.id, BOX)} == {before.id, table.id}
    assert house.analyses.find(table.id).state == "done"


def test_an_analysis_of_before_is_read_and_not_made_again(house, ada):
    house.analyses.budget = SMALL
    table = finished(house, ada)
    house.analyses.enqueue(table.id, table.match)
    assert until(lambda: len(load_analysed_games(house.store, ada.id, BOX)) == 1)
    with house.store.writing() as db:
        db.execute(sa.delete(measures))
    house.strength.analyse_earlier_games(ada.id, BOX)
    assert len(load_analysed_games(house.store, ada.id, BOX)) == 1


STUCK_ONCE = """
import json, pathlib, sys, time
from veillee.match.saves import load
for line in sys.stdin:
    rows = len(load(json.loads(line)["match"]).answers) + 1
    if not (once := pathlib.Path(sys.argv[1])).exists():
        once.touch()
        print("[0, {}]", flush=True)
        time.sleep(600)
    for number in range(rows):
        print(json.dumps([number, {}]))
    print(flush=True)
"""


def test_what_nobody_waits_for_waits_for_everybody(house, ada, tmp_path):
    """Not while a bot thinks; and it is cut short, and begun again, when a guest requests another analysis."""
    busy = threading.Event()
    busy.set()
    analyses = AnalysisQueue(house.store, (sys.executable, "-c", STUCK_ONCE, str(tmp_path / "once")), busy.is_set)
    first, second = finished(house, ada), finished(house, ada)
    analyses.enqueue_idle(first.id, first.match)
    analyses.enqueue_idle(first.id, first.match)
    found = analyses.find(first.id)
    assert not until(lambda: found.state != "waiting", 0.1)
    busy.clear()
    assert until(lambda: found.state == "running" and found.rows), "and there it stays"
    asked = analyses.enqueue(second.id, second.match)
    assert until(lambda: asked.state == "done")
    assert until(lambda: found.state == "done")
    assert len(found.rows) == found.total
    analyses.close()


def test_who_asks_for_what_waits_is_served_at_once(house, ada):
    analyses = AnalysisQueue(house.store, busy=lambda: True)
    analyses.budget = SMALL
    table = finished(house, ada)
    analyses.enqueue_idle(table.id, table.match)
    assert until(lambda: analyses.enqueue(table.id, table.match).state == "done")
    analyses.close()


def test_only_so_many_wait_for_nobody(house, ada, monkeypatch):
    monkeypatch.setattr("veillee.house.analysis.queue.MAX_IDLE_QUEUED", 0)
    table = finished(house, ada)
    house.analyses.enqueue_idle(table.id, table.match)
    assert house.analyses.find(table.id).state == "none"


def test_it_is_in_ones_own_data_and_goes_with_it(house, ada, bob):
    measured(house, ada, 0.1)
    assert len(json.loads(b"".join(personal_data.export_json(house.store, ada)))["measures"]) == 1
    assert json.loads(b"".join(personal_data.export_json(house.store, bob)))["measures"] == []
    house.accounts.delete(ada)
    with house.store.reading() as db:
        assert db.execute(sa.select(measures)).all() == []


def test_all_of_them_are_one_opponent_in_the_tallies(house, ada):
    for level in ("measure-0.20", "measure-0.80"):
        finished(house, ada, [ME, SeatPlan("bot", level=level)])
    met = {meeting.name: meeting.games for meeting in summarize(load_games(house.store, ada.id)).against}
    assert met == {MEASURE: 2}


def test_a_table_that_is_gone_is_no_trouble(house, ada):
    table = finished(house, ada)
    rows = findings(table, 0.1)
    house.archive.delete(ada, table.id)
    with pytest.raises(VeilleeError):
        house.strength.record_analysis(table.id, table.match, rows)
    assert load_analysed_games(house.store, ada.id, BOX) == []
