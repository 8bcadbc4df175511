"""Models of the line protocol: each known failing is counted as exactly what it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import veillee
from lab.models import failing
from veillee.games.ghost_knights import rules as gk
from veillee.lab.arena import Contest, read, run, standings
from veillee.lab.models import program
from veillee.lab.models.model import RETRIES, AnswerTally
from veillee.match.errors import Unknown

FAILING = Path(__file__).with_name("failing.py")
STAND_INS = Path(__file__).parents[3] / "examples/model_stand_ins.py"
IMPOSSIBLE = gk.TAKE + 1  # GK-4.4: taking a guard off belongs to a tournament
UNKNOWN = 9999


def scripted(tmp_path, *steps):
    script = tmp_path / "script.json"
    script.write_text(json.dumps(steps), encoding="utf-8")
    return f"program:{sys.executable} {FAILING} {script}"


def tally_of(tmp_path, *steps, limit=30.0):
    """Returns how the scripted model answered in one game of Ghost Knights."""
    contest = Contest("ghost-knights", (scripted(tmp_path, *steps), *["random"] * 3), 1, luck=False, limit=limit)
    return run(contest)[0].models[0]


def test_each_failing_is_reported_as_what_it_is(tmp_path):
    steps = [IMPOSSIBLE, "not held", "first", "prose", "first", "two", "first", "nothing", "first", UNKNOWN, "first"]
    steps += ["other seat", "first", "no choice", "first", "text", "first", "twice", "first", "rules"]
    tally = tally_of(tmp_path, *steps)
    assert (gk.PLAY, gk.COLOURS) == (failing.PLAY, failing.COLOURS)
    assert tally.rules == {"GK-4.4": 1, "GK-2.1": 1, "K-2": 1, "K-4": 1}
    assert tally.failures == {"prose": 2, "two-answers": 2, "nothing": 2}
    assert tally.replaced == []


def test_after_the_last_attempt_a_choice_is_played_for_it(tmp_path):
    tally = tally_of(tmp_path, *["prose"] * (RETRIES + 1), *[UNKNOWN] * (RETRIES + 1))
    assert tally.failures == {"prose": RETRIES + 1}
    assert tally.rules == {"K-2": RETRIES + 1}
    assert len(tally.replaced) == 2


def test_nothing_in_time_is_late_and_not_asked_again(tmp_path):
    tally = tally_of(tmp_path, *["late"] * 200, limit=0.02)
    assert tally.failures == {"late": tally.questions}
    assert len(tally.replaced) == tally.questions


class Recorded:
    """A process whose lines are given; None: nothing comes in time."""

    def __init__(self, *lines):
        self.lines = list(lines)

    def say(self, message): ...

    def read(self, seconds):
        line = self.lines.pop(0)
        return line if line is None else (json.dumps(line) + "\n").encode()


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_one(monkeypatch):
    match = veillee.new("ghost-knights", 4, seed=7)
    seat = match.to_act[0]
    lines = [{"ready": True}, None, {"ask": 1, "choice": 2}, {"ask": 2, "choice": 0}, {"ask": 2, "choice": 0}]
    monkeypatch.setattr(program, "LineProcess", lambda command, env: Recorded(*lines, {"over": True}))
    model = program.Program("program:model", 30.0)
    model.sit(match, seat, 1)
    assert len(model.answers(match, seat, 1)) == 1
    assert model.answers(match, seat, 1) == [0]
    assert (model.tally.failures, model.tally.replaced) == ({"late": 1}, [1])
    model.end(match, seat)
    assert model.tally.failures == {"late": 1, "two-answers": 1}


def test_a_program_that_ends_is_played_for_to_the_end(tmp_path):
    tally = tally_of(tmp_path, "first", "end")
    assert tally.failures == {"ended": tally.questions - 1}
    assert len(tally.replaced) == tally.questions - 1


def test_a_program_that_is_not_there_is_refused_before_the_first_game():
    with pytest.raises(Unknown, match="cannot be run"):
        run(Contest("ghost-knights", ("program:no-such-program", *["random"] * 3), 1))


def test_stand_ins_play_and_their_record_is_read_back(tmp_path):
    seats = tuple(f"program:{sys.executable} {STAND_INS} {way}" for way in ("random", "first", "words"))
    contest, record = Contest("takara-island", seats, 1, seed=3, luck=False, regret=1), tmp_path / "games.jsonl"
    games = run(contest, record=record)
    assert read(record, contest) == games
    for line in standings(games):
        assert line.tally is not None
        assert line.tally.questions > 0
        assert line.tally.rules == line.tally.failures == {}
        assert line.regret is not None


def test_tallies_of_several_seats_are_added():
    one = AnswerTally(3, {"GK-2.1": 1}, {"late": 1}, [4], 10)
    one.add(AnswerTally(2, {"GK-2.1": 2, "K-2": 1}, {}, [1], 5))
    assert one == AnswerTally(5, {"GK-2.1": 3, "K-2": 1}, {"late": 1}, [4, 1], 15)
