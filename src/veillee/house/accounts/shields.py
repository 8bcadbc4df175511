"""A guest's shield (avatar), composed of a few parts. A guest who has chosen none has a default that never changes.

It is stored as five letters, one for each part, which is all that drawing needs (web/pages/shield.py).
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from veillee.house.errors import BadRequest, t

SHIELD_SHAPES = ("heater", "round", "banner", "lozenge")
DIVISIONS = ("plain", "pale", "fess", "bend", "quarterly", "chevron", "chief", "cross")
COLOURS = ("red", "blue", "green", "purple", "black", "gold", "silver", "orange")
CHARGES = ("none", "star", "moon", "flame", "tree", "tower", "crown", "key", "fish", "raven")
PARTS = (SHIELD_SHAPES, DIVISIONS, COLOURS, COLOURS, CHARGES)
CODE_ALPHABET = "abcdefghij"


class Shield(NamedTuple):
    """The parts of a shield."""

    shape: str
    division: str
    first: str  # colours
    second: str
    charge: str

    @property
    def code(self) -> str:
        return "".join(CODE_ALPHABET[known.index(part)] for known, part in zip(PARTS, self, strict=True))


def parse_shield(code: str) -> Shield:
    """Parses the five letters. Raises BadRequest."""
    fits = len(code) == len(PARTS) and all(
        letter in CODE_ALPHABET[: len(known)] for letter, known in zip(code, PARTS, strict=True)
    )
    if not fits:
        raise BadRequest(t("There is no such shield."))
    return Shield(*[known[CODE_ALPHABET.index(letter)] for letter, known in zip(code, PARTS, strict=True)])


def shield_from_parts(shape: str, division: str, first: str, second: str, charge: str) -> Shield:
    """Returns the shield of the chosen parts. Raises BadRequest."""
    chosen = (shape, division, first, second, charge)
    if any(part not in known for part, known in zip(chosen, PARTS, strict=True)):
        raise BadRequest(t("There is no such shield."))
    return Shield(*chosen)


def shield_or_default(shield: str, whom: str) -> str:
    """Returns the chosen shield, else the default one; empty if there is no guest."""
    return shield or (default_shield(whom) if whom else "")


def default_shield(whom: str) -> str:
    """Returns the default shield of a guest: a hash of the id, and so always the same."""
    chance = blake2b(whom.encode(errors="replace"), digest_size=5).digest()
    parts = [known[byte % len(known)] for known, byte in zip(PARTS, chance, strict=True)]
    if parts[2] == parts[3]:
        parts[3] = COLOURS[(COLOURS.index(parts[2]) + 3) % len(COLOURS)]
    return Shield(*parts).code
