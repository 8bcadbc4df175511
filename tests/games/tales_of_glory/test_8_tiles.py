"""TG-8 The tiles: the built-in set, and an owner's own file."""

from __future__ import annotations

import tomllib
from collections import Counter

import pytest

from games.tales_of_glory.table import IDS
from veillee.games.content import Reader
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import CONTENTS, KIND

CONTENT = CONTENTS[0]
SET = CONTENT.set
AGES = ("age 1", "age 2", "age 3")


def tiles_of(pile: str) -> list[int]:
    return [number for number, tile in enumerate(CONTENT.tiles) if tile.pile == pile]


def data() -> dict:
    return tomllib.loads(KIND.built_in())


def tile(content: dict, id_: str) -> dict:
    return next(tile for tile in content["tile"] if tile["id"] == id_)


# -- TG-8.1 The design ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("pile", "types"), [("age 1", (5, 4, 4, 5)), ("age 2", (5, 6, 4, 5)), ("age 3", (3, 6, 3, 3))])
def test_tg_8_1_the_types_of_each_age(pile, types):
    count = Counter(SET.types[number] for number in tiles_of(pile))
    assert tuple(count[type_] for type_ in (tg.PLACE, tg.MONSTER, tg.TREASURE, tg.CHARACTER)) == types


def test_tg_8_1_multipliers_and_end_marks_on_characters_and_quests_only_the_mark_on_prestige_only():
    for source, gains in enumerate(SET.gains):
        number = source // tg.SOURCES
        for gain in gains:
            if gain.per != tg.ONCE or gain.at_end:
                assert SET.types[number] == tg.CHARACTER or number in tiles_of("quest"), IDS[number]
            if gain.at_end:
                assert list(gain.kinds) == [tg.PRESTIGE]
            if gain.per >= tg.PER_3_COINS:
                assert number in tiles_of("quest"), IDS[number]


def test_tg_8_1_sides_are_spread_evenly():
    for pile in AGES:
        connectors = [sum((SET.sides[n] >> side) & 1 for n in tiles_of(pile)) for side in range(4)]
        assert max(connectors) - min(connectors) <= 2, (pile, connectors)


@pytest.mark.parametrize(("pile", "mean"), [("age 1", 3.2), ("age 2", 2.9), ("age 3", 2.5), ("quest", 2.0)])
def test_tg_8_1_stronger_tiles_have_fewer_connectors(pile, mean):
    connectors = [tg.bits(SET.sides[n]) for n in tiles_of(pile)]
    assert abs(sum(connectors) / len(connectors) - mean) <= 0.2
    single = {IDS[n] for n, count in zip(tiles_of(pile), connectors, strict=True) if count == 1}
    assert pile in ("age 3", "quest") or single <= {"were-ram"}
    assert len(single) <= 3 or pile == "quest"


@pytest.mark.parametrize(
    ("pile", "spent", "thresholds", "chests"),
    [
        ("age 1", range(1, 3), range(1, 3), 9),
        ("age 2", range(1, 4), range(2, 5), 10),
        ("age 3", range(2, 5), range(3, 6), 8),
        ("quest", range(4, 7), range(3, 6), 8),
    ],
)
def test_tg_8_1_what_the_tiles_cost_and_how_many_have_a_chest(pile, spent, thresholds, chests):
    for number in tiles_of(pile):
        assert {SET.coins[number], SET.potions[number]} <= {0, *spent}, IDS[number]
        assert {SET.combat[number], SET.magic[number]} <= {0, *thresholds}, IDS[number]
        assert pile == "age 1" or CONTENT.tiles[number].cost, IDS[number]
    assert sum(SET.chests[number] > 0 for number in tiles_of(pile)) == chests


@pytest.mark.parametrize(("pile", "prestige"), [("age 1", (3, 5)), ("age 2", (6, 9)), ("age 3", (9, 14))])
def test_tg_8_1_the_prestige_of_monsters_rises_with_the_age(pile, prestige):
    for number in tiles_of(pile):
        if SET.types[number] == tg.MONSTER:
            gains = SET.gains[number * tg.SOURCES]
            given = sum(gain.amounts[0] for gain in gains if list(gain.kinds) == [tg.PRESTIGE])
            assert prestige[0] <= given <= prestige[1], IDS[number]


def test_tg_8_1_heroes_have_two_chests_three_or_four_connectors_and_two_half_keys_at_least():
    for hero in tiles_of("hero"):
        assert SET.chests[hero] == 2
        assert tg.bits(SET.sides[hero]) in (3, 4)
        assert tg.bits(SET.halves[hero]) >= 2


@pytest.mark.parametrize("kind", [tg.COMBAT, tg.MAGIC])
def test_tg_8_1_as_much_combat_as_magic_is_printed(kind):
    printed = sum(n for gains in SET.gains for g in gains for k, n in zip(g.kinds, g.amounts, strict=True) if k == kind)
    assert 18 <= printed <= 22


def test_tg_8_1_what_the_rulebook_shows():
    assert [tile.id for tile in CONTENT.tiles if tile.source == "fact"] == [
        "relic-market",
        "barbarian-companion",
        "shaman",
    ]
    barbarian = SET.gains[IDS.index("barbarian-companion") * tg.SOURCES]
    assert [(list(g.kinds), list(g.amounts), g.per, g.at_end) for g in barbarian] == [
        ([tg.PRESTIGE], [2], tg.MONSTER, True)
    ]
    assert tg.bits(SET.sides[IDS.index("were-ram")]) == 1


def test_tg_8_1_every_tile_has_two_names_of_its_own():
    for lang in ("fr", "en"):
        names = Counter(tile.names[lang] for tile in CONTENT.tiles)
        assert [name for name, n in names.items() if n > 1] == [CONTENT.tiles[IDS.index("barbarian")].names[lang]]


# -- TG-8.3 An owner's own file ------------------------------------------------------------------------------
def errors(content: dict) -> list[str]:
    reader = Reader("mine.toml", content)
    assert KIND.read(reader, "") is None
    return [str(error) for error in reader.errors]


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("cost", "2 coin + 1 magic + 1 combat", "at most two of coins, potions, combat, magic"),
        ("cost", "2 crowns", "a number and one of coins, potions, prestige, combat, magic, key, first"),
        ("cost", "1 prestige", "at most two of coins, potions, combat, magic"),
        ("top", "closed", "'open' or 'key'"),
        ("top", "treasure: 1 coin", "only a Place has gains at its sides"),
        ("gain", "3 coins per dragon", "after 'per' one of place, monster"),
        ("gain", "0 coins", "a number from 1 to 99"),
        ("gain", "1 prestige per majority", "'end:' before a gain per majority"),
        ("gain", 3, "gains like '2 coins, 1 key'"),
        ("type", "dragon", "one of place, monster, treasure, character"),
        ("pile", "age 4", "one of age 1, age 2, age 3, quest, hero"),
        ("chests", ["1 coin", "1 coin", "1 coin"], "at most two chests"),
        ("chests", [""], "a content for each chest"),
        ("fr", "", "a name"),
        ("source", "hearsay", "one of rulebook, fact, reconstruction, owner"),
        ("colour", "red", "is unknown"),
    ],
)
def test_tg_8_3_an_error_names_file_tile_field_and_what_was_expected(field, value, expected):
    content = data()
    tile(content, "purse")[field] = value
    found = [error for error in errors(content) if error.startswith(f"mine.toml: tile 'purse', field '{field}': ")]
    assert any(expected in error for error in found), found


def test_tg_8_3_every_error_is_told_at_once():
    content = data()
    tile(content, "purse")["gain"] = "much"
    tile(content, "wisp")["cost"] = "dear"
    tile(content, "mage")["chests"] = ["1 coin"]
    tile(content, "squire")["id"] = "bard"
    content["tile"].pop(0)
    told = errors(content)
    for part in ("'purse', field 'gain'", "'wisp', field 'cost'", "'mage', field 'chests'", "'bard', field 'id'"):
        assert any(part in error for error in told), part
    assert "mine.toml, field 'pile': expected 53 Age tiles in the file, found 52." in told


@pytest.mark.parametrize("content", [{}, {"tile": 3}, {"tile": [1]}, {"tile": [{}]}, {"set": 1, "tile": []}])
def test_tg_8_3_nonsense_is_refused_with_sentences(content):
    assert all(error.startswith("mine.toml") for error in errors(content))
