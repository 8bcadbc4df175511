"""Levels of bots and their parameters, which were found by measurement for each game (docs/opponents.md).

The defaults and those of our own games are in levels.toml; another package's game may bring a levels.toml beside its
rules.

Between the levels there are intermediate strengths, in hundredths: `measure-0.62` is an adaptive bot (ADR 31). Its
parameters are interpolated between those of the levels below and above it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from veillee.games.catalogue import BOXES

LEVELS_FILE = Path(__file__).parent / "levels.toml"
AT_HOME = (
    "random",
    "plain",
    "novice",
    "regular",
    "expert",
    "master",
)  # available in the terminal, weakest first
# Available in the arena: also former experts (ADR 25, 38), and simpler ways to think, as references (reference_players.py).
LEVELS = (*AT_HOME, "expert-1", "expert-2", "lookahead", "flat", "pimc", "response")
OFFERED = ("novice", "regular", "expert", "master")  # offered at tables
MEASURE = "measure"  # as strong as the guest; with a number appended, of that strength
STRENGTH_MARKS = {
    "random": 0.0,
    "novice": 0.33,
    "regular": 0.67,
    "expert": 1.0,
}  # positions of the levels on the scale of strengths
ADAPTIVE_NAME = re.compile(rf"{MEASURE}-(0\.\d\d|1\.00)")


Method = Literal["tree", "lookahead", "flat", "pimc", "response"]


class UnknownLevel(ValueError):
    """There is no such level; the message is a sentence."""


@dataclass(frozen=True)
class Level:
    """The parameters of a bot."""

    iterations: int  # simulated games; 0: it answers at random
    seconds: float  # time limit, however slow the machine
    exploration: float  # how much it tries choices that seem worse
    guided: bool  # uses the game's advisor; false: playouts are random and go to the end
    haste: float  # how often it answers with its first idea
    slips: float  # how often it takes a random choice
    blur: float  # noise of its own estimates: 0 takes the best
    practised: bool = False  # it tries learned answers of experts, and separates nodes by what is in sight (ADR 33)
    former: bool = False  # it evaluates positions with the former advisor (Box.former)
    method: Method = "tree"  # how it chooses: by a tree of information sets, or as a reference player
    network: str = ""  # it evaluates positions with this network: "shipped", or a file (games/network.py, ADR 38)


@cache
def level(name: str, box_id: str) -> Level:
    """Returns the parameters of the level for this game. Raises UnknownLevel."""
    if (strength := strength_of(name)) is not None:
        return _between(strength, box_id)
    if name not in LEVELS:
        raise UnknownLevel(f"There is no level {name!r}: the levels are {', '.join(LEVELS)}.")
    figures = _read(LEVELS_FILE)
    if box_id in BOXES and (beside := BOXES[box_id].folder / LEVELS_FILE.name).exists():
        figures = {**figures, **_read(beside)}
    return Level(**{**figures["every-game"][name], **figures.get(box_id, {}).get(name, {})})


def adaptive_level_name(strength: float) -> str:
    """Returns the name of the bot of that strength; from 0, at random, to 1, an expert."""
    return f"{MEASURE}-{min(1.0, max(0.0, strength)):.2f}"


def strength_of(name: str) -> float | None:
    """Returns the strength in the name of an adaptive bot; None for other levels."""
    found = ADAPTIVE_NAME.fullmatch(name)
    return float(found[1]) if found else None


def is_level(name: str) -> bool:
    return name in LEVELS or strength_of(name) is not None


def _between(strength: float, box_id: str) -> Level:
    """Interpolates between two levels: probabilities of errors linearly, iterations geometrically. Below novice it
    is a novice with more and more random choices.
    """
    below, above = next(pair for pair in pairwise(STRENGTH_MARKS) if strength <= STRENGTH_MARKS[pair[1]])
    share = (strength - STRENGTH_MARKS[below]) / (STRENGTH_MARKS[above] - STRENGTH_MARKS[below])
    strong = level(above, box_id)
    weak = level(below, box_id) if below != "random" else replace(strong, slips=1.0)
    figures = {
        field.name: _part(getattr(weak, field.name), getattr(strong, field.name), share) for field in fields(Level)
    }
    return Level(**figures)


def _part(weak: Any, strong: Any, share: float) -> Any:
    if isinstance(strong, bool | str):
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
