"""TG-3.2 Place."""

from __future__ import annotations

import pytest

from games.tales_of_glory.table import SIDES, asked, cell, has, holds, lay, number, placed, position, put, resources
from helpers import apply_all
from veillee.games.tales_of_glory import words
from veillee.games.tales_of_glory.content import SIDE_NAMES
from veillee.games.tales_of_glory.rules import DISCARD, NOTHING, PLAY
from veillee.words import Words

EN = Words("en", {})


def test_tg_3_2_1_tiles_are_never_turned():
    """A tile with one connector fits at one side of the hero only: the opposite one."""
    beside = {"top": (0, 1), "right": (-1, 0), "bottom": (0, -1), "left": (1, 0)}
    for side in SIDE_NAMES:
        g = position(purse={side: "open"})
        holds(g, 0, "purse")
        apply_all(g, PLAY)
        assert g.adventurers[0].zone() == {cell(0, 0): g.adventurers[0].hero, cell(*beside[side]): number(g, "purse")}


def test_tg_3_2_2_at_least_one_connector_meets_a_connector():
    g = position(purse={"left": "open"}, vials={"right": "open"})
    lay(g, 0, "purse", 1, 0)  # above and below it: cells that touch bare sides only
    holds(g, 0, "vials")
    apply_all(g, PLAY)  # left of the hero: the only place
    assert cell(-1, 0) in g.adventurers[0].zone()
    g = position(purse={"left": "open"}, vials=SIDES)
    lay(g, 0, "purse", 1, 0)
    holds(g, 0, "vials")
    apply_all(g, PLAY)
    assert g.legal(0) == [put(0, -1), put(0, 1), put(-1, 0)]
    assert g.explain(0, put(2, 0)) == "TG-3.2.3"


def test_tg_3_2_2_bare_sides_alone_are_no_connection():
    g = position(purse={"left": "open"}, vials={"right": "open", "top": "open"})
    lay(g, 0, "purse", 1, 0)
    holds(g, 0, "vials")
    apply_all(g, PLAY)
    assert asked(g) == ("Placing", (0,))
    assert g.explain(0, put(1, -1)) == "TG-3.2.2"  # its bare bottom would touch the bare top of the purse
    assert words.why(g, 0, put(1, -1), "TG-3.2.2", EN) == "No connector of the tile would meet a connector there."
    assert put(1, -1) not in g.legal(0)


def test_tg_3_2_3_the_rulebooks_example():
    """Two Characters side by side with bare sides, each connected elsewhere; two Treasures that do not fit."""
    g = position(
        squire={"bottom": "open"},
        mistvale={"left": "open", "top": "open"},
        herbalist={"bottom": "open"},
        purse={"right": "open", "left": "open"},
        vials={"top": "open"},
    )
    lay(g, 0, "squire", 0, -1)
    lay(g, 0, "mistvale", 1, 0)
    holds(g, 0, "herbalist")
    apply_all(g, PLAY)
    assert g.adventurers[0].zone()[cell(1, -1)] == number(g, "herbalist")  # beside the squire, bare side to bare side
    a = g.adventurers[0]
    assert a.clash(g.tiles.sides[number(g, "purse")], cell(-1, -1)) == "TG-3.2.3"  # no connector where one is needed
    assert a.clash(g.tiles.sides[number(g, "vials")], cell(2, 0)) == "TG-3.2.2"  # touches, and connects nothing


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ((0, 1), ""),
        ((1, -1), ""),
        ((-1, 0), "Its bare right side would face a connector of “The Paladin”."),
        ((0, -2), "Its bare bottom side would face a connector of “The Will-o'-the-Wisp”."),
        ((2, 0), "Its left connector would face a bare side of “The Lost Purse”."),
    ],
)
def test_tg_3_2_3_a_clash_names_its_side(where, sentence):
    g = position(purse={"left": "open"}, wisp=SIDES, vials={"left": "open", "top": "open"})
    lay(g, 0, "purse", 1, 0)
    lay(g, 0, "wisp", 0, -1)
    holds(g, 0, "vials")
    apply_all(g, PLAY)
    rule = g.explain(0, put(*where))
    assert rule == ("TG-3.2.3" if sentence else "")
    assert (words.why(g, 0, put(*where), rule, EN) if rule else "") == sentence


def test_tg_3_2_4_without_a_legal_place_it_must_be_discarded_unpaid():
    g = position(paladin={"top": "open", "chests": ["1 coin", "1 coin"]}, purse={"top": "open", "cost": "1 coin"})
    has(g, 0, coins=5)
    holds(g, 0, "purse")
    assert g.legal(0) == [DISCARD]
    assert g.explain(0, PLAY + NOTHING) == "TG-3.2.4"
    apply_all(g, DISCARD)
    assert resources(g)["coins"] == 6


def test_tg_3_2_4_the_zone_has_no_size_limit():
    g = position(purse={"left": "open", "right": "open"})
    for x in range(1, 13):
        lay(g, 0, "purse", x, 0)
    assert g.adventurers[0].clash(g.tiles.sides[number(g, "purse")], cell(13, 0)) == ""


@pytest.mark.parametrize(
    ("hero", "tile", "keys"), [("key", "key", 1), ("key", "open", 0), ("open", "key", 0), ("open", "open", 0)]
)
def test_tg_3_2_5_two_halves_make_a_key_half_and_empty_only_connect(hero, tile, keys):
    g = position(paladin={**SIDES, "bottom": hero, "chests": ["1 prestige", "1 coin"]}, purse={"top": tile})
    placed(g, 0, "purse", 0, 1)
    assert (asked(g)[0] == "ConnectionKey") == (keys == 1)


def test_tg_3_2_5_a_places_connector_counts_as_empty_for_keys():
    g = position(paladin={**SIDES, "bottom": "key", "chests": ["1 prestige", "1 coin"]}, mistvale={"top": "1 coin"})
    placed(g, 0, "mistvale", 0, 1)
    assert list(g.adventurers[0].open) == []
    assert resources(g) == {"coins": 1}


def test_tg_3_2_5_diagonal_tiles_are_no_neighbours():
    g = position(
        paladin={**SIDES, "bottom": "open", "chests": ["1 prestige", "1 coin"]},
        purse={"left": "key", "bottom": "open"},
        vials={"right": "key", "top": "open"},
        wisp={**SIDES, "chests": ["1 coin"]},
    )
    lay(g, 0, "purse", 1, 0)
    placed(g, 0, "vials", 0, 1)
    assert list(g.adventurers[0].open) == []
