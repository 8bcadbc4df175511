"""How the seats of a table stand with time, as everybody may know it.

All of it follows from when each answer was given, which is written down with the answer: so it is the same after a restart
and in every process, and an answer costs no more for it. A seat's clock runs from the moment when everybody sees that it is
asked to the moment when everybody sees that it has answered: what it does in between, and may take back, moves nothing.
Times are the house's own (clock.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from veillee.house.accounts.people import Seat
from veillee.house.tables.clocks.time_control import Pace

INTERRUPTED = 60.0  # seconds after which somebody looks whether a bot still thinks

What = Literal["left", "out", "agreed", "back"]


class Line(NamedTuple):
    """What the house writes into the chronicle of a table: a bot stands in for somebody, or they are back."""

    what: What  # left: they gave it the seat; out: their time was out; agreed: those present wanted it
    seat: int
    after: int  # so many requests
    shown: int  # how many answers everybody was shown then
    at: float


class Hour(NamedTuple):
    """Of one seat."""

    turn: int = 0  # grows with every question that everybody sees it being asked
    since: float = 0.0  # when that was; 0: it is not asked
    spent: float = 0.0  # of its reserve


def begun(seats: int, asked: Collection[int], at: float) -> tuple[Hour, ...]:
    """Of a match that begins."""
    return tuple([Hour(1, at) if seat in asked else Hour() for seat in range(seats)])


def answered(
    hours: tuple[Hour, ...],
    pace: Pace,
    lines: Sequence[Line],
    requests: int,
    seat: int,
    before: Collection[int],
    after: Collection[int],
    at: float,
) -> tuple[Hour, ...]:
    """After a request of that seat, so many requests before it, that everybody sees something of: `before` it those
    seats were asked, `after` it these."""
    following = []
    for number, hour in enumerate(hours):
        if number == seat and number in before and pace.reserve and not _stands_in(lines, number, requests):
            took = at - max(hour.since, _back(lines, number, requests))
            hour = hour._replace(spent=hour.spent + max(0.0, took - pace.each))
        if number not in after:
            hour = hour._replace(since=0.0)
        elif number == seat or number not in before:
            hour = hour._replace(turn=hour.turn + 1, since=at)
        following.append(hour)
    return tuple(following)


def asked_since(hour: Hour, lines: Sequence[Line], seat: int) -> float:
    """Since when the person on that seat has been asked: not before they came back."""
    return max(hour.since, _back(lines, seat, None)) if hour.since else 0.0


def is_stood_in(lines: Sequence[Line], seat: int) -> bool:
    """Does a bot play there that the person has not asked for?"""
    last = _last(lines, seat, None)
    return last is not None and last.what in ("out", "agreed")


def due(pace: Pace, seats: Sequence[Seat], hours: Sequence[Hour], lines: Sequence[Line]) -> float | None:
    """When somebody should look whether time is out, at the earliest; None: never."""
    times = []
    for number, (seat, hour) in enumerate(zip(seats, hours, strict=False)):
        if not pace.kind or not hour.since:
            continue
        if seat.by_bot:
            times.append(hour.since + INTERRUPTED)
        elif pace.then == "bot":
            times.append(asked_since(hour, lines, number) + pace.allows(hour.spent))
    return min(times, default=None)


def _last(lines: Sequence[Line], seat: int, requests: int | None) -> Line | None:
    known = [line for line in lines if line.seat == seat and (requests is None or line.after <= requests)]
    return known[-1] if known else None


def _stands_in(lines: Sequence[Line], seat: int, requests: int) -> bool:
    last = _last(lines, seat, requests)
    return last is not None and last.what != "back"


def _back(lines: Sequence[Line], seat: int, requests: int | None) -> float:
    last = _last(lines, seat, requests)
    return last.at if last is not None and last.what == "back" else 0.0
