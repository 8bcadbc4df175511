"""A match that is somebody's guided first game (games/first_game.py): what each seat's script says, and which notes are due.

Nothing of it is kept with the match: the answers so far tell what was asked, and so which note comes now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from veillee.games.first_game import FirstGame, Note, spoken
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import State
from veillee.match.match import Match


def says(first: FirstGame, match: Match, seat: int) -> int | None:
    """What the script has the seat answer now. None: it is not asked, has left the script, or a rule forbids it."""
    script = first.course.get(seat, ())
    given = [action for who, action in match.answers if who == seat]
    if seat not in match.to_act or len(given) >= len(script):
        return None
    state = match.state
    if any(spoken(state.choice(action)) != line for action, line in zip(given, script, strict=False)):
        return None
    return next((a for a in state.legal(seat) if spoken(state.choice(a)) == script[len(given)]), None)


class Asked(NamedTuple):
    """A question that the learner was asked."""

    step: str
    offers: frozenset[str]  # the verbs of the answers that were allowed

    def is_of(self, note: Note) -> bool:
        return note.question == self.step and (not note.offers or note.offers in self.offers)


def asked(state: State, seat: int) -> Asked:
    """What the seat is asked in this position."""
    return Asked(type(state.question).__name__, frozenset([state.choice(action)[0] for action in state.legal(seat)]))


def due(first: FirstGame, questions: Sequence[Asked]) -> list[Note]:
    """The notes on the last of these questions, which are all that the learner was asked so far."""
    at_hand = [note for note in first.notes if questions[-1].is_of(note)]
    return [note for note in at_hand if sum(earlier.is_of(note) for earlier in questions) == note.nth]


class Lesson:
    """What the learner of one match has been asked so far; `follow` brings it up to date, answer by answer."""

    def __init__(self, first: FirstGame, match: Match) -> None:
        self.first = first
        self.questions: list[Asked] = []  # one for each answer of the learner, and last what they are asked now
        self._twin = match.from_the_start()
        self._played: list[tuple[int, int]] = []
        self._given = 0  # of these answers, the learner's own
        self._ask()

    def follow(self, match: Match) -> bool:
        """Up to the present of this match. False: it is not the one that was followed so far; one makes another lesson."""
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
        """Those on what the learner is asked now; before their first answer those that open the game, too."""
        opening = [note for note in self.first.notes if note.opens] if not self._given else []
        return opening + (due(self.first, self.questions) if len(self.questions) > self._given else [])

    def proposed(self, match: Match) -> list[int]:
        """What the learner might answer: their script's next answers in a row, as many as can be given without learning
        anything in between, and no further than a question that has a note of its own."""
        first, me = self.first, self.first.me
        trial, questions = match.copy(), list(self.questions)
        row: list[int] = []
        while (action := says(first, trial, me)) is not None:
            row.append(action)
            ahead, rng, log = trial.state.clone(), Rng(0), Log()
            ahead.apply(me, action, rng, log)
            if rng.used or log.reveals or me not in ahead.to_act or ahead.question.begins_move():
                break
            questions.append(asked(ahead, me))
            if due(first, questions):
                break
            trial.play(me, action)
        return row

    def _ask(self) -> None:
        state, me = self._twin.state, self.first.me
        if me in state.to_act and len(self.questions) == self._given:
            self.questions.append(asked(state, me))
