"""PT-2.3 War."""

from __future__ import annotations

import pytest
from librt.vecs import append

from games.paper_tales.table import golds, legends, position, put, raise_to, run
from veillee.games.paper_tales import rules as pt
from veillee.kernel.chance import Rng


def armies(*strengths: int) -> pt.PaperTales:
    """Kingdoms that are as strong as told: Militiamen with so many ages, or none."""
    g = position(len(strengths))
    for seat, strength in enumerate(strengths):
        if strength:
            unit = pt.new_unit(list(pt.KIND).index(pt.MILITIAMAN), pt.FRONT, strength - 2)
            g.realms[seat].units = append(g.realms[seat].units, unit)
    return g


def test_pt_2_3_1_units_in_front_units_that_fight_from_the_back_and_buildings():
    g = position()
    put(g, 0, pt.KNIGHT, pt.FRONT)
    put(g, 0, pt.KNIGHT, pt.BACK)
    put(g, 0, pt.ARCHER, pt.BACK)
    put(g, 0, pt.WOODCUTTER, pt.BACK)
    assert g.realms[0].war_strength() == 4 + 2
    raise_to(g, 0, pt.BARRACKS, 1)
    assert g.realms[0].war_strength() == 4 + 2 + 1


def test_pt_2_3_2_each_war_won_against_a_neighbour_gives_3():
    g = armies(5, 3, 4, 2)  # the wars: 5-3, 3-4, 4-2, 2-5
    run(g, pt.War)
    assert legends(g) == [6, 0, 6, 0]
    assert [realm.wars for realm in g.realms] == [2, 0, 2, 0]


def test_pt_2_3_2_in_a_tie_both_win():
    g = armies(3, 3, 4)
    run(g, pt.War)
    assert legends(g) == [3, 3, 6]


def test_pt_2_3_2_0_against_0_is_a_tie_too():
    g = armies(0, 0, 3)
    run(g, pt.War)
    assert legends(g) == [3, 3, 6]


def test_pt_2_3_2_only_neighbours_count():
    g = armies(9, 3, 2, 3, 9)  # seat 2 loses to both, and never meets seats 0 and 4
    run(g, pt.War)
    assert legends(g) == [6, 3, 0, 3, 6]


@pytest.mark.parametrize(
    ("mine", "theirs", "points"),
    [(4, 3, [3, 0]), (3, 3, [3, 3]), (6, 3, [6, 0]), (5, 3, [3, 0]), (2, 0, [6, 0]), (0, 0, [3, 3]), (3, 7, [0, 6])],
)
def test_pt_2_3_3_two_players_one_war_and_two_with_at_least_twice_the_strength(mine, theirs, points):
    g = armies(mine, theirs)
    run(g, pt.War)
    assert legends(g) == points


@pytest.mark.parametrize(
    ("mine", "theirs", "points", "rule"),
    [
        (6, 3, [3, 0], "PT-2.3.2"),
        (7, 3, [6, 0], "PT-2.3.3"),
        (3, 6, [0, 3], "PT-2.3.2"),
        (2, 0, [6, 0], "PT-2.3.3"),
        (0, 0, [3, 3], "PT-2.3.2"),
    ],
)
def test_pt_2_3_3_in_the_other_reading_two_wars_take_more_than_twice_the_strength(mine, theirs, points, rule):
    g = armies(mine, theirs)
    g.readings = pt.MORE_THAN_TWICE
    log = run(g, pt.War)
    assert legends(g) == points
    assert [e.rule for e in log.events if e.kind is pt.FOUGHT] == [rule]


def test_pt_2_3_3_the_table_chooses_the_reading():
    assert pt.new_game(2, Rng(0), {}).readings == 0
    assert pt.new_game(2, Rng(0), {"double": "more"}).readings == pt.MORE_THAN_TWICE


def test_pt_2_3_3_effects_per_war_won_count_twice_in_a_double_win():
    g = position(2)
    put(g, 0, pt.ROGUE)
    put(g, 0, pt.COMMANDER, pt.BACK)
    put(g, 1, pt.FARMER)
    run(g, pt.War)
    assert (legends(g), golds(g)) == ([6 + 2, 0], [3 + 2, 3])


def test_pt_2_3_4_phase_3_effects_come_after_the_wars():
    g = armies(2, 4, 4)
    put(g, 0, pt.COMMANDER, pt.BACK)
    put(g, 1, pt.COMMANDER, pt.BACK)
    log = run(g, pt.War)
    assert legends(g) == [0, 6 + 2, 6]
    order = [(e.rule, e.seat) for e in log.events if e.kind is pt.LEGEND]
    assert order == [("PT-2.3.2", 1), ("PT-2.3.2", 2), ("PT-2.3.4", 1)]


def test_pt_2_3_4_the_report_tells_where_every_point_and_coin_came_from():
    g = armies(4, 2, 2)
    put(g, 0, pt.ROGUE, pt.BACK)
    raise_to(g, 0, pt.TEMPLE, 2)
    run(g, pt.War)
    assert list(g.realms[0].ledger) == [
        *(3, pt.FROM_WAR, 6, 0),
        *(3, pt.ROGUE, 0, 2),
        *(3, pt.FROM_BUILDING + pt.TEMPLE, 2, 0),
    ]


def test_pt_2_3_4_barracks_2_units_in_the_back_count_and_an_aged_leviathan_with_its_strength():
    g = position()
    raise_to(g, 0, pt.BARRACKS, 2)
    put(g, 0, pt.KNIGHT, pt.BACK)
    put(g, 0, pt.LEVIATHAN, pt.FRONT, age=1)
    put(g, 0, pt.FARMER, pt.FRONT)
    for seat in (1, 2):
        put(g, seat, pt.MILITIAMAN, age=3)  # 5 each: no war is won by seat 0
    run(g, pt.War)
    assert legends(g)[0] == 2
