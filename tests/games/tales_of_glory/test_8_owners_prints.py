"""TG-3.2.5, TG-3.3.3 What an owner's box may print that our tiles do not: a hero's type, half a key on a Place."""

from __future__ import annotations

import veillee
from games.tales_of_glory.table import BARE_HERO, asked, content, lay, number, placed, position, resources
from veillee.games.content import Reader
from veillee.games.owners import check_text
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import KIND, read_tiles
from veillee.games.tales_of_glory.view import tile_view
from veillee.kernel.counts import spread

PLACE = {"left": "monster: 2 coins", "right": "open"}


def test_tg_3_3_3_a_hero_without_a_type_meets_only_any():
    g = position(mistvale=PLACE)
    placed(g, 0, "mistvale", 1, 0)
    assert resources(g) == {}


def test_tg_3_3_3_a_hero_may_be_printed_with_a_type():
    g = position(mistvale=PLACE, paladin={**BARE_HERO, "type": "monster"})
    assert spread(g.adventurers[0].types, tg.TYPES)[tg.MONSTER] == 1
    placed(g, 0, "mistvale", 1, 0)
    assert resources(g) == {"coins": 2}


def test_tg_3_3_3_a_quest_has_no_type():
    data = {"tile": [{"id": "q", "pile": "quest", "type": "monster", "fr": "q", "en": "q", "top": "open"}]}
    reader = Reader("mine.toml", data)
    read_tiles(reader)
    assert any("field 'type': expected none for a quest" in str(error) for error in reader.errors)


def test_tg_3_2_5_a_places_connector_may_hold_half_a_key_too():
    inn = {"left": "key; treasure: 3 coins", "right": "open", "chests": ["2 prestige"]}
    prints = {"griffin_inn": inn, "purse": {"right": "key", "left": "open"}}
    assert content(**prints).tiles[number(position(**prints), "griffin-inn")].sides == ("", "open", "", "key gain")
    g = position(**prints)
    lay(g, 0, "purse", 1, 0)
    placed(g, 0, "griffin-inn", 2, 0)  # beside a Treasure that has the other half
    assert asked(g) == ("ConnectionKey", (0,))


def test_tg_3_2_5_the_board_shows_both():
    ours, theirs = 'left = "character: 3 prestige"', 'left = "key; character: 3 prestige"'
    text = KIND.built_in()
    assert ours in text
    own = check_text("mine.toml", text.replace(ours, theirs, 1)).content
    assert own.id != check_text("mine.toml", text).content.id
    KIND.know(own)
    match = veillee.new("tales-of-glory", 2, seed=1, tiles=own.id)
    side = tile_view(match.state, number(match.state, "griffin-inn"))["sides"]["left"]
    assert (side["kind"], side["wants"]) == ("key gain", "character")
    KIND.sets.pop(own.id)


def test_tg_3_2_5_without_it_the_connector_counts_as_empty():
    prints = {"griffin_inn": {"left": "treasure: 3 coins", "right": "open"}, "purse": {"right": "key", "left": "open"}}
    g = position(**prints)
    lay(g, 0, "purse", 1, 0)
    placed(g, 0, "griffin-inn", 2, 0)
    assert (asked(g)[0], resources(g)) == ("", {"coins": 3})
