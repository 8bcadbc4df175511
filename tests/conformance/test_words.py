"""Every game: it says everything in French and in English, and its final account adds up."""

from __future__ import annotations

import json
from random import Random

import pytest

import veillee
from conformance.cases import CASES, NAMES
from veillee.kernel.state import ALLOWED

every_case = pytest.mark.parametrize("case", CASES, ids=NAMES)


@every_case
def test_questions_choices_reasons_and_log_are_said_in_both_languages(case):
    game, seats, options = case
    match = veillee.new(game, seats, seed=31, **options)
    pick = Random(31)
    names = ["Ana", "Bo", "Cléa", "Dov", "Eve", "Fay"][:seats]
    while not match.over:
        seat = pick.choice(match.to_act)
        for lang in ("fr", "en"):
            sentence, rule = match.question(seat, lang)
            assert sentence
            assert rule.startswith(match.box.code.upper() + "-")
            labels = [choice.label(lang) for choice in match.choices(seat)]
            assert all(labels)
            assert len(set(labels)) == len(labels), f"two choices are said alike: {labels}"
            assert all(choice.why(lang) for choice in match.all_choices(seat) if choice.rule != ALLOWED)
        match.play(seat, pick.choice(match.choices(seat)))
    for lang in ("fr", "en"):
        assert len(match.log(-1, lang, names)) > 5
        lines = match.account(lang, names)
        assert [sum(line.points for line in mine) for mine in lines] == match.scores
        assert all(line.text for mine in lines for line in mine)
        for seat in range(-1, seats):
            assert match.box.draw(match.view(seat), names, match.words(lang))
            json.dumps(match.view(seat))


@every_case
def test_the_board_is_drawn_at_every_moment(case):
    game, seats, options = case
    match = veillee.new(game, seats, seed=32, **options)
    pick = Random(32)
    names = ["Ana", "Bo", "Cléa", "Dov", "Eve", "Fay"][:seats]
    while not match.over:
        seat = pick.choice(match.to_act)
        json.dumps(match.view(seat))
        assert match.box.draw(match.view(seat), names, match.words("fr"))
        match.play(seat, pick.choice(match.choices(seat)))
