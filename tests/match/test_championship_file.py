"""The file of a championship: every game is replayed, and all must be of the sealed deals."""

from __future__ import annotations

import copy

import pytest

from veillee.match import seeds
from veillee.match.championship_file import describe_deals, verify_championship
from veillee.match.errors import BadSave
from veillee.match.setup import new

GAME = "takara-island"


@pytest.fixture(scope="module")
def lines():
    deals = [seeds.seed_from(1), seeds.seed_from(2)]
    rows = [describe_deals("Winter cup", GAME, deals)]
    for entrant, deal in ((1, 1), (2, 1), (1, 2)):
        match = new(GAME, 2, deals[deal - 1])
        while not match.over:
            seat = match.to_act[0]
            choices = match.choices(seat)
            match.play(seat, choices[(entrant + len(match.answers)) % len(choices)])
        rows.append(match.record() | {"entrant": entrant, "deal": deal})
    return rows


def faults(lines):
    return [one.say("en") for one in verify_championship(lines).faults]


def test_a_true_file(lines):
    verdict = verify_championship(lines)
    assert (verdict.games, verdict.faults) == (3, [])


def changed(lines, line, **values):
    rows = copy.deepcopy(lines)
    rows[line] |= values
    return rows


def test_a_changed_score_and_a_changed_answer(lines):
    assert faults(changed(lines, 1, scores=[99, 0])) == ["Entrant 1, deal 1: this record is not true."]
    answers = copy.deepcopy(lines[2]["answers"])
    del answers[-1]
    assert "Entrant 2, deal 1" in faults(changed(lines, 2, answers=answers))[0]


def test_a_game_of_another_deal_and_one_that_was_played_twice(lines):
    assert "has not played deal 2, but another one" in faults(changed(lines, 1, deal=2))[0]
    assert faults([*lines, lines[1]]) == ["Entrant 1 has played deal 1 twice."]


def test_a_game_of_several_entrants(lines):
    several = [{key: value for key, value in row.items() if key != "entrant"} for row in lines]
    several[1]["entrants"], several[2]["entrants"], several[3]["entrants"] = [1, 0], [3, 2], [2, 1]
    assert faults(several) == []
    several[2]["entrants"] = [1, 2]
    assert faults(several) == ["Entrant 1 has played deal 1 twice."]
    for wrong in (["1"], [], [0, 0], 7, None):
        several[2]["entrants"] = wrong
        assert faults(several) == ["Line 3 is no game."]


def test_a_deal_that_was_not_sealed(lines):
    rows = copy.deepcopy(lines)
    rows[0]["deals"][0]["commitment"] = "00" * 32
    assert faults(rows) == ["Deal 1 is not the one that was sealed."]
    for seed in ("zz", None, 7):
        rows[0]["deals"][0]["seed"] = seed
        assert "Deal 1 is not the one that was sealed." in faults(rows)
    rows[0]["deals"] = [7]
    assert faults(rows)[0] == "Deal 1 is not the one that was sealed."


@pytest.mark.parametrize("row", [7, None, [], "game", {}, {"entrant": [1], "deal": {}}])
def test_a_line_that_is_no_game(lines, row):
    assert faults([*lines, row])


@pytest.mark.parametrize("header", [None, 7, {}, {"format": "another"}])
def test_a_file_of_something_else(header):
    with pytest.raises(BadSave):
        verify_championship([header])
    with pytest.raises(BadSave):
        verify_championship([])
