"""What a box prints: sets of faces of one size, described by areas in millimetres, for any writer of sheets.

A box with replaceable content says in its `printing.py` what its tiles and cards look like (`ContentKind.faces`).
Pictures are the symbols of its board/icons.svg. Nothing here knows a file format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

INK = "#2b1c11"
PAPER = "#fffaf0"
SQUEEZE = 0.95  # factor from one size to the next, when units are made smaller to fit


class Area(NamedTuple):
    """A rectangle on a face, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, x: float, y: float) -> Area:
        return self._replace(x=self.x + x, y=self.y + y)

    def inset(self, by: float) -> Area:
        return Area(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


@dataclass(frozen=True)
class Patch:
    """A filled area."""

    area: Area
    fill: str
    outline: str = ""
    radius: float = 0.0  # of the corners


@dataclass(frozen=True)
class Polygon:
    """A filled polygon; `area` contains it."""

    area: Area
    points: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True)
class Picture:
    """A symbol of the box's icons.svg, as large as the area allows."""

    area: Area
    symbols: tuple[str, ...]  # the first one that there is
    colour: str = INK  # where the symbol says currentColor


@dataclass(frozen=True)
class Text:
    """A text in the middle of its area; it is broken into lines, and made smaller until it fits."""

    area: Area
    text: str
    points: float  # size of the font, at most
    colour: str = INK
    is_heading: bool = False


Mark = Patch | Polygon | Picture | Text


@dataclass(frozen=True)
class Face:
    """One side of a tile or card, to be cut out."""

    id: str
    marks: tuple[Mark, ...]
    copies: int = 1


@dataclass(frozen=True)
class Back:
    """The other side of all faces of a set. The ground is printed a little over the edges, since no printer lays both
    sides of a sheet exactly on each other."""

    ground: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class PrintSet:
    """Faces of one size under one title; they begin on a new page."""

    title: str
    width: float
    height: float
    faces: Sequence[Face]
    back: Back | None = None


LIGHT = 0.12  # of the paper's colour in a back's pattern
LOZENGE = 7.0  # mm, about, from one lozenge of the pattern to the next
RIM = 4.0  # mm, around the pattern: more than a printer is off


def back_with(width: float, height: float, ground: str, *, symbol: str = "", text: str = "") -> Back:
    """Returns a back of lozenges around a medallion with a symbol or a short text. It is the same in a mirror, and upside
    down but for the medallion."""
    pattern = Area(0, 0, width, height).inset(RIM)
    light = blend(ground, PAPER, LIGHT)
    marks: list[Mark] = [Patch(pattern.inset(-1.2), ground, PAPER, radius=3)]
    columns, rows = (round(side / LOZENGE) for side in (pattern.width, pattern.height))
    wide, high = pattern.width / columns, pattern.height / rows
    for row in range(rows):
        for column in range(columns):
            x, y = pattern.x + (column + 0.5) * wide, pattern.y + (row + 0.5) * high
            area = Area(x - wide / 2, y - high / 2, wide, high).inset(0.4)
            middle = (area.x, y), (x, area.y), (area.x + area.width, y), (x, area.y + area.height)
            marks.append(Polygon(area, middle, light))
    side = min(width, height) * 0.46
    medallion = Area((width - side) / 2, (height - side) / 2, side, side)
    marks.append(Patch(medallion, ground, PAPER, radius=side / 2))
    if symbol:
        marks.append(Picture(medallion.inset(side * 0.2), (symbol,), PAPER))
    if text:
        marks.append(Text(medallion.inset(side * 0.2), text, side * 1.3, PAPER, is_heading=True))
    return Back(ground, tuple(marks))


def blend(colour: str, other: str, part: float) -> str:
    """Returns a colour with so much of another one in it."""
    mixed = [round((1 - part) * int(colour[at : at + 2], 16) + part * int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{one:02x}" for one in mixed)


# -- units of figures and symbols, side by side ---------------------------------------------------------------------------
@dataclass(frozen=True)
class Unit:
    """A short text and a symbol that stay together: "2", coins. Sizes are those before squeezing."""

    text: str = ""
    symbol: str = ""
    colour: str = INK

    def width(self, height: float) -> float:
        return height * (0.55 * len(self.text) + (0.95 if self.symbol else 0.0) + 0.1)

    def marks(self, area: Area) -> list[Mark]:
        digits = area.height * 0.55 * len(self.text)
        found: list[Mark] = []
        if self.text:
            wide = digits if self.symbol else area.width
            found.append(
                Text(
                    Area(area.x, area.y, wide, area.height), self.text, area.height * 2.4, self.colour, is_heading=True
                )
            )
        if self.symbol:
            side = area.height * 0.9
            symbol = Area(area.x + digits, area.y + area.height * 0.05, side, side)
            found.append(Picture(symbol, (self.symbol,), self.colour))
        return found


Group = Sequence[Unit]  # a gain, a chest: begins with a gap


def flow(groups: Iterable[Group], area: Area, height: float) -> list[Mark]:
    """Returns the units in centred lines of that height, or of the greatest lower one at which all fit the area."""
    kept = [list(group) for group in groups if group]
    if not kept:
        return []
    while True:
        lines = _lines(kept, area.width, height)
        widest = max(sum(width for _, width in line) for line in lines)
        if widest <= area.width and len(lines) * height <= area.height:
            break
        height *= SQUEEZE
    marks: list[Mark] = []
    y = area.y + (area.height - len(lines) * height) / 2
    for line in lines:
        x = area.x + (area.width - sum(width for _, width in line)) / 2
        for unit, width in line:
            marks += unit.marks(Area(x, y, unit.width(height), height))
            x += width
        y += height
    return marks


def _lines(groups: Sequence[Group], width: float, height: float) -> list[list[tuple[Unit, float]]]:
    """Breaks between groups where possible, and within a group where it is wider than a line."""
    gap = height * 0.4
    lines: list[list[tuple[Unit, float]]] = [[]]
    for group in groups:
        units = [(unit, unit.width(height)) for unit in group]
        used = sum(w for _, w in lines[-1])
        if used and used + gap + sum(w for _, w in units) > width:
            lines.append([])
        elif used:
            unit, w = lines[-1][-1]
            lines[-1][-1] = (unit, w + gap)
        for unit, w in units:
            if lines[-1] and sum(w for _, w in lines[-1]) + w > width:
                lines.append([])
            lines[-1].append((unit, w))
    return lines


def bounds(marks: Iterable[Mark]) -> Area:
    """Returns the area that contains these marks."""
    areas = [mark.area for mark in marks]
    left, top = min(a.x for a in areas), min(a.y for a in areas)
    return Area(left, top, max(a.x + a.width for a in areas) - left, max(a.y + a.height for a in areas) - top)


def placed(marks: Iterable[Mark], x: float, y: float) -> list[Mark]:
    """Returns the marks of a face whose upper left corner is there."""
    return [
        replace(mark, area=mark.area.moved(x, y), points=tuple((a + x, b + y) for a, b in mark.points))
        if isinstance(mark, Polygon)
        else replace(mark, area=mark.area.moved(x, y))
        for mark in marks
    ]


Printer = Callable[..., Sequence[PrintSet]]  # of a content's body and the box's words
