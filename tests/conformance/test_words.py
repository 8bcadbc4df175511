"""The checks of the words find planted faults."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from veillee.conformance import test_words as checks
from veillee.conformance.cases import Case
from veillee.games.ghost_knights import BOX, words
from veillee.games.ghost_knights import rules as gk
from veillee.kernel.log import END


def speaking(event):
    """Ghost Knights, whose log is told by this function."""
    return replace(BOX, speech=SimpleNamespace(**{**vars(words), "event": event}))


def test_a_last_branch_that_asks_for_no_name_is_found():
    """A misspelt kind would be told as the end of the game."""
    box = speaking(lambda e, names, t: "A card." if e.kind is gk.PLAYED else "The game is over.")
    with pytest.raises(AssertionError, match="not of this game"):
        checks.test_every_kind_of_event_has_words_and_none_is_told_as_another(box, "en")


def test_a_kind_of_event_without_words_is_found():
    def event(e, names, t):
        if e.kind is gk.SWORD_USED:
            raise checks.Wordless(e)
        return words.event(e, names, t)

    assert checks.wordless(speaking(event), [gk.SWORD, gk.SWORD_USED, END], "fr") == [gk.SWORD_USED.name]


@pytest.fixture
def without_french(tmp_path, monkeypatch):
    """Ghost Knights without a French file, on the shelf and off it."""
    monkeypatch.setattr(checks.Box, "words", lambda box, lang: checks.Words(lang, {}))
    return replace(BOX, folder=tmp_path)


def test_a_game_without_a_french_file_is_not_said_in_both_languages(without_french):
    with pytest.raises(AssertionError, match="asked in one language only"):
        checks.test_questions_choices_reasons_and_log_are_said_in_both_languages(Case(without_french, 4))


def test_a_game_without_a_french_file_is_not_translated(without_french, monkeypatch):
    with pytest.raises(LookupError, match=r"not in fr\.po"):
        checks.test_whatever_is_said_in_a_game_is_translated(Case(without_french, 4), monkeypatch)
