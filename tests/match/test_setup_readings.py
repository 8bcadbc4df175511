"""Readings (ADR 35): options like any other, in records and positions, and refused by name where they are unknown."""

from __future__ import annotations

import pytest

import veillee
from veillee.games.catalogue import BOXES
from veillee.match.errors import BadSave, Unknown
from veillee.match.setup import complete

READINGS = [
    ("ghost-knights", "lap", "level"),
    ("paper-tales", "double", "more"),
    ("takara-island", "rockfalls", "all"),
    ("takara-island", "mimic", "removed"),
    ("tales-of-glory", "gains", "paid-first"),
    ("sourire-du-dragon", "hat", "gentle"),
]


@pytest.mark.parametrize(("game", "option", "value"), READINGS)
def test_a_reading_is_kept_in_the_record_and_in_the_position(game, option, value):
    match = veillee.new(game, seed=3, **{option: value})
    assert match.options[option] == value
    assert match.state.readings != 0
    again = veillee.load(match.save())
    assert (again.options, again.state.dump()) == (match.options, match.state.dump())
    assert match.box.load(match.state.dump()).readings == match.state.clone().readings == match.state.readings


@pytest.mark.parametrize("game", list(BOXES))
def test_a_position_by_the_usual_readings_is_written_as_before(game):
    assert "readings" not in veillee.new(game, seed=3).state.dump()


@pytest.mark.parametrize(("game", "option", "value"), READINGS)
def test_an_unknown_reading_is_named_and_refused(game, option, value):
    with pytest.raises(Unknown, match=f"The option '{option}' is one of .*{value}.*, not 'kind'"):
        veillee.new(game, **{option: "kind"})
    with pytest.raises(Unknown, match="has no option 'wish'"):
        veillee.new(game, wish=value)


@pytest.mark.parametrize(("game", "option", "value"), READINGS)
def test_a_record_with_a_reading_that_is_not_known_here_is_refused(game, option, value):
    data = veillee.new(game, seed=3, **{option: value}).save()
    with pytest.raises(BadSave, match=f"The option '{option}' is one of"):
        veillee.load({**data, "options": {**data["options"], option: "of-tomorrow"}})
    with pytest.raises(BadSave, match="has no option 'tomorrow'"):
        veillee.load({**data, "options": {**data["options"], "tomorrow": value}})


def test_a_match_of_an_earlier_version_has_no_reading_that_came_later():
    box = BOXES["sourire-du-dragon"]
    assert "hat" not in complete(box, {}, version=2)
    data = veillee.new("sourire-du-dragon", seed=3).save()
    with pytest.raises(BadSave, match="has no option 'hat': its options are objects"):
        veillee.load({**data, "version": 2})


def test_a_record_without_the_option_was_played_by_the_default():
    data = veillee.new("ghost-knights", seed=3).save()
    match = veillee.load({**data, "options": {}})
    assert (match.options, match.state.readings) == ({"lap": "passed"}, 0)
