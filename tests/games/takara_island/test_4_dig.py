"""TI-4 Dig; TI-5 Destroy a rockfall."""

from __future__ import annotations

import pytest

from games.takara_island.table import asked, pile, ready, row
from helpers import apply_all
from veillee.games.takara_island import rules as ti
from veillee.kernel.chance import Rng
from veillee.kernel.log import Kind, Log

REST = [ti.KARAS_4] * 6


def told(log: Log) -> list[tuple[str, Kind, int]]:
    """What everybody is told: the rule, what happened, the tile."""
    return [(e.rule, e.kind, e.tile) for e in log.seen_by(-1)]


def test_ti_4_1_the_first_tile_of_a_site_is_turned_up_for_all():
    g = ready()
    pile(g, 2, ti.XP_1, ti.KARAS_2, *REST)
    log = apply_all(g, ti.WORK + 2)
    assert [(e.kind, e.tile, e.site) for e in log.seen_by(-1)] == [(ti.DUG, ti.XP_1, 2)]
    assert log.reveals
    assert g.sites[2].tiles[-1] == ti.KARAS_2
    assert g.teams[0].ready == 1


def test_ti_4_1_not_an_empty_site():
    g = ready()
    pile(g, 2)
    assert g.explain(0, ti.WORK + 2) == "TI-4.1"


def test_ti_4_1_not_where_a_rockfall_or_a_monster_is_on_top():
    g = ready()
    g.teams[0].ready = 1
    pile(g, 0, ti.ROCKFALL_1, *REST, up=(0,))
    pile(g, 1, ti.BAT_A, *REST, up=(0,))
    assert [g.explain(0, ti.WORK + s) for s in (0, 1)] == ["TI-5.1", "TI-9.1"]


@pytest.mark.parametrize(("tile", "karas"), [(ti.KARAS_2, 2), (ti.KARAS_4, 4), (ti.KARAS_6, 6)])
def test_ti_4_2_karas_are_taken_and_the_tile_discarded(tile, karas):
    g = ready()
    pile(g, 0, tile, *REST)
    apply_all(g, ti.WORK)
    assert g.teams[0].karas == karas
    assert g.discards[tile] == 1
    assert list(g.teams[0].won) == []


def test_ti_4_3_a_rockfall_stays_and_holds_the_adventurer_for_nothing():
    g = ready()
    pile(g, 0, ti.ROCKFALL_1, *REST)
    log = apply_all(g, ti.WORK)
    assert told(log) == [("TI-4.3", ti.DUG, ti.ROCKFALL_1)]
    assert g.sites[0].top_up() == ti.ROCKFALL_1
    assert g.teams[0].karas == 0
    assert (g.at[0], g.teams[0].ready, g.teams[0].hurt) == (1, 1, 0)
    apply_all(g, ti.STOP)
    assert g.teams[0].ready == 2, "for this turn only"


def test_ti_4_4_a_monster_injures_without_the_sword():
    g = ready()
    pile(g, 0, ti.GOBLIN_A, *REST)
    log = apply_all(g, ti.WORK)
    assert told(log) == [("TI-4.4", ti.DUG, ti.GOBLIN_A)]
    assert g.sites[0].top_up() == ti.GOBLIN_A
    assert (g.at[0], g.teams[0].hurt) == (0, 1)


def test_ti_4_5_the_sword_protects_and_the_action_ends():
    g = ready(sword=1)
    pile(g, 0, ti.GOBLIN_A, *REST)
    log = apply_all(g, ti.WORK)
    assert told(log) == [("TI-4.5", ti.DUG, ti.GOBLIN_A)]
    assert g.sites[0].top_up() == ti.GOBLIN_A
    assert g.sites[0].wounds == 0
    assert (g.at[0], g.teams[0].hurt, g.teams[0].ready) == (1, 0, 1)


def test_ti_4_6_a_chest_is_discarded_and_its_tile_drawn():
    g = ready()
    pile(g, 0, ti.CHEST_2, *REST)
    g.chests = row([ti.IDOL, ti.MIMIC, ti.TABLET])
    apply_all(g, ti.WORK)
    assert g.discards[ti.CHEST_2] == 1
    assert list(g.teams[0].won) == [ti.TABLET]
    assert list(g.chests) == [ti.IDOL, ti.MIMIC]


def test_ti_4_7_xp_is_kept_in_sight():
    g = ready()
    pile(g, 0, ti.XP_2, *REST)
    apply_all(g, ti.WORK)
    assert list(g.teams[0].won) == [ti.XP_2]
    assert (g.teams[0].hurt, g.at[0]) == (0, 1)


def test_ti_4_7_the_symbol_injures():
    g = ready(sword=1)  # the Sword does not help against it
    pile(g, 0, ti.XP_4_INJURY, *REST)
    apply_all(g, ti.WORK)
    assert list(g.teams[0].won) == [ti.XP_4_INJURY]
    assert (g.teams[0].hurt, g.at[0]) == (1, 0)


def test_ti_4_8_a_stone_is_kept_in_sight():
    g = ready()
    pile(g, 0, ti.STONE, ti.XP_4)
    log = apply_all(g, ti.WORK)
    assert told(log) == [("TI-4.8", ti.DUG, ti.STONE)]
    assert list(g.teams[0].won) == [ti.STONE]
    assert asked(g) == ("Act", (0,))


def rockfalls(number: int) -> ti.Takara:
    g = ready()
    for s in range(number):
        pile(g, s, ti.ROCKFALL_1, *REST, up=(0,))
    return g


def test_ti_5_1_four_visible_rockfalls_give_8_karas():
    g = rockfalls(4)
    log = apply_all(g, ti.WORK + 2)
    assert g.teams[0].karas == 8
    assert [(e.kind, e.tile, e.site, e.karas) for e in log.seen_by(-1)] == [(ti.DESTROYED, ti.ROCKFALL_1, 2, 8)]
    assert g.discards[ti.ROCKFALL_1] == 1
    assert list(g.sites[2].tiles) == REST
    assert g.visible_rockfalls() == 3


def test_ti_5_1_it_takes_two_available_adventurers():
    g = rockfalls(1)
    apply_all(g, ti.WORK)
    assert asked(g) == ("Act", (1,)), "both adventurers were used"
    g = rockfalls(1)
    apply_all(g, ti.DEN)
    assert g.explain(0, ti.WORK) == "TI-5.1"


def test_ti_5_1_covered_and_hidden_rockfalls_are_not_visible():
    g = rockfalls(1)
    pile(g, 1, ti.KARAS_2, ti.ROCKFALL_1, *REST, up=(1,))
    pile(g, 2, ti.ROCKFALL_1, *REST)
    pile(g, 3, ti.BAT_A, *REST, up=(0,))  # visible, but no rockfall
    apply_all(g, ti.WORK)
    assert g.teams[0].karas == 2


def test_ti_5_1_in_the_other_reading_covered_rockfalls_count_but_cannot_be_destroyed():
    g = rockfalls(1)
    g.readings = ti.COVERED_ROCKFALLS
    pile(g, 1, ti.KARAS_2, ti.ROCKFALL_1, *REST, up=(1,))
    pile(g, 2, ti.ROCKFALL_1, *REST)  # face down
    apply_all(g, ti.WORK)
    assert g.teams[0].karas == 4
    assert list(g.sites[1].tiles)[-2] == ti.ROCKFALL_1


def test_ti_5_1_the_table_chooses_the_reading():
    assert ti.new_game(2, Rng(0), {}).readings == 0
    assert ti.new_game(2, Rng(0), {"rockfalls": "all"}).readings == ti.COVERED_ROCKFALLS
    both = {"rockfalls": "all", "mimic": "removed"}
    assert ti.new_game(2, Rng(0), both).readings == ti.COVERED_ROCKFALLS | ti.MIMIC_REMOVED


def test_a_turned_up_tile_is_no_longer_turned_up_once_it_is_gone():
    g = rockfalls(1)
    apply_all(g, ti.WORK)
    assert g.sites[0].up == 0
