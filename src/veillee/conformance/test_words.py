"""Every game: it says everything in French and in English, and its final account adds up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random

import pytest

from veillee.conformance.cases import NAMES, Case
from veillee.games.box import Box, Wordless
from veillee.games.rulebook import book, rules
from veillee.kernel.log import END, Event, Kind, kind
from veillee.kernel.plain import kinds_of
from veillee.kernel.state import ALLOWED
from veillee.words import LANGUAGES, Words


def test_questions_choices_reasons_and_log_are_said_in_both_languages(case: Case) -> None:
    match, names = case.match(31), case.names()
    pick = Random(31)
    known = {rule.id for rule in rules(book(case.box.folder, "en") or "")}
    while not match.over:
        seat = pick.choice(match.to_act)
        asked = {lang: match.question(seat, lang)[0] for lang in LANGUAGES}
        assert len(set(asked.values())) == len(LANGUAGES), f"asked in one language only: {asked}"
        for lang in LANGUAGES:
            sentence, rule = match.question(seat, lang)
            assert said(sentence)
            assert rule in known, f"{sentence!r} is asked by {rule}, which the rulebook does not have"
            labels = [choice.label(lang) for choice in match.choices(seat)]
            assert all(map(said, labels)), labels
            assert len(set(labels)) == len(labels), f"two choices are said alike: {labels}"
            assert all(choice.why(lang) for choice in match.all_choices(seat) if choice.rule != ALLOWED)
        match.play(seat, pick.choice(match.choices(seat)))
    for lang in LANGUAGES:
        log = match.log(-1, lang, names)
        assert log
        for rule, line in log:
            assert said(line), line
            assert rule in known, f"{line!r} happens by {rule}, which the rulebook does not have"
        lines = match.account(lang, names)
        assert [sum(line.points for line in mine) for mine in lines] == match.scores
        assert all(said(line.text) and line.rule in known for mine in lines for line in mine)
        for seat in range(-1, case.seats):
            assert match.box.draw(match.view(seat), names, match.words(lang))
            json.dumps(match.view(seat))


def said(sentence: str) -> bool:
    """Returns whether there is a sentence, with every placeholder filled in."""
    return bool(sentence.strip()) and "{" not in sentence


def test_the_board_is_drawn_at_every_moment(case: Case) -> None:
    match, names = case.match(32), case.names()
    pick = Random(32)
    while not match.over:
        seat = pick.choice(match.to_act)
        json.dumps(match.view(seat))
        assert match.box.draw(match.view(seat), names, match.words("fr"))
        match.play(seat, pick.choice(match.choices(seat)))


def wordless(box: Box, kinds: Iterable[Kind], lang: str) -> list[str]:
    """Returns the names of the kinds of events that the game's words do not know."""
    found = []
    for each in kinds:
        try:
            box.speech.event(Event("", each, 0, [0] * len(each.figures)), NAMES, box.words(lang))
        except Wordless:
            found.append(each.name)
        except LookupError:
            pass  # rule and figures are made up: only the name is known
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_event_has_words_and_none_is_told_as_another(box: Box, lang: str) -> None:
    """Includes those that happen once in a thousand games."""
    kinds = kinds_of(box.package)
    assert len(kinds) > 1
    assert wordless(box, [*kinds, END], lang) == []
    assert wordless(box, [kind("not of this game")], lang) == ["not of this game"]


class Strict(Words):
    """Words of a box that raise an error for what is missing in its fr.po."""

    def __call__(self, message: str, /, **values: object) -> str:
        self.check(message)
        return super().__call__(message, **values)

    def tn(self, one: str, many: str, n: int, /, **values: object) -> str:
        self.check(one)
        return super().tn(one, many, n, **values)

    def check(self, message: str) -> None:
        if message not in self.catalogue:
            raise LookupError(f"not in fr.po: {message!r}")


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
