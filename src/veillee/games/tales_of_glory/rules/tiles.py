"""TG-7 What is printed on the tiles, as the rules read it. content.py reads it from a file."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.tales_of_glory.rules.components import NO_TYPE, SIDES, SOURCES


@mypyc_attr(acyclic=True)
class Gain:
    """TG-3.3.1 One gain: one or two resources, multiplied by one thing or not, now or at the end."""

    def __init__(self, kinds: vec[i64], amounts: vec[i64], per: i64, at_end: bool) -> None:
        self.kinds = kinds
        self.amounts = amounts  # of each kind
        self.per = per
        self.at_end = at_end


class TileSet:
    """The tiles of one content file, as the rules read them: every row by tile number."""

    def __init__(self, name: str, number: i64, tiles: i64) -> None:
        self.name = name  # as in a table's options
        self.number = number
        self.types = zeros(tiles)
        self.ages = vec[vec[i64]]()  # the three piles
        self.age = zeros(tiles)  # which of them a tile belongs to, from 0
        self.coins = zeros(tiles)  # costs
        self.potions = zeros(tiles)
        self.combat = zeros(tiles)
        self.magic = zeros(tiles)
        self.sides = zeros(tiles)  # which sides have a connector: the sum of 1 << side
        self.halves = zeros(tiles)  # which hold half a key
        self.chests = zeros(tiles)  # how many
        self.conditions = vec[i64](
            [NO_TYPE] * (tiles * SIDES)
        )  # by tile * SIDES + side: what a Place's connector wants
        self.gains = vec[vec[Gain]]([vec[Gain]() for _source in range(tiles * SOURCES)])  # by tile * SOURCES + where


def zeros(tiles: i64) -> vec[i64]:
    return vec[i64]([0] * tiles)


SETS: Final[dict[str, TileSet]] = {}  # filled by content.py
BY_NUMBER: Final[list[TileSet]] = []


def tile_set(name: str) -> TileSet:
    """The set that a position was played with."""
    if name not in SETS:
        raise ValueError(f"This game is played with the tile set {name!r}, which is not loaded here.")
    return SETS[name]
