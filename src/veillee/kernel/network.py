"""Value network: a small neural network that evaluates a position for each seat (ADR 38).

It adds to the linear evaluation of an Advisor what that cannot express. The inputs of a seat are its features, its lead
in each over the best other seat, the phase of the game, and planes of its row (kernel/planes.py); then one layer of
hidden units, which are 0 below 0, and one number. All numbers of players share the weights: a plane that every seat has
is read for the seat itself, and added up over the others.
"""

from __future__ import annotations

from typing import Any, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.planes import Plane, Planes, Sheet, describe, observe
from veillee.kernel.state import MOST_SEATS, State

UNUSED: Final = -1  # a number of a row that is no input
OWN_AND_OTHERS: Final = 2
AT_ONCE: Final = 4  # hidden units: their number is a multiple of it


class Misfit(ValueError):
    """The planes of a game are not those that a network was trained on."""


@final
class InputPlane:
    """A plane that a network reads: `places` numbers, `times` in a row, or for every seat.

    If its numbers name things (`things`: how many), each thing is an input, which counts how often it is named.
    """

    def __init__(self, name: str, places: int, times: int, each_seat: bool, things: int) -> None:
        self.name = name
        self.places = places
        self.times = times
        self.each_seat = each_seat
        self.things = things

    def group(self) -> int:
        """Returns how many inputs it has for a seat, or at once."""
        return self.things or self.places

    def inputs(self) -> int:
        groups = OWN_AND_OTHERS if self.each_seat else 1 if self.things else self.times
        return self.group() * groups


@final
class Layout:
    """Where the numbers of a row are added to the inputs, for one number of seats."""

    def __init__(self, row: i64, target: vec[i64], counts: vec[i64]) -> None:
        self.row = row
        self.target = target  # for each number of the row the input, or UNUSED
        self.counts = counts  # 1: the number names a thing, whose input is so many further
        self.sheet: Sheet = Sheet(row, 1)


@final
class Network:
    """Weights for so many features, phases and planes, and the buffers to evaluate with them.

    `numbers`: for each input its weight to every hidden unit, then the units' biases, then their weights in the result.
    """

    def __init__(
        self,
        features: int,
        phases: int,
        hidden: int,
        planes: Planes | None,
        read: list[InputPlane],
        numbers: list[float],
    ) -> None:
        self.features: i64 = features
        self.phases: i64 = phases
        self.hidden: i64 = hidden
        self.planes = planes
        self.read = read
        inputs = OWN_AND_OTHERS * features + phases
        for plane in read:
            inputs += plane.inputs()
        self.inputs: i64 = inputs
        if hidden % AT_ONCE != 0:
            raise Misfit(f"{hidden} hidden units")
        if len(numbers) != inputs * hidden + 2 * hidden:
            raise Misfit(f"{len(numbers)} weights, not {inputs * hidden + 2 * hidden}")
        self.first: vec[float] = vec[float](numbers[: inputs * hidden])
        self.biases: vec[float] = vec[float](numbers[inputs * hidden : inputs * hidden + hidden])
        self.last: vec[float] = vec[float](numbers[inputs * hidden + hidden :])
        self.input: vec[float] = vec[float]([0.0] * inputs)
        self.seen: vec[i64] = vec[i64]([0] * inputs)  # the inputs that are not 0: where their weights begin
        self.strength: vec[float] = vec[float]([0.0] * inputs)
        self.layouts: list[Layout | None] = [None] * (MOST_SEATS + 1)

    def layout(self, g: State) -> Layout:
        """Returns the layout for the game's number of seats. Raises Misfit."""
        seats = int(g.seats())
        known = self.layouts[seats]
        if known is not None:
            return known
        made = lay_out(self.planes, self.read, g, OWN_AND_OTHERS * int(self.features) + int(self.phases))
        self.layouts[seats] = made
        return made

    def look(self, g: State, seat: i64, phase: i64, features: vec[float]) -> None:
        """Writes the inputs of the seat; `features` are its own and its leads."""
        row = self.input
        inputs = self.inputs
        place: i64 = 0
        while place < inputs:
            row[place] = 0.0
            place += 1
        width = len(features)
        place = 0
        while place < width:
            row[place] = features[place]
            place += 1
        row[width + (phase if phase < self.phases else self.phases - 1)] = 1.0
        planes = self.planes
        if planes is None or len(self.read) == 0:
            return
        layout = self.layout(g)
        sheet = layout.sheet
        sheet.clear()
        observe(planes, g, seat, sheet)
        numbers = sheet.numbers
        target = layout.target
        counts = layout.counts
        length = layout.row
        place = 0
        while place < length:
            number = numbers[place]
            if number != 0:
                where = target[place]
                if where != UNUSED:
                    if counts[place] == 1:
                        row[where + i64(int(number))] += 1.0
                    else:
                        row[where] += float(int(number))
            place += 1

    def worth(self, g: State, seat: i64, phase: i64, features: vec[float]) -> float:
        """Returns what the linear evaluation of the seat is to be corrected by, before the softmax."""
        self.look(g, seat, phase, features)
        row = self.input
        seen = self.seen
        strength = self.strength
        first = self.first
        biases = self.biases
        last = self.last
        hidden = self.hidden
        inputs = self.inputs
        count: i64 = 0
        place: i64 = 0
        while place < inputs:
            x = row[place]
            if x != 0.0:
                seen[count] = place * hidden
                strength[count] = x
                count += 1
            place += 1
        result = 0.0
        unit: i64 = 0
        while unit < hidden:  # four at once: their sums stay in registers
            one = biases[unit]
            two = biases[unit + 1]
            three = biases[unit + 2]
            four = biases[unit + 3]
            place = 0
            while place < count:
                x = strength[place]
                at = seen[place] + unit
                one += x * first[at]
                two += x * first[at + 1]
                three += x * first[at + 2]
                four += x * first[at + 3]
                place += 1
            if one > 0.0:
                result += one * last[unit]
            if two > 0.0:
                result += two * last[unit + 1]
            if three > 0.0:
                result += three * last[unit + 2]
            if four > 0.0:
                result += four * last[unit + 3]
            unit += AT_ONCE
        return result


def lay_out(planes: Planes | None, read: list[InputPlane], g: State, start: int) -> Layout:
    """Finds the planes to read in the rows of this game; their inputs begin at `start`. Raises Misfit."""
    if planes is None:
        raise Misfit("no planes")
    found = describe(planes, g)
    seats = int(g.seats())
    target = [int(UNUSED)] * found[-1].stop
    counts = [0] * len(target)
    for one in read:
        times = 0
        for plane in found:
            if plane.name == one.name:
                if plane.stop - plane.start != one.places or things_of(plane) != one.things:
                    raise Misfit(one.name)
                group = min(times, OWN_AND_OTHERS - 1) if one.each_seat else 0 if one.things else times
                for place in range(one.places):
                    first = start + group * one.group()
                    target[plane.start + place] = first - 1 if one.things else first + place
                    counts[plane.start + place] = 1 if one.things else 0
                times += 1
        if times != (seats if one.each_seat else one.times):
            raise Misfit(one.name)
        start += one.inputs()
    return Layout(len(target), vec[i64](target), vec[i64](counts))


def things_of(plane: Plane) -> int:
    return plane.most if plane.names_things else 0


def readable(planes: Planes, games: list[Any]) -> list[InputPlane]:
    """Returns the planes that a network for these games, each with another number of seats, can read: those of the same
    length in all of them."""
    rows = [describe(planes, g) for g in games]
    seats = [int(g.seats()) for g in games]
    read: list[InputPlane] = []
    for name in dict.fromkeys([plane.name for plane in rows[0]]):
        kinds: list[tuple[int, int]] = []
        times: list[int] = []
        for row in rows:
            same = [(plane.stop - plane.start, things_of(plane)) for plane in row if plane.name == name]
            kinds += same
            times.append(len(same))
        if len(set(kinds)) != 1:
            continue
        places, things = kinds[0]
        if times == seats:
            read.append(InputPlane(name, places, seats[0], True, things))
        elif len(set(times)) == 1:
            read.append(InputPlane(name, places, times[0], False, things))
    return read
