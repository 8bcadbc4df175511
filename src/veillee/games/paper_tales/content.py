"""The units and buildings of content.toml, checked once and laid out as the rules need them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = 42
CARDS = 81
BUILDINGS = 5
LEVELS = 2
RESOURCES = ("wood", "food", "crystal")
SOURCES = ("rulebook", "fact", "reconstruction")

Names = dict[str, str]


class BadContent(Exception):
    """A mistake in content.toml, said with the entry's id."""


@dataclass(frozen=True)
class UnitKind:
    id: str
    name: Names
    text: Names
    cost: int
    strength: int
    copies: int
    produces: dict[str, int]
    source: str


@dataclass(frozen=True)
class Level:
    cost: dict[str, int]
    produces: dict[str, int]
    text: Names
    or_gold: int  # PT-2.5.4 the gold that may be paid instead of the resources; 0: there is no such choice


@dataclass(frozen=True)
class Building:
    id: str
    name: Names
    levels: tuple[Level, ...]
    source: str


def read(path: Path) -> tuple[list[UnitKind], list[Building]]:
    with path.open("rb") as file:
        data = tomllib.load(file)
    return check([_unit(entry) for entry in data["unit"]], [_building(entry) for entry in data["building"]])


def _unit(entry: dict[str, Any]) -> UnitKind:
    return UnitKind(
        entry["id"],
        entry["name"],
        entry["text"],
        entry["cost"],
        entry["strength"],
        entry["copies"],
        entry.get("produces", {}),
        entry["source"],
    )


def _building(entry: dict[str, Any]) -> Building:
    levels = []
    for level in entry["level"]:
        cost = {name: n for name, n in level["cost"].items() if name != "or_gold"}
        levels.append(Level(cost, level.get("produces", {}), level["text"], level["cost"].get("or_gold", 0)))
    return Building(entry["id"], entry["name"], tuple(levels), entry["source"])


def check(kinds: list[UnitKind], buildings: list[Building]) -> tuple[list[UnitKind], list[Building]]:
    """PT-1.2 81 cards of 42 kinds, the cheapest first; five buildings of two levels; every name in both languages."""
    if len(kinds) != KINDS or len({kind.id for kind in kinds}) != KINDS:
        raise BadContent(f"There are {KINDS} kinds of units, each with its own id.")
    if sum(kind.copies for kind in kinds) != CARDS:
        raise BadContent(f"The copies of all units add up to {CARDS}.")
    if [kind.cost for kind in kinds] != sorted(kind.cost for kind in kinds):
        raise BadContent("The units stand in order of cost: a deployment asks about the cheapest first.")
    if len(buildings) != BUILDINGS or any(len(building.levels) != LEVELS for building in buildings):
        raise BadContent(f"There are {BUILDINGS} buildings of {LEVELS} levels.")
    for kind in kinds:
        _check_entry(kind.id, kind.source, [kind.name, kind.text], [kind.produces])
    for building in buildings:
        texts = [building.name] + [level.text for level in building.levels]
        amounts = [level.cost for level in building.levels] + [level.produces for level in building.levels]
        _check_entry(building.id, building.source, texts, amounts)
    return kinds, buildings


def _check_entry(name: str, source: str, texts: list[Names], amounts: list[dict[str, int]]) -> None:
    if source not in SOURCES:
        raise BadContent(f"{name}: the source is one of {', '.join(SOURCES)}, not {source!r}.")
    if any(sorted(text) != ["en", "fr"] or not all(text.values()) for text in texts):
        raise BadContent(f"{name}: a name or text is missing in French or English.")
    if any(resource not in RESOURCES or n < 1 for amount in amounts for resource, n in amount.items()):
        raise BadContent(f"{name}: a resource is one of {', '.join(RESOURCES)}, and at least 1 of it.")


UNITS, HOUSES = read(Path(__file__).with_name("content.toml"))

# What the rules read, by kind of unit: plain lists of numbers.
COST = [kind.cost for kind in UNITS]
STRENGTH = [kind.strength for kind in UNITS]
WOOD = [kind.produces.get("wood", 0) for kind in UNITS]
FOOD = [kind.produces.get("food", 0) for kind in UNITS]
CRYSTAL = [kind.produces.get("crystal", 0) for kind in UNITS]

# A card is a number below 81; cards of one kind are neighbours.
KIND = [number for number, kind in enumerate(UNITS) for _ in range(kind.copies)]

# By level (0: the first), then by building.
NEEDS_WOOD = [[house.levels[level].cost.get("wood", 0) for house in HOUSES] for level in range(LEVELS)]
NEEDS_FOOD = [[house.levels[level].cost.get("food", 0) for house in HOUSES] for level in range(LEVELS)]
NEEDS_CRYSTAL = [[house.levels[level].cost.get("crystal", 0) for house in HOUSES] for level in range(LEVELS)]
OR_GOLD = [[house.levels[level].or_gold for house in HOUSES] for level in range(LEVELS)]

# What the board may print.
BOARD = {
    "units": [
        {
            "id": kind.id,
            "name": kind.name,
            "text": kind.text,
            "cost": kind.cost,
            "strength": kind.strength,
            "produces": kind.produces,
        }
        for kind in UNITS
    ],
    "houses": [
        {
            "id": house.id,
            "name": house.name,
            "levels": [{"cost": level.cost, "or_gold": level.or_gold, "text": level.text} for level in house.levels],
        }
        for house in HOUSES
    ],
}
