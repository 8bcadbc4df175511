"""Learning the prior of experts from games that can be replayed."""

from __future__ import annotations

from collections import Counter
from math import exp

import pytest

from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves
from veillee.lab import policy_learning
from veillee.lab.policy_learning import (
    LearnedAnswer,
    begin,
    chances,
    fit,
    log_loss,
    questions_of,
    signs_of,
    thoughts_of,
)

PRACTISED = [box for box in BOXES.values() if len(box.advisor.habits)]


def test_what_was_answered_by_habit_teaches_the_habit():
    known, rng = [1.0, -0.5, 0.3], Rng(5)
    questions = []
    for _ in range(1500):
        signs = [tuple((number, rng.share()) for number in range(3)) for _ in range(4)]
        hopes = [exp(sum(known[number] * strength for number, strength in one)) for one in signs]
        questions.append([LearnedAnswer(one, hope / sum(hopes)) for one, hope in zip(signs, hopes, strict=True)])
    found = fit(questions, 3, 1)
    assert found == pytest.approx(known, abs=0.1)
    assert log_loss(found, questions) < log_loss([0.0] * 3, questions)


@pytest.mark.parametrize("box", PRACTISED, ids=lambda box: box.id)
def test_a_search_draws_answers_as_often_as_was_learned(box):
    rng = Rng(3)
    state, _ = begin(box, 7, 0)
    seat = state.to_act[0]
    moves = Moves()
    state.offer(seat, moves)
    told = signs_of(box.advisor, state, seat)
    expected = chances(list(box.advisor.habits), [LearnedAnswer(signs, 0.0) for _, signs in told])
    drawn = Counter(int(box.advisor.advise(state, seat, moves, rng)) for _ in range(4000))
    for (action, _), chance in zip(told, expected, strict=True):
        assert drawn[action] / 4000 == pytest.approx(chance, abs=0.035)


@pytest.mark.parametrize("box", PRACTISED, ids=lambda box: box.id)
def test_a_game_is_gone_through_again_with_what_was_thought(box):
    thoughts = thoughts_of(box.id, "novice/iterations=4", 3, 1)
    assert thoughts == thoughts_of(box.id, "novice/iterations=4", 3, 1)
    noted = questions_of(box, 3, 1, thoughts)
    assert len(noted) == len(thoughts)
    for question, thought in zip(noted, thoughts, strict=True):
        assert sum(answer.share for answer in question) == pytest.approx(1, abs=0.01)
        assert max(answer.share for answer in question) == thought[0][1]


def test_the_command_writes_what_the_box_reads(tmp_path, monkeypatch, capsys):
    box, out = PRACTISED[0], tmp_path / "habits.toml"
    monkeypatch.setattr(
        "sys.argv", ["habits", box.id, "--games", "2", "--level", "novice/iterations=2", "--out", str(out)]
    )
    policy_learning.main()
    from veillee.games.box import practised

    assert practised(tmp_path)
    assert f"lab.policy_learning {box.id} --games 2 --level novice/iterations=2 --seed 1" in out.read_text()
    assert "for even chances" in capsys.readouterr().out


def test_a_box_without_signs_is_told_so(monkeypatch):
    monkeypatch.setattr("sys.argv", ["habits", "sourire-du-dragon"])
    with pytest.raises(SystemExit, match="has no signs"):
        policy_learning.main()
