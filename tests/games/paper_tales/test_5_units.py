"""PT-5 Every unit: what it costs, shows and does. Effects on reveal, in construction and on death are in their phases."""

from __future__ import annotations

import pytest

from games.paper_tales.table import golds, legends, position, put, raise_to, run
from veillee.games.paper_tales import rules as pt

# kind, cost, strength, copies, (wood, food, crystal): front, no age, alone in its kingdom
CARDS = [
    (pt.MONKEY, -1, 1, 2, (0, 0, 0)),
    (pt.ADVENTURER, 0, 2, 2, (0, 0, 0)),
    (pt.BLACKSMITH, 0, 1, 3, (0, 0, 0)),
    (pt.CERBERUS, 0, 2, 3, (0, 0, 0)),
    (pt.COOK, 0, 1, 2, (0, 0, 0)),
    (pt.FARMER, 0, 1, 3, (0, 1, 0)),
    (pt.HUNTER, 0, 2, 2, (0, 1, 0)),
    (pt.MILITIAMAN, 0, 2, 3, (0, 0, 0)),
    (pt.HEALER, 0, 1, 3, (0, 0, 0)),
    (pt.SCULPTOR, 0, 1, 2, (0, 0, 0)),
    (pt.SHAPESHIFTER, 0, 0, 1, (0, 0, 0)),
    (pt.TIME_MASTER, 0, 1, 3, (0, 0, 0)),
    (pt.VETERAN, 0, 3, 3, (0, 0, 0)),
    (pt.WOOD_MERCHANT, 0, 1, 2, (0, 0, 0)),
    (pt.WOODCUTTER, 0, 2, 3, (1, 0, 0)),
    (pt.ARCHER, 1, 2, 2, (0, 0, 0)),
    (pt.CAVE_SPIRIT, 1, 4, 2, (0, 0, 1)),
    (pt.FOREST_CHILD, 1, 1, 3, (1, 1, 0)),
    (pt.GIANT_SNAKE, 1, 4, 1, (0, 0, 0)),
    (pt.GRAND_ARCHITECT, 1, 1, 1, (0, 0, 0)),
    (pt.KNIGHT, 1, 4, 3, (0, 0, 0)),
    (pt.MINER, 1, 2, 3, (0, 0, 1)),
    (pt.NECROMANCER, 1, 4, 1, (0, 0, 0)),
    (pt.PEDDLER, 1, 1, 3, (1, 0, 0)),
    (pt.ROGUE, 1, 3, 2, (0, 0, 0)),
    (pt.TREEFOLK, 1, 3, 2, (0, 1, 0)),
    (pt.COLOSSUS, 2, 1, 1, (0, 0, 0)),
    (pt.COMMANDER, 2, 4, 2, (0, 0, 0)),
    (pt.DEMON, 2, 7, 1, (0, 0, 0)),
    (pt.GOLEM, 2, 3, 2, (0, 0, 0)),
    (pt.LANDLORD, 2, 1, 1, (1, 0, 0)),
    (pt.MANTICORE, 2, 2, 3, (0, 0, 0)),
    (pt.MASTER_ALCHEMIST, 2, 1, 1, (0, 0, 0)),
    (pt.OGRE, 2, 4, 1, (0, 0, 0)),  # 2, and 1 for each of the 2 gold of its income
    (pt.PALM_READER, 2, 1, 2, (0, 0, 0)),
    (pt.RELIC, 2, 0, 1, (0, 0, 0)),
    (pt.SALAMANDER, 2, 4, 1, (0, 0, 0)),
    (pt.DRAGON, 3, 0, 1, (0, 0, 0)),
    (pt.FOREST_SPIRIT, 3, 3, 1, (3, 0, 0)),
    (pt.LEVIATHAN, 3, 4, 1, (0, 0, 0)),
    (pt.STRATEGIST, 3, 1, 1, (0, 0, 0)),
    (pt.KRAKEN, 6, 9, 1, (0, 0, 0)),
]


@pytest.mark.parametrize(("kind", "cost", "strength", "copies", "produces"), CARDS)
def test_pt_1_2_each_unit_has_its_cost_strength_copies_and_production(kind, cost, strength, copies, produces):
    g = position()
    assert (pt.COST[kind], list(pt.KIND).count(kind)) == (cost, copies)
    unit = put(g, 0, kind)
    realm = g.realms[0]
    assert realm.power(unit) == strength
    assert (realm.wood(), realm.food(), realm.crystal()) == produces


def test_all_42_are_listed():
    assert [kind for kind, *_ in CARDS] == list(range(pt.KINDS))


@pytest.mark.parametrize("age", [0, 1, 3])
def test_pt_1_4_adventurer_a_crystal_per_age_on_her(age):
    g = position()
    put(g, 0, pt.ADVENTURER, age=age)
    put(g, 0, pt.KNIGHT, age=5)
    assert g.realms[0].crystal() == age


def test_pt_1_4_hunter_food_in_front_only():
    g = position()
    hunter = put(g, 0, pt.HUNTER, pt.BACK)
    assert g.realms[0].food() == 0
    hunter.row = pt.FRONT
    assert g.realms[0].food() == 1


def test_pt_2_3_1_cerberus_is_3_strong_if_the_kingdom_produces_food():
    g = position()
    cerberus = put(g, 0, pt.CERBERUS)
    put(g, 0, pt.FOREST_CHILD, pt.BACK)
    put(g, 0, pt.FARMER, pt.BACK)
    assert g.realms[0].power(cerberus) == 3


@pytest.mark.parametrize("kind", [pt.MILITIAMAN, pt.SALAMANDER])
def test_pt_2_3_1_militiaman_and_salamander_1_more_per_age_on_them(kind):
    g = position()
    unit = put(g, 0, kind, age=3)
    put(g, 0, pt.KNIGHT, age=4)
    assert g.realms[0].power(unit) == pt.STRENGTH[kind] + 3


@pytest.mark.parametrize("kind", [pt.MANTICORE, pt.LEVIATHAN])
def test_pt_2_3_1_manticore_and_leviathan_2_more_per_food(kind):
    g = position()
    unit = put(g, 0, kind)
    put(g, 0, pt.FARMER, pt.BACK)
    put(g, 0, pt.TREEFOLK, pt.BACK)
    assert g.realms[0].power(unit) == pt.STRENGTH[kind] + 4
    assert g.realms[0].war_strength() == pt.STRENGTH[kind] + 4


def test_pt_2_3_1_an_aged_leviathan_gives_2_food_and_cannot_fight():
    g = position()
    leviathan = put(g, 0, pt.LEVIATHAN, age=1)
    realm = g.realms[0]
    assert (realm.food(), realm.war_strength()) == (2, 0)
    assert realm.power(leviathan) == 4 + 2 * 2


def test_pt_2_3_1_an_aged_giant_snake_is_0_strong_and_brings_3_gold():
    g = position()
    snake = put(g, 0, pt.GIANT_SNAKE, age=1)
    assert (g.realms[0].power(snake), g.realms[0].income()) == (0, 2 + 3)
    snake.age = 0
    assert (g.realms[0].power(snake), g.realms[0].income()) == (4, 2)


def test_pt_2_3_1_an_aged_colossus_is_7_strong():
    g = position()
    colossus = put(g, 0, pt.COLOSSUS, age=2)
    assert g.realms[0].power(colossus) == 7


def test_pt_2_3_1_the_dragon_is_7_strong_if_the_kingdom_produces_crystal():
    g = position()
    dragon = put(g, 0, pt.DRAGON)
    adventurer = put(g, 0, pt.ADVENTURER, pt.BACK)
    assert g.realms[0].power(dragon) == 0
    adventurer.age = 1
    assert g.realms[0].power(dragon) == 7


def test_pt_2_3_1_the_ogre_is_as_much_stronger_as_this_turns_income_brings():
    g = position()
    ogre = put(g, 0, pt.OGRE)
    put(g, 0, pt.PEDDLER, pt.BACK)
    put(g, 0, pt.ROGUE, pt.BACK)  # its gold is phase 3's
    raise_to(g, 0, pt.TEMPLE, 1)
    assert g.realms[0].power(ogre) == 2 + 2 + 1 + 2
    before = g.realms[0].gold
    run(g, pt.Income)
    assert g.realms[0].gold - before == 5


def test_pt_2_3_1_the_strategist_counts_every_age_in_the_kingdom_and_fights_from_the_back():
    g = position()
    put(g, 0, pt.STRATEGIST, pt.BACK, age=1)
    put(g, 0, pt.FARMER, pt.BACK, age=2)
    put(g, 1, pt.FARMER, age=4)
    assert g.realms[0].war_strength() == 1 + 3


def test_pt_2_3_1_the_archer_fights_from_the_back_and_from_the_front():
    g = position()
    archer = put(g, 0, pt.ARCHER, pt.BACK)
    put(g, 0, pt.KNIGHT, pt.BACK)
    assert g.realms[0].war_strength() == 2
    archer.row = pt.FRONT
    assert g.realms[0].war_strength() == 2


@pytest.mark.parametrize(
    ("kind", "others", "gold"),
    [
        (pt.BLACKSMITH, [], 1),
        (pt.PEDDLER, [], 1),
        (pt.COOK, [pt.FARMER, pt.TREEFOLK], 2),
        (pt.COOK, [], 0),
        (pt.MASTER_ALCHEMIST, [pt.FOREST_SPIRIT, pt.WOODCUTTER], 4),
        (pt.KNIGHT, [], 0),
    ],
)
def test_pt_2_4_1_what_units_earn(kind, others, gold):
    g = position()
    put(g, 0, kind, pt.BACK)
    for other in others:
        put(g, 0, other)
    assert g.realms[0].income() == 2 + gold


@pytest.mark.parametrize("row", [pt.FRONT, pt.BACK])
@pytest.mark.parametrize(
    ("kind", "others", "legend", "gold"),
    [
        (pt.ROGUE, [], 0, 2),
        (pt.COMMANDER, [], 2, 0),
        (pt.COLOSSUS, [], 2, 0),
        (pt.MASTER_ALCHEMIST, [pt.MINER, pt.MINER, pt.MINER], 6, 0),
        (pt.MASTER_ALCHEMIST, [], 0, 0),
    ],
)
def test_pt_2_3_4_what_units_bring_per_war_won(kind, others, legend, gold, row):
    g = position()
    put(g, 0, pt.KNIGHT)
    put(g, 0, kind, row)
    for other in others:
        put(g, 0, other, pt.BACK)
    run(g, pt.War)
    assert g.realms[0].wars == 2
    assert (legends(g)[0] - 6, golds(g)[0] - 3) == (legend, gold)


@pytest.mark.parametrize("kind", [pt.ROGUE, pt.COMMANDER, pt.COLOSSUS, pt.MASTER_ALCHEMIST])
def test_pt_2_3_4_nothing_without_a_war_won(kind):
    g = position()
    put(g, 0, kind, pt.BACK)
    put(g, 0, pt.MINER, pt.BACK)
    put(g, 1, pt.KNIGHT)
    put(g, 2, pt.KNIGHT)
    run(g, pt.War)
    assert (legends(g)[0], golds(g)[0]) == (0, 3)
