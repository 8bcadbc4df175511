"""Faces of tiles and cards (games/print_faces.py) as SVG in a page: what the sheets to print show, without fpdf2.

Widths of texts are estimated, because only the extra `print` reads fonts: a text may be a little smaller than on paper.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from veillee.games.box import Box
from veillee.games.print_faces import Face, Mark, Patch, Picture, Polygon, PrintSet, Text
from veillee.web.rendering.fitted_text import POINT, base_lines, fit_text
from veillee.web.rendering.print_sheets import read_symbols
from veillee.web.rendering.templates import board_asset, board_folder

LETTER_WIDTH = 0.56  # of a usual letter, in sizes: a little more than ours have
NARROW, NARROW_WIDTH = frozenset("fijlrtI.,:;!'’ |()"), 0.36


def draw_face(box: Box, one: PrintSet, face: Face, label: str) -> Markup:
    """Returns the picture of a face, which screen readers call by the label."""
    inner = "".join(_mark(box, mark) for mark in face.marks)
    return Markup(  # noqa: S704 - our own picture, whose texts are escaped
        f'<svg class="face" viewBox="0 0 {one.width:g} {one.height:g}" role="img" '
        f'aria-label="{escape(label)}">{inner}</svg>'
    )


def _mark(box: Box, mark: Mark) -> str:
    area = mark.area
    if isinstance(mark, Patch):
        outline = f' stroke="{mark.outline}" stroke-width="0.15"' if mark.outline else ""
        return f'<rect {_place(mark)} rx="{mark.radius:g}" fill="{mark.fill or "none"}"{outline}/>'
    if isinstance(mark, Polygon):
        points = " ".join(f"{x:.2f},{y:.2f}" for x, y in mark.points)
        return f'<polygon points="{points}" fill="{mark.fill}"/>'
    if isinstance(mark, Picture):
        known = read_symbols(board_folder(box) / "icons.svg")
        name = next((name for name in mark.symbols if name in known), "")
        icons = board_asset(box, "icons.svg")
        return f'<use href="{icons}#{name}" {_place(mark)} color="{mark.colour}"/>' if name else ""
    size, lines = fit_text(mark.text, mark, estimate_width)
    weight = "heading" if mark.is_heading else "text"
    middle = area.x + area.width / 2
    return "".join(
        f'<text class="{weight}" x="{middle:.2f}" y="{y:.2f}" font-size="{size * POINT:.2f}" text-anchor="middle" '
        f'fill="{mark.colour}">{escape(line)}</text>'
        for line, y in zip(lines, base_lines(area, len(lines), size), strict=True)
    )


def _place(mark: Patch | Picture | Text) -> str:
    area = mark.area
    return f'x="{area.x:.2f}" y="{area.y:.2f}" width="{area.width:.2f}" height="{area.height:.2f}"'


def estimate_width(text: str, size: float) -> float:
    """Returns the width of a text in mm, about."""
    return sum(NARROW_WIDTH if letter in NARROW else LETTER_WIDTH for letter in text) * size * POINT
