"""Encoding of a position as a row of small numbers, for learning programs: what one seat may know, and nothing else.

A box defines in its planes.py what it writes, plane by plane; the description of a row (position, name and bounds of
each plane) is made by writing one, so that both always agree. All rows of one game have the same length, and everything
that belongs to seats begins with the reader's own and goes on clockwise.
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
    """Numbers of a row with the same meaning: their position and bounds."""

    def __init__(self, name: str, start: int, least: int, most: int) -> None:
        self.name = name
        self.start = start
        self.stop = start
        self.least = least
        self.most = most
        self.names_things = False  # 0: nothing, 1: the first of so many things …

    def __repr__(self) -> str:
        return f"<{self.name}: {self.start} to {self.stop - 1}, each {self.least} to {self.most}>"


@final
class Sheet:
    """Buffer for rows, each written number by number over zeros. Values beyond a plane's bounds are clipped.

    It keeps its memory: rows written after clear() reuse it. (Extending a vec that has capacity is a copy: rows of
    zeros are laid out much faster than number by number.)
    """

    def __init__(self, row: i64, rows: i64) -> None:
        self.blank: vec[i16] = vec[i16]([0] * row)
        self.empty: vec[i16] = vec[i16](capacity=row * rows)
        self.numbers: vec[i16] = self.empty  # the rows written so far
        self.at: i64 = 0  # index of the next number
        self.least: i64 = 0
        self.most: i64 = 0
        self.planes: list[Plane] | None = None  # set only by describe()

    def clear(self) -> None:
        """Removes all rows."""
        self.numbers = self.empty

    def begin(self) -> None:
        """Adds a row of zeros."""
        self.at = len(self.numbers)
        self.numbers = extend(self.numbers, self.blank)

    def plane(self, name: str, most: i64, least: i64 = 0) -> None:
        """Starts a plane of this name and bounds."""
        self.least = least
        self.most = most
        if self.planes is not None:
            self.tell(name)

    def names(self, name: str, things: i64) -> None:
        """Starts a plane whose numbers name things, from 1; 0: nothing."""
        self.plane(name, things)
        if self.planes:
            self.planes[-1].names_things = True

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
        """Skips so many numbers, which stay 0."""
        self.at += places

    def one_of(self, which: i64, places: i64) -> None:
        """Writes a one-hot row; all zeros if `which` is out of range."""
        at = self.at
        if 0 <= which < places:
            self.numbers[at + which] = YES
        self.at = at + places

    def bits(self, mask: i64, places: i64) -> None:
        """Writes a 1 for each bit of the mask."""
        at, numbers = self.at, self.numbers
        self.at = at + places
        mask &= (1 << places) - 1
        while mask != 0:
            numbers[at] = i16(mask & 1)
            mask >>= 1
            at += 1

    def count(self, things: vec[i64], kinds: i64) -> None:
        """Writes how many of each kind there are."""
        at, numbers = self.at, self.numbers
        self.at = at + kinds
        for kind in things:
            numbers[at + kind] += YES

    def counts(self, counts: i64, places: i64) -> None:
        """Writes the packed numbers of kernel/counts.py, clipped."""
        at, numbers, most = self.at, self.numbers, self.most
        end = at + places
        self.at = end
        while at < end:
            number = counts & 255
            numbers[at] = i16(min(most, number))
            counts >>= 8
            at += 1

    def row(self, figures: vec[i64], places: i64) -> None:
        """Writes the first `places` of these figures, clipped."""
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
    """Writes a box's planes for a seat; subclassed in its planes.py."""

    def write(self, g: Any, seat: i64, sheet: Sheet) -> None:
        """Writes always the same number of numbers, from what the seat may know."""
        raise NotImplementedError


def relative(other: i64, seat: i64, seats: i64) -> i64:
    """Returns the place of a seat relative to this one: itself 0, the next clockwise 1; -1 stays -1."""
    if other < 0:
        return -1
    return other - seat if other >= seat else other - seat + seats


def observe(planes: Planes, state: State, seat: i64, sheet: Sheet) -> None:
    """Writes a row: the reader's seat and the seats to act, then the planes of the box."""
    sheet.begin()
    seats = state.seats()
    sheet.plane("your seat", 1)
    sheet.one_of(seat, seats)
    sheet.plane("must answer", 1)
    waiting = state.waiting
    sheet.bits(
        waiting >> seat | waiting << (seats - seat), seats
    )  # rotated to the reader; bits beyond the last seat are masked
    planes.write(state, seat, sheet)


def describe(planes: Planes, state: State) -> list[Plane]:
    """Returns the planes of this game's rows, in order."""
    sheet = Sheet(LONGEST, 1)
    found: list[Plane] = []
    sheet.planes = found
    observe(planes, state, SEATS[state.everyone()][0], sheet)
    sheet.close()
    return found
