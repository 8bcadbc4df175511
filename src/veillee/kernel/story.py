"""Answers of a match and their consequences, stored as columns of numbers.

The first `settled` answers are final. Those after them are the move in hand (ADR 4), which can still be taken back;
they used no chance, and only their own seat learned anything by them.
"""

from __future__ import annotations

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64

from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log
from veillee.kernel.state import ALLOWED, FIRST, State, Step


@final
class Story:
    """A position on its way through a match, with every answer checked."""

    def __init__(self, state: State, rng: Rng, log: Log) -> None:
        self.state: State = state
        self.rng = rng
        self.log = log  # of the whole match
        self.seat: vec[i64] = vec[i64]()  # per answer: its seat,
        self.action: vec[i64] = vec[i64]()  # its action,
        self.question: vec[Step] = vec[Step]()  # its question,
        self.used: vec[i64] = vec[i64]()  # how many random numbers had been used before it,
        self.told: vec[i64] = vec[i64]()  # and how many events there were after it
        self.opening: i64 = len(log.events)  # events of the setup
        self.settled: i64 = 0
        self.shows: i64 = log.shows  # log.shows when the last answer was settled
        self.asked: Step = state.question  # the question at that time: questions are compared by identity
        # The position before the move in hand, if it was cloned; otherwise it is recomputed from the answers on demand.
        self.before: State | None = None

    def play(self, seat: i64, action: i64) -> str:
        """Gives the answer if it is legal. Returns ALLOWED, or the rule that forbids it."""
        rule = self.state.explain(seat, action)
        if rule == ALLOWED:
            self.give(seat, action)
        return rule

    def give(self, seat: i64, action: i64) -> None:
        """Gives an answer that has been checked, and settles what cannot be taken back after it."""
        state, rng, log, question = self.state, self.rng, self.log, self.state.question
        count = len(self.seat)
        if count > self.settled and self.question[count - 1] is not question:
            if self.seat[count - 1] != seat or question.begins_move():
                self.settle()  # another seat, or another move, builds on what was shown
        used, reveals = rng.used, log.reveals
        self.record(seat, action)
        learned = rng.used > used or log.reveals > reveals
        shown = log.shows > self.shows and state.question is not question and self.in_hand() != seat
        if learned or shown or state.waiting == 0:
            self.settle()

    def record(self, seat: i64, action: i64) -> None:
        question, used = self.state.question, self.rng.used
        self.state.apply(seat, action, self.rng, self.log)
        self.seat = append(self.seat, seat)
        self.action = append(self.action, action)
        self.question = append(self.question, question)
        self.used = append(self.used, used)
        self.told = append(self.told, len(self.log.events))

    def settle(self) -> None:
        self.settled = len(self.seat)
        self.shows = self.log.shows
        self.asked = self.state.question
        if self.before is not None:
            self.before = self.state.clone()

    def in_hand(self) -> i64:
        """Returns the seat in the middle of a move that the others are not shown yet, or NO_SEAT."""
        count, waiting = len(self.seat), self.state.waiting
        if count == self.settled or waiting == 0 or waiting & (waiting - 1) != 0 or self.move_is_over():
            return NO_SEAT
        seat = FIRST[waiting]
        for place in range(self.settled, count):
            if self.seat[place] != seat:
                return NO_SEAT
        return seat

    def move_is_over(self) -> bool:
        """Returns whether the seat is asked again, but for another move."""
        question = self.state.question
        return question.begins_move() and question is not self.question[len(self.question) - 1]

    def events_before(self, answer: i64) -> i64:
        """Returns the number of events after so many answers."""
        return self.told[answer - 1] if answer > 0 else self.opening

    def take_back(self, place: i64, state: State) -> None:
        """Removes one answer of the move in hand and replays the others from `state`, the position before it. Seats
        that are still asked the same keep the identical question object."""
        kept, seats, actions = self.settled, self.seat, self.action
        del self.log.events[self.events_before(kept) :]
        self.log.shows = self.shows
        self.state = state
        state.question = self.asked
        self.seat, self.action, self.question = self.seat[:kept], self.action[:kept], self.question[:kept]
        self.used, self.told = self.used[:kept], self.told[:kept]
        for again in range(kept, len(seats)):
            if again != place:
                self.record(seats[again], actions[again])

    def copy(self, rng: Rng) -> Story:
        """Returns an independent copy at the same point; `rng` must already be there."""
        log = Log()
        log.events = self.log.events[:]
        log.reveals, log.shows, log.learned = self.log.reveals, self.log.shows, self.log.learned
        twin = Story(self.state.clone(), rng, log)
        twin.seat, twin.action, twin.question = self.seat[:], self.action[:], self.question[:]
        twin.used, twin.told = self.used[:], self.told[:]
        twin.opening, twin.settled, twin.before = self.opening, self.settled, self.before
        twin.shows, twin.asked = self.shows, self.asked
        return twin
