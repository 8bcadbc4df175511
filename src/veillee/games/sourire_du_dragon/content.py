"""The squares and cards: read and checked once, replaceable by the owner of a box (SD-9.3).

VEILLEE_SOURIRE_DU_DRAGON=FILE offers the owner's own file beside content.toml. A file with errors is not played with:
the built-in set is, and `PROBLEMS` tells every error. A position knows its set by name; an owner's set is named after
what it means for play, so that a saved game is only ever replayed with the squares and cards it began with.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from veillee.words import LANGUAGES

Names = Mapping[str, str]

SETTING = "VEILLEE_SOURIRE_DU_DRAGON"  # the environment variable that names an owner's own file
BUILT_IN = "veillee"
BUILT_IN_FILE = Path(__file__).with_name("content.toml")
SOURCES = ("rulebook", "fact", "reconstruction", "owner")
DECK = 56  # SD-1.3
MOST_CARDS = 64  # different cards: the numbers of the choices leave room for as many

# SD-1.1, SD-5 The characters and their objects, in the order that the rules count them in.
OBJECTS = {
    "ranger": "bow",
    "acrobat": "staff",
    "thief": "cloak",
    "barbarian": "club",
    "cavalier": "shield",
    "magician": "hat",
}
KINDS = ("start", "yellow", "green", "orange", "adventure", "whirlpool", "arrow")
EFFECTS = (
    "object",
    "monster",
    "master",
    "boots",
    "potion",
    "reroll",
    "uni",
    "give",
    "move",
    "again",
    "last",
    "miss",
    "retreat",
    "nothing",
)
KEPT = ("object", "master", "boots", "potion", "reroll", "uni")  # SD-4.1, SD-4.3
# SD-5.2, SD-5.4 What the Acrobat's Staff and the Barbarian's Club get through by themselves.
STAFF_PASSES = ("river", "castle", "wall", "crevasse", "magicians-peak")
CLUB_PASSES = ("castle", "wall", "magicians-peak", "castle-of-shadows")
# What `number` means for an effect, and between which figures it is.
NUMBERS = {"monster": (2, 12), "potion": (1, 6), "move": (-12, 12), "last": (1, 12)}


@dataclass(frozen=True)
class Square:
    key: str
    kind: str
    number: int
    source: str
    name: Names


@dataclass(frozen=True)
class Card:
    key: str
    effect: str
    number: int
    copies: int
    use: str  # C in combat, A in adventures
    anyone: int
    owner: int
    dreaded: bool
    source: str
    name: Names
    text: Names


@dataclass(frozen=True)
class Content:
    id: str
    characters: Sequence[Names]
    outer: Sequence[Square]
    inner: Sequence[Square]
    cards: Sequence[Card]

    @property
    def squares(self) -> list[Square]:
        """Both rings in one row: the outer one first."""
        return [*self.outer, *self.inner]


class BadContent(Exception):
    """What is wrong with a file, one sentence for each error."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = errors


class Reader:
    """Reads entries and collects every error instead of stopping at the first."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.errors: list[str] = []

    def wrong(self, entry: str, field: str, expected: str, found: object = None) -> None:
        told = "" if found is None else f", found {found!r}"
        self.errors.append(f"{self.file}: {entry}: {field}: expected {expected}{told}.")

    def table(self, data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        rows = data.get(name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.wrong(name, name, f"entries [[{name}]]")
            return []
        return rows

    def fields(self, row: Mapping[str, Any], entry: str, known: Sequence[str]) -> None:
        for field in row:
            if field not in known:
                self.wrong(entry, field, f"only {', '.join(known)}")

    def word(self, row: Mapping[str, Any], entry: str, field: str, known: Sequence[str] = ()) -> str:
        value = row.get(field)
        if not isinstance(value, str) or not value or (known and value not in known):
            self.wrong(entry, field, f"one of {', '.join(known)}" if known else "a word", value)
            return ""
        return value

    def whole(self, row: Mapping[str, Any], entry: str, field: str, least: int, most: int, default: int = 0) -> int:
        value = row.get(field, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.wrong(entry, field, f"a whole number from {least} to {most}", value)
            return least
        return value

    def names(self, row: Mapping[str, Any], entry: str, field: str) -> Names:
        value = row.get(field)
        if not isinstance(value, dict) or any(not isinstance(value.get(lang), str) for lang in LANGUAGES):
            self.wrong(entry, field, '{ fr = "…", en = "…" }', value)
            return dict.fromkeys(LANGUAGES, "?")
        for lang in LANGUAGES:
            if not value[lang].strip():
                self.wrong(entry, f"{field}.{lang}", "some words", value[lang])
        return {lang: value[lang] for lang in LANGUAGES}

    def unique(self, what: str, keys: Sequence[str]) -> None:
        for key in sorted({key for key in keys if key and keys.count(key) > 1}):
            self.wrong(f"{what} “{key}”", "key", "a key of its own")


def read_characters(reader: Reader, data: Mapping[str, Any]) -> list[Names]:
    rows = reader.table(data, "characters")
    by_key: dict[str, Names] = {}
    for number, row in enumerate(rows, 1):
        entry = f"characters {number} “{row.get('key', '?')}”"
        reader.fields(row, entry, ("key", "object", "name"))
        key = reader.word(row, entry, "key", tuple(OBJECTS))
        if key:
            reader.word(row, entry, "object", (OBJECTS[key],))
        by_key[key] = reader.names(row, entry, "name")
    reader.unique("characters", [str(row.get("key", "")) for row in rows])
    for key in OBJECTS:
        if key not in by_key:
            reader.wrong("characters", "key", f"the {key}, once")
    return [by_key.get(key, dict.fromkeys(LANGUAGES, key)) for key in OBJECTS]


def read_ring(reader: Reader, data: Mapping[str, Any], ring: str) -> list[Square]:
    squares = []
    for number, row in enumerate(reader.table(data, ring), 1):
        entry = f"{ring} {number} “{row.get('key', '?')}”"
        reader.fields(row, entry, ("key", "kind", "number", "source", "name"))
        key, kind = reader.word(row, entry, "key"), reader.word(row, entry, "kind", KINDS)
        needed = 0
        if kind in ("adventure", "whirlpool"):
            least = 6 if kind == "whirlpool" else 2  # SD-3.5
            needed = reader.whole(row, entry, "number", least, 6)
        elif "number" in row:
            reader.wrong(entry, "number", "none: only an adventure has one", row["number"])
        source = reader.word(row, entry, "source", SOURCES)
        squares.append(Square(key, kind, needed, source, reader.names(row, entry, "name")))
    return squares


def check_rings(reader: Reader, outer: Sequence[Square], inner: Sequence[Square]) -> None:
    """SD-1.4, SD-3.5, SD-3.6 Where the rings begin and end; what the objects' powers name must be there."""
    ends = (
        ("outer", outer, 0, "start"),
        ("outer", outer, -1, "whirlpool"),
        ("inner", inner, 0, "adventure"),
        ("inner", inner, -1, "arrow"),
    )
    for ring, squares, place, kind in ends:
        if squares and squares[place].kind != kind:
            where = "first" if place == 0 else "last"
            reader.wrong(f"{ring}, {where} square “{squares[place].key}”", "kind", kind, squares[place].kind)
    for ring, squares, once in (("outer", outer, ("start", "whirlpool")), ("inner", inner, ("arrow",))):
        if len(squares) < 8:
            reader.wrong(ring, ring, "at least 8 squares", len(squares))
        for kind in ("start", "whirlpool", "arrow"):
            number = sum(square.kind == kind for square in squares)
            wanted = 1 if kind in once else 0
            if number != wanted:
                reader.wrong(ring, "kind", f"{kind} {wanted} times", number)
    if len(outer) > 1 and outer[-2].kind != "green":
        reader.wrong(f"outer “{outer[-2].key}”", "kind", "green just before the Whirlpool", outer[-2].kind)
    if inner and inner[0].key != "castle-of-shadows":
        reader.wrong("inner, first square", "key", "castle-of-shadows", inner[0].key)
    adventures = {square.key for square in [*outer, *inner] if square.kind == "adventure"}
    for key in sorted({*STAFF_PASSES, *CLUB_PASSES} - adventures):
        reader.wrong("squares", "key", f"an adventure “{key}”: an object's power names it")
    reader.unique("squares", [square.key for square in [*outer, *inner]])


def read_cards(reader: Reader, data: Mapping[str, Any]) -> list[Card]:
    cards = []
    known = ("key", "effect", "number", "copies", "for", "anyone", "owner", "dreaded", "source", "name", "text")
    for place, row in enumerate(reader.table(data, "cards"), 1):
        entry = f"cards {place} “{row.get('key', '?')}”"
        reader.fields(row, entry, known)
        key, effect = reader.word(row, entry, "key"), reader.word(row, entry, "effect", EFFECTS)
        number = anyone = owner = 0
        use = ""
        if effect in NUMBERS:
            number = reader.whole(row, entry, "number", *NUMBERS[effect])
            if effect == "move" and number == 0:
                reader.wrong(entry, "number", "some squares forwards or backwards", 0)
        elif "number" in row:
            reader.wrong(entry, "number", f"none: the effect “{effect}” has no number", row["number"])
        if effect == "object":
            use = reader.word(row, entry, "for", ("C", "A", "CA"))
            anyone = reader.whole(row, entry, "anyone", -3, 3)
            owner = reader.whole(row, entry, "owner", -3, 3)
        dreaded = row.get("dreaded", False)
        if not isinstance(dreaded, bool) or (dreaded and effect != "monster"):
            reader.wrong(entry, "dreaded", "true, for a monster only", dreaded)
        copies = reader.whole(row, entry, "copies", 1, 1 if effect == "object" else DECK)
        source = reader.word(row, entry, "source", SOURCES)
        name, text = reader.names(row, entry, "name"), reader.names(row, entry, "text")
        cards.append(Card(key, effect, number, copies, use, anyone, owner, bool(dreaded), source, name, text))
    return cards


def check_cards(reader: Reader, cards: Sequence[Card]) -> None:
    """SD-1.3 56 cards, the six objects among them; enough that are not kept, so that the pile never runs dry."""
    reader.unique("cards", [card.key for card in cards])
    if len(cards) > MOST_CARDS:
        reader.wrong("cards", "cards", f"at most {MOST_CARDS} different ones", len(cards))
    total = sum(card.copies for card in cards)
    if total != DECK:
        reader.wrong("cards", "copies", f"{DECK} cards together", total)
    objects = sorted(card.key for card in cards if card.effect == "object")
    if objects != sorted(OBJECTS.values()):
        reader.wrong("cards", "effect", f"the objects {', '.join(OBJECTS.values())}, once each", objects)
    if not any(card.effect not in KEPT for card in cards):
        reader.wrong("cards", "effect", "some cards that are not kept", "none")


def fingerprint(squares: Sequence[Square], cards: Sequence[Card]) -> str:
    """Of everything that play depends on: correcting a name does not change it."""
    meaning = [(s.key, s.kind, s.number) for s in squares]
    effects = [(c.key, c.effect, c.number, c.copies, c.use, c.anyone, c.owner, c.dreaded) for c in cards]
    return blake2b(repr((meaning, effects)).encode(), digest_size=6).hexdigest()


def parse(data: Mapping[str, Any], file: str, name: str = "") -> Content:
    """The content of a file that tomllib has read; BadContent names every error. Without a name it gets its own."""
    reader = Reader(file)
    reader.fields(data, "the file", ("characters", "outer", "inner", "cards"))
    characters = read_characters(reader, data)
    outer, inner = read_ring(reader, data, "outer"), read_ring(reader, data, "inner")
    check_rings(reader, outer, inner)
    cards = read_cards(reader, data)
    check_cards(reader, cards)
    if reader.errors:
        raise BadContent(reader.errors)
    # The objects first, in the order of the characters: the rules count on it.
    order = list(OBJECTS.values())
    cards.sort(key=lambda card: order.index(card.key) if card.effect == "object" else len(order))
    own = f"own-{fingerprint([*outer, *inner], cards)}"
    return Content(name or own, characters, outer, inner, cards)


def read(path: Path, name: str = "") -> Content:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadContent([f"{path}: cannot be read: {error.strerror or error}."]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadContent([f"{path.name}: is no TOML: {error}."]) from None
    return parse(data, path.name, name)


def load_sets(own: str | None) -> tuple[list[Content], list[str]]:
    """The built-in set, then the owner's own if the setting names a good file; and what is wrong with that file."""
    sets = [read(BUILT_IN_FILE, BUILT_IN)]
    if not own:
        return sets, []
    try:
        return [*sets, read(Path(own))], []
    except BadContent as error:
        errors = list(error.errors)
    logging.getLogger("veillee").error(
        "Le Sourire du Dragon is played with the built-in squares and cards, because %s has errors:\n%s",
        own,
        "\n".join(errors),
    )
    return sets, errors


SETS, PROBLEMS = load_sets(os.environ.get(SETTING))
BOARD = {"sets": SETS}
