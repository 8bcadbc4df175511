"""Notes of a guided first game: after events, and at the question (ADR 17).

A note on an event is an additional beat, which stays until the learner goes on. A note on a question is in a part of
its own, with the answer that the script proposes. The notes follow from the answers so far: none is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any

from cachetools import LRUCache

from veillee.games.first_game import FirstGame, Note
from veillee.house.tables.moment import Moment
from veillee.match.guided_game import Lesson
from veillee.match.match import Match
from veillee.web.rendering.templates import environment
from veillee.words import tied

MAX_CACHED_LESSONS = 200  # lessons in the cache


@dataclass(frozen=True)
class NoteBeat:
    """A note in the reader's language. Among what happened it is a beat of its own (beats.Beat) without animation."""

    sentence: str
    rule: str
    also: tuple[str, ...]
    number: int  # among the notes of the box
    rest: str = "tap"
    then: str = ""
    acts: tuple[Any, ...] = ()


class LessonCache:
    """Cache of the lessons of the tables viewed last."""

    def __init__(self) -> None:
        self.kept: LRUCache[str, Lesson] = LRUCache(MAX_CACHED_LESSONS)
        self.lock = Lock()

    def at(self, table: Moment, first: FirstGame, match: Match) -> tuple[list[Note], list[int]]:
        """Returns the notes on the learner's current question, and the answers proposed to it."""
        with self.lock:
            lesson = self.kept.get(table.id)
            if lesson is None or not lesson.follow(match):
                lesson = self.kept[table.id] = Lesson(first, match)
                lesson.follow(match)
            return lesson.notes(), lesson.proposed(match)


LESSONS = LessonCache()


def note_text(first: FirstGame, note: Note, lang: str) -> NoteBeat:
    return NoteBeat(tied(note.text[lang]), note.rule, note.also, first.notes.index(note))


def add_notes(table: Moment, match: Match, seat: int, lang: str, beats: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """Returns these beats, each with its last event's number, with the notes on their events inserted."""
    first = table.first_game
    if first is None or seat != first.me or not beats:
        return beats
    notes = first.notes_on(match.events(seat))
    found: list[tuple[int, Any]] = []
    for last, beat in beats:
        found.append((last, beat))
        for number in range(last - len(beat.events) + 1, last + 1):
            found += [(last, note_text(first, note, lang)) for note in notes.get(number, ())]
    return found


def guide(table: Moment, seat: int, lang: str) -> dict[str, str]:
    """Renders the learner's part: the notes on the question, the proposed answer, and how to leave the guide. Empty
    once it is left."""
    if not table.row.guide:
        return {}
    first, match = table.first_game, table.match
    shown = first is not None and seat == first.me and not match.over
    values: dict[str, Any] = {"shown": shown, "table_id": table.id, "seat": seat}
    if shown:
        assert first is not None
        notes, row = LESSONS.at(table, first, match)
        values |= {
            "notes": [note_text(first, note, lang) for note in notes],
            "mine": seat in match.to_act,
            "row": row,
            "only": len(row) == 1 and len(match.state.legal(seat)) == 1,
            "proposal": proposal(match, seat, row, lang),
            "stamp": table.stamp(seat),
            "answered": any(who == seat for who, _ in match.answers),
        }
    return {"guide": environment(lang, table.box).get_template("table/guide.html").render(values)}


def proposal(match: Match, seat: int, row: list[int], lang: str) -> list[str]:
    """Returns the label of each proposed answer; of the first alone where the labels say too little without their
    questions ("In front, in the back": which card?)."""
    trial, told, is_bare = match.copy(), [], len(row) > 1
    for place, action in enumerate(row):
        choice = next(choice for choice in trial.choices(seat) if choice.id == action)
        is_bare = is_bare and not choice.args
        told.append(choice.label(lang))
        if place + 1 < len(row):
            trial.play(seat, action)
    return told[:1] if is_bare else told
