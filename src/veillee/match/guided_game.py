"""Guided first game (games/first_game.py): the scripted answer of each seat, and the notes to show.

Nothing of it is stored with the match: the notes are derived from the answers so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veillee.games.first_game import FirstGame, Note, spoken
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import State
from veillee.match.match import Match


def scripted_answer(first: FirstGame, match: Match, seat: int) -> int | None:
    """Returns the seat's next scripted answer. None: it is not asked, has left the script, or a rule forbids it."""
    script = first.course.get(seat, ())
    given = [action for who, action in match.answers if who == seat]
    if seat not in match.to_act or len(given) >= len(script):
        return None
    state = match.state
    if any(spoken(state.choice(action)) != line for action, line in zip(given, script, strict=False)):
        return None
    return next((a for a in state.legal(seat) if spoken(state.choice(a)) == script[len(given)]), None)


class AskedQuestion(NamedTuple):
    """A question to the learner."""

    step: str
    offers: frozenset[str]  # the verbs of the allowed answers

    def is_of(self, note: Note) -> bool:
        return note.question == self.step and (not note.offers or note.offers in self.offers)


def question_of(state: State, seat: int) -> AskedQuestion:
    """Returns the question to the seat in this position."""
    return AskedQuestion(
        type(state.question).__name__, frozenset([state.choice(action)[0] for action in state.legal(seat)])
    )


def due(first: FirstGame, questions: Sequence[AskedQuestion]) -> list[Note]:
    """Returns the notes on the last of these questions, which are all questions to the learner so far."""
    at_hand = [note for note in first.notes if questions[-1].is_of(note)]
    return [note for note in at_hand if sum(earlier.is_of(note) for earlier in questions) == note.nth]


class Lesson:
    """The questions to the learner of one match so far; `follow` updates it, answer by answer."""

    def __init__(self, first: FirstGame, match: Match) -> None:
        self.first = first
        self.questions: list[AskedQuestion] = []  # one for each answer of the learner, and the current one
        self._twin = match.from_the_start()
        self._played: list[tuple[int, int]] = []
        self._given = 0  # number of these that are the learner's
        self._ask()

    def follow(self, match: Match) -> bool:
        """Catches up with this match. Returns False if it is another match, or answers were undone: create a new
        Lesson.
        """
        answers = match.answers
        if match.seed != self._twin.seed or answers[: len(self._played)] != self._played:
            return False
        for seat, action in answers[len(self._played) :]:
            self._twin.state.apply(seat, action, self._twin.rng, Log())
            self._played.append((seat, action))
            self._given += seat == self.first.me
            self._ask()
        return True

    def notes(self) -> list[Note]:
        """Returns the notes on the current question; before the learner's first answer also those that open the
        game.
        """
        opening = [note for note in self.first.notes if note.opens] if not self._given else []
        return opening + (due(self.first, self.questions) if len(self.questions) > self._given else [])

    def proposed(self, match: Match) -> list[int]:
        """Returns the learner's next scripted answers in a row, as many as can be given without new information in
        between, up to the next question that has a note.
        """
        first, me = self.first, self.first.me
        trial, questions = match.copy(), list(self.questions)
        row: list[int] = []
        while (action := scripted_answer(first, trial, me)) is not None:
            row.append(action)
            ahead, rng, log = trial.state.clone(), Rng(0), Log()
            ahead.apply(me, action, rng, log)
            if rng.used or log.reveals or me not in ahead.to_act or ahead.question.begins_move():
                break
            questions.append(question_of(ahead, me))
            if due(first, questions):
                break
            trial.play(me, action)
        return row

    def _ask(self) -> None:
        state, me = self._twin.state, self.first.me
        if me in state.to_act and len(self.questions) == self._given:
            self.questions.append(question_of(state, me))
