"""The tiles: read from content.toml, or from an owner's own file like it, and checked as a whole.

Every error of a file is found at once and told with the file, the line, the tile, the field and what was expected. A
file with errors is not played with: the built-in set stays. What is only unwise is played with, and told as a warning.
Whatever passes these checks can be played to the end of every game.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeGuard

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
from veillee.words import LANGUAGES

GAME = "tales-of-glory"
VERSION = 1  # of what such a file looks like
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
SET_FIELDS = {"game", "version", *LANGUAGES}

TILE_HEADER = re.compile(r"\s*\[\[\s*[\"']?tile[\"']?\s*\]\]")
SET_HEADER = re.compile(r"\s*\[\s*[\"']?set[\"']?\s*\]")
FIELD = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")
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
MOST_BYTES = 500_000  # many times what 74 tiles need
MOST_ERRORS = 100  # told at once
MOST_LETTERS = 80  # of an id or a name
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
    warnings: tuple[str, ...] = ()


Lines = dict[str, int]  # where each field of a tile stands, and under "" where the tile begins


@dataclass
class Check:
    """Collects what is wrong with a file, and what is unwise."""

    file: str
    lines: Lines = field(default_factory=dict)  # of the tile that is being read
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def wrong(self, tile: str, name: str, expected: str) -> None:
        self.errors.append(f"{self.where(tile, name)}: {expected}")

    def unwise(self, tile: str, name: str, said: str) -> None:
        self.warnings.append(f"{self.where(tile, name)}: {said}")

    def where(self, tile: str, name: str) -> str:
        line = self.lines.get(name) or self.lines.get("")
        place = f"{self.file}, line {line}" if line else self.file
        return f"{place}: tile {tile!r}, field {short(name)}" if tile else f"{place}, field {short(name)}"

    def refuse(self) -> None:
        """BadContent, if anything is wrong."""
        if len(self.errors) > MOST_ERRORS:
            more = len(self.errors) - MOST_ERRORS
            raise BadContent([*self.errors[:MOST_ERRORS], f"{self.file}: and {more} errors more."])
        if self.errors:
            raise BadContent(self.errors)


class BadContent(ValueError):
    """A content file that cannot be played with; one sentence for each error."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


def read(path: Path, name: str, number: int) -> Content:
    """The tiles of a file, or BadContent with every error of it. Without a name the set is named after its contents."""
    file = path.name or str(path)
    raw = _raw(path, file)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadContent([f"{file}: the text is not UTF-8 (byte {error.start + 1}): save it as UTF-8."]) from None
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # what is no TOML, and numbers that are too long
        raise BadContent([f"{file}: this is no TOML file: {error}."]) from None
    except RecursionError:
        raise BadContent(
            [f"{file}: this is no TOML file that can be read: its brackets are nested too deeply."]
        ) from None
    return build(data, file, name or f"own-{sha256(raw).hexdigest()[:12]}", number, text)


def _raw(path: Path, file: str) -> bytes:
    """The bytes of an ordinary file of a reasonable size."""
    try:
        found = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a path that no system has
        raise BadContent([f"{path}: the file cannot be read ({_reason(error)})."]) from None
    if stat.S_ISDIR(found.st_mode):
        raise BadContent([f"{file}: this is a folder; expected a file of tiles."])
    if not stat.S_ISREG(found.st_mode):
        raise BadContent([f"{file}: this is no ordinary file; expected a file of tiles."])
    size, raw = found.st_size, b""
    if size <= MOST_BYTES:
        try:
            with path.open("rb") as opened:
                raw = opened.read(MOST_BYTES + 1)
        except OSError as error:
            raise BadContent([f"{path}: the file cannot be read ({_reason(error)})."]) from None
        size = len(raw)
    if size > MOST_BYTES:
        raise BadContent([f"{file}: the file is too large ({size} bytes): a file of tiles has at most {MOST_BYTES}."])
    if not raw.strip():
        raise BadContent([f"{file}: the file is empty; expected [set] and one [[tile]] for each tile."])
    return raw


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def build(data: dict[str, Any], file: str, name: str, number: int, text: str = "") -> Content:
    """The tiles that a file's tables describe, or BadContent with every error of them. The text tells their lines."""
    set_lines, tile_lines = find_lines(text)
    check = Check(file, set_lines)
    check_origin(data, check)
    names = _set_names(data.get("set"), check)
    entries = data.get("tile", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadContent([f"{file}, field 'tile': expected one [[tile]] for each tile."])
    check.lines = {}
    for unknown in sorted(data.keys() - {"set", "tile"}):
        check.wrong("", unknown, "is unknown; expected [set] and [[tile]] only.")
    if len(tile_lines) != len(entries):  # written in another way than with [[tile]]
        tile_lines = [{}] * len(entries)
    _check_numbers(entries, tile_lines, check)
    found = zip(entries, tile_lines, strict=True)
    ordered = sorted(found, key=lambda pair: PILES.index(pair[0]["pile"]) if pair[0].get("pile") in PILES else 0)
    tile_set = TileSet(name, number, len(ordered))
    tiles = []
    for place, (entry, lines) in enumerate(ordered):
        check.lines = lines
        tiles.append(_tile(entry, place, tile_set, check))
    check.lines = {}
    _check_growth(tile_set, check)
    check.refuse()
    ages = [[i for i, tile in enumerate(tiles) if tile.pile == pile] for pile in AGE_PILES]
    for age, numbers in enumerate(ages):
        for tile in numbers:
            tile_set.age[tile] = age
    tile_set.ages = vec[vec[i64]]([vec[i64](numbers) for numbers in ages])
    return Content(names, file, tuple(tiles), tile_set, tuple(check.warnings))


def check_origin(data: dict[str, Any], check: Check) -> None:
    """Is it a file for this game, of this version? Otherwise its tiles are not even looked at."""
    if not data:
        raise BadContent([f"{check.file}: the file is empty; expected [set] and one [[tile]] for each tile."])
    if not data.keys() & {"set", "tile"}:
        found = short(", ".join(sorted(data)))
        raise BadContent([f"{check.file}: the file is for another game: expected [set] and [[tile]], found {found}."])
    about = data.get("set")
    if isinstance(about, dict):
        game, version = about.get("game", GAME), about.get("version", VERSION)
        if game != GAME:
            check.wrong("", "set.game", f"the file is for another game: expected {GAME!r}, found {short(game)}.")
        elif version != VERSION or isinstance(version, bool):
            check.wrong("", "set.version", f"expected a file of version {VERSION}, found {short(version)}.")
    check.refuse()


def find_lines(text: str) -> tuple[Lines, list[Lines]]:
    """Where the fields of the set and of each tile stand, as such a file is usually written; for messages only."""
    about: Lines = {}
    tiles: list[Lines] = []
    here: Lines = {}
    prefix = ""
    for number, line in enumerate(text.split("\n"), 1):
        if TILE_HEADER.match(line):
            here, prefix = {"": number}, ""
            tiles.append(here)
        elif SET_HEADER.match(line):
            here, prefix = about, "set."
        elif found := FIELD.match(line):
            here.setdefault(f"{prefix}{found[1]}", number)
    return about, tiles


def short(found: object) -> str:
    """What was found, as it was written, if that is not too long."""
    told = repr(found)
    return told if len(told) <= MOST_LETTERS else f"{told[:MOST_LETTERS]}…"


def _check_numbers(entries: list[dict[str, Any]], lines: list[Lines], check: Check) -> None:
    """TG-1.1 53 Age tiles, 16 quests, 5 heroes, no id twice; TG-8.1 enough of Age 1."""
    counts = {pile: sum(entry.get("pile") == pile for entry in entries) for pile in PILES}
    ages = sum(counts[pile] for pile in AGE_PILES)
    for what, found, expected in (
        ("Age tiles", ages, AGE_TILES),
        ("quests", counts["quest"], QUESTS),
        ("heroes", counts["hero"], HEROES),
    ):
        if found != expected:
            check.wrong("", "pile", f"expected {expected} {what} in the file, found {found}.")
    if counts["age 1"] < FEWEST_AGE_1:
        check.wrong("", "pile", f"expected at least {FEWEST_AGE_1} tiles of Age 1 (TG-8.1), found {counts['age 1']}.")
    seen: set[str] = set()
    for entry, check.lines in zip(entries, lines, strict=True):
        id_ = entry.get("id")
        if is_name(id_):
            if id_ in seen:
                check.wrong(id_, "id", "expected a different id for each tile, found this one twice.")
            seen.add(id_)
    check.lines = {}


def _check_growth(tiles: TileSet, check: Check) -> None:
    """What is gained per combat, magic, coins or potions may make more of these, but not more than can be counted."""
    growth = 1
    for gains in tiles.gains:
        for gain in gains:
            if gain.per in PER_RESOURCE:
                growth *= 1 + sum(n for kind, n in zip(gain.kinds, gain.amounts, strict=True) if kind in RESOURCES)
    if growth > MOST_GROWTH:
        check.wrong(
            "",
            "gain",
            "expected fewer coins, potions, combat or magic per combat, magic, 3 coins or 3 potions: "
            f"all of them together could make more than {MOST_GROWTH} out of 1.",
        )


def _tile(entry: dict[str, Any], number: int, tiles: TileSet, check: Check) -> Tile:
    """One [[tile]], written into the set at its number."""
    id_ = entry.get("id")
    if not is_name(id_):
        id_ = f"number {number + 1}"
        check.wrong(id_, "id", f"expected a word of its own, found {short(entry.get('id'))}.")
    for unknown in sorted(entry.keys() - FIELDS):
        check.wrong(id_, unknown, f"is unknown; expected one of {', '.join(sorted(FIELDS))}.")
    pile = entry.get("pile")
    if pile not in PILES:
        check.wrong(id_, "pile", f"expected one of {', '.join(PILES)}, found {short(pile)}.")
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
    if pile == "hero":
        _check_start(tiles.gains[number * SOURCES + OWN], id_, check)
        if sum(side != "" for side in sides) == 1:
            check.unwise(id_, "top", "a hero with one connector: few tiles will have a place.")
    _chests(entry, number, tiles, id_, check)
    why = entry.get("why", "")
    if not isinstance(why, str):
        check.wrong(id_, "why", "expected a sentence.")
    source = entry.get("source", "owner")
    if source not in SOURCE_NAMES:
        check.wrong(id_, "source", f"expected one of {', '.join(SOURCE_NAMES)}, found {short(source)}.")
    return Tile(id_, str(pile), tiles.types[number], _names(entry, id_, "", check), cost, sides, str(why), str(source))


def _check_start(gains: vec[Gain], hero: str, check: Check) -> None:
    """TG-1.5, TG-8.1 A hero's chests stay closed at the start, and the first player is drawn."""
    if any(KEY in gain.kinds for gain in gains):
        check.wrong(hero, "gain", "expected no key: a hero's chests stay closed at the start (TG-1.5).")
    if any(TOKEN in gain.kinds for gain in gains):
        check.wrong(hero, "gain", "expected no first-player token: the first player is drawn at random (TG-1.6).")


def is_name(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text.strip()) <= MOST_LETTERS and text.isprintable()


def _set_names(about: Any, check: Check) -> dict[str, str]:
    if isinstance(about, dict):
        for unknown in sorted(about.keys() - SET_FIELDS):
            check.wrong("", f"set.{unknown}", f"is unknown; expected one of {', '.join(sorted(SET_FIELDS))}.")
    return _names(about, "", "set", check)


def _names(entry: Any, tile: str, where: str, check: Check) -> dict[str, str]:
    names = {}
    for lang in LANGUAGES:
        name = entry.get(lang) if isinstance(entry, dict) else None
        if not is_name(name):
            expected = f"expected a name of at most {MOST_LETTERS} letters"
            check.wrong(tile, f"{where}.{lang}" if where else lang, f"{expected}, found {short(name)}.")
            name = ""
        names[lang] = name
    return names


def _type(entry: dict[str, Any], tile: str, check: Check) -> int:
    name = entry.get("type", "")
    if entry.get("pile") in ("quest", "hero"):
        if name:
            check.wrong(tile, "type", f"expected none for a {entry['pile']}, found {short(name)}.")
        return NO_TYPE
    if name not in TYPE_NAMES[1:]:
        check.wrong(tile, "type", f"expected one of {', '.join(TYPE_NAMES[1:])}, found {short(name)}.")
        return NO_TYPE
    return TYPE_NAMES.index(name)


def _cost(text: Any, tile: str, check: Check) -> dict[int, int]:
    """TG-3.1.1 At most two of combat, magic, coins, potions."""
    if text == "":
        return {}
    parts = _parts(text, tile, "cost", check)
    kinds = [kind for kind, _ in parts]
    if len(parts) > MOST_COSTS or len(set(kinds)) < len(kinds) or any(kind not in COSTS for kind in kinds):
        check.wrong(tile, "cost", f"expected at most two of coins, potions, combat, magic, found {short(text)}.")
    elif any(n > DEAR for _, n in parts):
        check.unwise(tile, "cost", f"more than {DEAR}: hardly anybody will ever pay it.")
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
        check.wrong(tile, name, f"expected 'open' or 'key' (only a Place has gains at its sides), found {short(text)}.")
        return ""
    condition, colon, gain = text.partition(":")
    condition = condition.strip()
    if not colon or condition == "end" or "," in condition:  # the colon, if any, is that of an end mark
        condition, gain = "", text
    if condition not in TYPE_NAMES:
        check.wrong(
            tile, name, f"expected a type before the colon ({', '.join(TYPE_NAMES[1:])}), found {short(condition)}."
        )
        return ""
    tiles.conditions[number * SIDES + side] = TYPE_NAMES.index(condition)
    gains = _gains(gain, tile, name, check)
    if any(printed.at_end for printed in gains):
        check.wrong(tile, name, "expected no 'end' mark: a connector gives its gain when it is connected (TG-3.3.3).")
    if len(gains) == 0:
        check.wrong(tile, name, f"expected a gain, found {short(text)}.")
    tiles.gains[number * SOURCES + CONNECTOR + side] = gains
    return "gain"


def _chests(entry: dict[str, Any], number: int, tiles: TileSet, tile: str, check: Check) -> None:
    chests = entry.get("chests", [])
    expected = (2,) if entry.get("pile") == "hero" else (0, 1, 2)
    if not isinstance(chests, list) or len(chests) not in expected:
        wanted = "two chests" if expected == (2,) else "at most two chests"
        check.wrong(tile, "chests", f"expected a list of {wanted}, found {short(chests)}.")
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
        check.wrong(tile, name, f"expected gains like '2 coins, 1 key', found {short(text)}.")
        return vec[Gain]()
    printed = text.split(",") if text.strip() else []
    if len(printed) > MOST_GAINS:
        check.wrong(tile, name, f"expected at most {MOST_GAINS} gains, found {len(printed)}.")
        return vec[Gain]()
    return vec[Gain]([_gain(part.strip(), tile, name, check) for part in printed])


def _gain(text: str, tile: str, name: str, check: Check) -> Gain:
    at_end = text.startswith("end:")
    amount, per_word, per_name = text.removeprefix("end:").strip().partition(" per ")
    per_name = per_name.strip()
    per = PER_NAMES.index(per_name) if per_name in PER_NAMES else ONCE
    if per_word and per == ONCE:
        check.wrong(tile, name, f"expected after 'per' one of {', '.join(PER_NAMES[1:])}, found {short(per_name)}.")
    if per == PER_MAJORITY and not at_end:
        if name in SIDE_NAMES:
            check.wrong(tile, name, "expected no gain per majority: these are known at the end only (TG-5.2).")
        else:
            check.wrong(tile, name, "expected 'end:' before a gain per majority, which is known only then.")
    parts = _parts(amount, tile, name, check)
    kinds = [kind for kind, _ in parts]
    if len(parts) > MOST_KINDS:
        check.wrong(tile, name, f"expected at most {MOST_KINDS} resources joined by +, found {short(text)}.")
    if any(kind == TOKEN and n > 1 for kind, n in parts):
        check.wrong(tile, name, f"expected one first-player token, found {short(text)}.")
    if at_end and any(kind != PRESTIGE for kind in kinds):
        check.unwise(tile, name, "the 'end' mark is for Prestige (TG-8.1): anything else comes too late to be used.")
    if any(n > LAVISH for _, n in parts):
        check.unwise(tile, name, f"more than {LAVISH} at once: this tile may decide the game alone.")
    return Gain(vec[i64](kinds), vec[i64]([n for _, n in parts]), per, at_end)


def _parts(text: Any, tile: str, name: str, check: Check) -> list[tuple[int, int]]:
    """Amounts joined by +: "1 coin + 2 combat"."""
    parts = []
    for part in text.split("+") if isinstance(text, str) else [text]:
        found = PART.fullmatch(part.strip()) if isinstance(part, str) else None
        if found is None or found[2] not in KINDS_BY_WORD:
            check.wrong(tile, name, f"expected a number and one of {', '.join(KIND_NAMES)}, found {short(part)}.")
        elif not 0 < int(found[1]) <= MOST:
            check.wrong(tile, name, f"expected a number from 1 to {MOST}, found {short(part)}.")
        else:
            parts.append((KINDS_BY_WORD[found[2]], int(found[1])))
    return parts


# -- the sets that can be played with -----------------------------------------------------------------------
CONTENTS: list[Content] = []
PROBLEMS: list[str] = []  # what is wrong with the owner's file, for the console and the doctor
WARNINGS: list[str] = []  # what is unwise in the owner's file that is played with


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
    if content.set.name not in SETS:
        register(content)
        WARNINGS.extend(content.warnings)
        for warning in content.warnings:
            logging.getLogger("veillee").warning("Tales of Glory: %s", warning)
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


def tile_of(code: int) -> Tile:
    """A tile, as the log knows it."""
    return CONTENTS[code // SET].tiles[code % SET]


BOARD = {"tile": tile_of}  # for the board's templates
