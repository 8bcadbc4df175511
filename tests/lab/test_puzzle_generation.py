"""Puzzles are generated from self-play, reproducible by seed, and the check finds a wrong answer."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from veillee.games.catalogue import BOXES
from veillee.lab import puzzle_generation as maker
from veillee.match import puzzle_judges
from veillee.match.explanation import Explanation
from veillee.match.puzzle_judges import Judges
from veillee.match.puzzles import puzzles, read

BOX = BOXES["ghost-knights"]


# Of little patience: the tests may run without the compiled engine.
QUICK = Judges(thought=16, worlds=8, sure_worlds=24, expert=0.01, errors=2.0)


@pytest.fixture
def _short_reasons(monkeypatch):
    monkeypatch.setattr(puzzle_judges, "reasons", lambda *_: [Explanation(0, 2.0, 1.0, None)])


@pytest.mark.usefixtures("_short_reasons")
def test_the_same_seed_makes_the_same_and_each_is_of_a_game_of_its_own(tmp_path):
    made = maker.make(BOX, 3, 2, judges=QUICK)
    assert len({one.seed for one in made}) == 2
    assert [one.number for one in made] == [1, 2]
    assert maker.make(BOX, 3, 2, judges=QUICK) == made
    path = maker.write(BOX, made, "veillee lab puzzles", tmp_path / "puzzles.json")
    rows = json.loads(path.read_text("utf-8"))["puzzles"]
    again = [read(number, row) for number, row in enumerate(rows, 1)]
    assert [(one.answers, one.best) for one in again] == [(one.answers, one.best) for one in made]


def test_too_many_of_a_sort_wait():
    fight = maker.Sort(("Fight", "play"), False, 3, 4)
    assert not maker.too_many([fight] * 5, fight, 30, 3)
    assert maker.too_many([fight] * 6, fight, 30, 3)
    plain = [maker.Sort((str(n), ""), True, 3, 4) for n in range(11)]
    assert not maker.too_many(plain[:9], plain[9], 30, 1)
    assert maker.too_many(plain[:10], plain[10], 30, 1)


def test_the_check_finds_a_wrong_answer():
    hasty = Judges(expert=0.1)
    every = list(puzzles(BOX).values())[:3]
    assert maker.check(BOX, every, 5, hasty) == []
    first, second, *rest = every[1].options
    every[1] = replace(every[1], options=(second, first, *rest))
    assert maker.check(BOX, every, 5, hasty) == [every[1]]


@pytest.mark.usefixtures("_short_reasons")
def test_what_does_not_stand_is_made_anew(monkeypatch):
    there = maker.make(BOX, 3, 2, judges=QUICK)
    monkeypatch.setattr(maker, "check", lambda _box, every, _seed, _judges: [every[0]])
    renewed = maker.renew(BOX, there, 4, wanted=2, judges=QUICK)
    assert [one.number for one in renewed] == [1, 2]
    kept, new = sorted(renewed, key=lambda one: one.seed != there[1].seed)
    assert (kept.seed, kept.answers) == (there[1].seed, there[1].answers)
    assert new.seed not in {one.seed for one in there}
