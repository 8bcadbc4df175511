"""Which strength answers as somebody does (ADR 31).

How well somebody answers is told by what better answers would have promised, as a part of what luck moved (ADR 20). What that is
for each level was measured, box by box, and lies beside the rules in measure.json (lab/strength_scale.py): between two levels it
changes evenly, as the chances to err do.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from veillee.bots.levels import MARKS
from veillee.games.box import Box

FILE = "measure.json"


@dataclass(frozen=True)
class Mark:
    """A level on the scale: its strength, and what better answers would have promised it / what luck moved."""

    level: str
    strength: float
    ratio: float


@cache
def marks(box: Box) -> tuple[Mark, ...]:
    """From random choices to the expert, each better than the one before; none: nobody has measured this box, or what was
    measured tells its levels not apart."""
    file = box.folder / FILE
    if not file.is_file():
        return ()
    ratios = json.loads(file.read_text(encoding="utf-8"))["levels"]
    found = tuple([Mark(level, strength, ratios[level]) for level, strength in MARKS.items()])
    return found if all(weaker.ratio > stronger.ratio for weaker, stronger in pairwise(found)) else ()


def strength(box: Box, ratio: float) -> float:
    """Of who answers like that, from 0 to 1."""
    weakest, *_, strongest = marks(box)
    if ratio >= weakest.ratio:
        return weakest.strength
    for weaker, stronger in pairwise(marks(box)):
        if ratio >= stronger.ratio:
            share = (weaker.ratio - ratio) / (weaker.ratio - stronger.ratio)
            return weaker.strength + share * (stronger.strength - weaker.strength)
    return strongest.strength
