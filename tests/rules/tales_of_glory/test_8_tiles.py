"""TG-8 The tiles: the built-in set, and an owner's own file."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import veillee
from rules.tales_of_glory.table import IDS
from veillee.games.tales_of_glory import BOX
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import BUILT_IN_FILE, CONTENTS, SETTING, BadContent, build, read
from veillee.kernel.chance import Rng

CONTENT = CONTENTS[0]
SET = CONTENT.set
AGES = ("age 1", "age 2", "age 3")


def tiles_of(pile: str) -> list[int]:
    return [number for number, tile in enumerate(CONTENT.tiles) if tile.pile == pile]


def data() -> dict:
    return tomllib.loads(BUILT_IN_FILE.read_text(encoding="utf-8"))


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
    with pytest.raises(BadContent) as raised:
        build(content, "mine.toml", "own", 1)
    return raised.value.errors


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


def test_tg_8_3_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(BadContent, match="cannot be read"):
        read(tmp_path / "missing.toml", "own", 1)
    (tmp_path / "bad.toml").write_text("[[tile", encoding="utf-8")
    with pytest.raises(BadContent, match="no TOML file"):
        read(tmp_path / "bad.toml", "own", 1)


def line_of(id_: str) -> int:
    return BUILT_IN_FILE.read_text(encoding="utf-8").split("\n").index(f'id = "{id_}"') + 1


def spoilt(text: str) -> str:
    return text.replace('id = "purse"\n', 'id = "purse"\ncost = "3 ducats"\n')


def run(code: str, setting: Path, *, check: bool = True) -> str:
    """In a house of its own, started with the owner's file."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(Path(veillee.__file__).parents[1]), SETTING: str(setting) if setting.name else ""},
        capture_output=True,
        text=True,
        check=check,
    )
    return result.stdout + result.stderr


def test_tg_8_3_a_table_plays_with_the_owners_file_and_says_so(tmp_path):
    mine = tmp_path / "mine.toml"
    text = BUILT_IN_FILE.read_text(encoding="utf-8")
    mine.write_text(text.replace("Tuiles reconstituées (Veillée)", "Ma boîte"), encoding="utf-8")
    said = run(
        "import veillee, json\n"
        "match = veillee.new('tales-of-glory', 3, seed=1)\n"
        "match.play(0, 0)\n"
        "print(match.view(0)['set']['names']['fr'], match.options['tiles'])\n"
        "print(veillee.load(json.loads(json.dumps(match.save()))).view(0)['set']['file'])\n"
        "print(veillee.new('tales-of-glory', 3, seed=1, tiles='veillee').view(0)['set']['file'])\n",
        mine,
    ).split("\n")
    assert said[0].startswith("Ma boîte own-")
    assert said[1:3] == ["mine.toml", "content.toml"]


def test_tg_8_3_a_broken_file_leaves_the_built_in_set(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(spoilt(BUILT_IN_FILE.read_text(encoding="utf-8")), encoding="utf-8")
    said = run(
        "import veillee\nprint(veillee.new('tales-of-glory', 3, seed=1).view(0)['set']['file'])\n",
        mine,
    )
    assert "content.toml" in said
    assert "keeps its built-in tiles" in said
    assert f"mine.toml, line {line_of('purse') + 1}: tile 'purse', field 'cost': expected a number and one of" in said


@pytest.mark.parametrize("broken", [False, True])
def test_tg_8_3_content_on_the_command_line(tmp_path, broken):
    mine = tmp_path / "mine.toml"
    text = BUILT_IN_FILE.read_text(encoding="utf-8").replace("Reconstructed tiles (Veillée)", "My box")
    mine.write_text(spoilt(text) if broken else text, encoding="utf-8")
    said = run(
        "import sys, io\n"
        "from veillee.cli import app\n"
        "sys.stdin = io.StringIO('')\n"
        f"app(['play', 'tales-of-glory', '--seats', '2', '--lang', 'en', '--save', {str(tmp_path / 'saved.json')!r}, '--content', {str(mine)!r}], standalone_mode=False)\n",
        Path(),
        check=False,
    )
    assert ("My box" in said) != broken
    assert (f"mine.toml, line {line_of('purse') + 1}: tile 'purse', field 'cost'" in said) == broken


def test_tg_8_3_a_game_saved_with_tiles_that_are_not_here_is_refused_with_a_sentence():
    saved = veillee.new("tales-of-glory", 2, seed=1).save()
    saved["options"]["tiles"] = "own-0123456789ab"
    with pytest.raises(veillee.BadSave, match="'tiles' is one of veillee, not 'own-0123456789ab'"):
        veillee.load(saved)
    position = tg.new_game(2, Rng(1), {}).dump()
    position["tiles"] = "own-0123456789ab"
    with pytest.raises(ValueError, match="tile set 'own-0123456789ab', which is not loaded"):
        BOX.load(position)
