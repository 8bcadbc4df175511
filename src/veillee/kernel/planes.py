"""A position as a row of small numbers, for programs that learn: what one seat may know, and nothing else.

A box says in its planes.py what it writes, plane by plane, in the very lines that write it; so the description of a row
(which plane lies where, its name and its bounds) is made by writing one and cannot say anything else. Rows of one game
have one length, and everything that belongs to seats begins with the reader's own and goes on clockwise.
"""

from __future__ import annotations

from typing import Any, Final, final

from librt.vecs import extend, vec
from mypy_extensions import i16, i64, mypyc_attr

from veillee.kernel.state import SEATS, State

LONGEST: Final = 8192  # numbers in a row
YES: Final = 1


@final
class Plane:
    """Some numbers of a row that mean the same: where they lie, and between which bounds."""

    def __init__(self, name: str, start: int, least: int, most: int) -> None:
        self.name = name
        self.start = start
        self.stop = start
        self.least = least
        self.most = most

    def __repr__(self) -> str:
        return f"<{self.name}: {self.start} to {self.stop - 1}, each {self.least} to {self.most}>"


@final
class Sheet:
    """Where rows are written, each over zeros, number after number. What is beyond a plane's bounds is written as the bound.

    It keeps its memory: who clears it and writes as many rows again writes where the first ones lay. (To extend a vec that
    has room is to copy there: rows of zeros are laid out much quicker than number by number.)
    """

    def __init__(self, row: i64, rows: i64) -> None:
        self.blank = vec[i16]([0] * row)
        self.empty = vec[i16](capacity=row * rows)
        self.numbers = self.empty  # the rows so far
        self.at: i64 = 0  # the next number
        self.least: i64 = 0
        self.most: i64 = 0
        self.planes: list[Plane] | None = None  # only while somebody wants to know which there are

    def clear(self) -> None:
        """No rows."""
        self.numbers = self.empty

    def begin(self) -> None:
        """One more row, of zeros."""
        self.at = len(self.numbers)
        self.numbers = extend(self.numbers, self.blank)

    def plane(self, name: str, most: i64, least: i64 = 0) -> None:
        """What follows is this."""
        self.least = least
        self.most = most
        if self.planes is not None:
            self.tell(name)

    def tell(self, name: str) -> None:
        self.close()
        if self.planes is not None:
            self.planes.append(Plane(name, int(self.at), int(self.least), int(self.most)))

    def close(self) -> None:
        if self.planes:
            self.planes[-1].stop = int(self.at)

    def put(self, number: i64) -> None:
        if number > self.most:
            number = self.most
        elif number < self.least:
            number = self.least
        at, numbers = self.at, self.numbers
        numbers[at] = i16(number)
        self.at = at + 1

    def nothing(self, places: i64) -> None:
        """So many zeros, which are there already."""
        self.at += places

    def one_of(self, which: i64, places: i64) -> None:
        """A 1 at that place, zeros elsewhere; zeros alone if there is no such place."""
        at = self.at
        if 0 <= which < places:
            self.numbers[at + which] = YES
        self.at = at + places

    def bits(self, mask: i64, places: i64) -> None:
        """A 1 for each bit of the sum."""
        at, numbers = self.at, self.numbers
        self.at = at + places
        mask &= (1 << places) - 1
        while mask != 0:
            numbers[at] = i16(mask & 1)
            mask >>= 1
            at += 1

    def count(self, things: vec[i64], kinds: i64) -> None:
        """How many of each kind there are."""
        at, numbers = self.at, self.numbers
        self.at = at + kinds
        for kind in things:
            numbers[at + kind] += YES

    def counts(self, counts: i64, places: i64) -> None:
        """The small numbers of kernel/counts.py, within the bounds."""
        at, numbers, most = self.at, self.numbers, self.most
        end = at + places
        self.at = end
        while at < end:
            number = counts & 255
            numbers[at] = i16(min(most, number))
            counts >>= 8
            at += 1

    def row(self, figures: vec[i64], places: i64) -> None:
        """So many of these figures, one by one, within the bounds."""
        at, numbers, least, most = self.at, self.numbers, self.least, self.most
        place: i64 = 0
        while place < places:
            figure = figures[place]
            if figure > most:
                figure = most
            elif figure < least:
                figure = least
            numbers[at] = i16(figure)
            at += 1
            place += 1
        self.at = at


@mypyc_attr(allow_interpreted_subclasses=True)
class Planes:
    """What a box writes on a sheet for a seat. Its planes.py says it."""

    def write(self, g: Any, seat: i64, sheet: Sheet) -> None:
        """As many numbers as ever, made of what the seat may know."""
        raise NotImplementedError


def relative(other: i64, seat: i64, seats: i64) -> i64:
    """The place of a seat as this one counts: itself 0, the next clockwise 1; -1 stays nobody."""
    if other < 0:
        return -1
    return other - seat if other >= seat else other - seat + seats


def observe(planes: Planes, state: State, seat: i64, sheet: Sheet) -> None:
    """A row: who the reader is and who must answer, then what the box writes."""
    sheet.begin()
    seats = state.seats()
    sheet.plane("your seat", 1)
    sheet.one_of(seat, seats)
    sheet.plane("must answer", 1)
    waiting = state.waiting
    sheet.bits(waiting >> seat | waiting << (seats - seat), seats)  # as the reader counts: nobody beyond the last waits
    planes.write(state, seat, sheet)


def describe(planes: Planes, state: State) -> list[Plane]:
    """The planes of the rows of this game, in order."""
    sheet = Sheet(LONGEST, 1)
    found: list[Plane] = []
    sheet.planes = found
    observe(planes, state, SEATS[state.everyone()][0], sheet)
    sheet.close()
    return found
