"""TI-12.0 The end is looked at after the Miner's tiles too; TI-3.5 what the others are told of a look cut short."""

from __future__ import annotations

import pytest

from games.takara_island.table import asked, pile, ready, row
from helpers import apply_all, loaded
from veillee.games.takara_island import rules as ti

REST = [ti.KARAS_4] * 6


def mined_out(*tiles: int, chests: list[int]) -> ti.Takara:
    """Three sites are empty and no stone is found; seat 0 sends the Miner into a site of these tiles."""
    g = ready(karas=5)
    for s in (3, 4, 5):
        pile(g, s)
    pile(g, 0, *tiles)
    g.chests = row(chests)
    apply_all(g, ti.HIRE + ti.MINER, ti.SITE, rng=loaded(6, []))
    return g


@pytest.mark.parametrize("tiles", [(ti.CHEST_3,), (ti.KARAS_2, ti.CHEST_3)])
def test_ti_12_0_a_chest_that_the_miner_finds_as_the_last_tile_of_a_site_ends_the_game(tiles):
    g = mined_out(*tiles, chests=[ti.GOLD_BAG])
    assert list(g.sites[0].tiles) == []
    assert g.discards[ti.GOLD_BAG] == 1, "it was opened first"
    assert (g.to_act, g.ending) == ((), ti.BANISHED)


def test_ti_12_0_but_not_before_its_map_is_read():
    g = mined_out(ti.CHEST_3, chests=[ti.MAP])
    assert (asked(g), g.ending) == (("ReadMap", (0,)), 0)
    apply_all(g, ti.KEEP_MAP)
    assert (g.to_act, g.ending) == ((), ti.BANISHED)


def test_ti_12_0_with_a_tile_left_under_the_chest_the_game_goes_on():
    g = mined_out(ti.KARAS_2, ti.CHEST_3, ti.XP_4, chests=[ti.GOLD_BAG])
    assert list(g.sites[0].tiles) == [ti.XP_4]
    assert (asked(g), g.ending) == (("Act", (0,)), 0)


@pytest.mark.parametrize("before", [0, 1, 2])
def test_ti_3_5_the_others_are_told_how_many_tiles_were_looked_at_when_a_rockfall_stops_the_look(before):
    """The rockfall was looked at as well."""
    g = ready(3)
    pile(g, 0, *[ti.KARAS_2] * before, ti.ROCKFALL_1, *REST)
    log = apply_all(g, ti.OBSERVE, *[ti.GO_ON] * before)
    for seat in (-1, 1, 2):
        told = [(e.site, e.looked) for e in log.seen_by(seat) if e.kind is ti.OBSERVED_ALL]
        assert told == [(0, before + 1)]
