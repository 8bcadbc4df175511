"""Files that an owner of Le Sourire du Dragon might write, as tomllib reads them."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

from hypothesis import strategies as st

from veillee.games.sourire_du_dragon import content as own

Data = dict[str, Any]

# -- the built-in file, changed in a few places -------------------------------------------------------------------
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=5),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.sampled_from(["fr", "en", "de"]), st.text(max_size=5), max_size=2),
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "key": st.sampled_from(["river", "bow", "mine", ""]),
    "kind": st.sampled_from([*own.KINDS, "purple"]),
    "number": st.integers(-13, 13),
    "effect": st.sampled_from([*own.EFFECTS, "dance"]),
    "copies": st.integers(0, 60),
    "for": st.sampled_from([*own.USES, "AC"]),
    "anyone": st.integers(-4, 4),
    "owner": st.integers(-4, 4),
    "dreaded": st.booleans(),
    "combat": st.booleans(),
    "source": st.sampled_from([*own.SOURCES, "hearsay"]),
}
SQUARE = ("key", "kind", "number", "combat", "source")
OF_TABLE = {"characters": ("key",), "outer": SQUARE, "inner": SQUARE, "cards": tuple(set(FIELDS) - {"kind", "combat"})}
CHANGE = (
    st.sampled_from(sorted(OF_TABLE))
    .flatmap(lambda table: st.tuples(st.just(table), st.integers(0, 99), st.sampled_from(sorted(OF_TABLE[table]))))
    .flatmap(lambda at: st.tuples(*map(st.just, at), st.one_of(FIELDS[at[2]], FIELDS[at[2]], FIELDS[at[2]], ODD)))
)


def built_in() -> Data:
    return tomllib.loads(own.KIND.built_in())


def changed(changes: list[tuple[str, int, str, Any]]) -> Data:
    data = built_in()
    for table, number, field, value in changes:
        rows = data[table]
        rows[number % len(rows)][field] = value
    return data


def moved(swaps: list[tuple[str, int, int]]) -> Data:
    """Squares in another order, and other numbers of cards: one more of one, one fewer of another."""
    data = built_in()
    for table, a, b in swaps:
        rows = data[table]
        one, other = rows[a % len(rows)], rows[b % len(rows)]
        if table == "cards":
            if one["copies"] > 1 and other["effect"] != "object":
                one["copies"] -= 1
                other["copies"] += 1
        else:
            rows[a % len(rows)], rows[b % len(rows)] = other, one
    return data


def figures(seed: int, hard: int, strong: int, far: int) -> Data:
    """Every number another one that may be printed: adventures up to `hard`, monsters up to `strong`, moves up to `far`."""
    pick = Random(seed)
    data = built_in()
    for one in [*data["outer"], *data["inner"]]:
        if one["kind"] == "adventure":
            one |= {"number": pick.randint(2, hard), "combat": pick.random() < 0.2}
        elif one["kind"] in ("yellow", "orange", "green") and one["key"] != "windy-pass":
            one["kind"] = pick.choice(["yellow", "orange", "green"])
    for one in data["cards"]:
        if one["effect"] == "object":
            one |= {"anyone": pick.randint(-1, 3), "owner": pick.randint(-1, 3), "for": pick.choice(own.USES)}
        elif one["effect"] == "move":
            one["number"] = pick.choice([-1, 1]) * pick.randint(1, far)
        elif "number" in one:
            most = {"monster": strong, "potion": 6, "last": far}[one["effect"]]
            one["number"] = pick.randint(own.NUMBERS[one["effect"]][0], most)
    return data


def traps(effect: str, number: int, others: int, green: bool, hard: int, penalty: int) -> Data:
    """Every card that is not kept is of one kind, but for a few others; hard squares, green ones between them."""
    data = built_in()
    for one in [*data["outer"], *data["inner"]]:
        if one["kind"] == "adventure":
            one["number"] = hard
        elif green and one["kind"] in ("yellow", "orange"):
            one["kind"] = "green"
    for one in [one for one in data["cards"] if one["effect"] not in own.KEPT][others:]:
        for field in ("number", "dreaded"):
            one.pop(field, None)
        one["effect"] = effect
        if effect in own.NUMBERS:
            one["number"] = number
    next(one for one in data["cards"] if one["key"] == "hat")["anyone"] = penalty
    return data


# -- an owner's rings and cards -----------------------------------------------------------------------------------
EVENTS = ("give", "move", "again", "last", "miss", "retreat", "nothing")
KEPT = ("master", "boots", "potion", "reroll", "uni")


def fresh(seed: int, outer: int, inner: int, hard: float, harsh: float, kept: int, penalties: float) -> Data:
    """Rings of these lengths; `hard` and `harsh`, from 0 to 1: how high the squares' and how bad the cards' numbers are;
    so many kinds of cards that are kept; how many of the objects have a penalty."""
    pick = Random(seed)

    def square(key: str, kind: str) -> dict[str, Any]:
        numbers = {"whirlpool": 6, "adventure": 2 + round(4 * hard * pick.random())}
        number = {"number": numbers[kind]} if kind in numbers else {}
        return {
            "key": key,
            "kind": kind,
            **number,
            "source": "owner",
            "name": {"fr": f"Case {key}", "en": f"Square {key}"},
        }

    def between(name: str, n: int, named: list[str]) -> list[dict[str, Any]]:
        kinds = pick.choices(
            ["yellow", "green", "orange", "adventure"], [4, pick.randint(1, 12), 2, 3], k=n - len(named)
        )
        found = [square(f"{name}-{i}", kind) for i, kind in enumerate(kinds)]
        found += [square(key, "adventure") for key in named]
        pick.shuffle(found)
        return found

    passes = sorted({*own.STAFF_PASSES, *own.CLUB_PASSES} - {own.CASTLE})
    rings = {
        "outer": [
            square("entrance", "start"),
            *between("outer", max(outer, 8 + len(passes)) - 3, passes),
            square("last", "green"),
            square("whirlpool", "whirlpool"),
        ],
        "inner": [square(own.CASTLE, "adventure"), *between("inner", inner - 2, []), square("arrow", "arrow")],
    }
    cards: list[dict[str, Any]] = []

    def card(key: str, effect: str, **fields: Any) -> None:
        text = {"fr": "Voilà.", "en": "There."}
        name = {"fr": f"Carte {key}", "en": f"Card {key}"}
        cards.append(
            {"key": key, "effect": effect, "copies": 1, **fields, "source": "owner", "name": name, "text": text}
        )

    for key in own.OBJECTS.values():
        bonus = (-pick.randint(0, 2) if pick.random() < penalties else pick.randint(0, 3) for _ in range(2))
        card(key, "object", **dict(zip(("anyone", "owner"), bonus, strict=True)), **{"for": pick.choice(own.USES)})
    for n in range(kept):
        effect = pick.choice(KEPT)
        card(f"kept-{n}", effect, **({"number": pick.randint(1, 6)} if effect == "potion" else {}))
    for n in range(pick.randint(1, 20)):
        if pick.random() < 0.5:
            card(f"monster-{n}", "monster", number=2 + round(10 * harsh * pick.random()), dreaded=pick.random() < 0.2)
        else:
            effect = pick.choice(EVENTS)
            far = {"move": pick.choice([-1, 1]) * pick.randint(1, 12), "last": pick.randint(1, 12)}
            card(f"event-{n}", effect, **({"number": far[effect]} if effect in far else {}))
    while sum(one["copies"] for one in cards) < own.DECK:
        pick.choice(cards[len(own.OBJECTS) :])["copies"] += 1
    characters = [{"key": key, "object": thing, "name": {"fr": key, "en": key}} for key, thing in own.OBJECTS.items()]
    about = {"game": "sourire-du-dragon", "version": 1, "fr": "À moi", "en": "Mine"}
    return {"content": about, "characters": characters, **rings, "cards": cards}


SHARE = st.floats(0.0, 1.0)
FILES: dict[str, st.SearchStrategy[Data]] = {
    "changed": st.lists(CHANGE, min_size=1, max_size=4).map(changed),
    "moved": st.lists(
        st.tuples(st.sampled_from(["outer", "inner", "cards", "cards"]), st.integers(0, 99), st.integers(0, 99)),
        min_size=1,
        max_size=12,
    ).map(moved),
    "figures": st.builds(figures, st.integers(0, 2**32), st.integers(2, 6), st.integers(2, 12), st.integers(1, 12)),
    "traps": st.builds(
        traps,
        st.sampled_from(["move", "monster", "retreat", "last", "miss"]),
        st.sampled_from([-12, -3, 2, 6, 12]),
        st.sampled_from([0, 0, 1, 3]),
        st.booleans(),
        st.sampled_from([6, 5, 4]),
        st.sampled_from([0, 0, -1, -3]),
    ),
    "fresh": st.builds(
        fresh,
        st.integers(0, 2**32),
        st.sampled_from([*range(8, 61), 61]),
        st.sampled_from([*range(8, 41), 7]),
        SHARE,
        SHARE,
        st.integers(0, 30),
        st.sampled_from([0.0, 0.0, 0.2, 0.5, 1.0]),
    ),
}
