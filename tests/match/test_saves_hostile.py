"""Hostile saves: a clear sentence, never another error, never a half-made match."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import veillee
from match.ghosts import new_match


def saved() -> dict[str, Any]:
    match, pick = new_match(), Random(1)
    for _ in range(12):
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.choices(seat)))
    data: dict[str, Any] = json.loads(json.dumps(match.save()))
    return data


SAVED = saved()
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def load_or_sentence(data: object) -> None:
    """It loads, or it is refused with a sentence; anything else fails the test."""
    try:
        match = veillee.load(data)
    except veillee.BadSave as error:
        sentence = str(error)
    else:
        sentence = ""
        assert veillee.load(match.save()).answers == match.answers
    assert not sentence or sentence[0].isupper()


@given(json_values)
def test_any_json_is_refused_with_a_sentence(data):
    load_or_sentence(data)


@given(st.sampled_from(sorted(SAVED)), json_values)
def test_any_field_may_hold_anything(field, value):
    load_or_sentence({**SAVED, field: value})


@given(st.sampled_from(sorted(SAVED)))
def test_any_field_may_be_missing(field):
    load_or_sentence({name: value for name, value in SAVED.items() if name != field})


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 11), json_values | st.lists(st.integers(-3, 30), min_size=2, max_size=2))
def test_any_answer_may_be_anything(number, answer):
    answers = list(SAVED["answers"])
    answers[number] = answer
    load_or_sentence({**SAVED, "answers": answers})


@given(st.dictionaries(st.text(max_size=8) | st.sampled_from(["game", "seats", "seed", "luck"]), json_values))
def test_any_options(options):
    load_or_sentence({**SAVED, "options": options})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "chess/1"}, "no saved game of Veillée"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"seats": 3}, "not 3"),
        ({"seats": True}, "'seats'"),
        ({"seats": "4"}, "'seats'"),
        ({"seed": "zz"}, "not hexadecimal"),
        ({"seed": "00"}, "32 bytes"),
        ({"luck": "minuit"}, "'luck'"),
        ({"luck": [1]}, "'luck' is a list of words"),
        ({"options": []}, "'options'"),
        ({"options": {"seed": "1"}}, "no option 'seed'"),
        ({"answers": [[0]]}, "Answer 1 is not a pair of numbers"),
        ({"answers": [[0, True]]}, "Answer 1 is not a pair of numbers"),
        ({"answers": [[0, 0]] * 100_001}, "more than any game"),
        ({"answers": [[9, 0]]}, "There is no seat 9"),
        ({"answers": SAVED["answers"][:3] + [[0, 99]]}, "Answer 4 cannot be given"),
    ],
)
def test_the_sentence_names_what_is_wrong(change, sentence):
    with pytest.raises(veillee.BadSave) as caught:
        veillee.load({**SAVED, **change})
    assert sentence in str(caught.value)
