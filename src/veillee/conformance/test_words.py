"""Every game: it says everything in French and in English, and its final account adds up."""

from __future__ import annotations

import json
from random import Random

import pytest

from veillee.conformance.cases import Case
from veillee.games.box import Box
from veillee.kernel.state import ALLOWED
from veillee.words import Words


def test_questions_choices_reasons_and_log_are_said_in_both_languages(case: Case) -> None:
    match, names = case.match(31), case.names()
    pick = Random(31)
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
        assert match.log(-1, lang, names)
        lines = match.account(lang, names)
        assert [sum(line.points for line in mine) for mine in lines] == match.scores
        assert all(line.text for mine in lines for line in mine)
        for seat in range(-1, case.seats):
            assert match.box.draw(match.view(seat), names, match.words(lang))
            json.dumps(match.view(seat))


def test_the_board_is_drawn_at_every_moment(case: Case) -> None:
    match, names = case.match(32), case.names()
    pick = Random(32)
    while not match.over:
        seat = pick.choice(match.to_act)
        json.dumps(match.view(seat))
        assert match.box.draw(match.view(seat), names, match.words("fr"))
        match.play(seat, pick.choice(match.choices(seat)))


class Strict(Words):
    """The words of a box that says nothing but what its fr.po has."""

    def __call__(self, message: str, /, **values: object) -> str:
        assert message in self.catalogue, f"not in fr.po: {message!r}"
        return super().__call__(message, **values)

    def tn(self, one: str, many: str, n: int, /, **values: object) -> str:
        assert one in self.catalogue, f"not in fr.po: {one!r}"
        return super().tn(one, many, n, **values)


def test_whatever_is_said_in_a_game_is_translated(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    french = Strict("fr", case.box.words("fr").catalogue)
    monkeypatch.setattr(Box, "words", lambda box, lang: french)
    match, names = case.match(33), case.names()
    pick = Random(33)
    while not match.over:
        seat = pick.choice(match.to_act)
        match.question(seat)
        for choice in match.all_choices(seat):
            assert choice.label()
            assert choice.allowed or choice.why()
            assert not choice.allowed or "{" not in case.box.gives_up(match.seen_by(seat), seat, choice.id, french)
        match.box.draw(match.view(seat), names, french)
        match.play(seat, pick.choice(match.choices(seat)))
    for seat in range(case.seats):
        assert match.log(seat, names=names)
    assert match.account(names=names)
