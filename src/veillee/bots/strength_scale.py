"""Scale that maps the quality of a player's answers to a strength (ADR 31).

The quality is the regret (what better answers would have gained) divided by the stakes (what luck moved) (ADR 20). This
ratio was measured for each level, box by box, and is stored beside the rules in measure.json (lab/strength_scale.py);
between two levels it is interpolated linearly, as the probabilities of errors are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from veillee.bots.levels import STRENGTH_MARKS
from veillee.games.box import Box

SCALE_FILE = "measure.json"


@dataclass(frozen=True)
class ScalePoint:
    """A level on the scale: its strength, and its regret / stakes."""

    level: str
    strength: float
    ratio: float


@cache
def marks(box: Box) -> tuple[ScalePoint, ...]:
    """Returns the levels from random choices to the expert, each better than the one before; empty if this box was
    not measured, or the measurement does not separate its levels.
    """
    file = box.folder / SCALE_FILE
    if not file.is_file():
        return ()
    ratios = json.loads(file.read_text(encoding="utf-8"))["levels"]
    found = tuple([ScalePoint(level, strength, ratios[level]) for level, strength in STRENGTH_MARKS.items()])
    return found if all(weaker.ratio > stronger.ratio for weaker, stronger in pairwise(found)) else ()


def strength(box: Box, ratio: float) -> float:
    """Returns the strength for this ratio, from 0 to 1."""
    weakest, *_, strongest = marks(box)
    if ratio >= weakest.ratio:
        return weakest.strength
    for weaker, stronger in pairwise(marks(box)):
        if ratio >= stronger.ratio:
            share = (weaker.ratio - ratio) / (weaker.ratio - stronger.ratio)
            return weaker.strength + share * (stronger.strength - weaker.strength)
    return strongest.strength
