"""The advisor of Takara Island: what it hopes for where it has not looked."""

from __future__ import annotations

from rules.takara_island.table import pile, ready, row
from veillee.games.takara_island import bot
from veillee.games.takara_island import rules as ti


def test_a_blind_dig_is_worth_what_the_unseen_tiles_of_its_level_are_worth_on_average():
    g = ready()
    g.teams[0].ready = 1
    for s in range(2, ti.SITES):
        pile(g, s)
    pile(g, 0, ti.KARAS_6, ti.XP_4, ti.STONE)  # deep
    pile(g, 1, ti.XP_2, ti.KARAS_4, ti.KARAS_4, ti.CHEST_3, ti.XP_4, ti.XP_4)  # intermediate on top
    g.teams[0].seen[0] = 1  # the stone
    hopes = row([bot.NOT_YET] * ti.LEVELS)
    deep = (bot.DUG[ti.KARAS_6] + 3 * bot.DUG[ti.XP_4] + bot.DUG[ti.CHEST_3]) // 5
    intermediate = (bot.DUG[ti.XP_2] + 2 * bot.DUG[ti.KARAS_4]) // 3
    for _ in range(2):  # once computed, and once remembered
        assert [bot.work_worth(g, 0, s, hopes) for s in (0, 1)] == [deep, intermediate]
    assert list(hopes) == [deep, intermediate, bot.NOT_YET]


def test_a_tile_that_was_seen_is_worth_what_it_is():
    g = ready()
    g.teams[0].ready = 1
    pile(g, 0, ti.KARAS_6, ti.XP_4, ti.STONE)
    g.teams[0].seen[0] = 1 << 2
    assert bot.work_worth(g, 0, 0, row([bot.NOT_YET] * ti.LEVELS)) == bot.DUG[ti.KARAS_6]
