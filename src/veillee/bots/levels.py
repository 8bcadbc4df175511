"""How strong an opponent can be. The figures of each game were found by measuring (docs/opponents.md).

Those of every game and of our own stand in levels.toml; another package's game may bring a levels.toml beside its rules.

Between the levels lies every strength there is, in hundredths: `measure-0.62` is a bot that was made to measure (ADR 31). Its
figures lie between those of the levels below and above it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from veillee.games.catalogue import BOXES

OURS = Path(__file__).parent / "levels.toml"
AT_HOME = (
    "random",
    "plain",
    "novice",
    "regular",
    "expert",
)  # what may be played against in the terminal, the weakest first
LEVELS = (*AT_HOME, "expert-1")  # all that the arena knows: also the expert as it was, to measure against (ADR 25)
OFFERED = ("novice", "regular", "expert")  # what people may sit down with
MEASURE = "measure"  # as strong as whoever asks for it; with a strength after it, as strong as that
MARKS = {
    "random": 0.0,
    "novice": 0.33,
    "regular": 0.67,
    "expert": 1.0,
}  # where the levels lie on the scale of strengths
MADE = re.compile(rf"{MEASURE}-(0\.\d\d|1\.00)")


class UnknownLevel(ValueError):
    """The sentence is the message."""


@dataclass(frozen=True)
class Level:
    """What a bot of this level does with a question."""

    iterations: int  # games that it plays in its head; 0: it answers at random
    seconds: float  # and the time after which it stops, however slow the machine
    exploration: float  # how much it looks at choices that seem worse
    guided: bool  # heeds the game's advisor; without, playouts are random and go to the end
    haste: float  # how often it answers with its first idea, as people do
    slips: float  # how often it overlooks everything and takes any choice
    blur: float  # how unsure it is of its own estimates: 0 takes the best
    practised: bool = (
        False  # it tries what experts have answered in such places, and tells apart what is in sight (ADR 33)
    )
    former: bool = False  # it judges positions as it was taught before (Box.former)


@cache
def level(name: str, box_id: str) -> Level:
    """The level as this game wants it played."""
    if (strength := strength_of(name)) is not None:
        return _between(strength, box_id)
    if name not in LEVELS:
        raise UnknownLevel(f"There is no level {name!r}: the levels are {', '.join(LEVELS)}.")
    figures = _read(OURS)
    if box_id in BOXES and (beside := BOXES[box_id].folder / OURS.name).exists():
        figures = {**figures, **_read(beside)}
    return Level(**{**figures["every-game"][name], **figures.get(box_id, {}).get(name, {})})


def made(strength: float) -> str:
    """The name of the bot that is as strong as that; from 0, at random, to 1, an expert."""
    return f"{MEASURE}-{min(1.0, max(0.0, strength)):.2f}"


def strength_of(name: str) -> float | None:
    """Of a bot that was made to measure; None: it was not."""
    found = MADE.fullmatch(name)
    return float(found[1]) if found else None


def is_level(name: str) -> bool:
    return name in LEVELS or strength_of(name) is not None


def _between(strength: float, box_id: str) -> Level:
    """Chances to err change evenly from level to level, games in the head by equal factors. Below a novice it is one who
    overlooks more and more, until nothing but chance is left."""
    below, above = next(pair for pair in pairwise(MARKS) if strength <= MARKS[pair[1]])
    share = (strength - MARKS[below]) / (MARKS[above] - MARKS[below])
    strong = level(above, box_id)
    weak = level(below, box_id) if below != "random" else replace(strong, slips=1.0)
    figures = {
        field.name: _part(getattr(weak, field.name), getattr(strong, field.name), share) for field in fields(Level)
    }
    return Level(**figures)


def _part(weak: Any, strong: Any, share: float) -> Any:
    if isinstance(strong, bool):
        return strong
    if isinstance(strong, int):
        return round(weak * (strong / weak) ** share)
    return round(weak + (strong - weak) * share, 4)


@cache
def _read(path: Path) -> dict[str, dict[str, dict[str, Any]]]:
    figures: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    known = {field.name for field in fields(Level)}
    for game, levels in figures.items():
        for name, values in levels.items():
            if name not in LEVELS or not known.issuperset(values):
                raise UnknownLevel(f"{path}: [{game}.{name}] is no level, or has a figure that no level has.")
    return figures
