"""Clocks of the seats of a table, computed from public information only.

They follow from the time of each answer, which is stored with the answer: so they are the same after a restart and in
every process, and need no extra write. A seat's clock runs from the moment when its question is public to the moment
when its answer is public; actions in between that may be taken back do not affect it. Times are house time
(house/house_time.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from veillee.house.tables.clocks.time_control import TimeControl
from veillee.house.tables.seats import Seat

BOT_STALL_SECONDS = 60.0  # seconds after which a table is checked for a bot that was interrupted

HouseEventKind = Literal["left", "out", "agreed", "round_over", "back", "withheld"]


class HouseEvent(NamedTuple):
    """Entry that the house writes into a table's chronicle: a bot substitutes for a player, the player is back, or the
    match began without what the player's page had sealed for the shuffle (withheld)."""

    # left: the player left; out: the time ran out; agreed: the players present agreed; round_over: the time of the
    # championship's round is over
    what: HouseEventKind
    seat: int
    after: int  # number of requests before it
    shown: int  # number of answers that were public then
    at: float


class SeatClock(NamedTuple):
    """Clock of one seat."""

    turn: int = 0  # grows with every public question to the seat
    since: float = 0.0  # time of that question; 0: not asked
    spent: float = 0.0  # seconds used of the reserve


def start_clocks(seats: int, asked: Collection[int], at: float) -> tuple[SeatClock, ...]:
    """Returns the clocks of a match that begins."""
    return tuple([SeatClock(1, at) if seat in asked else SeatClock() for seat in range(seats)])


def after_answer(
    hours: tuple[SeatClock, ...],
    pace: TimeControl,
    lines: Sequence[HouseEvent],
    requests: int,
    seat: int,
    before: Collection[int],
    after: Collection[int],
    at: float,
) -> tuple[SeatClock, ...]:
    """Returns the clocks after a request of `seat` with a public effect. requests: number of requests before it;
    before, after: the seats asked before and after it."""
    following = []
    for number, hour in enumerate(hours):
        if number == seat and number in before and pace.reserve and not _has_substitute_at(lines, number, requests):
            took = at - max(hour.since, _came_back_at(lines, number, requests))
            hour = hour._replace(spent=hour.spent + max(0.0, took - pace.each))
        if number not in after:
            hour = hour._replace(since=0.0)
        elif number == seat or number not in before:
            hour = hour._replace(turn=hour.turn + 1, since=at)
        following.append(hour)
    return tuple(following)


def waiting_since(hour: SeatClock, lines: Sequence[HouseEvent], seat: int) -> float:
    """Returns since when the person on that seat has been asked: not before they came back."""
    return max(hour.since, _came_back_at(lines, seat, None)) if hour.since else 0.0


def has_substitute(lines: Sequence[HouseEvent], seat: int) -> bool:
    """Returns whether a bot substitutes there without the player having asked for it."""
    last = _last_event(lines, seat, None)
    return last is not None and last.what in ("out", "agreed")


def has_played_as_bot(lines: Sequence[HouseEvent], seat: int) -> bool:
    """Returns whether a bot has ever played for the player on that seat."""
    return any(line.seat == seat and line.what not in ("back", "withheld") for line in lines)


def is_round_over(lines: Sequence[HouseEvent]) -> bool:
    """Returns whether bots play the game to its end, because the time of its round is over."""
    return any(line.what == "round_over" for line in lines)


def next_deadline(
    pace: TimeControl, seats: Sequence[Seat], hours: Sequence[SeatClock], lines: Sequence[HouseEvent]
) -> float | None:
    """Returns the earliest time at which the table's clocks must be checked; None: never."""
    times = []
    for number, (seat, hour) in enumerate(zip(seats, hours, strict=False)):
        if not pace.kind or not hour.since:
            continue
        if seat.is_played_by_bot:
            times.append(hour.since + BOT_STALL_SECONDS)
        elif pace.then == "bot":
            times.append(waiting_since(hour, lines, number) + pace.seconds_allowed(hour.spent))
    return min(times, default=None)


def _last_event(lines: Sequence[HouseEvent], seat: int, requests: int | None) -> HouseEvent | None:
    """Returns the last event about who plays there."""
    own = [line for line in lines if line.seat == seat and line.what != "withheld"]
    known = [line for line in own if requests is None or line.after <= requests]
    return known[-1] if known else None


def _has_substitute_at(lines: Sequence[HouseEvent], seat: int, requests: int) -> bool:
    last = _last_event(lines, seat, requests)
    return last is not None and last.what != "back"


def _came_back_at(lines: Sequence[HouseEvent], seat: int, requests: int | None) -> float:
    last = _last_event(lines, seat, requests)
    return last.at if last is not None and last.what == "back" else 0.0
