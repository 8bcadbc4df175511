"""Bots in processes of their own: what they are handed, and what happens when one dies, hangs or talks nonsense."""

from __future__ import annotations

import sys
import threading

import pytest

from tables.playing import BOT, ME, answer, play_on
from veillee.games import catalogue
from veillee.tables.errors import StoreError, t
from veillee.tables.house import House
from veillee.tables.people import SeatPlan
from veillee.tables.workers import AtOnce, Job, Processes

DIES = (sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(3)")
HANGS = (sys.executable, "-c", "import sys\nfor line in sys.stdin: pass")
NOT_THERE = ("no-such-program",)
TALKS = (sys.executable, "-c", "import sys\nfor line in sys.stdin: print('[]', flush=True)")


@pytest.fixture
def job(house, ada, monkeypatch):
    """What the house asks for the first bot of a table."""
    jobs = []
    monkeypatch.setattr(house._thinkers, "submit", lambda job, done: jobs.append(job))
    table = house.new_table(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    assert table.match.to_act == (3,)
    return jobs[0]


def ask(thinkers: Processes, job: Job) -> list[int]:
    said, there = [], threading.Event()
    thinkers.submit(job, lambda answers: (said.append(answers), there.set()))
    assert there.wait(60)
    return said[0]


def test_a_process_answers(job):
    thinkers = Processes(1)
    box = catalogue.BOXES[job.box_id]
    for _ in range(2):
        answers = ask(thinkers, Job(job.box_id, job.position, job.seat, "novice", job.seed))
        assert answers[0] in box.load(job.position).legal(job.seat)
    thinkers.close()


def test_a_bot_is_handed_what_its_seat_knows_and_no_more(house, ada, monkeypatch):
    jobs = []
    monkeypatch.setattr(house._thinkers, "submit", lambda job, done: jobs.append(job))
    table = house.new_table(ada, "paper-tales", [ME, BOT, BOT])
    state, box = table.match.state, table.box
    assert sorted(job.seat for job in jobs) == [1, 2]
    for job in jobs:
        position = box.load(job.position)
        assert box.view(position, job.seat) == box.view(state, job.seat)
        assert position.dump() != state.dump(), "the hands of the others are drawn anew"


@pytest.mark.parametrize("command", [DIES, HANGS, TALKS, NOT_THERE])
def test_what_fails_is_asked_once_more_and_then_given_up(job, command, caplog):
    thinkers = Processes(1, patience=0.2 if command is HANGS else 30, command=command)
    assert ask(thinkers, job) == []
    assert ask(thinkers, job) == [], "and the thread lives on"
    thinkers.close()
    assert caplog.text.count("a new one takes its place") == 4
    assert caplog.text.count("its choice is drawn") == 2


def test_a_failure_costs_one_more_question(job, tmp_path):
    once = tmp_path / "has-failed"
    script = f"""
import pathlib, sys
once = pathlib.Path({str(once)!r})
for line in sys.stdin:
    if not once.exists():
        once.touch()
        sys.exit(1)
    print("[7]", flush=True)
"""
    thinkers = Processes(1, patience=30, command=(sys.executable, "-c", script))
    assert ask(thinkers, job) == [7]
    thinkers.close()


def test_closing_does_not_wait_for_who_thinks_forever(job):
    thinkers = Processes(1, patience=3600, command=HANGS)
    thinkers.submit(job, lambda answers: pytest.fail("nobody is there to hear it"))
    thinkers.close()
    assert not any(thread.is_alive() for thread in thinkers._threads)


class Silent:
    """Bots that never say anything sensible."""

    def __init__(self, answers):
        self.answers = answers

    def submit(self, job, done):
        done(self.answers)

    def close(self):
        pass


@pytest.mark.parametrize("answers", [[], [999_999], [-5, 3]])
def test_a_table_goes_on_with_drawn_choices_when_bots_fail(house, ada, answers):
    house._thinkers = Silent(answers)
    table = house.new_table(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    play_on(table, [ada])
    assert table.status == "over"


@pytest.fixture
def thoughts(house):
    """The questions to bots, with whom to tell: they answer when the test says so."""
    waiting = []
    house._thinkers = Silent([])
    house._thinkers.submit = lambda job, done: waiting.append((job, done))
    return waiting


def test_what_a_bot_thought_before_the_table_moved_on_is_dropped(house, ada, thoughts):
    """A person takes back the move that the bot was thinking about."""
    table = house.new_table(ada, "takara-island", [ME, BOT])
    ideas = AtOnce()
    while 0 not in table.match.to_act:
        ideas.submit(*thoughts.pop())
    stop = next(choice.id for choice in table.match.choices(0) if choice.verb == "stop")
    answer(table, ada, 0, stop)
    assert [job.seat for job, _ in thoughts] == [1]
    table.undo(ada, 0, table.stamp(0))
    before = table.now
    ideas.submit(*thoughts.pop())
    assert table.now is before
    answer(table, ada, 0, stop)
    assert [job.seat for job, _ in thoughts] == [1], "it is asked again when it is its turn again"
    ideas.submit(*thoughts.pop())
    assert table.now.requests == before.requests + 2


def test_a_bot_whose_answer_cannot_be_written_tries_again(house, ada, thoughts, monkeypatch):
    monkeypatch.setattr("veillee.tables.house.AGAIN", 0.0)
    table = house.new_table(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    before, asked = table.now, threading.Event()
    house._thinkers.submit = lambda job, done: (thoughts.append((job, done)), asked.set())

    def full(*_, **__):
        raise StoreError(t("{path} cannot be used: {reason}.", path="x", reason="disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        AtOnce().submit(*thoughts.pop())
    assert table.now is before
    assert asked.wait(60)
    AtOnce().submit(*thoughts.pop())
    assert table.now.requests == 1


def test_a_bot_is_asked_once_however_often_the_table_is_opened(house, ada, thoughts):
    table = house.new_table(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    for _ in range(3):
        house.table(table.id)
    assert len(thoughts) == 1


def test_a_bot_that_plays_for_somebody_is_dropped_when_they_come_back(house, ada, thoughts):
    table = house.new_table(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    ideas = AtOnce()
    while 0 not in table.match.to_act:
        ideas.submit(*thoughts.pop())
    table.leave(ada, 0)
    assert [job.seat for job, _ in thoughts] == [0]
    table.come_back(ada, 0)
    before = table.now
    ideas.submit(*thoughts.pop())
    assert table.now is before
    table.leave(ada, 0)
    ideas.submit(*thoughts.pop())
    assert table.now.requests == before.requests + 1


def test_bots_wait_until_what_happened_has_been_shown_to_the_quickest_who_look_on(house, ada):
    """Nobody looks: they wait for nobody. A posted guard is seen at its place; a skipped scoring keeps nobody waiting."""
    table = house.new_table(ada, "ghost-knights", [ME] + [SeatPlan("bot", level="novice")] * 3)
    match = table.match
    play = next(choice.id for choice in match.choices(0) if choice.verb == "play")
    assert table.shown_for() == 0
    leave = [table.watch(1.6), table.watch(0.4)]
    brisk = table.shown_for()
    assert brisk > 0
    leave[1]()
    assert table.shown_for() == pytest.approx(brisk * 4)
    before = table.shown_for()
    table.answer(ada, 0, table.stamp(0), [play])
    assert table.shown_for() == before, "what others are not shown yet tells nobody anything, by no pause either"
    leave[0]()
    assert table.shown_for() == 0


def test_a_house_with_processes_plays_and_pauses(tmp_path):
    house = House.open(tmp_path, workers=2, pause=0.01)
    ada = house.new_guest("Ada")
    changed = threading.Event()
    table = house.new_table(ada, "ghost-knights", [ME] + [SeatPlan("bot", level="novice")] * 3)
    table.subscribe(changed.set)
    mine = 0
    while mine < 2:
        changed.clear()
        now = table.now
        if 0 in now.match.to_act:
            answer(table, ada, 0)
            mine += 1
        else:
            assert changed.wait(60)
    house.close()
    assert {seat for seat, _ in table.match.answers} > {0}
