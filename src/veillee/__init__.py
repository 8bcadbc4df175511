"""Veillée: board games, faithful to the letter, as a Python package.

match = veillee.new("ghost-knights", seats=4, seed=7)
while not match.over:
    seat = match.to_act[0]
    match.play(seat, match.choices(seat)[0])
print(match.ranking, match.scores)
"""

from veillee import engine

engine.use()  # before any module is imported that may be compiled

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.match.analysis import analyse
from veillee.match.contents import bring
from veillee.match.errors import BadContent, BadSave, Forbidden, Unknown, VeilleeError
from veillee.match.match import Choice, Match, load, new
from veillee.match.verify import Verdict, verify

__all__ = [
    "BadContent",
    "BadSave",
    "Box",
    "Choice",
    "Forbidden",
    "Match",
    "Unknown",
    "VeilleeError",
    "Verdict",
    "analyse",
    "bring",
    "games",
    "load",
    "new",
    "verify",
]

__version__ = "0.1.0"


def games() -> list[Box]:
    """The boxes on the shelf."""
    return list(BOXES.values())
