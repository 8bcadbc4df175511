"""The 74 tiles as they are printed to be cut out: 50 mm square, a set for each pile."""

from __future__ import annotations

from collections.abc import Iterable

from veillee.games.print_faces import (
    INK,
    PAPER,
    Area,
    Back,
    Face,
    Group,
    Mark,
    Patch,
    Picture,
    Polygon,
    PrintSet,
    Text,
    Unit,
    back_with,
    bounds,
    flow,
)
from veillee.games.tales_of_glory.content import KIND_NAMES, PER_NAMES, PILES, SIDE_NAMES, TYPE_NAMES, Tile, Tiles
from veillee.games.tales_of_glory.rules import CHEST, CONNECTOR, NO_TYPE, ONCE, SIDES, SOURCES, TOKEN, Gain
from veillee.words import Words

SIDE = 50.0  # mm
HALF = SIDE / 2
DEPTH = 5.0  # of a connector
SMALL = 4.2  # height of a figure
PILL_RIM = 0.5
WOOD = {
    "place": "#3c7346",
    "monster": "#8c2b28",
    "treasure": "#a8741a",
    "character": "#2f5e93",
    "quest": "#5d3b91",
    "hero": "#6b4a2c",
}
AGE_BACKS = {"age 1": "#3c7346", "age 2": "#2f5e93", "age 3": "#8c2b28"}
CONNECTOR_COLOURS = {"open": "#fbf4e6", "key": "#2b1c11", "gain": "#ffd873", "key gain": "#ffd873"}
PER_SYMBOLS = {
    "place": "type-place",
    "monster": "type-monster",
    "treasure": "type-treasure",
    "character": "type-character",
    "3 coins": "coins",
    "3 potions": "potions",
    "closed chest": "chest",
}

# For each side the corners of its connector, and where its gain is written.
CORNERS = {
    "top": ((HALF - 6, 0.0), (HALF + 6, 0.0), (HALF, DEPTH)),
    "right": ((SIDE, HALF - 6), (SIDE, HALF + 6), (SIDE - DEPTH, HALF)),
    "bottom": ((HALF - 6, SIDE), (HALF + 6, SIDE), (HALF, SIDE - DEPTH)),
    "left": ((0.0, HALF - 6), (0.0, HALF + 6), (DEPTH, HALF)),
}
KEYS = {
    "top": Area(HALF - 2, 0.3, 4, 3.4),
    "right": Area(SIDE - 3.7, HALF - 2, 3.4, 4),
    "bottom": Area(HALF - 2, SIDE - 3.7, 4, 3.4),
    "left": Area(0.3, HALF - 2, 3.4, 4),
}
PILLS = {
    "top": Area(10.5, 4.4, 29, 5.2),
    "right": Area(37.8, 14, 7.4, 17.5),
    "bottom": Area(4, 41.2, 42, 5.2),
    "left": Area(4.8, 14, 7.4, 17.5),
}
ART = Area(9.5, 10.5, 31, 21.3)
PLACE_ART = Area(12.6, 11.5, 24.8, 20)  # between its gains
NAME = Area(3.5, 32.2, 43, 4.6)


def faces(tiles: Tiles, t: Words) -> list[PrintSet]:
    titles = {
        "age 1": t("Age {n}", n=1),
        "age 2": t("Age {n}", n=2),
        "age 3": t("Age {n}", n=3),
        "quest": t("Quests"),
        "hero": t("Heroes"),
    }
    return [
        PrintSet(
            titles[pile],
            SIDE,
            SIDE,
            [_face(tiles, number, t) for number, tile in enumerate(tiles.tiles) if tile.pile == pile],
            _back(pile),
        )
        for pile in PILES
    ]


def _back(pile: str) -> Back:
    if pile in AGE_BACKS:
        return back_with(SIDE, SIDE, AGE_BACKS[pile], text="I" * int(pile[-1]))
    return back_with(SIDE, SIDE, WOOD[pile], symbol=f"type-{pile}")


def _face(tiles: Tiles, number: int, t: Words) -> Face:
    tile, gains, source = tiles.tiles[number], tiles.set.gains, number * SOURCES
    look = tile.pile if tile.type == NO_TYPE else TYPE_NAMES[tile.type]
    wood = WOOD[look]
    marks: list[Mark] = [
        Patch(Area(0, 0, SIDE, SIDE), wood),
        Patch(Area(2.4, 2.4, SIDE - 4.8, SIDE - 4.8), PAPER, radius=2.5),
        Picture(PLACE_ART if look == "place" else ART, (f"pic-{tile.id}", f"type-{look}"), wood),
        Patch(Area(2.0, 2.0, 8, 8), wood, PAPER, radius=4),
        Picture(Area(3.4, 3.4, 5.2, 5.2), (f"type-{look}",), "#ffffff"),
        Text(NAME, t.name(tile.names), 9, is_heading=True),
    ]
    marks += _age(tile)
    if tile.cost:
        cost = [[Unit(str(n), KIND_NAMES[kind])] for kind, n in tile.cost.items()]
        box = Area(40.4, 2.0, 7.6, 0.6 + 4.6 * len(cost))
        marks += [Patch(box, "#fff3cf", wood, 1.5), *flow(cost, box.inset(0.3), 4.6)]
    for side, name in enumerate(SIDE_NAMES):
        if tile.sides[side]:
            wanted = TYPE_NAMES[tiles.set.conditions[number * SIDES + side]]
            marks += _connector(name, tile.sides[side], wanted, gains[source + CONNECTOR + side])
    return Face(tile.id, (*marks, *_foot(tiles, number)))


def _age(tile: Tile) -> list[Mark]:
    """The number of the pile, so that the tiles of the Ages can be sorted again."""
    if not tile.pile.startswith("age "):
        return []
    return [Text(Area(2.6, SIDE - 6.6, 4, 4), "I" * int(tile.pile[-1]), 7, "#7a6a58", is_heading=True)]


def _connector(name: str, kind: str, wanted: str, gains: Iterable[Gain]) -> list[Mark]:
    marks: list[Mark] = [Polygon(KEYS[name], CORNERS[name], CONNECTOR_COLOURS[kind])]
    if "key" in kind:
        marks.append(Picture(KEYS[name], ("key",)))
    if "gain" in kind:
        groups: list[Group] = [[Unit(symbol=f"type-{wanted}", colour=WOOD[wanted])]] if wanted else []
        groups += [_units(gain) for gain in gains]
        written = flow(groups, PILLS[name].inset(PILL_RIM), SMALL)
        marks += [Patch(bounds(written).inset(-PILL_RIM), "#fff3cf", "#c79a3a", 1.5), *written]
    return marks


def _foot(tiles: Tiles, number: int) -> list[Mark]:
    """Gains, and chests under them."""
    gains, source = tiles.set.gains, number * SOURCES
    has_pill = "gain" in tiles.tiles[number].sides[SIDE_NAMES.index("bottom")]
    area = Area(4, 37, 42, 4) if has_pill else Area(6.8, 37, 36.4, 8.6)
    own = [_units(gain) for gain in gains[source]]
    chests = [
        [Unit(symbol="chest"), *(unit for gain in gains[source + CHEST + chest] for unit in _units(gain))]
        for chest in range(tiles.set.chests[number])
    ]
    if own and chests:
        upper = Area(area.x, area.y, area.width, area.height / 2)
        return [*flow(own, upper, SMALL), *flow(chests, upper.moved(0, area.height / 2), SMALL)]
    return flow(own or chests, area, SMALL * 1.15)


def _units(gain: Gain) -> Group:
    """TG-7.1 One gain: the end mark, its resources, and what it is multiplied by."""
    units = [Unit(symbol="end")] if gain.at_end else []
    for kind, n in zip(gain.kinds, gain.amounts, strict=True):
        units.append(Unit("" if kind == TOKEN else str(n), KIND_NAMES[kind]))
    if gain.per != ONCE:
        per = PER_NAMES[gain.per]
        units.append(Unit("×3" if per.startswith("3 ") else "×", PER_SYMBOLS.get(per, per), WOOD.get(per, INK)))
    return units
