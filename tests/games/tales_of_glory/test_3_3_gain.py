"""TG-3.3 Gain, TG-7 Gains."""

from __future__ import annotations

import pytest
from librt.vecs import append, pop

from games.tales_of_glory.table import SIDES, asked, chest, has, lay, placed, position, resources
from helpers import apply_all
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import CONTENTS, KIND_NAMES, PER_NAMES
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.plain import write_step

BELOW = {"top": "open"}


def gain(text: str, **prints):
    """A Character with this gain, to be placed below a hero."""
    return position(bard={**BELOW, "gain": text}, **prints)


def test_tg_3_3_0_keys_then_own_gain_then_place_gains():
    g = position(
        paladin={**SIDES, "bottom": "key", "chests": ["1 magic", "1 coin"]},
        purse={"top": "key", "left": "open", "right": "open", "gain": "1 prestige", "chests": ["2 potions"]},
        mistvale={"right": "treasure: 1 combat", "top": "open"},
        old_bridge={"left": "2 coins", "top": "open"},
    )
    lay(g, 0, "mistvale", -1, 1)
    lay(g, 0, "old-bridge", 1, 1)
    g.agenda, g.to_act = [], ()
    log = Log()
    g.log = log
    tg.place(g, 0, 9, tg.HOME + tg.SPAN)  # the purse
    g.proceed(Rng(0))
    g.log = None
    assert asked(g) == ("ConnectionKey", (0,))
    assert resources(g) == {}
    log.events += apply_all(g, chest(g, "paladin")).events
    gains = [(KIND_NAMES[e.resource], e.amount) for e in log.events if e.kind is tg.GAINED]
    assert gains == [("magic", 1), ("prestige", 1), ("coins", 2), ("combat", 1)]  # right before left: clockwise


def test_tg_3_3_0_each_chest_is_resolved_before_the_next_key():
    """The first key opens a chest with a key in it: that key comes before the second connection's."""
    g = position(
        paladin={**SIDES, "bottom": "key", "chests": ["1 key", "1 coin"]},
        purse={"top": "key", "right": "key", "chests": ["1 prestige"]},
        vials={"left": "key", "top": "open", "chests": ["1 potion"]},
    )
    lay(g, 0, "vials", 1, 1)
    placed(g, 0, "purse", 0, 1)
    assert write_step(g.question) == ["ConnectionKey", 0, 9, tg.FIRST_HERO]
    apply_all(g, chest(g, "paladin"))
    assert asked(g)[0] == "AnyKey"
    assert len(g.legal(0)) == 3
    apply_all(g, chest(g, "vials"))
    assert write_step(g.question) == ["ConnectionKey", 0, 9, 10]
    assert g.legal(0) == [chest(g, "paladin", 1), chest(g, "purse")]


def test_tg_3_3_0_of_two_facing_places_the_new_one_comes_first():
    g = position(mistvale={"top": "open", "right": "1 coin"}, old_bridge={"left": "2 potions", "top": "open"})
    lay(g, 0, "mistvale", -1, 1)
    g.agenda, g.to_act = [], ()
    g.log = log = Log()
    tg.place(g, 0, 4, tg.HOME + tg.SPAN)
    g.proceed(Rng(0))
    assert [KIND_NAMES[e.resource] for e in log.events if e.kind is tg.GAINED] == ["potions", "coins"]


def test_tg_3_3_0_place_connectors_clockwise_from_the_top():
    g = position(
        old_bridge={"top": "1 coin", "right": "1 potion", "bottom": "1 magic", "left": "1 combat"},
        purse={"left": "open", "top": "open"},
        vials={"top": "open"},
        wisp={"right": "open", "top": "open"},
    )
    lay(g, 0, "purse", 1, 1)
    lay(g, 0, "vials", 0, 2)
    lay(g, 0, "wisp", -1, 1)
    g.agenda, g.to_act = [], ()
    g.log = log = Log()
    tg.place(g, 0, 4, tg.HOME + tg.SPAN)
    g.proceed(Rng(0))
    assert [KIND_NAMES[e.resource] for e in log.events if e.kind is tg.GAINED] == [
        "coins",
        "potions",
        "magic",
        "combat",
    ]
    assert {e.rule for e in log.events if e.kind is tg.GAINED} == {"TG-3.3.3"}


def test_tg_3_3_1_in_printed_order_each_at_its_moment():
    """First 2 combat, then 1 Prestige per combat; the other way round would give nothing."""
    g = gain("2 combat, 1 prestige per combat")
    placed(g, 0, "bard", 0, 1)
    assert resources(g) == {"combat": 2, "prestige": 2}
    g = gain("1 prestige per combat, 2 combat")
    placed(g, 0, "bard", 0, 1)
    assert resources(g) == {"combat": 2}


def test_tg_3_3_1_the_new_tile_counts_too():
    g = gain("1 prestige per character")
    placed(g, 0, "bard", 0, 1)
    assert resources(g) == {"prestige": 1}


def test_tg_3_3_1_the_rulebooks_example_one_multiplied_gain_with_two_resources():
    """1 coin and 1 potion for each Monster of the zone; none without a Monster."""
    for monsters, expected in ((0, {}), (2, {"coins": 2, "potions": 2})):
        g = gain("1 coin + 1 potion per monster", wisp=SIDES, goblins=SIDES)
        for n, id_ in enumerate(("wisp", "goblins")[:monsters]):
            lay(g, 0, id_, n + 1, 0)
        placed(g, 0, "bard", 0, 1)
        assert resources(g) == expected


def test_tg_3_3_2_gains_of_the_end_do_nothing_now():
    g = gain("end: 2 prestige per character, 1 coin")
    placed(g, 0, "bard", 0, 1)
    assert resources(g) == {"coins": 1}


EXAMPLE = {"left": "1 coin", "right": "treasure: 3 coins", "top": "treasure: 2 prestige", "bottom": "open"}


@pytest.mark.parametrize("place_comes", ["first", "last"])
@pytest.mark.parametrize(
    ("neighbour", "where", "expected"),
    [
        ("wolves", (-1, 0), {"coins": 1}),  # a Monster at its left, where any will do
        ("vials", (1, 0), {"coins": 3}),  # a Treasure at its right
        ("squire", (0, -1), {}),  # a Character on top, where a Treasure is wanted
        ("purse", (0, -1), {"prestige": 2}),
    ],
)
def test_tg_3_3_3_the_rulebooks_place_with_three_connectors(place_comes, neighbour, where, expected):
    g = position(mistvale=EXAMPLE, wolves=SIDES, vials=SIDES, squire=SIDES, purse=SIDES)
    two = [("mistvale", 5, 5), (neighbour, 5 + where[0], 5 + where[1])]  # away from the hero: only these two matter
    if place_comes == "last":
        two.reverse()
    lay(g, 0, *two[0])
    placed(g, 0, *two[1])
    assert resources(g) == expected


def test_tg_3_3_3_the_hero_has_no_type_and_meets_only_any():
    for wants, expected in (("1 coin", {"coins": 1}), ("character: 1 coin", {}), ("treasure: 1 coin", {})):
        g = position(mistvale={"top": wants})
        placed(g, 0, "mistvale", 0, 1)
        assert resources(g) == expected
        assert len(g.adventurers[0].ground) == 2  # connected all the same


def test_tg_3_3_3_one_placement_may_trigger_several():
    g = position(
        mistvale={"right": "1 coin", "top": "open"},
        old_bridge={"left": "2 potions", "top": "open"},
        purse={**SIDES, "gain": "1 prestige"},
    )
    lay(g, 0, "mistvale", -1, 1)
    lay(g, 0, "old-bridge", 1, 1)
    placed(g, 0, "purse", 0, 1)
    assert resources(g) == {"coins": 1, "potions": 2, "prestige": 1}


# -- TG-7.1 Each gain and each multiplier --------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["coins", "potions", "prestige", "combat", "magic"])
def test_tg_7_1_each_resource(kind):
    g = gain(f"3 {kind}")
    placed(g, 0, "bard", 0, 1)
    assert resources(g) == {kind: 3}


def test_tg_7_1_a_key():
    g = gain("1 key")
    placed(g, 0, "bard", 0, 1)
    assert asked(g)[0] == "AnyKey"
    apply_all(g, chest(g, "paladin"))
    assert resources(g) == {"prestige": 1}


def test_tg_7_1_several_keys_and_what_comes_after_them():
    g = gain("1 key per character, 1 potion", herbalist=BELOW)
    lay(g, 0, "herbalist", 2, 2)
    placed(g, 0, "bard", 0, 1)
    apply_all(g, chest(g, "paladin"))  # the second key has one chest left: it is opened without a question
    assert resources(g) == {"prestige": 1, "coins": 1, "potions": 1}


def test_tg_7_1_the_first_player_token():
    g = gain("1 first")
    placed(g, 2, "bard", 0, 1)
    assert (g.first, g.token) == (0, 2)


def zone_with(g, per: str) -> int:
    """Make the zone of seat 0 hold some of what the multiplier counts; how many, the Character to come included."""
    a = g.adventurers[0]
    if per in ("place", "monster", "treasure", "character"):
        of_type = {"place": "mistvale", "monster": "wisp", "treasure": "purse", "character": "squire"}
        for n, id_ in enumerate(of_type.values()):
            lay(g, 0, id_, 5, n)
        lay(g, 0, of_type[per], 6, 6)
        return 3 if per == "character" else 2
    if per == "key":
        a.shut, key = pop(a.shut)
        a.open = append(a.open, key)
        return 1
    if per in ("combat", "magic"):
        has(g, 0, **{per: 3})
        return 3
    if per == "majority":
        a.majorities = 0b1011
        return 3
    if per in ("3 coins", "3 potions"):
        has(g, 0, **{per[2:]: 7})
        return 2
    if per == "surrounded":
        for x, y in ((0, -1), (1, 0), (-1, 0)):
            lay(g, 0, "wisp", x, y)  # the Character below the hero will be the fourth
        return 1
    lay(g, 0, "vials", 5, 5)
    return 3  # two of the hero, one of the vials


@pytest.mark.parametrize(
    ("per", "when"),
    # Majorities are known at the end only: a tile that counts them now is refused on load (TG-8.3).
    [(per, when) for per in PER_NAMES[1:] for when in ("now", "end") if (per, when) != ("majority", "now")],
)
def test_tg_7_1_each_multiplier_now_and_at_the_end(per, when):
    g = position(
        bard={**BELOW, "gain": f"{'end: ' if when == 'end' else ''}2 prestige per {per}"},
        wisp=SIDES,
        vials={**SIDES, "chests": ["1 coin"]},
    )
    n = zone_with(g, per)
    before = g.adventurers[0].prestige
    placed(g, 0, "bard", 0, 1)
    if when == "end":
        assert g.adventurers[0].prestige == before
        tg.push_end_gains(g)
        g.proceed(Rng(0))
    assert g.adventurers[0].prestige == before + 2 * n


def test_tg_7_1_the_set_uses_each_gain_and_each_multiplier():
    gains = [gain for gains in CONTENTS[0].set.gains for gain in gains]
    assert {kind for gain in gains for kind in gain.kinds} == set(range(tg.KINDS))
    assert {gain.per for gain in gains} == set(range(tg.PERS))
