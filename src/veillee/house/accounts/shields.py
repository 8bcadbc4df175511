"""A guest's shield: a few parts of ours, of which everybody makes their own. Who has made none has one all the same, always
the same one.

It is written down as five letters, one for each part, which is all that it takes to draw it (web/pages/shield.py).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from veillee.house.errors import BadRequest, t

SHAPES = ("heater", "round", "banner", "lozenge")
DIVISIONS = ("plain", "pale", "fess", "bend", "quarterly", "chevron", "chief", "cross")
COLOURS = ("red", "blue", "green", "purple", "black", "gold", "silver", "orange")
CHARGES = ("none", "star", "moon", "flame", "tree", "tower", "crown", "key", "fish", "raven")
PARTS = (SHAPES, DIVISIONS, COLOURS, COLOURS, CHARGES)
LETTERS = "abcdefghij"


class Shield(NamedTuple):
    shape: str
    division: str
    first: str  # colours
    second: str
    charge: str

    @property
    def code(self) -> str:
        return "".join(LETTERS[known.index(part)] for known, part in zip(PARTS, self, strict=True))


def read(code: str) -> Shield:
    """Raises BadRequest."""
    fits = len(code) == len(PARTS) and all(
        letter in LETTERS[: len(known)] for letter, known in zip(code, PARTS, strict=True)
    )
    if not fits:
        raise BadRequest(t("There is no such shield."))
    return Shield(*[known[LETTERS.index(letter)] for letter, known in zip(code, PARTS, strict=True)])


def made(shape: str, division: str, first: str, second: str, charge: str) -> Shield:
    """Of parts that somebody has chosen. Raises BadRequest."""
    chosen = (shape, division, first, second, charge)
    if any(part not in known for part, known in zip(chosen, PARTS, strict=True)):
        raise BadRequest(t("There is no such shield."))
    return Shield(*chosen)


def worn(shield: str, whom: str) -> str:
    """The one that somebody has made, else the one that they are given; nobody has none."""
    return shield or (given(whom) if whom else "")


def given(whom: str) -> str:
    """The shield of somebody who has made none: of their id, and so always the same."""
    chance = blake2b(whom.encode(errors="replace"), digest_size=5).digest()
    parts = [known[byte % len(known)] for known, byte in zip(PARTS, chance, strict=True)]
    if parts[2] == parts[3]:
        parts[3] = COLOURS[(COLOURS.index(parts[2]) + 3) % len(COLOURS)]
    return Shield(*parts).code
