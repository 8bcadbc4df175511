"""TI-12 End; TI-13 Public and private."""

from __future__ import annotations

from collections import Counter

import pytest

from games.takara_island.table import SWORD_FACE, asked, begin, end_turn, kinds, pile, position, ready, row
from helpers import apply_all, loaded
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island import words
from veillee.games.takara_island.conformance.census import census
from veillee.games.takara_island.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import END
from veillee.words import Words

ENGLISH = Words("en", {})


def emptied(number: int, players: int = 2, stones: int = 0) -> ti.Takara:
    """Seat 0 acts; so many sites are empty, site 0 has one tile left, and so many stones were found by seat 1."""
    g = ready(players)
    for s in range(number):
        pile(g, ti.SITES - 1 - s)
    pile(g, 0, ti.XP_4)
    g.teams[1].won = row([ti.STONE] * stones)
    g.stone_sites = sum(1 << (ti.SITES - 1 - s) for s in range(stones))
    return g


def test_ti_12_0_a_removed_tile_is_fully_resolved_first():
    g = emptied(3)
    pile(g, 0, ti.CHEST_3)
    g.chests = row([ti.MAP, ti.MIMIC])
    apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE, SWORD_FACE]))
    assert asked(g) == ("ReadMap", (0,))
    apply_all(g, ti.KEEP_MAP)
    assert (g.to_act, g.ending) == ((), ti.BANISHED)


def test_ti_12_0_between_the_two_tiles_of_the_miner():
    g = ready(karas=5)
    pile(g, 0, ti.STONE, ti.XP_4)
    g.teams[1].won = row([ti.STONE])
    g.stone_sites = 1 << 4
    apply_all(g, ti.HIRE + ti.MINER, ti.SITE)
    assert g.ending == ti.TWO_STONES
    assert list(g.sites[0].tiles) == [ti.XP_4]


def test_ti_12_0_at_once_with_no_end_of_the_day():
    g = ready(sword=1)
    pile(g, 0, ti.STONE, ti.XP_4)
    g.stone_sites = 1 << 4
    log = apply_all(g, ti.WORK)
    assert g.to_act == ()
    assert g.sword == 1
    assert g.turns == 0
    assert END in kinds(log)


def test_ti_12_0_seeing_a_stone_is_not_finding_it():
    g = ready()
    pile(g, 0, ti.STONE, ti.XP_4)
    g.stone_sites = 1 << 4
    apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON)
    assert asked(g) == ("Act", (0,))


def test_ti_12_0_a_beaten_monster_and_a_destroyed_rockfall_empty_a_site_too():
    for tile in (ti.BAT_A, ti.ROCKFALL_1):
        g = emptied(3)
        g.sword = 1
        pile(g, 0, tile, up=(0,))
        apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE]))
        assert g.ending == ti.BANISHED


def test_ti_12_0_the_game_is_scored_after_400_turns():
    g = position()
    g.turns = 398
    g.teams[1].tokens = 1
    begin(g, 0)
    end_turn(g)
    assert g.to_act == (1,)
    log = end_turn(g)
    assert (g.turns, g.to_act, g.ending) == (400, (), ti.TOO_LONG)
    assert [e.rule for e in log.events if e.kind is END] == ["TI-12.0"]
    assert g.returns() == [0.0, 1.0]


def test_ti_12_1_four_sites_empty_and_no_stone_everybody_loses():
    g = emptied(3)
    g.teams[1].tokens = 5
    apply_all(g, ti.WORK)
    assert (g.to_act, g.ending) == ((), ti.BANISHED)
    assert g.returns() == [0.0, 0.0]
    assert [g.score(seat) for seat in (0, 1)] == [0, 0], "nothing is even counted"
    assert [[line.points for line in lines] for lines in words.account(g, [], ["A", "B"], ENGLISH)] == [[0], [0]]


def test_ti_12_1_not_with_three_empty_sites_nor_with_a_stone_found():
    g = emptied(2)
    apply_all(g, ti.WORK)
    assert asked(g) == ("Act", (0,))
    g = emptied(3, stones=1)
    apply_all(g, ti.WORK)
    assert asked(g) == ("Act", (0,))


def test_ti_12_2_five_sites_empty_and_one_stone_it_is_discarded_and_most_xp_wins():
    g = emptied(4, stones=1)
    g.teams[1].keep(ti.XP_2)
    log = apply_all(g, ti.WORK)
    assert (g.to_act, g.ending) == ((), ti.ONE_STONE)
    assert list(g.teams[1].won) == [ti.XP_2]
    assert g.discards[ti.STONE] == 1
    assert [g.score(seat) for seat in (0, 1)] == [4, 2]
    assert g.returns() == [1.0, 0.0]
    assert ti.STONE_LOST in kinds(log)


def test_ti_12_3_one_owner_of_both_wins_outright():
    g = ready(3)
    pile(g, 0, ti.STONE, ti.XP_4)
    g.teams[0].won = row([ti.STONE])
    g.stone_sites = 1 << 4
    g.teams[1].tokens = 30
    log = apply_all(g, ti.WORK)
    assert [e.seat for e in log.events if e.kind is ti.BOTH_STONES] == [0]
    assert g.ending == ti.TWO_STONES
    assert g.score(1) > g.score(0)
    assert g.returns() == [1.0, 0.0, 0.0]


def test_ti_12_3_two_owners_most_xp_wins_stones_included():
    g = ready(3)
    pile(g, 0, ti.STONE, ti.XP_4)
    g.teams[1].won = row([ti.STONE, ti.XP_1])
    g.stone_sites = 1 << 4
    g.teams[2].tokens = 5
    apply_all(g, ti.WORK)
    assert [g.score(seat) for seat in range(3)] == [10, 11, 10]
    assert g.returns() == [0.0, 1.0, 0.0]


def test_ti_12_4_what_counts():
    g = position()
    g.teams[0].won = row([ti.XP_4, ti.XP_1_INJURY, ti.GOBLIN_B, ti.IDOL, ti.SKULL, ti.STONE])
    g.teams[0].tokens = 2
    g.teams[0].karas = 14
    assert g.score(0) == 4 + 1 + 3 + 4 - 2 + 10 + 2 * 2 + 2
    lines = words.account(g, [], ["A", "B"], ENGLISH)[0]
    assert {line.text: line.points for line in lines} == {
        "XP tiles": 5,
        "Monsters beaten": 3,
        "Treasures of the chests": 2,
        "Legend Stones": 10,
        "XP tokens": 4,
        "14 Karas": 2,
    }


def test_ti_12_4_a_tie_goes_to_more_xp_before_the_karas_then_it_is_shared():
    g = position()
    g.ending = ti.TWO_STONES
    g.teams[0].won, g.teams[0].karas = row([ti.XP_4]), 5
    g.teams[1].won, g.teams[1].karas = row([ti.XP_4, ti.XP_1]), 4
    assert [g.score(seat) for seat in (0, 1)] == [5, 5]
    assert g.returns() == [0.0, 1.0]
    g.teams[0].won, g.teams[0].karas = row([ti.XP_2, ti.XP_2, ti.XP_1]), 0
    assert g.returns() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("xp", "rank"), [(-2, 0), (0, 0), (9, 0), (10, 1), (19, 1), (20, 2), (29, 2), (30, 3), (39, 3), (40, 4), (77, 4)]
)
def test_ti_12_5_the_five_titles(xp, rank):
    assert ti.title(xp) == rank


def test_ti_12_5_everyone_is_told_their_title():
    g = ready()
    pile(g, 0, ti.STONE, ti.XP_4)
    g.teams[1].won = row([ti.STONE, ti.TABLET, ti.XP_2])
    g.stone_sites = 1 << 4
    log = apply_all(g, ti.WORK)
    assert [(e.seat, e.title, e.xp) for e in log.events if e.kind is ti.TITLED] == [(0, 1, 10), (1, 2, 20)]
    assert view(g, -1)["teams"][1]["title"] == {"fr": "Pétrophiliste en herbe", "en": "Budding stone hunter"}


# -- TI-13 --------------------------------------------------------------------------------------------------


def played(seed: int, decisions: int, players: int = 3) -> ti.Takara:
    """A position in the middle of a random game."""
    rng = Rng(seed)
    g = ti.new_game(players, rng, {})
    for _ in range(decisions):
        if not g.to_act:
            break
        legal = g.legal(g.to_act[0])
        g.apply(g.to_act[0], legal[rng.below(len(legal))], rng)
    return g


@pytest.mark.parametrize("seed", range(12))
def test_ti_13_1_resampling_keeps_what_the_seat_has_seen_and_all_that_is_public(seed):
    g = played(seed, 90)
    rng = Rng(seed)
    for seat in range(-1, 3):
        for _ in range(10):
            world = g.clone()
            world.determinize(seat, rng)
            assert census(world) == census(g)
            for s, site in enumerate(world.sites):
                known = site.up | (g.teams[seat].seen[s] if seat >= 0 else 0)
                for place, tile in enumerate(site.tiles):
                    if (known >> place) & 1:
                        assert tile == g.sites[s].tiles[place]
                    else:
                        assert level(tile) == place // 3
                        assert ti.KIND[tile] != ti.ROCKFALL_TILE or not (site.clear >> place) & 1
                stones = list(site.tiles).count(ti.STONE) + (world.stone_sites >> s & 1)
                assert stones <= 1
            for a, b in zip(world.teams, g.teams, strict=True):
                assert (list(a.seen), list(a.won), a.karas) == (list(b.seen), list(b.won), b.karas)


def level(tile: int) -> int:
    return 2 if tile <= ti.BAT_B else 1 if tile <= ti.ROCKFALL_2 else 0


def test_ti_13_1_resampling_reaches_every_deal_that_fits_and_favours_none():
    """Two stones, three sites with one, two and three unseen deep tiles: 1*2 + 1*3 + 2*3 = 11 pairs."""
    g = ready()
    for s in range(3, ti.SITES):
        pile(g, s)
    pile(g, 0, ti.STONE)
    pile(g, 1, ti.XP_4, ti.STONE)
    pile(g, 2, ti.XP_4, ti.KARAS_6, ti.CHEST_3)
    rng = Rng(5)
    pairs: Counter[tuple[tuple[int, int], ...]] = Counter()
    for _ in range(2200):
        g.determinize(0, rng)
        pairs[tuple((s, p) for s in range(3) for p, t in enumerate(g.sites[s].tiles) if t == ti.STONE)] += 1
    assert len(pairs) == 11
    assert all(130 < n < 270 for n in pairs.values())


def test_ti_13_1_an_observation_that_went_on_has_met_no_rockfall():
    g = ready()
    pile(g, 0, ti.KARAS_2, ti.XP_1, ti.KARAS_2)
    pile(g, 1, ti.ROCKFALL_1, ti.ROCKFALL_1, ti.KARAS_2)
    g.sites[0].tiles = row([ti.KARAS_6] * 3 + [ti.KARAS_4] * 3 + list(g.sites[0].tiles))
    g.sites[1].tiles = row([ti.KARAS_6] * 3 + [ti.KARAS_4] * 3 + list(g.sites[1].tiles))
    apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON, ti.GO_ON)
    rng = Rng(1)
    moved = False
    for _ in range(40):
        world = g.clone()
        world.determinize(1, rng)
        assert ti.ROCKFALL_1 not in world.sites[0].tiles
        moved = moved or list(world.sites[1].tiles) != list(g.sites[1].tiles)
    assert moved


def test_ti_13_1_a_seat_that_saw_a_stone_knows_that_the_other_lies_elsewhere():
    g = ready()
    for s in range(ti.SITES):
        pile(g, s, ti.XP_4, ti.KARAS_6, ti.CHEST_3)
    g.sites[0].tiles[2] = g.sites[1].tiles[0] = ti.STONE
    apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON, ti.GO_ON)
    g.teams[0].seen[0] = 1 << 2  # it saw the stone and forgot the rest
    rng = Rng(2)
    for _ in range(40):
        world = g.clone()
        world.determinize(0, rng)
        assert list(world.sites[0].tiles).count(ti.STONE) == 1
        assert world.sites[0].tiles[2] == ti.STONE


def test_ti_13_1_the_order_of_the_chests_is_known_to_nobody():
    g = position()
    orders = set()
    for seat in range(-1, 2):
        for _ in range(10):
            world = g.clone()
            world.determinize(seat, Rng(len(orders)))
            orders.add(tuple(world.chests))
    assert len(orders) > 5


def test_what_can_still_turn_up_is_counted_for_each_seat():
    g = ready()
    before = view(g, 0)["unseen"]
    assert before["shallow"] == {
        "karas-2": 8,
        "rockfall-shallow": 4,
        "xp-1": 2,
        "xp-1-injury": 2,
        "bat-a": 1,
        "bat-b": 1,
    }
    pile(g, 0, ti.KARAS_2, ti.KARAS_2, ti.BAT_A, *[ti.KARAS_4] * 6)
    apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON)
    assert view(g, 0)["unseen"]["shallow"]["karas-2"] == 6, "the seat has seen two of them"
    assert view(g, 1)["unseen"] == before, "another seat has not"
    apply_all(g, ti.TURN_UP)
    assert "bat-a" not in view(g, 1)["unseen"]["shallow"]
    apply_all(g, ti.WORK)
    assert view(g, 1)["unseen"]["shallow"]["karas-2"] == 7
