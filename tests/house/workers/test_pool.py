"""Bot worker processes: their input, and recovery when one dies, hangs or returns invalid output."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from house.playing import BOT, ME, OPEN, answer, play_on
from veillee.games import catalogue
from veillee.house.errors import StoreError, t
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import ThinkJob
from veillee.house.workers.pool import ThinkerPool

DIES = (sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(3)")
HANGS = (sys.executable, "-c", "import sys\nfor line in sys.stdin: pass")
NOT_THERE = ("no-such-program",)
TALKS = (sys.executable, "-c", "import sys\nfor line in sys.stdin: print('[]', flush=True)")


@pytest.fixture
def job(house, ada, monkeypatch):
    """What the house asks for the first bot of a table."""
    jobs = []
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: jobs.append(job))
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    assert table.match.to_act == (3,)
    return jobs[0]


def ask(thinkers: ThinkerPool, job: ThinkJob) -> list[int]:
    said, there = [], threading.Event()
    thinkers.submit(job, lambda answers: (said.append(answers), there.set()))
    assert there.wait(60)
    return said[0]


def test_a_process_answers(job):
    thinkers = ThinkerPool(1)
    box = catalogue.BOXES[job.box_id]
    for _ in range(2):
        answers = ask(thinkers, ThinkJob(job.box_id, job.position, job.seat, "novice", job.seed))
        assert answers[0] in box.load(job.position).legal(job.seat)
    thinkers.close()


def test_a_bot_is_handed_what_its_seat_knows_and_no_more(house, ada, monkeypatch):
    jobs = []
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: jobs.append(job))
    table = house.tables.create(ada, "paper-tales", [ME, BOT, BOT])
    state, box = table.match.state, table.box
    assert sorted(job.seat for job in jobs) == [1, 2]
    for job in jobs:
        position = box.load(job.position)
        assert box.view(position, job.seat) == box.view(state, job.seat)
        assert position.dump() != state.dump(), "the hands of the others are drawn anew"


@pytest.mark.parametrize("command", [DIES, HANGS, TALKS, NOT_THERE])
def test_what_fails_is_asked_once_more_and_then_given_up(job, command, caplog):
    thinkers = ThinkerPool(1, patience=0.2 if command is HANGS else 30, command=command)
    assert ask(thinkers, job) == []
    assert ask(thinkers, job) == [], "and the thread lives on"
    thinkers.close()
    assert caplog.text.count("a new one takes its place") == 4
    assert caplog.text.count("its choice is drawn") == 2


def test_an_error_that_nobody_foresees_costs_no_bot_its_answer(job, monkeypatch):
    thinkers = ThinkerPool(1)
    (worker,) = thinkers._workers
    running = worker._running_process

    def fail():
        monkeypatch.setattr(worker, "_running_process", running)
        raise SystemExit

    monkeypatch.setattr(worker, "_running_process", fail)
    answers = ask(thinkers, ThinkJob(job.box_id, job.position, job.seat, "novice", job.seed))
    assert answers[0] in catalogue.BOXES[job.box_id].load(job.position).legal(job.seat)
    thinkers.close()


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
    thinkers = ThinkerPool(1, patience=30, command=(sys.executable, "-c", script))
    assert ask(thinkers, job) == [7]
    thinkers.close()


def test_a_process_is_replaced_after_so_many_questions(job, monkeypatch):
    """What it loses with each of them is bounded so."""
    monkeypatch.setattr("veillee.house.workers.pool.JOBS_PER_PROCESS", 2)
    script = "import os, sys\nfor line in sys.stdin: print([os.getpid()], flush=True)"
    thinkers = ThinkerPool(1, patience=30, command=(sys.executable, "-c", script))
    first, second, third = (ask(thinkers, job) for _ in range(3))
    assert first == second != third
    thinkers.close()


def test_a_process_may_be_there_before_it_is_needed(tmp_path):
    came = tmp_path / "came"
    script = f"import pathlib, sys; sys.stdin.readline(); pathlib.Path({str(came)!r}).touch(); print(0, flush=True)"
    thinkers = ThinkerPool(1, command=(sys.executable, "-c", script), at_once=True)
    until = time.monotonic() + 30
    while not came.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    thinkers.close()


def test_closing_does_not_wait_for_who_thinks_forever(job):
    thinkers = ThinkerPool(1, patience=3600, command=HANGS)
    thinkers.submit(job, lambda answers: pytest.fail("nobody is there to hear it"))
    thinkers.close()
    assert not any(thread.is_alive for thread in thinkers._threads)


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
    house.tables.bots.thinkers = Silent(answers)
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    play_on(table, [ada])
    assert table.status == "over"


@pytest.fixture
def thoughts(house):
    """The questions to bots, with whom to tell: they answer when the test says so."""
    waiting = []
    house.tables.bots.thinkers = Silent([])
    house.tables.bots.thinkers.submit = lambda job, done: waiting.append((job, done))
    return waiting


def test_what_a_bot_thought_before_the_table_moved_on_is_dropped(house, ada, thoughts):
    """A person takes back the move that the bot was thinking about."""
    table = house.tables.create(ada, "takara-island", [ME, BOT])
    ideas = InlineThinkers()
    while 0 not in table.match.to_act:
        ideas.submit(*thoughts.pop())
    stop = next(choice.id for choice in table.match.choices(0) if choice.verb == "stop")
    answer(table, ada, 0, stop)
    assert [job.seat for job, _ in thoughts] == [1]
    table.undo(ada, 0, table.stamp(0))
    before = table.moment
    ideas.submit(*thoughts.pop())
    assert table.moment is before
    answer(table, ada, 0, stop)
    assert [job.seat for job, _ in thoughts] == [1], "it is asked again when it is its turn again"
    ideas.submit(*thoughts.pop())
    assert table.moment.requests == before.requests + 2


def test_a_bot_whose_answer_cannot_be_written_tries_again(house, ada, thoughts, monkeypatch):
    monkeypatch.setattr("veillee.house.tables.bots.scheduler.RETRY_SECONDS", 0.0)
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    before, asked = table.moment, threading.Event()
    house.tables.bots.thinkers.submit = lambda job, done: (thoughts.append((job, done)), asked.set())

    def full(*_, **__):
        raise StoreError(t("{path} cannot be used: {reason}.", path="x", reason="disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr(house.tables.repository, "append", full)
        InlineThinkers().submit(*thoughts.pop())
    assert table.moment is before
    assert asked.wait(60)
    InlineThinkers().submit(*thoughts.pop())
    assert table.moment.requests == 1


def test_a_bot_is_asked_once_however_often_the_table_is_opened(house, ada, thoughts):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    for _ in range(3):
        house.tables.find(table.id)
    assert len(thoughts) == 1


def test_a_bot_that_plays_for_somebody_is_dropped_when_they_come_back(house, ada, thoughts):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    ideas = InlineThinkers()
    while 0 not in table.match.to_act:
        ideas.submit(*thoughts.pop())
    table.leave(ada, 0)
    assert [job.seat for job, _ in thoughts] == [0]
    table.come_back(ada, 0)
    before = table.moment
    ideas.submit(*thoughts.pop())
    assert table.moment is before
    table.leave(ada, 0)
    ideas.submit(*thoughts.pop())
    assert table.moment.requests == before.requests + 1


def test_bots_wait_until_what_happened_has_been_shown_to_the_quickest_who_look_on(house, ada):
    """Without spectators bots do not wait; otherwise until the fastest one has been shown the public events."""
    table = house.tables.create(ada, "ghost-knights", [ME] + [SeatPlan("bot", level="novice")] * 3)
    match = table.match
    play = next(choice.id for choice in match.choices(0) if choice.verb == "play")
    assert table.animation_seconds() == 0
    leave = [table.watch(1.6), table.watch(0.4)]
    brisk = table.animation_seconds()
    assert brisk > 0
    leave[1]()
    assert table.animation_seconds() == pytest.approx(brisk * 4)
    before = table.animation_seconds()
    table.answer(ada, 0, table.stamp(0), [play])
    assert table.animation_seconds() == before, (
        "what others are not shown yet tells nobody anything, by no pause either"
    )
    leave[0]()
    assert table.animation_seconds() == 0


def test_a_house_with_processes_plays_and_pauses(tmp_path):
    house = House.open(tmp_path, workers=2, pause=0.01)
    ada = house.guests.new("Ada")
    changed = threading.Event()
    table = house.tables.create(ada, "ghost-knights", [ME] + [SeatPlan("bot", level="novice")] * 3)
    table.subscribe(changed.set)
    mine = 0
    while mine < 2:
        changed.clear()
        now = table.moment
        if 0 in now.match.to_act:
            answer(table, ada, 0)
            mine += 1
        else:
            assert changed.wait(60)
    house.close()
    assert {seat for seat, _ in table.match.answers} > {0}


# -- fair queue ---------------------------------------------------------------------------------------------------------
SCRIPTED = """
import json, pathlib, sys, time
gate, log = pathlib.Path({gate!r}), pathlib.Path({log!r})
for line in sys.stdin:
    job = json.loads(line)
    while not gate.exists():
        time.sleep(0.005)
    with log.open("a") as said:
        said.write(job["wanted"] + " " + job["level"] + "\\n")
    best = [{{"action": 1, "wins": 0.5, "visits": 1}}]
    print(json.dumps({{"action": 1, "reasons": [], "best": best}} if job["wanted"] == "advise" else [7]), flush=True)
"""


class Thought:
    """A real process that notes what it is asked, in order, as soon as the gate is open."""

    def __init__(self, folder):
        self.gate, self.log = folder / "gate", folder / "log"
        script = SCRIPTED.format(gate=str(self.gate), log=str(self.log))
        self.thinkers = ThinkerPool(1, command=(sys.executable, "-c", script))
        self.asked, self.said = 0, 0
        self.done = threading.Semaphore(0)
        self.submit(["nobody"], "first")  # the process has begun with this one while the others come
        while len(self.thinkers._bot_queue):
            pass

    def submit(self, whose, name):
        fits = self.thinkers.submit(ThinkJob("", {}, 0, name, 0, tuple(whose), name), lambda _: self.done.release())
        self.asked += fits
        return fits

    def advise(self, whose, name):
        self.thinkers.advise(ThinkJob("", {}, 0, name, 0, tuple(whose), name), lambda _: self.done.release())
        self.asked += 1

    def order(self):
        self.gate.touch()
        for _ in range(self.asked):
            assert self.done.acquire(timeout=60)
        return [line.split()[1] for line in self.log.read_text().splitlines()][1:]


@pytest.fixture
def line(tmp_path):
    line = Thought(tmp_path)
    yield line
    line.gate.touch()
    line.thinkers.close()


def test_guests_take_turns_and_then_their_tables(line):
    for n in range(6):
        line.submit(["hostile"], f"h{n % 3}")
    line.submit(["ada"], "a0")
    line.submit(["bob"], "b0")
    line.submit(["ada"], "a1")
    assert line.order() == ["h0", "a0", "b0", "h1", "a1", "h2", "h0", "h1", "h2"]


def test_a_table_of_several_guests_stands_in_the_shortest_of_their_lines(line):
    for n in range(6):
        line.submit(["hostile"], f"h{n}")
    line.submit(["hostile", "ada"], "both")
    assert line.order()[:2] == ["h0", "both"]


def test_those_who_want_advice_have_a_line_of_their_own_and_it_is_short(line):
    for name in ("ada", "bob", "eve", "kim"):
        line.submit([name], "bot")
    for n in range(3):
        line.advise(["hostile"], f"advice{n}")
    line.advise(["ada"], "advice")
    assert line.done.acquire(timeout=60), "the third of one guest is refused at once"
    line.asked -= 1
    assert line.order() == ["advice0", "bot", "bot", "bot", "advice", "bot", "advice1"], "three bots between two hints"


def test_who_has_enough_in_the_line_is_called_when_there_is_room_and_nothing_is_lost(line):
    """Twenty tables of a guest of whom eight fit; some of those called have nothing to ask any more."""
    put_off = []

    def again(name):
        if name not in ("h9", "h10") and not line.submit(["hostile"], name):
            line.thinkers.when_room(ThinkJob("", {}, 0, name, 0, ("hostile",), name), lambda: again(name))

    for n in range(20):
        if not line.submit(["hostile"], f"h{n}"):
            put_off.append(f"h{n}")
            line.thinkers.when_room(ThinkJob("", {}, 0, "", 0, ("hostile",), f"h{n}"), lambda n=n: again(f"h{n}"))
    assert put_off == [f"h{n}" for n in range(8, 20)]
    line.submit(["ada"], "a")
    line.asked += 10
    order = line.order()
    assert order[1] == "a", "Ada waits for one thought"
    assert [name for name in order if name != "a"] == [f"h{n}" for n in range(20) if n not in (9, 10)]


def test_tables_beyond_what_fits_go_on_by_themselves(house, ada, monkeypatch):
    """The house asks again when it is called, though the table was forgotten meanwhile."""
    thinkers, calls = InlineThinkers(), []
    monkeypatch.setattr(house.tables.bots, "thinkers", thinkers)
    monkeypatch.setattr(thinkers, "submit", lambda job, done: False)
    monkeypatch.setattr(thinkers, "when_room", lambda job, back: calls.append(back))
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    assert table.moment.requests == 0
    monkeypatch.undo()
    house.tables.cache.__init__()
    calls[0]()
    assert house.tables.find(table.id).moment.requests > 0


def test_a_bot_is_thought_for_in_the_name_of_those_at_the_table(house, ada, bob, thoughts):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, BOT, BOT])
    table.sit(bob, 1)
    job, _ = thoughts[0]
    assert (job.guests, job.table) == ((ada.id, bob.id), table.id)
    assert not {"guests", "table"} & job.to_json().keys(), "nobody who thinks is told"


def test_bots_alone_play_while_somebody_looks_on(house, ada, thoughts, monkeypatch):
    monkeypatch.setattr("veillee.house.tables.table.IDLE_BOT_SECONDS", 0.0)
    table = house.tables.create(ada, "takara-island", [BOT, BOT])
    house.tables.find(table.id)
    assert thoughts == []
    leave = table.watch(1.0)
    house.tables.find(table.id)
    assert len(thoughts) == 1
    InlineThinkers().submit(*thoughts.pop())
    assert len(thoughts) == 1, "they go on"
    leave()
    InlineThinkers().submit(*thoughts.pop())
    assert thoughts == []
