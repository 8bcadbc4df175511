"""History of a match: its positions, its turns, and how many events each audience had been told at each of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from veillee.house.errors import BadRequest, t
from veillee.kernel.log import NO_SEAT, Event
from veillee.match.match import Match


class Turn(NamedTuple):
    """Consecutive answers of one seat, or simultaneous answers of several."""

    first: int  # number of the position of its first answer
    seats: tuple[int, ...]


class PublicState(NamedTuple):
    """What a spectator is shown at one position: the seats to act and whether a move begins. With the events told so
    far."""

    asked: tuple[int, ...]
    begins_turn: bool
    heard: tuple[int, ...]  # number of events, per seat, spectator last


class GameHistory:
    """Past positions of a match; 0 is its beginning. Safe to use from any thread.

    While the match goes on these are the positions that were public (`stops`: how many answers made each). Once it is
    over they are all of its positions and none is secret: a move that was in hand then is shown to every audience. Only
    the last requested position is cached: the next one is requested far more often than any other, and a replay from
    the start takes about 10 ms at most.
    """

    def __init__(self, match: Match, stops: Sequence[int]) -> None:
        self.match = match
        self._answers = match.answers
        self._stops = range(len(self._answers) + 1) if match.over else stops
        self._latest: Match | None = None  # result of the last after()

    @property
    def last(self) -> int:
        """The highest number that at() accepts."""
        return len(self._stops) - 1

    def at(self, n: int) -> Match:
        """Returns the match at position n. Raises BadRequest."""
        if not 0 <= n <= self.last:
            raise BadRequest(t("The game has {most} moments to look back at, no moment {n}.", n=n, most=self.last))
        return self.after(self._stops[n])

    def moment(self, answers: int) -> int:
        """Returns the number of the last position made by at most so many answers."""
        return max(0, bisect_right(self._stops, answers) - 1)

    def after(self, answers: int) -> Match:
        """Returns the match after so many of its answers. Show it only to audiences that were shown it then."""
        known = self._latest
        near = known is not None and len(known.answers) <= answers
        past = known.copy() if known is not None and near else self.match.from_the_start()
        self._go_on(past, answers)
        self._latest = past
        return past

    def events(self, seat: int) -> list[list[Event]]:
        """Returns for each position the events that the seat (NO_SEAT: a spectator) was told with it; the first covers
        the setup."""
        told = self.at(self.last).events(seat)
        counts = [shown.heard[seat] for shown in self._course]
        return [told[before:after] for before, after in zip([0, *counts], counts, strict=False)]

    @cached_property
    def turns(self) -> list[Turn]:
        """The turns in order. Derived from public positions only, so they do not reveal which seats have answered in
        secret."""
        turns: list[Turn] = []
        before: tuple[int, ...] = ()
        for n, (asked, begins, _) in enumerate(self._course[:-1], 1):
            seats = turns[-1].seats if turns else ()
            together = len(seats) > 1 and set(asked) < set(before)  # some of the seats asked together have answered
            goes_on = seats == asked and len(asked) == 1 and not begins
            if not together and not goes_on:
                turns.append(Turn(n, asked))
            before = asked
        return turns

    @cached_property
    def _course(self) -> list[PublicState]:
        """Public data of every position, computed in one replay."""
        course = []
        past = self.match.from_the_start()
        for count in self._stops:
            self._go_on(past, count)
            state = past.seen_by(NO_SEAT)
            heard = tuple([past.heard(who) for who in (*range(past.seats), NO_SEAT)])
            course.append(PublicState(state.to_act, state.question.begins_move(), heard))
        return course

    def _go_on(self, past: Match, count: int) -> None:
        for seat, action in self._answers[len(past.answers) : count]:
            past.play(seat, action)
            if self.match.over:
                past.settle()
