"""The puzzles of every box: thirty, of several kinds, each with one best choice far above the noise and a reason for it that
tells nothing its seat could not know."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import veillee
from veillee.games.catalogue import BOXES
from veillee.games.rulebook import book, rules
from veillee.kernel.chance import Rng
from veillee.match import puzzles as shipped
from veillee.match.explanation import Explanation, Line, reasons
from veillee.match.puzzles import match_of_puzzle, puzzles, read

NAMES = ("Anna", "Berta", "Carla", "Doris")


@pytest.mark.parametrize("game", BOXES)
def test_thirty_are_in_the_box_and_each_can_be_asked(game: str) -> None:
    box = BOXES[game]
    every = puzzles(box)
    assert list(every) == list(range(1, 31))
    assert len({one.seed for one in every.values()}) == 30, "a puzzle is known by its seed"
    kinds = set()
    for number, one in every.items():
        match = match_of_puzzle(box, number)
        assert match is not None
        legal = match.state.legal(one.seat)
        assert {option.action for option in one.options} <= set(legal)
        best, second = one.options[:2]
        assert best.wins - second.wins > max(0.079, 7.9 * second.error), "by what was written down, which is rounded"
        kinds.add((type(match.state.question), match.state.choice(one.best)[0]))
    assert len(kinds) >= 4
    assert len({one.seats for one in every.values()}) == len([n for n in box.players if 1 < n <= 4])


@pytest.mark.parametrize("game", BOXES)
def test_each_says_why_by_a_rule_of_the_book(game: str) -> None:
    box = BOXES[game]
    known = {rule.id for rule in rules(book(box.folder, "en") or "")}
    for one in puzzles(box).values():
        assert one.reasons
        for reason in one.reasons:
            assert reason.line is None or reason.line.rule in known
            for lang in ("fr", "en"):
                assert NAMES[reason.seat] in reason.say(one.seat, NAMES, lang)


def test_the_reason_is_told_by_what_the_seat_knows() -> None:
    """How hidden things really lie changes nothing of it."""
    box = BOXES["ghost-knights"]
    one = puzzles(box)[7]
    match = one.match(box)
    choices = (one.best, one.options[1].action)
    told = reasons(box, match.state, match.all_events(), one.seat, choices, 5, games=6)
    before = match.state.dump()
    match.state.determinize(one.seat, Rng(3))
    assert match.state.dump() != before
    assert reasons(box, match.state, match.all_events(), one.seat, choices, 5, games=6) == told


def test_a_reason_is_a_sentence_about_points() -> None:
    own = Explanation(1, 30.2, 27.0, Line("GK-5.4", {"fr": "Cinq dolmens", "en": "Five dolmens"}, 3.0))
    assert (
        own.say(1, "AB", "en")
        == "It brings B about 3 points more: 30 at the end, against 27; most of it from “Five dolmens” (GK-5.4)."
    )
    costs = Explanation(0, 12.0, 13.1, None)
    assert costs.say(1, "AB", "en") == "It costs A about 1.1 points: 12.0 at the end, against 13.1."
    assert costs.say(1, "AB", "fr") == "Cela coûte à A environ 1,1\u00a0points\u00a0: 12,0 à la fin, contre 13,1."


def test_a_puzzle_is_written_down_and_read_back() -> None:
    one = puzzles(BOXES["ghost-knights"])[3]
    assert read(3, json.loads(json.dumps(one.plain()))) == one


def test_a_puzzle_of_rules_that_are_not_played_here_is_left_out(monkeypatch, tmp_path) -> None:
    box = BOXES["ghost-knights"]
    every = [one.plain() for one in puzzles(box).values()][:3]
    every[1]["version"] = 99
    (tmp_path / shipped.PUZZLES_FILE).write_text(json.dumps({"puzzles": every}))
    other = replace(box, folder=tmp_path)
    assert list(puzzles(other)) == [1, 3]
    assert puzzles(replace(box, folder=tmp_path / "none")) == {}
    spoilt = puzzles(other)[3]
    monkeypatch.setitem(puzzles(other), 3, replace(spoilt, answers=((0, 9999),)))
    assert match_of_puzzle(other, 3) is None


def test_looking_at_a_puzzle_is_no_game() -> None:
    """What is asked twice is the same position, however often it was looked at."""
    box = BOXES["ghost-knights"]
    before = match_of_puzzle(box, 1)
    assert before is not None
    assert before is match_of_puzzle(box, 1)
    assert isinstance(before, veillee.Match)
    assert before.answers == list(puzzles(box)[1].answers)
