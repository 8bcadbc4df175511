"""PT-2.5 Construction."""

from __future__ import annotations

import pytest

from games.paper_tales.table import answer, asked, build, golds, levels, position, put, run
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.view import view

BUILD = {name: pt.BUILD + number for number, name in enumerate(("barracks", "mine", "tavern", "temple", "town"))}
HIGH = {name: action + 5 for name, action in BUILD.items()}
UPGRADE = {name: action + 10 for name, action in BUILD.items()}


def construction(g: pt.PaperTales) -> None:
    run(g, pt.Construct, pt.RevealConstructions)


def ready(*kinds: int, gold: int = 9, built: tuple[int, ...] = (0, 0, 0, 0, 0)) -> pt.PaperTales:
    """Seat 0 with these units, this gold and these buildings is about to build; the others can build nothing."""
    g = position()
    for realm in g.realms:
        realm.gold = 0
    g.realms[0].gold = gold
    build(g, 0, built)
    for kind in kinds:
        put(g, 0, kind, pt.BACK)
    return g


def price(g: pt.PaperTales, action: int) -> int:
    return g.realms[0].price_of(action)


def test_pt_2_5_1_build_shows_the_resources_and_pays_the_land():
    g = ready(pt.WOODCUTTER)
    construction(g)
    assert asked(g) == ("Construct", (0,))
    answer(g, 0, BUILD["town"])
    assert (levels(g), golds(g)[0]) == ([0, 0, 0, 0, 1], 9)  # the first land is free
    construction(g)
    answer(g, 0, BUILD["mine"])
    assert (levels(g), golds(g)[0]) == ([0, 1, 0, 0, 1], 7)
    assert price(g, BUILD["barracks"]) == 4


def test_pt_2_5_1_not_without_the_resources_or_the_gold():
    g = ready(pt.FARMER, built=(1, 0, 0, 0, 0), gold=1)
    run(g, pt.Construct)
    assert g.to_act == ()  # nothing can be built: not asked, everyone sees why
    g.realms[0].gold = 2
    run(g, pt.Construct)
    assert g.legal(0) == [pt.NO_BUILDING, BUILD["tavern"]]
    assert g.explain(0, BUILD["town"]) == "PT-2.5.1"
    assert g.explain(0, BUILD["barracks"]) == "PT-2.5.1"  # it stands already


def test_pt_2_5_1_one_action_or_none():
    g = ready(pt.WOODCUTTER)
    construction(g)
    answer(g, 0, pt.NO_BUILDING)
    assert (g.to_act, levels(g), golds(g)[0]) == ((), [0] * 5, 9)


def test_pt_2_5_1_chosen_at_once_and_revealed_together():
    g = ready(pt.WOODCUTTER)
    g.realms[2].gold = 9
    put(g, 2, pt.WOODCUTTER)
    construction(g)
    assert asked(g) == ("Construct", (0, 2))
    before = view(g, 2)["realms"]
    log = answer(g, 0, BUILD["town"])
    assert (view(g, 2)["realms"], log.events, log.reveals) == (before, [], 0)
    assert view(g, 0)["mine"]["construction"] == BUILD["town"]
    assert view(g, 2)["mine"]["construction"] is None
    last = answer(g, 2, BUILD["mine"])
    assert [levels(g, seat) for seat in range(3)] == [[0, 0, 0, 0, 1], [0] * 5, [0, 1, 0, 0, 0]]
    assert last.reveals == 2


def test_pt_2_5_2_straight_to_level_2_takes_both_costs_together():
    g = ready(pt.WOODCUTTER, pt.PEDDLER)
    assert price(g, HIGH["town"]) == pt.OUT_OF_REACH
    put(g, 0, pt.WOODCUTTER)
    assert price(g, HIGH["town"]) == 0  # 1 + 2 = 3 wood
    construction(g)
    answer(g, 0, HIGH["town"])
    assert levels(g)[pt.TOWN] == 2


def test_pt_2_5_2_it_pays_the_land_once():
    g = ready(pt.FOREST_SPIRIT, built=(1, 1, 0, 0, 0))
    assert price(g, HIGH["town"]) == 4
    run(g, pt.Construct)
    assert g.explain(0, HIGH["mine"]) == "PT-2.5.2"


def test_pt_2_5_3_upgrade_takes_the_level_2_cost_and_no_land():
    g = ready(pt.FOREST_CHILD, built=(1, 1, 1, 0, 0), gold=0)
    construction(g)
    assert g.legal(0) == [pt.NO_BUILDING, UPGRADE["barracks"], UPGRADE["mine"], UPGRADE["tavern"]]
    answer(g, 0, UPGRADE["tavern"])
    assert (levels(g), golds(g)[0]) == ([1, 1, 2, 0, 0], 0)


def test_pt_2_5_3_only_from_level_1():
    g = ready(pt.FOREST_SPIRIT, built=(0, 0, 0, 0, 2))
    run(g, pt.Construct)
    assert (g.explain(0, UPGRADE["town"]), g.explain(0, UPGRADE["mine"])) == ("PT-2.5.3", "PT-2.5.3")


@pytest.mark.parametrize(
    ("crystals", "action", "gold"),
    [
        (0, BUILD["temple"], 2),
        (1, BUILD["temple"], 0),
        (0, HIGH["temple"], 5),
        (1, HIGH["temple"], 3),
        (2, HIGH["temple"], 2),
        (3, HIGH["temple"], 0),
    ],
)
def test_pt_2_5_4_each_level_of_the_temple_in_crystal_or_gold_the_cheapest_way(crystals, action, gold):
    g = ready(*[pt.MINER] * crystals)
    assert price(g, action) == gold


@pytest.mark.parametrize(("crystals", "gold"), [(0, 3), (1, 3), (2, 0)])
def test_pt_2_5_4_no_mixing_within_one_level(crystals, gold):
    g = ready(*[pt.MINER] * crystals, built=(0, 0, 0, 1, 0))
    assert price(g, UPGRADE["temple"]) == gold


@pytest.mark.parametrize(
    ("crystals", "action", "built", "gold"),
    [
        (0, BUILD["temple"], (0, 0, 0, 0, 0), 1),
        (0, HIGH["temple"], (0, 0, 0, 0, 0), 3),
        (2, HIGH["temple"], (0, 0, 0, 0, 0), 1),
        (0, UPGRADE["temple"], (0, 0, 0, 1, 0), 2),
        (1, UPGRADE["temple"], (0, 0, 0, 1, 0), 1),
    ],
)
def test_pt_2_5_4_the_grand_architect_buys_crystals_for_the_temple_at_1_gold(crystals, action, built, gold):
    g = ready(pt.GRAND_ARCHITECT, *[pt.MINER] * crystals, built=built)
    assert price(g, action) == gold


def test_pt_2_5_4_production_is_measured_before_building():
    g = ready(pt.PEDDLER, pt.WOODCUTTER)  # wood 2: the Mine at level 2 would need its own crystal
    assert price(g, HIGH["mine"]) == pt.OUT_OF_REACH


@pytest.mark.parametrize(
    ("kinds", "action", "gold"),
    [
        ((pt.WOOD_MERCHANT,), BUILD["town"], 1),
        ((pt.WOOD_MERCHANT,), HIGH["town"], 3),
        ((pt.WOOD_MERCHANT, pt.WOODCUTTER), HIGH["town"], 2),
        ((pt.WOOD_MERCHANT,), BUILD["tavern"], pt.OUT_OF_REACH),
        ((pt.WOOD_MERCHANT,), HIGH["barracks"], pt.OUT_OF_REACH),
        ((pt.WOOD_MERCHANT, pt.FARMER), HIGH["barracks"], 2),
    ],
)
def test_pt_2_5_1_wood_merchant_pays_1_gold_per_missing_wood_and_only_wood(kinds, action, gold):
    assert price(ready(*kinds), action) == gold


@pytest.mark.parametrize(
    ("kinds", "action", "gold"),
    [
        ((pt.GRAND_ARCHITECT,), BUILD["tavern"], 1),
        ((pt.GRAND_ARCHITECT,), HIGH["tavern"], 3),
        ((pt.GRAND_ARCHITECT, pt.FOREST_CHILD), HIGH["tavern"], 1),
        ((pt.GRAND_ARCHITECT,), HIGH["mine"], 3),
    ],
)
def test_pt_2_5_1_grand_architect_pays_1_gold_per_missing_resource_of_any_mix(kinds, action, gold):
    assert price(ready(*kinds), action) == gold


def test_pt_2_5_1_the_landlord_frees_from_the_cost_of_land_but_not_of_the_merchant():
    g = ready(pt.LANDLORD, built=(1, 0, 1, 0, 0), gold=0)
    assert (g.realms[0].land(), price(g, BUILD["town"]), price(g, BUILD["temple"])) == (0, 0, 2)
    put(g, 0, pt.WOOD_MERCHANT)
    assert price(g, HIGH["town"]) == 2
