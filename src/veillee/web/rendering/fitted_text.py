"""Texts of printed faces, broken into lines and made smaller until they fit their areas."""

from __future__ import annotations

from collections.abc import Callable

from veillee.games.print_faces import Area, Text

POINT = 25.4 / 72  # mm
LEADING = 1.16  # of lines, in sizes
MIDDLE = 0.33  # from the middle of a line to its base line, in sizes
SHRINK = 0.96  # factor from one size of a text to the next
BREAKABLE = 5.0  # points: smaller words may be broken anywhere

Measure = Callable[[str, float], float]  # the width in mm of a text at a size in points


def fit_text(text: str, mark: Text, measure: Measure) -> tuple[float, list[str]]:
    """Returns the greatest size in points at which the text fits the mark's area, and its lines."""
    size = mark.points
    while True:
        lines = _break(text, mark.area.width, size, measure)
        if lines is not None and len(lines) * size * POINT * LEADING <= mark.area.height:
            return size, lines
        size *= SHRINK


def base_lines(area: Area, count: int, size: float) -> list[float]:
    """Returns how far down the base lines of so many lines are, which stand in the middle of the area."""
    step = size * POINT * LEADING
    first = area.y + area.height / 2 - step * (count - 1) / 2 + MIDDLE * size * POINT
    return [first + step * line for line in range(count)]


def _break(text: str, width: float, size: float, measure: Measure) -> list[str] | None:
    """Returns the lines of a text; None: a word is wider than a line."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if measure(longer, size) <= width:
            lines[-1] = longer
            continue
        if measure(word, size) > width and size > BREAKABLE:
            return None
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and measure(lines[-1] + letter, size) > width:
                lines.append("")
            lines[-1] += letter
    return lines
