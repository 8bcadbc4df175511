"""Positions of Tales of Glory, built by hand."""

from __future__ import annotations

import tomllib
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.content import Reader
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import KIND, SIDE_NAMES, Tiles, read_tiles
from veillee.kernel.chance import Rng

SIDES = dict.fromkeys(SIDE_NAMES, "open")
KEPT = ("id", "pile", "type", "fr", "en")  # of a tile that a test prints anew

# Every hero of these tests: four empty connectors, nothing to start with, two chests.
BARE_HERO = {**SIDES, "chests": ["1 prestige", "1 coin"]}
HERO_IDS = ("paladin", "shaman", "barbarian", "thief", "mage")


def content(**prints: dict[str, Any]) -> Tiles:
    """The built-in tiles, some of them printed anew: `purse={"cost": "1 coin", "top": "key"}` (_ stands for -)."""
    data = tomllib.loads(KIND.built_in())
    new = dict.fromkeys(HERO_IDS, BARE_HERO) | {id_.replace("_", "-"): fields for id_, fields in prints.items()}
    known = {tile["id"] for tile in data["tile"]}
    assert new.keys() <= known, new.keys() - known
    data["tile"] = [
        {**{k: tile[k] for k in KEPT if k in tile}, **new[tile["id"]]} if tile["id"] in new else tile
        for tile in data["tile"]
    ]
    reader = Reader("test.toml", data)
    tiles = read_tiles(reader)
    assert not reader.errors, reader.errors
    tiles.set.name = "veillee"
    return tiles


def number(g: tg.TalesOfGlory, id_: str) -> int:
    """The number of the tile with this id (numbers follow the file, whatever a test prints anew)."""
    return IDS.index(id_.replace("_", "-"))


IDS = [tile.id for tile in content().tiles]


def position(players: int = 4, options: dict[str, str] | None = None, seed: int = 1, **prints: dict[str, Any]):
    """Seat 0 has the token, everybody has a bare hero and nothing else; the first selection is asked."""
    g = tg.new_game(players, Rng(seed), options or {})
    g.tiles = content(**prints).set
    hands = [a.hand for a in g.adventurers]
    g.adventurers = vec[tg.Adventurer]([tg.new_adventurer(tg.FIRST_HERO + seat) for seat in range(players)])
    for a, hand in zip(g.adventurers, hands, strict=True):
        a.settle(g.tiles, a.hero, tg.HOME)
        a.hand = hand
    g.first = 0
    return g


def has(g: tg.TalesOfGlory, seat: int, **amounts: int) -> None:
    for kind, n in amounts.items():
        setattr(g.adventurers[seat], kind, n)


def resources(g: tg.TalesOfGlory, seat: int = 0) -> dict[str, int]:
    """What the seat has, without what it has none of."""
    a = g.adventurers[seat]
    kinds = ("coins", "potions", "prestige", "combat", "magic")
    return {kind: getattr(a, kind) for kind in kinds if getattr(a, kind)}


def cell(x: int, y: int) -> int:
    return tg.HOME + tg.SPAN * y + x


def put(x: int, y: int) -> int:
    return tg.PUT + cell(x, y)


def lay(g: tg.TalesOfGlory, seat: int, id_: str, x: int, y: int) -> None:
    """The tile has been in the zone for long: nothing is gained."""
    g.adventurers[seat].settle(g.tiles, number(g, id_), cell(x, y))


def holds(g: tg.TalesOfGlory, seat: int, id_: str, slot: int = 1, quests: tuple[str, ...] = ()) -> None:
    """The seat has taken the tile from the slot and is asked to play it; nothing comes after."""
    a = g.adventurers[seat]
    a.taken, a.slot = number(g, id_), slot - 1
    a.hand = vec[i64]([number(g, quest) for quest in quests])
    g.agenda = [tg.PlayTile(seat)]
    g.to_act = ()
    g.proceed(Rng(0))


def placed(g: tg.TalesOfGlory, seat: int, id_: str, x: int, y: int) -> None:
    """The tile is placed now, for nothing: keys, gains and questions follow."""
    g.agenda = []
    g.to_act = ()
    tg.place(g, seat, number(g, id_), cell(x, y))
    g.proceed(Rng(0))


def chest(g: tg.TalesOfGlory, id_: str, which: int = 0) -> int:
    """The answer that opens this chest."""
    return tg.OPEN + 2 * number(g, id_) + which


def opened(g: tg.TalesOfGlory, seat: int = 0) -> list[tuple[str, int]]:
    return [(IDS[c // 2], c % 2) for c in g.adventurers[seat].open]


def asked(g: tg.TalesOfGlory) -> tuple[str, tuple[int, ...]]:
    return (type(g.question).__name__ if g.to_act else "", g.to_act)
