"""TI-1 The tiles, the specialists and the titles: content.toml, read and checked once."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from veillee.games.box import Names

LEVELS = ("deep", "intermediate", "shallow")  # from the bottom of a site upwards
KINDS = ("karas", "xp", "rockfall", "monster", "chest", "stone", "treasure")
SOURCES = ("rulebook", "fact", "reconstruction")
TILES_OF_A_LEVEL = 18
TREASURES = 8


@dataclass(frozen=True)
class Tile:
    id: str
    kind: str
    level: str  # printed on the back; "treasure" for what lies in the chests
    count: int
    karas: int
    xp: int
    lives: int
    injury: bool
    name: Names
    source: str


@dataclass(frozen=True)
class Specialist:
    id: str
    price: int  # the Imitator: on top of the copied one's
    name: Names
    about: Names
    source: str


@dataclass(frozen=True)
class Title:
    least: int  # XP
    name: Names
    source: str


def read(path: Path) -> tuple[list[Tile], list[Specialist], list[Title]]:
    data: dict[str, list[dict[str, Any]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    tiles = [Tile(**row) for row in data["tiles"]]
    specialists = [Specialist(**row) for row in data["specialists"]]
    titles = [Title(**row) for row in data["titles"]]
    check(tiles, specialists, titles)
    return tiles, specialists, titles


def check(tiles: list[Tile], specialists: list[Specialist], titles: list[Title]) -> None:
    """TI-1.1, TI-1.3 Three levels of 18 galleries, eight treasures; every name in both languages."""
    for level, count in {**dict.fromkeys(LEVELS, TILES_OF_A_LEVEL), "treasure": TREASURES}.items():
        found = sum(tile.count for tile in tiles if tile.level == level)
        if found != count:
            raise ValueError(f"content.toml: {found} {level} tiles instead of {count}.")
    for tile in tiles:
        if tile.kind not in KINDS or (tile.kind == "treasure") != (tile.level == "treasure"):
            raise ValueError(f"content.toml: the tile {tile.id!r} cannot be a {tile.kind!r} in level {tile.level!r}.")
        if (tile.kind == "monster") > (tile.lives > 0):
            raise ValueError(f"content.toml: the monster {tile.id!r} has no lives.")
    rows: list[Tile | Specialist | Title] = [*tiles, *specialists, *titles]
    for row in rows:
        if set(row.name) != {"fr", "en"} or row.source not in SOURCES:
            raise ValueError(f"content.toml: {row.name} needs a name in fr and en, and a source among {SOURCES}.")


TILES, SPECIALISTS, TITLES = read(Path(__file__).with_name("content.toml"))

# What the board's templates are given.
BOARD: dict[str, Any] = {
    "tiles": {tile.id: asdict(tile) | {"picture": tile.id.split("-")[0]} for tile in TILES},
    "specialists": {specialist.id: asdict(specialist) for specialist in SPECIALISTS},
}
