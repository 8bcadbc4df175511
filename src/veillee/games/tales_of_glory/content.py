"""The tiles: read from content.toml, or from an owner's own file like it, and checked as a whole.

Every error of a file is found at once and told with the file, the tile, the field and what was expected. A file with
errors is not played with: the built-in set stays.
"""

from __future__ import annotations

import logging
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

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
    PER_MAJORITY,
    PLACE,
    POTIONS,
    QUESTS,
    SETS,
    SIDES,
    SOURCES,
    Gain,
    TileSet,
)
from veillee.words import LANGUAGES

BUILT_IN = "veillee"
BUILT_IN_FILE = Path(__file__).with_name("content.toml")
SETTING = "VEILLEE_TALES_OF_GLORY"  # the environment variable that names an owner's own file

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
FIELDS = {"id", "pile", "type", "fr", "en", "cost", *SIDE_NAMES, "gain", "chests", "why", "source"}

PART = re.compile(r"(\d+)\s+([a-z]+)")
KINDS_BY_WORD = {
    **{name: kind for kind, name in enumerate(KIND_NAMES)},
    "coin": COINS,
    "potion": POTIONS,
    "keys": KEY,
}
COSTS = (COINS, POTIONS, COMBAT, MAGIC)
MOST_COSTS = 2


@dataclass(frozen=True)
class Tile:
    """A tile as people read it; the rules read the TileSet."""

    id: str
    pile: str
    type: int
    names: dict[str, str]
    cost: dict[int, int]  # kind -> how much
    sides: tuple[str, ...]  # for each side "", "open", "key" or "gain"
    why: str
    source: str


@dataclass(frozen=True)
class Content:
    """One file's tiles, for people (tiles) and for the rules (set)."""

    names: dict[str, str]
    file: str
    tiles: tuple[Tile, ...]
    set: TileSet


@dataclass
class Check:
    """Collects what is wrong with a file."""

    file: str
    errors: list[str] = field(default_factory=list)

    def wrong(self, tile: str, name: str, expected: str) -> None:
        where = f"{self.file}: tile {tile!r}" if tile else self.file
        self.errors.append(f"{where}, field {name!r}: {expected}")


class BadContent(ValueError):
    """A content file that cannot be played with; one sentence for each error."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


def read(path: Path, name: str, number: int) -> Content:
    """The tiles of a file, or BadContent with every error of it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadContent([f"{path}: the file cannot be read ({error.strerror})."]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadContent([f"{path.name}: this is no TOML file: {error}."]) from None
    return build(data, path.name, name, number)


def build(data: dict[str, Any], file: str, name: str, number: int) -> Content:
    """The tiles that a file's tables describe, or BadContent with every error of them."""
    check = Check(file)
    names = _names(data.get("set"), "", "set", check)
    entries = data.get("tile", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadContent([f"{file}, field 'tile': expected one [[tile]] for each tile."])
    for unknown in sorted(data.keys() - {"set", "tile"}):
        check.wrong("", unknown, "is unknown; expected [set] and [[tile]] only.")
    _check_numbers(entries, check)
    ordered = sorted(entries, key=lambda entry: PILES.index(entry["pile"]) if entry.get("pile") in PILES else 0)
    tile_set = TileSet(name, number, len(ordered))
    tiles = tuple(_tile(entry, place, tile_set, check) for place, entry in enumerate(ordered))
    if check.errors:
        raise BadContent(check.errors)
    ages = [[i for i, tile in enumerate(tiles) if tile.pile == pile] for pile in AGE_PILES]
    for age, numbers in enumerate(ages):
        for tile in numbers:
            tile_set.age[tile] = age
    tile_set.ages = vec[vec[i64]]([vec[i64](numbers) for numbers in ages])
    return Content(names, file, tiles, tile_set)


def _check_numbers(entries: list[dict[str, Any]], check: Check) -> None:
    """TG-1.1 53 Age tiles, 16 quests, 5 heroes, no id twice."""
    counts = {pile: sum(entry.get("pile") == pile for entry in entries) for pile in PILES}
    ages = sum(counts[pile] for pile in AGE_PILES)
    for what, found, expected in (
        ("Age tiles", ages, AGE_TILES),
        ("quests", counts["quest"], QUESTS),
        ("heroes", counts["hero"], HEROES),
    ):
        if found != expected:
            check.wrong("", "pile", f"expected {expected} {what} in the file, found {found}.")
    seen: set[object] = set()
    for entry in entries:
        if entry.get("id") in seen:
            check.wrong(str(entry.get("id")), "id", "expected a different id for each tile, found this one twice.")
        seen.add(entry.get("id"))


def _tile(entry: dict[str, Any], number: int, tiles: TileSet, check: Check) -> Tile:
    """One [[tile]], written into the set at its number."""
    id_ = entry.get("id")
    if not isinstance(id_, str) or not id_:
        id_ = f"number {number + 1}"
        check.wrong(id_, "id", "expected a word of its own.")
    for unknown in sorted(entry.keys() - FIELDS):
        check.wrong(id_, unknown, f"is unknown; expected one of {', '.join(sorted(FIELDS))}.")
    pile = entry.get("pile")
    if pile not in PILES:
        check.wrong(id_, "pile", f"expected one of {', '.join(PILES)}, found {pile!r}.")
    tiles.types[number] = _type(entry, id_, check)
    cost = _cost(entry.get("cost", ""), id_, check)
    tiles.coins[number] = cost.get(COINS, 0)
    tiles.potions[number] = cost.get(POTIONS, 0)
    tiles.combat[number] = cost.get(COMBAT, 0)
    tiles.magic[number] = cost.get(MAGIC, 0)
    if pile == "hero" and cost:
        check.wrong(id_, "cost", "expected none: a hero is dealt, not paid for.")
    sides = tuple(_side(entry, side, number, tiles, id_, check) for side in range(SIDES))
    if not any(sides):
        check.wrong(id_, "top", "expected a connector on at least one of the four sides.")
    tiles.gains[number * SOURCES + OWN] = _gains(entry.get("gain", ""), id_, "gain", check)
    if pile == "hero" and any(KEY in gain.kinds for gain in tiles.gains[number * SOURCES]):
        check.wrong(id_, "gain", "expected no key: a hero's chests stay closed at the start (TG-1.5).")
    _chests(entry, number, tiles, id_, check)
    why = entry.get("why", "")
    if not isinstance(why, str):
        check.wrong(id_, "why", "expected a sentence.")
    source = entry.get("source", "owner")
    if source not in SOURCE_NAMES:
        check.wrong(id_, "source", f"expected one of {', '.join(SOURCE_NAMES)}, found {source!r}.")
    return Tile(id_, str(pile), tiles.types[number], _names(entry, id_, "", check), cost, sides, str(why), str(source))


def _names(entry: Any, tile: str, where: str, check: Check) -> dict[str, str]:
    names = {}
    for lang in LANGUAGES:
        name = entry.get(lang) if isinstance(entry, dict) else None
        if not isinstance(name, str) or not name:
            check.wrong(tile, f"{where}.{lang}" if where else lang, "expected a name.")
            name = ""
        names[lang] = name
    return names


def _type(entry: dict[str, Any], tile: str, check: Check) -> int:
    name = entry.get("type", "")
    if entry.get("pile") in ("quest", "hero"):
        if name:
            check.wrong(tile, "type", f"expected none for a {entry['pile']}, found {name!r}.")
        return NO_TYPE
    if name not in TYPE_NAMES[1:]:
        check.wrong(tile, "type", f"expected one of {', '.join(TYPE_NAMES[1:])}, found {name!r}.")
        return NO_TYPE
    return TYPE_NAMES.index(name)


def _cost(text: Any, tile: str, check: Check) -> dict[int, int]:
    """TG-3.1.1 At most two of combat, magic, coins, potions."""
    if text == "":
        return {}
    parts = _parts(text, tile, "cost", check)
    kinds = [kind for kind, _ in parts]
    if len(parts) > MOST_COSTS or len(set(kinds)) < len(kinds) or any(kind not in COSTS for kind in kinds):
        check.wrong(tile, "cost", f"expected at most two of coins, potions, combat, magic, found {text!r}.")
    return dict(parts)


def _side(entry: dict[str, Any], side: int, number: int, tiles: TileSet, tile: str, check: Check) -> str:
    """TG-3.2.5 A connector is empty, holds half a key, or is a Place's connector with a gain."""
    name = SIDE_NAMES[side]
    text = entry.get(name, "")
    if text == "":
        return ""
    tiles.sides[number] |= 1 << side
    if text == "open":
        return "open"
    if text == "key":
        tiles.halves[number] |= 1 << side
        return "key"
    if tiles.types[number] != PLACE or not isinstance(text, str):
        check.wrong(tile, name, f"expected 'open' or 'key' (only a Place has gains at its sides), found {text!r}.")
        return ""
    condition, colon, gain = text.partition(":")
    if not colon:
        condition, gain = "", text
    elif condition.strip() not in TYPE_NAMES[1:]:
        check.wrong(tile, name, f"expected a type before the colon ({', '.join(TYPE_NAMES[1:])}), found {condition!r}.")
        return ""
    else:
        tiles.conditions[number * SIDES + side] = TYPE_NAMES.index(condition.strip())
    tiles.gains[number * SOURCES + CONNECTOR + side] = _gains(gain.strip(), tile, name, check)
    return "gain"


def _chests(entry: dict[str, Any], number: int, tiles: TileSet, tile: str, check: Check) -> None:
    chests = entry.get("chests", [])
    expected = (2,) if entry.get("pile") == "hero" else (0, 1, 2)
    if not isinstance(chests, list) or len(chests) not in expected:
        wanted = "two chests" if expected == (2,) else "at most two chests"
        check.wrong(tile, "chests", f"expected a list of {wanted}, found {chests!r}.")
        return
    tiles.chests[number] = len(chests)
    for place, text in enumerate(chests):
        gains = _gains(text, tile, "chests", check)
        if len(gains) == 0:
            check.wrong(tile, "chests", "expected a content for each chest.")
        tiles.gains[number * SOURCES + CHEST + place] = gains


def _gains(text: Any, tile: str, name: str, check: Check) -> vec[Gain]:
    """TG-7.1 Gains in their printed order: "end: 2 prestige per monster, 1 coin + 1 potion per place, 1 key"."""
    if not isinstance(text, str):
        check.wrong(tile, name, f"expected gains like '2 coins, 1 key', found {text!r}.")
        return vec[Gain]()
    gains = []
    for part in text.split(",") if text.strip() else []:
        words = part.strip()
        at_end = words.startswith("end:")
        amount, per_word, per_name = words.removeprefix("end:").strip().partition(" per ")
        per_name = per_name.strip()
        per = PER_NAMES.index(per_name) if per_name in PER_NAMES else ONCE
        if per_word and per == ONCE:
            check.wrong(tile, name, f"expected after 'per' one of {', '.join(PER_NAMES[1:])}, found {per_name!r}.")
        if per == PER_MAJORITY and not at_end:
            check.wrong(tile, name, "expected 'end:' before a gain per majority, which is known only then.")
        parts = _parts(amount, tile, name, check)
        kinds, amounts = vec[i64]([kind for kind, _ in parts]), vec[i64]([n for _, n in parts])
        gains.append(Gain(kinds, amounts, per, at_end))
    return vec[Gain](gains)


def _parts(text: Any, tile: str, name: str, check: Check) -> list[tuple[int, int]]:
    """Amounts joined by +: "1 coin + 2 combat"."""
    parts = []
    for part in text.split("+") if isinstance(text, str) else [""]:
        found = PART.fullmatch(part.strip())
        if found is None or found[2] not in KINDS_BY_WORD or not 0 < int(found[1]) < 100:
            known = ", ".join(KIND_NAMES)
            check.wrong(tile, name, f"expected a number and one of {known}, found {str(part).strip()!r}.")
            continue
        parts.append((KINDS_BY_WORD[found[2]], int(found[1])))
    return parts


# -- the sets that can be played with -----------------------------------------------------------------------
CONTENTS: list[Content] = []
PROBLEMS: list[str] = []  # what is wrong with the owner's file, for the console and the doctor


def register(content: Content) -> None:
    CONTENTS.append(content)
    SETS[content.set.name] = content.set
    BY_NUMBER.append(content.set)


def add_own(path: Path) -> list[str]:
    """Register an owner's own file; what is wrong with it, if anything: then nothing has changed.

    An owner's set is named after its contents, so that a saved game is only ever replayed with the tiles it began with.
    """
    try:
        content = read(path, "", len(CONTENTS))
    except BadContent as error:
        return error.errors
    content.set.name = f"own-{sha256(path.read_bytes()).hexdigest()[:12]}"
    if content.set.name not in SETS:
        register(content)
    return []


def load_sets(environ: Callable[[str], str | None] = os.environ.get) -> None:
    """The built-in set, and the owner's own if the setting names a good file."""
    register(read(BUILT_IN_FILE, BUILT_IN, 0))
    own = environ(SETTING)
    if own:
        PROBLEMS.extend(add_own(Path(own)))
    if PROBLEMS:
        told = "\n".join(PROBLEMS)
        logging.getLogger("veillee").error("Tales of Glory keeps its built-in tiles: %s has errors.\n%s", own, told)


load_sets()
