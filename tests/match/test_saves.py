"""Save and load, the record that may be handed out, and the check of a finished game."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import veillee
from match.ghosts import finished, new_match
from veillee.games.ghost_knights.rules import DRAW
from veillee.match import seeds
from veillee.match.match import Match, digest


def through_json(data: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(data))


def moves(match: Match, number: int, seed: int = 1) -> None:
    pick = Random(seed)
    for _ in range(number):
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.choices(seat)))


@pytest.mark.parametrize("number", [0, 1, 2, 3, 25, 60])
def test_a_loaded_match_is_the_saved_one_and_goes_on_alike(number):
    match = new_match()
    moves(match, number)
    again = veillee.load(through_json(match.save()))
    for _ in range(2):
        assert digest(again.state) == digest(match.state)
        assert again.answers == match.answers
        assert again.save() == match.save()
        for seat in range(-1, 4):
            assert again.view(seat) == match.view(seat)
            assert again.log(seat) == match.log(seat)
        moves(match, 12, seed=2)
        moves(again, 12, seed=2)


def test_saving_changes_nothing_and_the_save_is_a_copy():
    match = new_match()
    moves(match, 5)
    before = digest(match.state)
    data = match.save()
    data["answers"].clear()
    data["options"]["x"] = "y"
    assert digest(match.state) == before
    assert len(match.answers) == 5
    assert "x" not in match.options


def test_the_record_of_a_game_that_goes_on_holds_no_secret():
    match = new_match()
    moves(match, 5)
    assert sorted(match.record()) == ["commitment", "format", "game", "luck", "options", "seats", "version"]
    with pytest.raises(veillee.BadSave):
        veillee.load(match.record())


def test_the_record_of_a_finished_game_proves_itself():
    match = finished(5)
    record = through_json(match.record())
    verdict = veillee.verify(record)
    assert verdict.holds
    assert [ok for _, ok in verdict.checks] == [True, True, True]
    assert verdict.match.scores == match.scores == record["scores"]


def test_a_copy_is_a_match_of_its_own_with_the_same_chance():
    match = veillee.new("sourire-du-dragon", seats=3, seed=5)  # it has dice
    moves(match, 7)
    copy = match.copy()
    before, used = digest(match.state), match.rng.used
    moves(copy, 60, seed=4)
    assert copy.rng.used > used
    assert digest(match.state) == before
    assert len(match.answers) == 7
    moves(match, 60, seed=4)
    assert digest(match.state) == digest(copy.state)


# -- a record that was tampered with ---------------------------------------------------------------------------
def check(record: dict[str, Any]) -> list[bool]:
    return [ok for _, ok in veillee.verify(record).checks]


def test_false_scores_are_found():
    record = finished().record()
    record["scores"][0] += 1
    assert check(record) == [True, False, True]


def test_a_false_final_position_is_found():
    record = finished().record()
    record["final"] = "0" * 64
    assert check(record) == [True, True, False]


@pytest.mark.parametrize("field", ["scores", "final", "commitment"])
def test_a_record_that_leaves_something_out_does_not_hold(field):
    record = finished().record()
    del record[field]
    assert not veillee.verify(record).holds


def test_another_seed_does_not_match_the_commitment():
    record = finished().record()
    record["seed"] = "00" * 32
    with pytest.raises(veillee.BadSave, match="does not match the commitment"):
        veillee.verify(record)


def test_another_seed_with_its_own_commitment_does_not_lead_to_that_end():
    record = finished().record()
    other = seeds.seed_from(8)
    record |= {"seed": other.hex(), "commitment": seeds.commitment(other)}
    with pytest.raises(veillee.BadSave, match="Answer 1 cannot be given"):
        veillee.verify(record)


def test_a_changed_word_of_luck_is_found():
    record = finished().record()
    record["luck"] = ["minuit"]
    with pytest.raises(veillee.BadSave):
        veillee.verify(record)


def test_every_single_changed_answer_is_found():
    """Whatever answer is exchanged for another, the game does not lead to the announced end by legal moves."""
    record = finished().record()
    pick = Random(0)
    for number in pick.sample(range(len(record["answers"])), 25):
        forged = through_json(record)
        seat, action = forged["answers"][number]
        forged["answers"][number] = [seat, (action + pick.randrange(1, 22)) % 23]
        try:
            holds = veillee.verify(forged).holds
        except veillee.BadSave:
            holds = False
        assert not holds, f"answer {number + 1} was forged unnoticed"


def test_a_shortened_game_is_not_over():
    record = finished().record()
    record["answers"].pop()
    with pytest.raises(veillee.BadSave, match="not over"):
        veillee.verify(record)


def test_a_lengthened_game_is_refused():
    record = finished().record()
    record["answers"].append([0, DRAW])
    with pytest.raises(veillee.BadSave, match=f"Answer {len(record['answers'])} cannot be given"):
        veillee.verify(record)


def test_another_version_of_the_rules_is_told():
    record = finished().record()
    record["version"] = 99
    with pytest.raises(veillee.BadSave, match="version 99"):
        veillee.load(record)
