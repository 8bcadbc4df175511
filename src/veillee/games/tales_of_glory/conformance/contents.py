"""Files that an owner of Tales of Glory might write, as tomllib reads them."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

from hypothesis import strategies as st

from veillee.games.tales_of_glory import content as own
from veillee.games.tales_of_glory.rules import AGE_TILES, HEROES, QUESTS, TILES

Data = dict[str, Any]

# -- the built-in file, changed in a few places -------------------------------------------------------------------
AMOUNTS = st.sampled_from([0, 1, 1, 2, 3, 20, 99, 100])
WORDS = st.sampled_from(["coin", "coins", "potion", "potions", "prestige", "combat", "magic", "key", "keys", "first"])
PARTS = st.builds("{} {}".format, AMOUNTS, WORDS)
PERS = st.sampled_from(["", *(f" per {name}" for name in own.PER_NAMES[1:]), " per dragon"])
GAIN = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "end: "]),
    st.lists(PARTS, min_size=1, max_size=2).map(" + ".join),
    PERS,
)
GAINS = st.lists(GAIN, max_size=3).map(", ".join)
COST = st.lists(PARTS, max_size=3).map(" + ".join)
SIDE = st.one_of(
    st.sampled_from(["", "open", "key", "closed"]),
    GAINS,
    st.builds("{}: {}".format, st.sampled_from([*own.TYPE_NAMES, "end", "dragon"]), GAINS),
)
ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.text(max_size=3), max_size=2))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "pile": st.sampled_from([*own.PILES, "age 4"]),
    "type": st.sampled_from(own.TYPE_NAMES),
    "cost": COST,
    "gain": GAINS,
    "chests": st.lists(GAINS, max_size=3),
    **dict.fromkeys(own.SIDE_NAMES, SIDE),
}
CHANGE = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda name: st.tuples(st.integers(0, TILES - 1), st.just(name), st.one_of(FIELDS[name], FIELDS[name], ODD))
)


def built_in() -> Data:
    return tomllib.loads(own.KIND.built_in())


def changed(changes: list[tuple[int, str, Any]]) -> Data:
    data = built_in()
    for place, field, value in changes:
        data["tile"][place][field] = value
    return data


# -- the built-in file with much to gain, at every place that has a gain ------------------------------------------
SOUND_AMOUNT = st.sampled_from([1, 2, 5, 99])
SOUND_GAIN = st.one_of(
    st.builds(
        "{} {} + {} key{}".format,
        SOUND_AMOUNT,
        st.sampled_from(["coins", "potions", "combat", "magic"]),
        SOUND_AMOUNT,
        st.sampled_from([f" per {name}" for name in ("place", "character", "key", "surrounded", "closed chest")]),
    ),
    st.builds(
        "{} prestige + {} key per {}".format,
        SOUND_AMOUNT,
        SOUND_AMOUNT,
        st.sampled_from(["combat", "magic", "3 coins", "3 potions"]),
    ),
)


def lavish(gains: list[str], where: str) -> Data:
    data = built_in()
    for place, tile in enumerate(data["tile"]):
        gain = gains[place % len(gains)]
        if where == "chests":
            tile["chests"] = [gain, gain] if tile["pile"] == "hero" or place % 2 else [gain]
        elif where == "gain" and tile["pile"] != "hero":
            tile["gain"] = gain
        elif where == "connectors" and tile.get("type") == "place":
            tile.update({side: gain for side in own.SIDE_NAMES if side in tile})
    return data


# -- an owner's 74 tiles ------------------------------------------------------------------------------------------
def fresh(seed: int, age_1: int, age_2: int, most: int, connectors: float) -> Data:
    """Tiles of any kind that may be printed: amounts up to `most`, a connector on that share of the sides."""
    pick = Random(seed)
    ages = ["age 1"] * age_1 + ["age 2"] * age_2 + ["age 3"] * (AGE_TILES - age_1 - age_2)
    piles = [*ages, *["quest"] * QUESTS, *["hero"] * HEROES]
    growing = 0

    def part(kinds: tuple[str, ...]) -> str:
        return f"{pick.randint(1, most)} {pick.choice(kinds)}"

    def gain(pile: str, place: str) -> str:
        nonlocal growing
        key = ("key",) if pile != "hero" or place == "chests" else ()
        kinds = ("coins", "potions", "prestige", "combat", "magic", *key)
        per = pick.choice(["", "", *own.PER_NAMES[1:]])
        if per == "majority" or (place != "side" and pick.random() < 0.2):
            return f"end: {pick.randint(1, most)} prestige" + (f" per {per}" if per else "")
        if per in ("combat", "magic", "3 coins", "3 potions"):
            growing += 1
            return f"{pick.randint(1, 2)} {pick.choice(kinds)} per {per}" if growing < 6 else f"1 prestige per {per}"
        parts = [part(kinds), *([part(kinds)] if pick.random() < 0.3 else [])]
        return " + ".join(parts) + (f" per {per}" if per else "")

    def gains(pile: str, place: str, fewest: int) -> str:
        parts = [gain(pile, place) for _ in range(pick.randint(fewest, 2))]
        if place == "side":
            parts = [text for text in parts if not text.startswith("end:")] or ["1 coin"]
        if pile in own.AGE_PILES and place != "chests" and pick.random() < 0.1:
            parts.append("1 first")
        return ", ".join(parts)

    tiles: list[dict[str, Any]] = []
    for number, pile in enumerate(piles):
        tile: dict[str, Any] = {"id": f"t{number}", "pile": pile, "fr": f"Tuile {number}", "en": f"Tile {number}"}
        if pile in own.AGE_PILES:
            tile["type"] = pick.choice(own.TYPE_NAMES[1:])
        if pile != "hero" and pick.random() < 0.7:
            paid = pick.sample(["coins", "potions", "combat", "magic"], pick.randint(1, 2))
            tile["cost"] = " + ".join(f"{pick.randint(1, most)} {kind}" for kind in paid)
        sides = [side for side in own.SIDE_NAMES if pick.random() < connectors] or [pick.choice(own.SIDE_NAMES)]
        for side in sides:
            tile[side] = pick.choice(["open", "key"])
            if tile.get("type") == "place" and pick.random() < 0.5:
                tile[side] = pick.choice(["", *(f"{name}: " for name in own.TYPE_NAMES[1:])]) + gains(pile, "side", 1)
        tile["gain"] = gains(pile, "gain", 0)
        chests = 2 if pile == "hero" else pick.choice([0, 0, 1, 2])
        tile["chests"] = [gains(pile, "chests", 1) for _ in range(chests)]
        tiles.append(tile)
    pick.shuffle(tiles)
    about = {"game": "tales-of-glory", "version": 1, "fr": "À moi", "en": "Mine"}
    return {"content": about, "tile": tiles}


FILES: dict[str, st.SearchStrategy[Data]] = {
    "changed": st.lists(CHANGE, min_size=1, max_size=4).map(changed),
    "lavish": st.builds(
        lavish, st.lists(SOUND_GAIN, min_size=8, max_size=8), st.sampled_from(["gain", "chests", "connectors"])
    ),
    "fresh": st.builds(
        fresh,
        st.integers(0, 2**32),
        st.sampled_from([*range(10, 26), 9]),
        st.integers(0, 28),
        st.sampled_from([2, 3, 9, 99]),
        st.floats(0.1, 1.0),
    ),
}
