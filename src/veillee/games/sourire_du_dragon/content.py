"""SD-9 The squares and cards: read from content.toml, or from an owner's own file like it (games/content.py).

Every file that passes these checks can be played to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from veillee.games import content as owned
from veillee.games.box import Names, Option
from veillee.games.content import MOST_LETTERS, ContentKind, Reader, Row, short
from veillee.games.sourire_du_dragon.journey import Way
from veillee.words import sentences

BUILT_IN = owned.BUILT_IN  # as the option says; in positions: our cards of rules versions 1 and 2
PRESENT = f"{BUILT_IN}-3"  # in positions: our cards since rules version 3
SOURCES = ("rulebook", "fact", "reconstruction", "owner")
DECK = 56  # SD-1.3
MOST_CARDS = 64  # different cards: the numbers of the choices leave room for as many
FEWEST_SQUARES = 8  # of a ring
MOST_SQUARES = {"outer": 60, "inner": 40}
MOST_TEXT = 160  # letters of what a card says

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
CASTLE = "castle-of-shadows"
# What `number` means for an effect, and between which figures it is.
NUMBERS = {"monster": (2, 12), "potion": (1, 6), "move": (-12, 12), "last": (1, 12)}
BONUSES = (-3, 3)  # of an object
USES = ("C", "A", "CA")  # in combat, in adventures, in both

# What is only unwise: a hero alone takes so many turns, or the board is crowded, or few cards come back to the pile.
MANY_TURNS = 200
CROWDED = {"outer": 44, "inner": 28}
FEW_RETURN = 20
# Refused: such games would hardly end.
MOST_TURNS = 400

CHARACTER_FIELDS = ("key", "object", "name")
SQUARE_FIELDS = ("key", "kind", "number", "combat", "source", "name")
CARD_FIELDS = ("key", "effect", "number", "copies", "for", "anyone", "owner", "dreaded", "source", "name", "text")

t = sentences(Path(__file__).parent / "locale")


@dataclass(frozen=True)
class Square:
    key: str
    kind: str
    number: int
    combat: bool  # SD-3.1 a combat (C bonuses), no special peril (A bonuses)
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


@dataclass(frozen=True, eq=False)  # a set is itself: it may be a key of caches
class Content:
    """One file's squares and cards."""

    id: str
    characters: Sequence[Names]
    outer: Sequence[Square]
    inner: Sequence[Square]
    cards: Sequence[Card]

    @property
    def squares(self) -> list[Square]:
        """Both rings in one row: the outer one first."""
        return [*self.outer, *self.inner]


def read_box(reader: Reader) -> Content:
    """SD-1, SD-9 Characters, rings and cards."""
    characters = read_characters(reader)
    outer, inner = read_ring(reader, "outer"), read_ring(reader, "inner")
    check_rings(reader, outer, inner)
    cards = read_cards(reader)
    check_cards(reader, [card for _, card in cards])
    content = Content("", characters, [s for _, s in outer], [s for _, s in inner], in_order([c for _, c in cards]))
    if not reader.errors and not reader.ours:
        check_way(reader, [*outer, *inner], content)
    return content


def called(table: str, number: int, values: dict[str, Any]) -> str:
    """What an entry is called where its fault is told: outer 10 'river'."""
    return f"{table} {number} {short(values.get('key'))}"


def read_characters(reader: Reader) -> list[Names]:
    rows = reader.rows("characters", lambda n, values: called("characters", n, values))
    by_key: dict[str, Names] = {}
    for row in rows:
        row.only(CHARACTER_FIELDS)
        key = row.word("key", tuple(OBJECTS))
        if key:
            row.word("object", (OBJECTS[key],))
        by_key[key] = row.texts("name", MOST_LETTERS)
    only_once(rows)
    for key in OBJECTS:
        if key not in by_key:
            reader.root.wrong("characters", t("expected {key}, which is missing.", key=short(key)))
    return [by_key.get(key, {}) for key in OBJECTS]


def only_once(rows: Sequence[Row]) -> None:
    seen: set[str] = set()
    for row in rows:
        key = row.get("key")
        if isinstance(key, str):
            if key in seen:
                row.wrong("key", t("expected a key of its own, found this one twice."))
            seen.add(key)


def read_ring(reader: Reader, ring: str) -> list[tuple[Row, Square]]:
    squares = []
    for row in reader.rows(ring, lambda n, values: called(ring, n, values)):
        row.only(SQUARE_FIELDS)
        key, kind = row.word("key"), row.word("kind", KINDS)
        needed = 0
        if kind in ("adventure", "whirlpool"):
            needed = row.whole("number", 6 if kind == "whirlpool" else 2, 6)  # SD-3.5
        elif "number" in row.values:
            row.wrong("number", t("expected none: only an adventure has a number."))
        combat = row.get("combat", False)
        if not isinstance(combat, bool) or (combat and kind != "adventure"):
            row.wrong("combat", t("expected true, for an adventure only, found {found}.", found=short(combat)))
        source = row.word("source", SOURCES)
        squares.append((row, Square(key, kind, needed, combat is True, source, row.texts("name", MOST_LETTERS))))
    return squares


def check_rings(reader: Reader, outer: list[tuple[Row, Square]], inner: list[tuple[Row, Square]]) -> None:
    """SD-1.4, SD-3.5, SD-3.6 Where the rings begin and end; what the objects' powers name must be there."""
    ends = (
        (outer, 0, "start"),
        (outer, -2, "green"),
        (outer, -1, "whirlpool"),
        (inner, 0, "adventure"),
        (inner, -1, "arrow"),
    )
    for ring, squares in (("outer", outer), ("inner", inner)):
        if not FEWEST_SQUARES <= len(squares) <= MOST_SQUARES[ring]:
            bounds = {"least": FEWEST_SQUARES, "most": MOST_SQUARES[ring], "found": len(squares)}
            reader.root.wrong(ring, t("expected from {least} to {most} squares, found {found}.", **bounds))
        elif len(squares) > CROWDED[ring]:
            reader.root.unwise(ring, t("more than {most} squares: the board will be crowded.", most=CROWDED[ring]))
        for place, (row, square) in enumerate(squares):
            at_end = {0: "start"} if ring == "outer" else {}
            at_end[len(squares) - 1] = "whirlpool" if ring == "outer" else "arrow"
            if square.kind in ("start", "whirlpool", "arrow") and at_end.get(place) != square.kind:
                row.wrong(
                    "kind", t("{kind} is the kind of the first or last square of a ring.", kind=short(square.kind))
                )
    for squares, place, kind in ends:
        if len(squares) >= FEWEST_SQUARES and squares[place][1].kind not in (kind, ""):
            row, square = squares[place]
            found = {"kind": short(kind), "found": short(square.kind)}
            row.wrong("kind", t("expected {kind} at this end of the ring, found {found}.", **found))
    if inner and inner[0][1].key != CASTLE:
        row, square = inner[0]
        found = {"key": short(CASTLE), "found": short(square.key)}
        row.wrong("key", t("expected {key}, to which the Whirlpool leads, found {found}.", **found))
    adventures = {square.key for _, square in [*outer, *inner] if square.kind == "adventure"}
    for key in sorted({*STAFF_PASSES, *CLUB_PASSES} - adventures):
        reader.root.wrong("key", t("expected an adventure {key}: an object's power names it.", key=short(key)))
    only_once([row for row, _ in [*outer, *inner]])


def read_cards(reader: Reader) -> list[tuple[Row, Card]]:
    cards = []
    for row in reader.rows("cards", lambda n, values: called("cards", n, values)):
        row.only(CARD_FIELDS)
        key, effect = row.word("key"), row.word("effect", EFFECTS)
        number = anyone = owner = 0
        use = ""
        if effect in NUMBERS:
            number = row.whole("number", *NUMBERS[effect])
            if effect == "move" and row.get("number") == 0:
                row.wrong("number", t("expected some squares forwards or backwards, found 0."))
        elif effect and "number" in row.values:
            row.wrong("number", t("expected none: the effect {effect} has no number.", effect=short(effect)))
        if effect == "object":
            use = row.word("for", USES)
            anyone, owner = row.whole("anyone", *BONUSES), row.whole("owner", *BONUSES)
        dreaded = row.get("dreaded", False)
        if not isinstance(dreaded, bool) or (dreaded and effect != "monster"):
            row.wrong("dreaded", t("expected true, for a monster only, found {found}.", found=short(dreaded)))
        copies = row.whole("copies", 1, 1 if effect == "object" else DECK)
        source = row.word("source", SOURCES)
        name, text = row.texts("name", MOST_LETTERS), row.texts("text", MOST_TEXT)
        card = Card(key, effect, number, copies, use, anyone, owner, dreaded is True, source, name, text)
        cards.append((row, card))
    only_once([row for row, _ in cards])
    return cards


def check_cards(reader: Reader, cards: Sequence[Card]) -> None:
    """SD-1.3 56 cards, the six objects among them; enough that are not kept, so that the pile never runs dry."""
    whole = reader.root
    if len(cards) > MOST_CARDS:
        whole.wrong(
            "cards", t("expected at most {most} different cards, found {found}.", most=MOST_CARDS, found=len(cards))
        )
    total = sum(card.copies for card in cards)
    if total != DECK:
        whole.wrong("cards", t("expected {n} cards together, found {found}.", n=DECK, found=total))
    objects = sorted(card.key for card in cards if card.effect == "object")
    if objects != sorted(OBJECTS.values()):
        known, found = ", ".join(OBJECTS.values()), ", ".join(objects)
        whole.wrong(
            "cards", t("expected the objects {known}, once each, found {found}.", known=known, found=short(found))
        )
    returning = sum(card.copies for card in cards if card.effect not in KEPT)
    if returning == 0:
        whole.wrong("cards", t("expected some cards that are not kept: the pile would run dry."))
    elif returning < FEW_RETURN:
        whole.unwise("cards", t("only {n} cards are not kept: the same ones will come again and again.", n=returning))


def in_order(cards: Sequence[Card]) -> list[Card]:
    """The objects first, in the order of the characters: the rules count on it."""
    order = list(OBJECTS.values())
    return sorted(cards, key=lambda card: order.index(card.key) if card.key in order else len(order))


def check_way(reader: Reader, rows: list[tuple[Row, Square]], content: Content) -> None:
    """SD-3 From every square there is a way to the Vortex, even for a hero with all the penalties of the objects."""
    way = Way(content.outer, content.inner, content.cards, KEPT)
    for (row, square), shut in zip(rows, way.shut, strict=True):
        if shut:
            bounds = {"most": way.highest(square), "found": square.number}
            row.wrong(
                "number",
                t(
                    "expected at most {most}: with the objects' penalties not even a 6 would be enough for {found}, and "
                    "nobody could ever leave.",
                    **bounds,
                ),
            )
    if any(way.shut):
        return
    if not way.wins:
        reader.root.wrong("cards", t("expected cards that let a hero through on the arrow: nobody could ever win."))
        return
    stuck = way.stuck()
    for place in stuck:
        rows[place][0].wrong("kind", t("expected a way on: nobody who comes here could ever reach the Vortex."))
    if stuck:
        return
    turns = way.turns()
    if turns > MOST_TURNS:
        told = {"most": MOST_TURNS, "found": round(turns)}
        reader.root.wrong(
            "outer", t("expected a way of at most {most} turns for a hero alone: this one takes about {found}.", **told)
        )
    elif turns > MANY_TURNS:
        reader.root.unwise("outer", t("a hero alone needs about {n} turns: it will be a long game.", n=round(turns)))


# SD-9.1 What was otherwise in the cards of rules versions 1 and 2.
COPIES_BEFORE_3 = {"dungeon-master": 2, "clover": 1, "frog": 2, "net": 0}
TEXTS_BEFORE_3 = {
    "give": {
        "fr": "Si vous avez plusieurs objets magiques, rendez-en un au plus en retard.",
        "en": "If you have several magic objects, give one back to whoever is furthest behind.",
    },
    "hat": {
        "fr": "−1 partout. Le Magicien, lui, peut lancer un dé de magie : de −3 à +3.",
        "en": "−1 everywhere. But the Magician may roll a magic die: from −3 to +3.",
    },
}


# -- the sets that can be played with -----------------------------------------------------------------------
SETS: list[Content] = []  # by number
BOARD = {"sets": SETS}


def meaning(content: Content) -> object:
    """All that play depends on: the squares and cards in their order, but for names and texts."""
    squares = [(s.key, s.kind, s.number, *(["combat"] if s.combat else [])) for s in content.squares]
    return squares, [(c.key, c.effect, c.number, c.copies, c.use, c.anyone, c.owner, c.dreaded) for c in content.cards]


def put(content: owned.Content, id_: str) -> None:
    """The rules may be asked for the set of that name; its squares and cards are called as they are here."""
    if id_ == BUILT_IN:  # which the rules read when they are loaded, after this module
        SETS[:] = [replace(content.body, id=PRESENT), before_3(content.body)]
        return
    body: Content = replace(content.body, id=id_)
    for number, known in enumerate(SETS):
        if known.id == id_:
            SETS[number] = body
            return
    SETS.append(body)
    from veillee.games.sourire_du_dragon.rules.course import COURSES, Course  # noqa: PLC0415

    COURSES.append(Course(len(SETS) - 1))


def before_3(present: Content) -> Content:
    """SD-9.1 Our cards of rules versions 1 and 2: the same squares, and the same cards but for these."""
    cards = [replace(card, copies=COPIES_BEFORE_3.get(card.key, card.copies)) for card in present.cards]
    said = [replace(card, text=TEXTS_BEFORE_3.get(card.key, card.text)) for card in cards if card.copies]
    return replace(present, id=BUILT_IN, cards=said)


KIND = ContentKind(
    game="sourire-du-dragon",
    version=1,
    option=Option(
        id="cards",
        title={"fr": "Cases et cartes", "en": "Squares and cards"},
        values={},
        about={
            "fr": "Les cases du plateau et les cartes avec lesquelles on joue (SD-9.3).",
            "en": "The squares of the board and the cards that are played with (SD-9.3).",
        },
    ),
    file=Path(__file__).with_name("content.toml"),
    tables=("characters", "outer", "inner", "cards"),
    read=read_box,
    meaning=meaning,
    put=put,
)
