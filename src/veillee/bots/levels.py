"""How strong an opponent can be. The figures of each game were found by measuring (docs/opponents.md).

Those of every game and of our own stand in levels.toml; another package's game may bring a levels.toml beside its rules.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
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
    former: bool = False  # it judges positions as it was taught before (Box.former)


@cache
def level(name: str, box_id: str) -> Level:
    """The level as this game wants it played."""
    if name not in LEVELS:
        raise UnknownLevel(f"There is no level {name!r}: the levels are {', '.join(LEVELS)}.")
    figures = _read(OURS)
    if box_id in BOXES and (beside := BOXES[box_id].folder / OURS.name).exists():
        figures = {**figures, **_read(beside)}
    return Level(**{**figures["every-game"][name], **figures.get(box_id, {}).get(name, {})})


@cache
def _read(path: Path) -> dict[str, dict[str, dict[str, Any]]]:
    figures: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    known = {field.name for field in fields(Level)}
    for game, levels in figures.items():
        for name, values in levels.items():
            if name not in LEVELS or not known.issuperset(values):
                raise UnknownLevel(f"{path}: [{game}.{name}] is no level, or has a figure that no level has.")
    return figures
