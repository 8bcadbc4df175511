"""PT-6 Every building, both levels; level-1 effects stay active at level 2."""

from __future__ import annotations

import pytest

from games.paper_tales.table import legends, position, put, raise_to, run
from veillee.games.paper_tales import content
from veillee.games.paper_tales import rules as pt


def losing(level: int, building: int) -> pt.PaperTales:
    """Seat 0 has the building and will win no war against its neighbours."""
    g = position()
    raise_to(g, 0, building, level)
    for seat in (1, 2):
        unit = put(g, seat, pt.MILITIAMAN)
        unit.age = 40
    return g


@pytest.mark.parametrize(("level", "strength"), [(0, 4), (1, 7), (2, 7)])
def test_pt_2_3_1_barracks_1_adds_1_strength_per_wood(level, strength):
    g = losing(level, pt.BARRACKS)
    put(g, 0, pt.KNIGHT)
    put(g, 0, pt.FOREST_SPIRIT, pt.BACK)
    assert g.realms[0].war_strength() == strength


@pytest.mark.parametrize(("level", "points"), [(1, 0), (2, 3)])
def test_pt_2_3_4_barracks_2_a_point_per_unit_whose_actual_strength_is_3_or_more(level, points):
    g = losing(level, pt.BARRACKS)
    put(g, 0, pt.MILITIAMAN, age=1)  # 3
    put(g, 0, pt.MANTICORE, pt.BACK)  # 2 + 2
    put(g, 0, pt.TREEFOLK, pt.BACK)  # 3
    put(g, 0, pt.GIANT_SNAKE, age=1)  # 0, although 4 is printed
    run(g, pt.War)
    assert legends(g)[0] == points


@pytest.mark.parametrize(("level", "crystals", "points"), [(1, 2, 0), (2, 2, 4)])
def test_pt_2_3_4_mine_1_produces_a_crystal_mine_2_gives_2_points_per_crystal(level, crystals, points):
    g = losing(level, pt.MINE)
    put(g, 0, pt.MINER, pt.BACK)
    assert g.realms[0].crystal() == crystals
    run(g, pt.War)
    assert legends(g)[0] == points


@pytest.mark.parametrize(("level", "points"), [(1, 0), (2, 2)])
def test_pt_2_3_4_tavern_1_earns_a_gold_per_food_tavern_2_gives_a_point_per_food(level, points):
    g = losing(level, pt.TAVERN)
    put(g, 0, pt.FARMER, pt.BACK)
    put(g, 0, pt.FOREST_CHILD, pt.BACK)
    assert g.realms[0].income() == 2 + 2
    run(g, pt.War)
    assert legends(g)[0] == points


@pytest.mark.parametrize(("level", "points"), [(1, 0), (2, 2)])
def test_pt_2_3_4_temple_1_earns_2_gold_temple_2_gives_2_points(level, points):
    g = losing(level, pt.TEMPLE)
    assert g.realms[0].income() == 2 + 2
    run(g, pt.War)
    assert legends(g)[0] == points


@pytest.mark.parametrize(("level", "produces"), [(0, (0, 0, 0)), (1, (1, 1, 0)), (2, (1, 1, 1))])
def test_pt_1_4_town_1_produces_wood_and_food_town_2_crystal_too(level, produces):
    realm = losing(level, pt.TOWN).realms[0]
    assert (realm.wood(), realm.food(), realm.crystal()) == produces


@pytest.mark.parametrize("building", range(pt.BUILDINGS))
@pytest.mark.parametrize("level", [1, 2])
def test_pt_1_4_the_content_tells_the_production_that_the_rules_apply(building, level):
    realm = losing(level, building).realms[0]
    shown = dict.fromkeys(content.RESOURCES, 0)
    for step in content.HOUSES[building].levels[:level]:
        for resource, n in step.produces.items():
            shown[resource] += n
    assert shown == {"wood": realm.wood(), "food": realm.food(), "crystal": realm.crystal()}


@pytest.mark.parametrize(
    ("building", "first", "second"),
    [
        (pt.BARRACKS, {"wood": 1}, {"wood": 1, "food": 1}),
        (pt.MINE, {"wood": 1}, {"wood": 1, "crystal": 1}),
        (pt.TAVERN, {"food": 1}, {"wood": 1, "food": 1}),
        (pt.TEMPLE, {"crystal": 1}, {"crystal": 2}),
        (pt.TOWN, {"wood": 1}, {"wood": 2}),
    ],
)
def test_pt_2_5_1_what_each_level_costs(building, first, second):
    assert [level.cost for level in content.HOUSES[building].levels] == [first, second]
    gold = [level.or_gold for level in content.HOUSES[building].levels]
    assert gold == ([2, 3] if building == pt.TEMPLE else [0, 0])
