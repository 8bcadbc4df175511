"""A match is played to its end under the version of the rules it began with, whatever the box's present one is.

The record of the test is a game of Paper Tales under its version 1, in which a secret answer spared its seat a further
question, twice: by the rules of version 2 it is asked all the same.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import veillee
from veillee.bots.planning import resample_for_seat
from veillee.games.catalogue import BOXES
from veillee.match.match import Match, digest

SPARED = BOXES["paper-tales"].folder / "conformance" / "golden" / "2-spared-a-question.json"
BOX = BOXES["paper-tales"]


def spared() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(SPARED.read_text(encoding="utf-8"))
    return data


def play_on(match: Match, record: dict[str, Any]) -> None:
    for seat, action in record["answers"][len(match.answers) :]:
        match.play(seat, action)


def test_a_new_match_is_played_by_the_present_rules():
    match = veillee.new("paper-tales", 2, seed=1)
    assert match.version == match.state.version == BOX.version == 2
    assert match.record()["version"] == match.save()["version"] == 2


def test_a_game_of_an_earlier_version_is_checked_by_the_rules_it_was_played_by():
    record = spared()
    assert veillee.verify(record).holds
    with pytest.raises(veillee.BadSave, match="Answer 60 cannot be given"):
        veillee.verify({**record, "version": 2})


@pytest.mark.parametrize("answers", [0, 59, 61])
def test_a_saved_match_of_an_earlier_version_goes_on_by_its_own_rules(answers):
    record = spared()
    match = veillee.load({**record, "answers": record["answers"][:answers]})
    again = veillee.load(json.loads(json.dumps(match.save())))
    for going_on in (match.copy(), match, again):
        assert going_on.version == 1
        play_on(going_on, record)
        assert going_on.record() == record
    assert match.from_the_start().state.dump() == veillee.load({**record, "answers": []}).state.dump()


@pytest.mark.parametrize("version", BOX.versions)
def test_a_position_keeps_its_version_on_the_way_to_a_bot(version):
    match = Match(BOX, 2, {}, bytes(32), (), version)
    position = json.loads(json.dumps(resample_for_seat(match.state, 0, 7)))
    assert position.get("version", 1) == version
    assert BOX.load(position).version == BOX.load(position).clone().version == version


def test_a_position_of_version_1_is_written_as_before_there_were_versions():
    match = veillee.load({**spared(), "answers": []})
    assert "version" not in match.state.dump()
    twin = Match(BOX, 2, {}, match.seed)
    assert digest(twin.state) != digest(match.state), "the two are different positions: other questions come"
    assert {**match.state.dump(), "version": 2} == twin.state.dump()


@pytest.mark.parametrize("version", [0, 3, True, "1", 1.0, None])
def test_a_version_that_is_not_played_here_is_told(version):
    with pytest.raises(veillee.BadSave, match="version"):
        veillee.load({**spared(), "version": version})
