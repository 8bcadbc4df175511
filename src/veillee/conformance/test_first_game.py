"""Every game with a guided first game: its script fits the rules, its notes are all said, and no main idea of the box
is left out. A game without one passes."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from veillee.conformance.books import SPOKEN, chapters
from veillee.conformance.first_game import begun
from veillee.games.box import Box
from veillee.games.first_game import FirstGame, Note, found_in
from veillee.match.guided_game import Lesson, scripted_answer
from veillee.match.match import Match
from veillee.words import LANGUAGES

LONGEST = 330  # characters of a note: one idea, read in one go


def ask_in_turn(first: FirstGame, match: Match, lesson: Lesson) -> list[int]:
    """Returns the scripted answer of the seat that is asked, as the table would (match/guided_game.py)."""
    seat = match.to_act[0]
    if seat == first.me:
        return lesson.proposed(match)
    action = scripted_answer(first, match, seat)
    return [] if action is None else [action]


def followed(box: Box, first: FirstGame) -> tuple[Match, list[Note]]:
    """Returns the game that its own instructions make, and the notes that are said, in order."""
    match = begun(box, first)
    lesson = Lesson(first, match)
    said: list[Note] = []
    read = 0
    while not match.over:
        assert lesson.follow(match)
        events = match.events(first.me)
        said += [note for number, notes in first.notes_on(events).items() if number > read for note in notes]
        read = len(events)
        seat = match.to_act[0]
        if seat == first.me:
            said += [note for note in lesson.notes() if note not in said]
        row = ask_in_turn(first, match, lesson)
        given = sum(who == seat for who, _ in match.answers)
        script = first.course.get(seat, ())
        assert row, (
            f"{box.id}: the script of seat {seat} no longer fits the rules: asked {type(match.state.question).__name__}, "
            f"its answer {given + 1} is {script[given] if given < len(script) else 'missing'!r}, "
            f"and the rules allow {sorted(choice.verb for choice in match.choices(seat))}"
        )
        match.play(seat, *row)
    said += [
        note for number, notes in first.notes_on(match.events(first.me)).items() if number > read for note in notes
    ]
    return match, said


def test_the_first_game_is_finished_by_following_its_own_instructions(box: Box) -> None:
    """And on the way every note is said, once."""
    first = found_in(box)
    if first is None:
        return
    match, said = followed(box, first)
    answers = Counter(seat for seat, _ in match.answers)
    assert answers == {seat: len(script) for seat, script in first.course.items()}, f"{box.id}: a script is too long"
    times = Counter(first.notes.index(note) for note in said)
    wrong = [f"{note!r} is said {times[n]} times" for n, note in enumerate(first.notes) if times[n] != 1]
    assert not wrong, f"{box.id}: {'; '.join(wrong)}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_chapter_of_the_rulebook_is_met_or_named(box: Box, lang: str) -> None:
    first = found_in(box)
    if first is None:
        return
    told = {rule for note in first.notes for rule in note.rules}
    book = chapters(box, lang)
    missing = [title for title, rules in book if rules and not told & set(rules)]
    assert not missing, f"{box.id}: the first game says nothing of {missing}"
    unknown = told - {rule for _, rules in book for rule in rules}
    assert not unknown, f"{box.id}: its notes name {unknown}, which the rulebook does not explain"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_note_is_one_idea_in_the_reader_s_language(box: Box, lang: str) -> None:
    first = found_in(box)
    for note in first.notes if first is not None else ():
        text = note.text[lang]
        assert len(text) <= LONGEST, f"{box.id}: {note!r} has {len(text)} letters in {lang!r}"
        words = re.findall(r"\w+", text.lower())
        heard = {spoken: sum(word in SPOKEN[spoken] for word in words) for spoken in LANGUAGES}
        assert heard[lang] == max(heard.values()), f"{box.id}: {note!r} is not told in {lang!r}"
