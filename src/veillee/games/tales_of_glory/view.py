"""TG-9.1 What one seat may see: selections, quests in hand and the piles' order are private, all else is public."""

from __future__ import annotations

from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import CONTENTS, KIND_NAMES, PER_NAMES, SIDE_NAMES, TYPE_NAMES, Content
from veillee.kernel.counts import at

MAJORITY_NAMES = ("combat", "magic", "potions", "coins")

# The number of each answer, for a board to put on its things; chests and cells carry their own.
ANSWERS = {
    "select": [tg.SELECT + slot for slot in range(tg.MOST_SLOTS)],
    "take": [tg.TAKE + slot for slot in range(tg.MOST_SLOTS)],
    "play": [tg.PLAY + extra for extra in (tg.NOTHING, tg.A_COIN, tg.A_POTION)],
    "discard": tg.DISCARD,
    "done": tg.DONE,
    "quest": [tg.QUEST + quest for quest in range(tg.QUESTS)],
    "drop": [tg.DROP + quest for quest in range(tg.QUESTS)],
}


def view(g: tg.TalesOfGlory, seat: int) -> dict[str, Any]:
    content = CONTENTS[g.tiles.number]
    return {
        "set": {"id": g.tiles.name, "names": content.names, "file": content.file},
        "round": g.round,
        "rounds": tg.ROUNDS,
        "first": g.first,
        "token": g.token if g.token >= 0 else None,
        "quests": g.with_quests,
        "together": g.together,
        "toll": tg.TOLL,
        "thrown": tg.THROWN[len(g.adventurers)],
        "slots": [_slot(g, slot, seat) for slot in range(len(g.slots))],
        "piles": [_left(g, age) for age in g.tiles.ages],
        "aside": len(g.aside),
        "discards": [tile_view(g, tile) for tile in g.discards],
        "adventurers": [_adventurer(g, s) for s in range(len(g.adventurers))],
        "majorities": [_majority(g, place) for place in range(len(MAJORITY_NAMES))],
        "asks": {s: type(g.asked(s)).__name__ for s in g.to_act},
        "selected": _own_selection(g, seat),
        "hand": [
            tile_view(g, tile) | _price(g, seat, tile, wild=False) | {"quest": tile - tg.FIRST_QUEST}
            for tile in _hand(g, seat)
        ],
        "dropped": tile_view(g, g.adventurers[seat].dropped)
        if seat >= 0 and g.adventurers[seat].dropped != tg.NO_TILE
        else None,
        "mine": _mine(g, seat),
        "answers": ANSWERS,
    }


def _left(g: tg.TalesOfGlory, age: vec[i64]) -> int:
    """How many of an Age are still to come; with 2-3 players two of Age 1 are set aside, unknown to all."""
    return sum(tile in age for tile in g.pile)


def _hand(g: tg.TalesOfGlory, seat: int) -> list[int]:
    return list(g.adventurers[seat].hand) if seat >= 0 else []


def _own_selection(g: tg.TalesOfGlory, seat: int) -> int | None:
    """The slot that this seat has selected, in secret."""
    if seat < 0 or g.adventurers[seat].selected < 0:
        return None
    return g.adventurers[seat].selected + 1


def gain_view(gain: tg.Gain) -> dict[str, Any]:
    return {
        "parts": [[KIND_NAMES[kind], n] for kind, n in zip(gain.kinds, gain.amounts, strict=True)],
        "per": PER_NAMES[gain.per],
        "stack": tg.A_STACK if gain.per in (tg.PER_3_COINS, tg.PER_3_POTIONS) else 1,  # so many count as one
        "end": gain.at_end,
    }


def gains_view(g: tg.TalesOfGlory, source: int) -> list[dict[str, Any]]:
    return [gain_view(gain) for gain in g.tiles.gains[source]]


def tile_view(g: tg.TalesOfGlory, tile: int) -> dict[str, Any]:
    """A tile as it is printed: the same thing each time, not to be written on."""
    content = CONTENTS[g.tiles.number]
    kept = _printed.get((g.tiles.number, tile))
    if kept is None or kept[0] is not content:
        kept = _printed[g.tiles.number, tile] = (content, _print(g, tile))
    return kept[1]


_printed: dict[tuple[int, int], tuple[Content, dict[str, Any]]] = {}  # by set and tile


def _print(g: tg.TalesOfGlory, tile: int) -> dict[str, Any]:
    data = CONTENTS[g.tiles.number].tiles[tile]
    source = tile * tg.SOURCES
    return {
        "tile": tile,
        "id": data.id,
        "names": data.names,
        "pile": data.pile,
        "type": TYPE_NAMES[data.type],
        "cost": [[KIND_NAMES[kind], n] for kind, n in data.cost.items()],
        "sides": {
            SIDE_NAMES[side]: {
                "kind": data.sides[side],
                "wants": TYPE_NAMES[g.tiles.conditions[tile * tg.SIDES + side]],
                "gains": gains_view(g, source + tg.CONNECTOR + side),
            }
            for side in range(tg.SIDES)
            if data.sides[side]
        },
        "gains": gains_view(g, source),
        "chests": [gains_view(g, source + tg.CHEST + chest) for chest in range(g.tiles.chests[tile])],
        "why": data.why,
        "source": data.source,
    }


def _price(g: tg.TalesOfGlory, seat: int, tile: int, wild: bool) -> dict[str, Any]:
    """What the tile would cost this seat now, and whether it could be paid and placed."""
    if seat < 0:
        return {"price": None}
    a = g.adventurers[seat]
    missing = a.missing(g.tiles, tile)
    coins, potions = g.tiles.coins[tile], g.tiles.potions[tile] + missing
    ways = (tg.A_COIN, tg.A_POTION) if wild else (tg.NOTHING,)
    return {
        "price": {
            "coins": coins,
            "potions": potions,
            "reinforcement": missing,
            "extra": wild,
            "free": coins + potions == 0 and not wild,
            "payable": any(not a.unpayable(g.tiles, tile, way) for way in ways),
            "fits": a.has_room(g.tiles.sides[tile]),
        }
    }


def _slot(g: tg.TalesOfGlory, slot: int, seat: int) -> dict[str, Any]:
    tile = g.slots[slot]
    wild = g.is_wild(slot)
    shown = None if tile == tg.NO_TILE else tile_view(g, tile) | _price(g, seat, tile, wild)
    return {"slot": slot + 1, "wild": wild, "tile": shown}


def _adventurer(g: tg.TalesOfGlory, seat: int) -> dict[str, Any]:
    a = g.adventurers[seat]
    taken = None
    if a.taken != tg.NO_TILE:
        taken = tile_view(g, a.taken) | _price(g, seat, a.taken, g.is_wild(a.slot)) | {"slot": a.slot + 1}
    return {
        "hero": a.hero - tg.FIRST_HERO,
        "coins": a.coins,
        "potions": a.potions,
        "prestige": a.prestige,
        "combat": a.combat,
        "magic": a.magic,
        "keys": len(a.open),
        "closed": len(a.shut),
        "types": {TYPE_NAMES[type_]: at(a.types, type_) for type_ in range(1, tg.TYPES)},
        "taken": taken,
        "field": _field(g, a, []),
        "hand": len(a.hand),
        "majorities": [name for place, name in enumerate(MAJORITY_NAMES) if (a.majorities >> place) & 1],
    }


def _majority(g: tg.TalesOfGlory, place: int) -> dict[str, Any]:
    """TG-5.1 Who has the most at this moment."""
    amounts = [a.has(tg.MAJORITIES[place]) for a in g.adventurers]
    most = max(amounts)
    return {
        "of": MAJORITY_NAMES[place],
        "most": most,
        "leaders": [seat for seat, n in enumerate(amounts) if n == most > 0],
    }


def _field(g: tg.TalesOfGlory, a: tg.Adventurer, more: list[int]) -> dict[str, Any]:
    """A zone on the smallest field that holds it and some more cells; columns and rows count from 1."""
    zone = a.zone()
    places = [tg.offset(cell) for cell in [*zone, *more]]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    tiles = []
    for cell, tile in zone.items():
        x, y = tg.offset(cell)
        chests = [2 * tile + chest for chest in range(g.tiles.chests[tile])]
        place = {"x": x, "y": y, "column": x - left + 1, "row": y - top + 1}
        opened, locks = [chest in a.open for chest in chests], [tg.OPEN + chest for chest in chests]
        tiles.append({**place, "open": opened, "locks": locks, "print": tile_view(g, tile)})
    return {
        "columns": max(x for x, _ in places) - left + 1,
        "rows": max(y for _, y in places) - top + 1,
        "left": left,
        "top": top,
        "tiles": tiles,
    }


def _mine(g: tg.TalesOfGlory, seat: int) -> dict[str, Any] | None:
    """The seat's own zone; while it places a tile, with each legal cell and what it would give."""
    if seat < 0:
        return None
    a = g.adventurers[seat]
    step = g.asked(seat) if seat in g.to_act else None
    if not isinstance(step, tg.Placing):
        return {**_field(g, a, []), "placing": None, "cells": []}
    legal = [cell for cell in a.edge() if not a.clash(g.tiles.sides[step.tile], cell)]
    field = _field(g, a, legal)
    cells = []
    for cell in legal:
        x, y = tg.offset(cell)
        place = {"x": x, "y": y, "column": x - field["left"] + 1, "row": y - field["top"] + 1}
        cells.append({**place, "action": tg.PUT + cell, **_would_give(g, a, step.tile, cell)})
    return {**field, "placing": tile_view(g, step.tile), "cells": cells}


def _would_give(g: tg.TalesOfGlory, a: tg.Adventurer, tile: int, cell: int) -> dict[str, Any]:
    """The connections of a legal place, the keys they make and the Place gains they give."""
    connections = keys = 0
    gains: list[dict[str, Any]] = []
    for side in range(tg.SIDES):
        other = a.tile_at(cell + tg.TOWARDS[side])
        if other == tg.NO_TILE or not (g.tiles.sides[tile] >> side) & 1:
            continue
        back = tg.OPPOSITE[side]
        connections += 1
        keys += (g.tiles.halves[tile] >> side) & (g.tiles.halves[other] >> back) & 1
        for place, where, neighbour in ((tile, side, other), (other, back, tile)):
            if g.tiles.conditions[place * tg.SIDES + where] in (tg.NO_TYPE, g.tiles.types[neighbour]):
                gains += gains_view(g, place * tg.SOURCES + tg.CONNECTOR + where)
    return {"connections": connections, "keys": keys, "gains": gains}
