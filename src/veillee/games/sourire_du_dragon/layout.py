"""Where the squares lie on the board: two rounded rectangles, one inside the other, followed clockwise.

Plain figures for the templates of the board, in half percents of its width and height, for a wide and a tall board. Any
number of squares is spread evenly, so that an owner's own rings fit too.
"""

from __future__ import annotations

from math import cos, pi, sin

Place = tuple[int, int]
# Each ring: left, top, right, bottom, radius of the corners; the board's size before them.
WIDE = ((1000, 700), (64, 62, 936, 638, 150), (196, 172, 804, 528, 110))
TALL = ((600, 790), (50, 48, 550, 742, 110), (152, 150, 448, 640, 80))


def along(ring: tuple[int, int, int, int, int], share: float) -> tuple[float, float]:
    """The point after that share of the way round: up the left side, then clockwise."""
    left, top, right, bottom, r = ring
    corner = pi * r / 2
    sides = [bottom - top - 2 * r, corner, right - left - 2 * r, corner] * 2
    way = share * sum(sides)
    piece = 0
    while way > sides[piece] and piece < len(sides) - 1:
        way -= sides[piece]
        piece += 1
    starts = [(left, bottom - r), (left + r, top), (right, top + r), (right - r, bottom)]
    steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    centres = [(left + r, top + r), (right - r, top + r), (right - r, bottom - r), (left + r, bottom - r)]
    if piece % 2 == 0:
        (x, y), (dx, dy) = starts[piece // 2], steps[piece // 2]
        return x + dx * way, y + dy * way
    (x, y), angle = centres[piece // 2], pi + (piece // 2) * pi / 2 + way / r
    return x + r * cos(angle), y + r * sin(angle)


def places(outer: int, inner: int) -> list[list[int]]:
    """For each square [x, y] on the wide board, then on the tall one."""
    found: list[list[int]] = [[] for _ in range(outer + inner)]
    for (width, height), *rings in (WIDE, TALL):
        first = 0
        for ring, count in zip(rings, (outer, inner), strict=True):
            for number in range(count):
                x, y = along(ring, number / count)
                found[first + number] += [round(200 * x / width), round(200 * y / height)]
            first += count
    return found
