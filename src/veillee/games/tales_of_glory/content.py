"""The tiles: read from content.toml, or from an owner's own file like it (games/content.py), and checked as a whole.

Every file that passes these checks can be played to the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.box import Names, Option
from veillee.games.content import Content as Named
from veillee.games.content import ContentKind, Reader, Row, is_name, short
from veillee.games.tales_of_glory.rules import (
    AGE_TILES,
    BY_NUMBER,
    CHEST,
    COINS,
    COMBAT,
    CONNECTOR,
    HEROES,
    KEY,
    MAGIC,
    NO_TYPE,
    ONCE,
    OWN,
    PER_3_COINS,
    PER_3_POTIONS,
    PER_COMBAT,
    PER_MAGIC,
    PER_MAJORITY,
    PLACE,
    POTIONS,
    PRESTIGE,
    QUESTS,
    SET,
    SETS,
    SIDES,
    SOURCES,
    TOKEN,
    Gain,
    TileSet,
)
from veillee.words import sentences

SIDE_NAMES = ("top", "right", "bottom", "left")
TYPE_NAMES = ("", "place", "monster", "treasure", "character")
KIND_NAMES = ("coins", "potions", "prestige", "combat", "magic", "key", "first")
PER_NAMES = (
    "",
    "place",
    "monster",
    "treasure",
    "character",
    "key",
    "combat",
    "magic",
    "majority",
    "3 coins",
    "3 potions",
    "surrounded",
    "closed chest",
)
AGE_PILES = ("age 1", "age 2", "age 3")
PILES = (*AGE_PILES, "quest", "hero")
SOURCE_NAMES = ("rulebook", "fact", "reconstruction", "owner")
FIELDS = ("id", "pile", "type", "fr", "en", "cost", *SIDE_NAMES, "gain", "chests", "why", "source")

PART = re.compile(r"([0-9]{1,9})\s+([a-z]+)")
KINDS_BY_WORD = {
    **{name: kind for kind, name in enumerate(KIND_NAMES)},
    "coin": COINS,
    "potion": POTIONS,
    "keys": KEY,
}
COSTS = (COINS, POTIONS, COMBAT, MAGIC)
MOST_COSTS = 2

# What is refused …
FEWEST_AGE_1 = 10  # TG-8.1
MOST = 99  # of anything in a cost or a gain
MOST_GAINS = 6  # at one place of a tile
MOST_KINDS = 2  # TG-3.3.1 multiplied together
MOST_GROWTH = 1000
RESOURCES = (COINS, POTIONS, COMBAT, MAGIC)
PER_RESOURCE = (PER_COMBAT, PER_MAGIC, PER_3_COINS, PER_3_POTIONS)

# … and what is only unwise.
DEAR = 9  # in a cost
LAVISH = 20  # in a gain

t = sentences(Path(__file__).parent / "locale")


@dataclass(frozen=True)
class Tile:
    """A tile as people read it; the rules read the TileSet."""

    id: str
    pile: str
    type: int
    names: Names
    cost: dict[int, int]  # kind -> how much
    sides: tuple[str, ...]  # for each side "", "open", "key", "gain" or "key gain"
    why: str
    source: str


@dataclass(frozen=True)
class Tiles:
    """One file's tiles, for people (tiles) and for the rules (set)."""

    tiles: tuple[Tile, ...]
    set: TileSet


@dataclass(frozen=True)
class Content(Tiles):
    """Tiles that can be played with."""

    names: Names
    file: str


def read_tiles(reader: Reader) -> Tiles:
    """TG-1.1, TG-8 The 74 tiles, by pile."""
    rows = reader.rows("tile", lambda number, tile: t("tile {id}", id=short(_id(tile, number))))
    _check_numbers(reader, rows)
    ordered = sorted(rows, key=lambda row: PILES.index(row.get("pile")) if row.get("pile") in PILES else 0)
    tile_set = TileSet("", 0, len(ordered))
    tiles = tuple(_tile(row, place, tile_set) for place, row in enumerate(ordered))
    _check_growth(reader, tile_set)
    ages = [[i for i, tile in enumerate(tiles) if tile.pile == pile] for pile in AGE_PILES]
    for age, numbers in enumerate(ages):
        for tile in numbers:
            tile_set.age[tile] = age
    tile_set.ages = vec[vec[i64]]([vec[i64](numbers) for numbers in ages])
    return Tiles(tiles, tile_set)


def _id(tile: dict[str, Any], number: int) -> str:
    id_ = tile.get("id")
    return id_ if is_name(id_) else f"number {number}"


def _check_numbers(reader: Reader, rows: list[Row]) -> None:
    """TG-1.1 53 Age tiles, 16 quests, 5 heroes, no id twice; TG-8.1 enough of Age 1."""
    counts = {pile: sum(row.get("pile") == pile for row in rows) for pile in PILES}
    ages = sum(counts[pile] for pile in AGE_PILES)
    if ages != AGE_TILES:
        reader.root.wrong("pile", t("expected {n} Age tiles in the file, found {found}.", n=AGE_TILES, found=ages))
    if counts["quest"] != QUESTS:
        found = counts["quest"]
        reader.root.wrong("pile", t("expected {n} quests in the file, found {found}.", n=QUESTS, found=found))
    if counts["hero"] != HEROES:
        found = counts["hero"]
        reader.root.wrong("pile", t("expected {n} heroes in the file, found {found}.", n=HEROES, found=found))
    if counts["age 1"] < FEWEST_AGE_1:
        found = counts["age 1"]
        expected = t("expected at least {n} tiles of Age 1 (TG-8.1), found {found}.", n=FEWEST_AGE_1, found=found)
        reader.root.wrong("pile", expected)
    seen: set[str] = set()
    for row in rows:
        id_ = row.get("id")
        if is_name(id_):
            if id_ in seen:
                row.wrong("id", t("expected a different id for each tile, found this one twice."))
            seen.add(id_)


def _check_growth(reader: Reader, tiles: TileSet) -> None:
    """What is gained per combat, magic, coins or potions may make more of these, but not more than can be counted."""
    growth = 1
    for gains in tiles.gains:
        for gain in gains:
            if gain.per in PER_RESOURCE:
                growth *= 1 + sum(n for kind, n in zip(gain.kinds, gain.amounts, strict=True) if kind in RESOURCES)
    if growth > MOST_GROWTH:
        expected = t(
            "expected fewer coins, potions, combat or magic per combat, magic, 3 coins or 3 potions: "
            "all of them together could make more than {most} out of 1.",
            most=MOST_GROWTH,
        )
        reader.root.wrong("gain", expected)


def _tile(row: Row, number: int, tiles: TileSet) -> Tile:
    """One [[tile]], written into the set at its number."""
    id_ = row.get("id")
    if not is_name(id_):
        row.wrong("id", t("expected a word of its own, found {found}.", found=short(id_)))
    row.only(FIELDS)
    pile = row.word("pile", PILES)
    tiles.types[number] = _type(row)
    cost = _cost(row)
    tiles.coins[number] = cost.get(COINS, 0)
    tiles.potions[number] = cost.get(POTIONS, 0)
    tiles.combat[number] = cost.get(COMBAT, 0)
    tiles.magic[number] = cost.get(MAGIC, 0)
    if pile == "hero" and cost:
        row.wrong("cost", t("expected none: a hero is dealt, not paid for."))
    sides = tuple(_side(row, side, number, tiles) for side in range(SIDES))
    if not any(sides):
        row.wrong("top", t("expected a connector on at least one of the four sides."))
    tiles.gains[number * SOURCES + OWN] = _gains(row, "gain", row.get("gain", ""))
    if pile == "hero":
        _check_start(row, tiles.gains[number * SOURCES + OWN])
        if sum(side != "" for side in sides) == 1:
            row.unwise("top", t("a hero with one connector: few tiles will have a place."))
    _chests(row, number, tiles)
    why = row.get("why", "")
    if not isinstance(why, str):
        row.wrong("why", t("expected a sentence."))
    source = row.word("source", SOURCE_NAMES) if "source" in row.values else "owner"
    return Tile(str(id_), pile, tiles.types[number], row.named(), cost, sides, str(why), source)


def _check_start(row: Row, gains: vec[Gain]) -> None:
    """TG-1.5, TG-8.1 A hero's chests stay closed at the start, and the first player is drawn."""
    if any(KEY in gain.kinds for gain in gains):
        row.wrong("gain", t("expected no key: a hero's chests stay closed at the start (TG-1.5)."))
    if any(TOKEN in gain.kinds for gain in gains):
        row.wrong("gain", t("expected no first-player token: the first player is drawn at random (TG-1.6)."))


def _type(row: Row) -> int:
    name, pile = row.get("type", ""), row.get("pile")
    if pile == "quest" and name:
        row.wrong("type", t("expected none for a quest, found {found}.", found=short(name)))
    if pile == "quest" or (pile == "hero" and name == ""):  # TG-3.3.3 a hero's type may be printed in an owner's box
        return NO_TYPE
    known = row.word("type", TYPE_NAMES[1:])
    return TYPE_NAMES.index(known) if known else NO_TYPE


def _cost(row: Row) -> dict[int, int]:
    """TG-3.1.1 At most two of combat, magic, coins, potions."""
    text = row.get("cost", "")
    if text == "":
        return {}
    parts = _parts(row, "cost", text)
    kinds = [kind for kind, _ in parts]
    if len(parts) > MOST_COSTS or len(set(kinds)) < len(kinds) or any(kind not in COSTS for kind in kinds):
        row.wrong("cost", t("expected at most two of coins, potions, combat, magic, found {found}.", found=short(text)))
    elif any(n > DEAR for _, n in parts):
        row.unwise("cost", t("more than {most}: hardly anybody will ever pay it.", most=DEAR))
    return dict(parts)


def _side(row: Row, side: int, number: int, tiles: TileSet) -> str:
    """TG-3.2.5 A connector is empty, holds half a key, or is a Place's connector with a gain; in an owner's box both may
    be printed there ("key; 2 coins")."""
    name = SIDE_NAMES[side]
    text = row.get(name, "")
    if text == "":
        return ""
    tiles.sides[number] |= 1 << side
    if text == "open":
        return "open"
    if text == "key":
        tiles.halves[number] |= 1 << side
        return "key"
    half, also, rest = text.partition(";") if isinstance(text, str) else ("", "", "")
    if also and half.strip() == "key":
        tiles.halves[number] |= 1 << side
        text = rest.strip()
    if tiles.types[number] != PLACE or not isinstance(text, str):
        expected = t(
            "expected 'open' or 'key' (only a Place has gains at its sides), found {found}.", found=short(text)
        )
        row.wrong(name, expected)
        return ""
    condition, colon, gain = text.partition(":")
    condition = condition.strip()
    if not colon or condition == "end" or "," in condition:  # the colon, if any, is that of an end mark
        condition, gain = "", text
    if condition not in TYPE_NAMES:
        known = ", ".join(TYPE_NAMES[1:])
        expected = t("expected a type before the colon ({known}), found {found}.", known=known, found=short(condition))
        row.wrong(name, expected)
        return ""
    tiles.conditions[number * SIDES + side] = TYPE_NAMES.index(condition)
    gains = _gains(row, name, gain)
    if any(printed.at_end for printed in gains):
        row.wrong(name, t("expected no 'end' mark: a connector gives its gain when it is connected (TG-3.3.3)."))
    if len(gains) == 0:
        row.wrong(name, t("expected a gain, found {found}.", found=short(text)))
    tiles.gains[number * SOURCES + CONNECTOR + side] = gains
    return "key gain" if also else "gain"


def _chests(row: Row, number: int, tiles: TileSet) -> None:
    chests = row.get("chests", [])
    hero = row.get("pile") == "hero"
    if not isinstance(chests, list) or len(chests) not in ((2,) if hero else (0, 1, 2)):
        found = short(chests)
        row.wrong(
            "chests",
            t("expected a list of two chests, found {found}.", found=found)
            if hero
            else t("expected a list of at most two chests, found {found}.", found=found),
        )
        return
    tiles.chests[number] = len(chests)
    for place, text in enumerate(chests):
        gains = _gains(row, "chests", text)
        if len(gains) == 0:
            row.wrong("chests", t("expected a content for each chest."))
        tiles.gains[number * SOURCES + CHEST + place] = gains


def _gains(row: Row, name: str, text: Any) -> vec[Gain]:
    """TG-7.1 Gains in their printed order: "end: 2 prestige per monster, 1 coin + 1 potion per place, 1 key"."""
    if not isinstance(text, str):
        row.wrong(name, t("expected gains like '2 coins, 1 key', found {found}.", found=short(text)))
        return vec[Gain]()
    printed = text.split(",") if text.strip() else []
    if len(printed) > MOST_GAINS:
        row.wrong(name, t("expected at most {most} gains, found {found}.", most=MOST_GAINS, found=len(printed)))
        return vec[Gain]()
    return vec[Gain]([_gain(row, name, part.strip()) for part in printed])


def _gain(row: Row, name: str, text: str) -> Gain:
    at_end = text.startswith("end:")
    amount, per_word, per_name = text.removeprefix("end:").strip().partition(" per ")
    per_name = per_name.strip()
    per = PER_NAMES.index(per_name) if per_name in PER_NAMES else ONCE
    if per_word and per == ONCE:
        known = ", ".join(PER_NAMES[1:])
        row.wrong(name, t("expected after 'per' one of {known}, found {found}.", known=known, found=short(per_name)))
    if per == PER_MAJORITY and not at_end:
        if name in SIDE_NAMES:
            row.wrong(name, t("expected no gain per majority: these are known at the end only (TG-5.2)."))
        else:
            row.wrong(name, t("expected 'end:' before a gain per majority, which is known only then."))
    parts = _parts(row, name, amount)
    kinds = [kind for kind, _ in parts]
    if len(parts) > MOST_KINDS:
        most = {"most": MOST_KINDS, "found": short(text)}
        row.wrong(name, t("expected at most {most} resources joined by +, found {found}.", **most))
    if any(kind == TOKEN and n > 1 for kind, n in parts):
        row.wrong(name, t("expected one first-player token, found {found}.", found=short(text)))
    if at_end and any(kind != PRESTIGE for kind in kinds):
        row.unwise(name, t("the 'end' mark is for Prestige (TG-8.1): anything else comes too late to be used."))
    if any(n > LAVISH for _, n in parts):
        row.unwise(name, t("more than {most} at once: this tile may decide the game alone.", most=LAVISH))
    return Gain(vec[i64](kinds), vec[i64]([n for _, n in parts]), per, at_end)


def _parts(row: Row, name: str, text: Any) -> list[tuple[int, int]]:
    """Amounts joined by +: "1 coin + 2 combat"."""
    parts = []
    for part in text.split("+") if isinstance(text, str) else [text]:
        found = PART.fullmatch(part.strip()) if isinstance(part, str) else None
        if found is None or found[2] not in KINDS_BY_WORD:
            known = ", ".join(KIND_NAMES)
            row.wrong(name, t("expected a number and one of {known}, found {found}.", known=known, found=short(part)))
        elif not 0 < int(found[1]) <= MOST:
            row.wrong(name, t("expected a number from 1 to {most}, found {found}.", most=MOST, found=short(part)))
        else:
            parts.append((KINDS_BY_WORD[found[2]], int(found[1])))
    return parts


# -- the sets that can be played with -----------------------------------------------------------------------
CONTENTS: list[Content] = []  # by the number of their set
ROWS = (
    "types",
    "ages",
    "age",
    "coins",
    "potions",
    "combat",
    "magic",
    "sides",
    "halves",
    "chests",
    "conditions",
    "gains",
)


def meaning(tiles: Tiles) -> object:
    """All that play depends on: the tiles in their order, but for names and reasons."""
    s = tiles.set
    return [
        (
            *(tile.id, tile.pile, int(s.types[n])),
            *(int(row[n]) for row in (s.coins, s.potions, s.combat, s.magic, s.sides, s.halves, s.chests)),
            *(int(s.conditions[n * SIDES + side]) for side in range(SIDES)),
            *(
                [
                    (list(gain.kinds), list(gain.amounts), int(gain.per), gain.at_end)
                    for gain in s.gains[n * SOURCES + at]
                ]
                for at in range(SOURCES)
            ),
        )
        for n, tile in enumerate(tiles.tiles)
    ]


def put(content: Named, id_: str) -> None:
    """The rules may be asked for the set of that name; its tiles are called as they are here."""
    tiles: Tiles = content.body
    if content.id not in SETS:
        tiles.set.name, tiles.set.number = content.id, len(CONTENTS)
        SETS[content.id] = tiles.set
        BY_NUMBER.append(tiles.set)
        CONTENTS.append(Content(tiles.tiles, tiles.set, content.names, content.file))
    same = SETS[content.id]
    CONTENTS[same.number] = Content(tiles.tiles, same, content.names, content.file)
    if id_ not in SETS:  # a game goes on under the name that it began with
        SETS[id_] = twin = TileSet(id_, same.number, 0)
        for row in ROWS:
            setattr(twin, row, getattr(same, row))


def former(text: str) -> list[str]:
    """An owner's set was once named after the bytes of its file."""
    raw = text.encode()
    return [f"own-{sha256(found).hexdigest()[:12]}" for found in (raw, b"\xef\xbb\xbf" + raw)]


KIND = ContentKind(
    game="tales-of-glory",
    version=1,
    option=Option(
        "tiles",
        {"fr": "Jeu de tuiles", "en": "Tile set"},
        {},
        {"fr": "Les 74 tuiles avec lesquelles on joue.", "en": "The 74 tiles that are played with."},
    ),
    file=Path(__file__).with_name("content.toml"),
    tables=("tile",),
    headers=("content", "set"),
    read=read_tiles,
    meaning=meaning,
    put=put,
    former=former,
)


def tile_of(code: int) -> Tile:
    """A tile, as the log knows it."""
    return CONTENTS[code // SET].tiles[code % SET]


BOARD = {"tile": tile_of}  # for the board's templates
