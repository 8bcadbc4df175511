"""The cards and squares as they are printed to be cut out: cards of 63 by 88 mm, squares to lay in two rings."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.games.print_faces import INK, PAPER, Area, Face, Mark, Patch, Picture, PrintSet, Text, back_with
from veillee.games.sourire_du_dragon.content import KEPT, OBJECTS, Card, Content, Square
from veillee.words import Words

WIDTH, HEIGHT = 63.0, 88.0  # of a card, in mm
PICTURE = Area(14, 7, 35, 35)
SIDE = 40.0  # of a square
RED = "#8c1f1f"
CLOTHES = ("#3c7346", "#2f5e93", "#5d3b91", "#a8741a", "#8c2b28", "#2c5f6e")  # of the characters, in their order
GROUNDS = {
    "yellow": "#f7d65a",
    "green": "#58b368",
    "orange": "#f09446",
    "adventure": "#fff3dc",
    "start": "#f6b7c1",
    "whirlpool": "#bfe6ff",
    "arrow": "#b6f0c4",
}
BORDERS = {"monster": "#8c2b28", "object": "#c98a1f"}  # of a card; others are events
EVENT, KEPT_EVENT = "#3f8fc9", "#3f9e63"
EFFECT_PICTURES = {
    "uni": "uni",
    "master": "dungeon-master",
    "boots": "boots",
    "potion": "potion",
    "reroll": "clover",
    "give": "give",
    "again": "second-wind",
    "last": "wagon",
    "miss": "frog",
    "retreat": "wrong-door",
    "nothing": "rainbow",
    "monster": "ogre",
    "move": "tailwind",
}


HEROES = back_with(WIDTH, HEIGHT, RED, symbol="h-unknown")
CARDS = back_with(WIDTH, HEIGHT, "#2f5e93", symbol="c-tiamat")


def faces(content: Content, t: Words) -> list[PrintSet]:
    return [
        PrintSet(t("Characters"), WIDTH, HEIGHT, [_character(content, n, t) for n in range(len(OBJECTS))], HEROES),
        PrintSet(t("Cards"), WIDTH, HEIGHT, [_card(card, t) for card in content.cards], CARDS),
        PrintSet(t("Outer ring"), SIDE, SIDE, _ring("outer", content.outer, t)),
        PrintSet(t("Inner ring"), SIDE, SIDE, _ring("inner", content.inner, t)),
    ]


def _framed(border: str, picture: Picture, name: str, text: str) -> list[Mark]:
    """A card: its border, picture, name and text."""
    return [
        Patch(Area(0, 0, WIDTH, HEIGHT), border),
        Patch(Area(3, 3, WIDTH - 6, HEIGHT - 6), PAPER, radius=3),
        picture,
        Text(Area(5, 43, WIDTH - 10, 11), name, 15, is_heading=True),
        Text(Area(5.5, 54, WIDTH - 11, 27), text, 12),
    ]


def _character(content: Content, number: int, t: Words) -> Face:
    key, thing = list(OBJECTS.items())[number]
    name = t.name(next(card.name for card in content.cards if card.key == thing))
    hero = Picture(PICTURE, (f"h-{key}",), CLOTHES[number])
    marks = _framed(RED, hero, t.name(dict(content.characters[number])), t("Magic object: {name}", name=name))
    return Face(key, (*marks, Picture(Area(25.5, 71, 12, 12), (f"c-{thing}",))))


def _card(card: Card, t: Words) -> Face:
    border = BORDERS.get(card.effect, KEPT_EVENT if card.effect in KEPT else EVENT)
    pictures = (f"c-{card.key}", f"c-{EFFECT_PICTURES.get(card.effect, 'card')}", "c-card")
    marks = _framed(border, Picture(PICTURE, pictures), t.name(card.name), t.name(card.text))
    if card.effect == "monster":
        marks += [
            Patch(Area(48, 4, 11, 11), RED, PAPER, radius=5.5),
            Text(Area(48.5, 4.5, 10, 10), str(card.number), 18, "#ffffff", is_heading=True),
        ]
    elif card.effect in KEPT and card.effect != "object":  # SD-4.3 the black dot
        marks.append(Patch(Area(51, 7, 5, 5), INK, radius=2.5))
    elif card.effect == "object":
        marks.append(Text(Area(46, 5, 12, 8), " ".join(card.use), 13, RED, is_heading=True))
    return Face(card.key, tuple(marks), card.copies)


def _ring(ring: str, squares: Sequence[Square], t: Words) -> list[Face]:
    return [_square(ring, number, square, t) for number, square in enumerate(squares, 1)]


def _square(ring: str, number: int, square: Square, t: Words) -> Face:
    kind = square.kind
    plain = "s-entrance" if kind == "start" else "s-adventure" if kind == "adventure" else f"s-{kind}"
    marks: list[Mark] = [
        Patch(Area(0, 0, SIDE, SIDE), RED if kind == "adventure" else INK),
        Patch(Area(1.6, 1.6, SIDE - 3.2, SIDE - 3.2), GROUNDS[kind], radius=4),
        Picture(Area(9, 4, 22, 22), (f"s-{square.key}", plain)),
        Text(Area(3.5, 26.5, SIDE - 7, 7), t.name(square.name), 9, is_heading=True),
        Text(Area(3.5, 33.6, SIDE - 7, 4), _says(ring, number, square, t), 6.5),
    ]
    if square.number:
        marks += [
            Patch(Area(28.5, 3, 9, 8), RED, PAPER, radius=4),
            Text(Area(29, 3.3, 8, 7.4), f"{square.number}+", 13, "#ffffff", is_heading=True),
        ]
    return Face(f"{ring}-{square.key}", tuple(marks))


def _says(ring: str, number: int, square: Square, t: Words) -> str:
    """The place of the square in its ring, and what it asks."""
    place = t("outer ring {n}", n=number) if ring == "outer" else t("inner ring {n}", n=number)
    asks = ""
    if square.kind in ("green", "arrow"):
        asks = t("draw a card")
    elif square.kind == "orange":
        asks = t("miss a turn")
    elif square.combat:
        asks = t("a combat")
    return f"{place} · {asks}" if asks else place
