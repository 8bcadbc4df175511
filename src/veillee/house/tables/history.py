"""Looking back at a match: its moments, its turns, and how much each audience had been told at each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from veillee.house.errors import BadRequest, t
from veillee.kernel.log import NO_SEAT, Event
from veillee.match.match import Match


class Turn(NamedTuple):
    """What one seat did in a row, or what several did at the same time."""

    first: int  # the moment of its first answer
    seats: tuple[int, ...]


class Shown(NamedTuple):
    """What everybody is shown of a moment: who is asked, and whether a move begins with it. What each was told so far."""

    asked: tuple[int, ...]
    begins: bool
    heard: tuple[int, ...]  # events, for each seat and last for a spectator


class Past:
    """The positions of a match that can be looked back at: 0 is its beginning. Safe to use from any thread.

    While the match goes on they are those that everybody was shown (`stops`: how many answers made each). Once it is
    over they are all of its positions, and none is a secret any more: a move that was in hand then is shown to all.
    Only the position that was asked for last is kept: one looks at the next one far more often than at any other, and
    the whole way from the start is no more than some ten milliseconds.
    """

    def __init__(self, match: Match, stops: Sequence[int]) -> None:
        self.match = match
        self._answers = match.answers
        self._stops = range(len(self._answers) + 1) if match.over else stops
        self._latest: Match | None = None  # what at() made last

    @property
    def last(self) -> int:
        """The last one that at() can show."""
        return len(self._stops) - 1

    def at(self, n: int) -> Match:
        """The match at that moment."""
        if not 0 <= n <= self.last:
            raise BadRequest(t("The game has {most} moments to look back at, no moment {n}.", n=n, most=self.last))
        return self.after(self._stops[n])

    def moment(self, answers: int) -> int:
        """The last one that so many answers had made."""
        return max(0, bisect_right(self._stops, answers) - 1)

    def after(self, answers: int) -> Match:
        """The match after so many of its answers. Not to be shown but to those who were shown it then."""
        known = self._latest
        near = known is not None and len(known.answers) <= answers
        past = known.copy() if known is not None and near else self.match.from_the_start()
        self._go_on(past, answers)
        self._latest = past
        return past

    def events(self, seat: int) -> list[list[Event]]:
        """For each moment what the seat (NO_SEAT: a spectator) was told by it: the first is told of the setup."""
        told = self.at(self.last).events(seat)
        counts = [shown.heard[seat] for shown in self._course]
        return [told[before:after] for before, after in zip([0, *counts], counts, strict=False)]

    @cached_property
    def turns(self) -> list[Turn]:
        """In order. Read off what everybody was shown, so nobody learns from it who has answered in secret."""
        turns: list[Turn] = []
        before: tuple[int, ...] = ()
        for n, (asked, begins, _) in enumerate(self._course[:-1], 1):
            seats = turns[-1].seats if turns else ()
            together = len(seats) > 1 and set(asked) < set(
                before
            )  # of those asked at the same time, some have answered
            goes_on = seats == asked and len(asked) == 1 and not begins
            if not together and not goes_on:
                turns.append(Turn(n, asked))
            before = asked
        return turns

    @cached_property
    def _course(self) -> list[Shown]:
        """Of every moment, in one go."""
        course = []
        past = self.match.from_the_start()
        for count in self._stops:
            self._go_on(past, count)
            state = past.seen_by(NO_SEAT)
            heard = tuple([past.heard(who) for who in (*range(past.seats), NO_SEAT)])
            course.append(Shown(state.to_act, state.question.begins_move(), heard))
        return course

    def _go_on(self, past: Match, count: int) -> None:
        for seat, action in self._answers[len(past.answers) : count]:
            past.play(seat, action)
            if self.match.over:
                past.settle()
