"""TG-1 Components and setup, TG-9 Public and private."""

from __future__ import annotations

import pytest

from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.conformance.census import census
from veillee.games.tales_of_glory.content import CONTENTS
from veillee.games.tales_of_glory.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log

EVERY_TABLE = pytest.mark.parametrize("players", [2, 3, 4, 5])


def new(players: int, seed: int = 1, log: Log | None = None, **options: str) -> tg.TalesOfGlory:
    return tg.new_game(players, Rng(seed), options, log)


def test_tg_1_1_74_tiles_in_three_ages_quests_and_heroes():
    tiles = CONTENTS[0].tiles
    assert len(tiles) == 74
    assert sum(tile.pile.startswith("age") for tile in tiles) == 53
    assert [tile.pile for tile in tiles].count("quest") == 16
    heroes = [tile.names["fr"].split()[1] for tile in tiles if tile.pile == "hero"]
    assert heroes == ["Paladin", "Chaman", "Barbare", "Voleur", "Mage"]


@EVERY_TABLE
def test_tg_1_1_the_board_and_nine_refills_use_up_the_piles(players):
    g = new(players)
    assert len(g.pile) == 9 * 5
    assert [sum(tile in age for tile in [*g.pile, *g.slots, *g.aside]) for age in g.tiles.ages] == [18, 20, 15]
    assert sum(census(g)[f"tile {tile}"] for tile in range(tg.AGE_TILES)) == 53


@pytest.mark.parametrize(("players", "slots", "wild"), [(2, 6, [4, 5, 6]), (3, 6, [4, 5, 6]), (4, 8, [5, 6, 7, 8])])
def test_tg_1_2_slots_and_wild_lands(players, slots, wild):
    board = view(new(players), 0)["slots"]
    assert len(board) == slots
    assert [slot["slot"] for slot in board if slot["wild"]] == wild


@pytest.mark.parametrize(("players", "thrown"), [(2, 3), (3, 2), (4, 1), (5, 0)])
def test_tg_1_3_tiles_that_leave_each_round(players, thrown):
    assert view(new(players), 0)["thrown"] == thrown


@pytest.mark.parametrize(("players", "aside"), [(2, 2), (3, 2), (4, 0), (5, 0)])
def test_tg_1_4_two_of_age_1_are_laid_aside_unseen(players, aside):
    log = Log()
    g = new(players, log=log)
    assert len(g.aside) == aside
    assert all(tile in g.tiles.ages[0] for tile in g.aside)
    shown = view(g, 0)
    assert shown["aside"] == aside
    assert shown["discards"] == []
    assert not any(e.tile % tg.SET in g.aside for e in log.events if e.kind is tg.OFFERED)


@EVERY_TABLE
def test_tg_1_5_a_random_hero_with_its_gain_and_closed_chests(players):
    heroes = set()
    for seed in range(30):
        g = new(players, seed)
        taken = [a.hero for a in g.adventurers]
        assert len(set(taken)) == players
        heroes.add(taken[0])
        for a in g.adventurers:
            assert a.zone() == {tg.HOME: a.hero}
            assert list(a.shut) == [2 * a.hero, 2 * a.hero + 1]
            assert list(a.open) == []
    assert heroes == set(range(tg.FIRST_HERO, tg.TILES))


def test_tg_1_5_the_shaman_begins_with_seven_potions_and_four_coins():
    shaman = next(a for seed in range(20) for a in new(2, seed).adventurers if a.hero == tg.FIRST_HERO + 1)
    assert (shaman.potions, shaman.coins, shaman.combat, shaman.magic, shaman.prestige) == (7, 4, 0, 0, 0)


@EVERY_TABLE
def test_tg_1_5_a_selection_card_for_each_slot(players):
    g = new(players)
    for seat in range(players):
        assert g.legal(seat) == [tg.SELECT + slot for slot in range(len(g.slots))]


@EVERY_TABLE
def test_tg_1_6_first_player_at_random_and_an_age_1_tile_on_each_slot(players):
    assert {new(players, seed).first for seed in range(60)} == set(range(players))
    g = new(players)
    assert all(tile in g.tiles.ages[0] for tile in g.slots)


def test_tg_1_7_supplies_are_unlimited():
    g = new(2)
    a = g.adventurers[0]
    for kind in (tg.COINS, tg.POTIONS, tg.PRESTIGE, tg.COMBAT, tg.MAGIC):
        before = a.has(kind)
        a.receive(kind, 500)
        assert a.has(kind) == before + 500


def test_tg_9_1_selections_quests_and_piles_are_private_all_else_is_public():
    g = new(3, quests="yes")
    for seat in range(3):
        g.apply(seat, g.legal(seat)[0], Rng(0))
    g.apply(1, tg.SELECT + 4, Rng(0))
    mine, theirs, watching = view(g, 1), view(g, 0), view(g, -1)
    assert mine["selected"] == 5
    assert theirs["selected"] is None
    assert watching["selected"] is None
    assert [quest["tile"] for quest in mine["hand"]] == list(g.adventurers[1].hand)
    assert mine["dropped"]["tile"] == g.adventurers[1].dropped
    assert watching["hand"] == []
    assert watching["dropped"] is None
    assert [a["hand"] for a in watching["adventurers"]] == [2, 2, 2]
    public = ("adventurers", "slots", "majorities", "discards", "piles", "round", "first")
    for key in public:
        assert key in watching
    assert mine["adventurers"] == theirs["adventurers"]
    assert mine["piles"] == [10, 20, 15]
