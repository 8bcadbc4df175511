"""The check of the guided first games finds planted faults, and names box, seat and answer."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest

from veillee.conformance import test_first_game as suite
from veillee.games.first_game import FirstGame, Note, found_in
from veillee.games.ghost_knights import BOX


def check(first: FirstGame, test: str, *args: str) -> str:
    """What the suite says of this first game."""
    with patch.object(suite, "found_in", lambda _: first), pytest.raises(AssertionError) as found:
        getattr(suite, test)(BOX, *args)
    return str(found.value)


@pytest.fixture
def first() -> FirstGame:
    found = found_in(BOX)
    assert found is not None
    return found


FOLLOWED = "test_the_first_game_is_finished_by_following_its_own_instructions"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_script_that_no_longer_fits_the_rules_is_named(first, seat):
    lines = list(first.course[seat])
    lines[4] = "play colour=9"
    said = check(replace(first, course={**first.course, seat: lines}), FOLLOWED)
    assert f"ghost-knights: the script of seat {seat} no longer fits the rules" in said
    assert "its answer 5 is 'play colour=9'" in said


def test_a_script_that_ends_too_soon_or_too_late_is_named(first):
    course = first.course
    assert "is 'missing'" in check(replace(first, course={**course, 2: course[2][:-1]}), FOLLOWED)
    assert "a script is too long" in check(replace(first, course={**course, 2: (*course[2], "pass")}), FOLLOWED)


def test_a_note_that_nobody_is_told_is_named(first):
    lost = Note({"fr": "Jamais.", "en": "Never."}, "GK-1.1", event="no such event")
    assert "the note on no such event (GK-1.1, 1) is said 0 times" in check(
        replace(first, notes=(*first.notes, lost)), FOLLOWED
    )


def test_a_chapter_that_is_left_out_is_named(first):
    notes = tuple(note for note in first.notes if not any(rule.startswith("GK-4") for rule in note.rules))
    said = check(replace(first, notes=notes), "test_every_chapter_of_the_rulebook_is_met_or_named", "fr")
    assert "says nothing of ['Le tournoi']" in said


def test_a_note_in_the_other_language_is_named(first):
    swapped = replace(first.notes[0], text=dict.fromkeys(("fr", "en"), first.notes[0].text["en"]))
    said = check(replace(first, notes=(swapped,)), "test_every_note_is_one_idea_in_the_reader_s_language", "fr")
    assert "is not told in 'fr'" in said
