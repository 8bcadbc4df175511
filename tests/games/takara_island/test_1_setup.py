"""TI-1 Components and setup."""

from __future__ import annotations

from collections import Counter

import pytest

from games.takara_island.table import position, row
from veillee.games.takara_island import BOX, content
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island.conformance.census import census
from veillee.games.takara_island.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log

# level: (count, kind, karas, xp, lives, injury), as in the table of the rules
GALLERIES = {
    "shallow": [
        (8, "karas", 2, 0, 0, False),
        (4, "rockfall", 0, 0, 0, False),
        (2, "xp", 0, 1, 0, False),
        (2, "xp", 0, 1, 0, True),
        (1, "monster", 0, 2, 1, False),
        (1, "monster", 5, 1, 1, False),
    ],
    "intermediate": [
        (7, "karas", 4, 0, 0, False),
        (3, "xp", 0, 2, 0, False),
        (3, "xp", 0, 2, 0, True),
        (1, "monster", 10, 1, 2, False),
        (1, "monster", 0, 3, 2, False),
        (1, "monster", 5, 2, 2, False),
        (1, "chest", 0, 0, 0, False),
        (1, "rockfall", 0, 0, 0, False),
    ],
    "deep": [
        (4, "xp", 0, 4, 0, True),
        (3, "xp", 0, 4, 0, False),
        (3, "karas", 6, 0, 0, False),
        (3, "chest", 0, 0, 0, False),
        (1, "monster", 5, 3, 3, False),
        (1, "monster", 15, 1, 3, False),
        (1, "monster", 20, 5, 4, False),
        (2, "stone", 0, 10, 0, False),
    ],
}


@pytest.mark.parametrize("level", GALLERIES)
def test_ti_1_1_the_galleries(level):
    tiles = [t for t in content.TILES if t.level == level]
    assert [(t.count, t.kind, t.karas, t.xp, t.lives, t.injury) for t in tiles] == GALLERIES[level]
    assert sum(t.count for t in tiles) == 18


def test_ti_1_1_the_numbers_of_the_rules_are_those_of_the_content():
    names = ["karas-2", "rockfall-shallow", "goblin-a", "rockfall-intermediate", "drake", "stone", "tablet", "mimic"]
    numbers = [ti.KARAS_2, ti.ROCKFALL_1, ti.GOBLIN_A, ti.ROCKFALL_2, ti.DRAKE, ti.STONE, ti.TABLET, ti.MIMIC]
    assert [content.TILES[n].id for n in numbers] == names


def test_ti_1_1_the_back_shows_the_level():
    levels = [tile["level"] for tile in view(ti.new_game(2, Rng(3), {}), -1)["sites"][0]["tiles"]]
    assert levels == ["shallow"] * 3 + ["intermediate"] * 3 + ["deep"] * 3


@pytest.mark.parametrize("seed", range(30))
def test_ti_1_2_six_piles_of_nine_in_three_levels_and_two_stones_apart(seed):
    g = ti.new_game(3, Rng(seed), {})
    assert [len(site.tiles) for site in g.sites] == [9] * 6
    assert all(site.up == 0 for site in g.sites)
    for level, name in enumerate(content.LEVELS):
        tiles = Counter(tile for site in g.sites for tile in site.tiles[3 * level : 3 * level + 3])
        assert tiles == Counter({i: t.count for i, t in enumerate(content.TILES) if t.level == name})
    assert sum(ti.STONE in site.tiles for site in g.sites) == 2


def test_ti_1_2_each_level_is_shuffled():
    tops = {tuple(site.tiles[-1] for site in ti.new_game(2, Rng(seed), {}).sites) for seed in range(20)}
    stones = {
        tuple(list(site.tiles).index(ti.STONE) if ti.STONE in site.tiles else -1 for site in g.sites)
        for g in (ti.new_game(2, Rng(seed), {}) for seed in range(20))
    }
    assert len(tops) > 15
    assert len(stones) > 10


def test_ti_1_2_the_stones_may_lie_in_any_two_sites():
    games = [ti.new_game(2, Rng(seed), {}) for seed in range(200)]
    pairs = Counter(tuple(s for s, site in enumerate(g.sites) if ti.STONE in site.tiles) for g in games)
    assert len(pairs) == 15


def test_ti_1_3_the_treasures():
    tiles = [(t.id, t.count, t.karas, t.xp) for t in content.TILES if t.level == "treasure"]
    assert tiles == [
        ("tablet", 1, 0, 8),
        ("idol", 3, 0, 4),
        ("gold-bag", 1, 10, 0),
        ("skull", 1, 20, -2),
        ("map", 1, 5, 2),
        ("mimic", 1, 0, 2),
    ]
    orders = {tuple(ti.new_game(2, Rng(seed), {}).chests) for seed in range(20)}
    assert len(orders) > 15
    everything = [ti.TABLET, ti.IDOL, ti.IDOL, ti.IDOL, ti.GOLD_BAG, ti.SKULL, ti.MAP, ti.MIMIC]
    assert all(sorted(order) == everything for order in orders)


def test_ti_1_4_two_adventurers_no_karas_a_recruit_on_the_beach():
    for team in ti.new_game(4, Rng(2), {}).teams:
        assert (team.ready, team.karas, team.recruit, team.hurt, team.rest) == (2, 0, 1, 0, 0)


@pytest.mark.parametrize(("players", "tokens"), [(2, 6), (3, 9), (4, 12)])
def test_ti_1_5_the_stock_of_xp_tokens(players, tokens):
    assert ti.new_game(players, Rng(1), {}).tokens == tokens


def test_ti_1_6_the_specialists_and_their_prices():
    g = position()
    assert [(s.id, s.price) for s in content.SPECIALISTS] == [
        ("miner", 5),
        ("archaeologist", 2),
        ("diviner", 3),
        ("imitator", 2),
    ]
    assert list(g.holder) == [NO_SEAT] * 4
    assert [g.price(skill) for skill in (ti.MINER, ti.ARCHAEOLOGIST, ti.DIVINER)] == [5, 2, 3]


def test_ti_1_6_the_terminal_tells_that_the_imitator_costs_2_karas_more_than_the_copied_one():
    shown = view(position(karas=1), 0) | {"over": False}
    drawn = BOX.draw(shown, ["Ana", "Bo"], BOX.words("en"))
    assert "At the Port: Miner 5, Archaeologist 2, Diviner 3, Imitator +2." in drawn
    assert "1 Kara, " in drawn


def test_ti_1_7_the_first_player_is_drawn_and_play_goes_clockwise():
    log = Log()
    g = ti.new_game(3, Rng(4), {}, log)
    first = log.events[0].seat
    assert g.to_act == (first,)
    assert {ti.new_game(3, Rng(seed), {}).active for seed in range(20)} == {0, 1, 2}
    for later in (1, 2, 3):
        g.apply(g.to_act[0], ti.STOP, Rng(0))
        assert g.to_act == ((first + later) % 3,)


def test_ti_1_7_tiles_won_and_discarded_are_seen_by_all():
    g = position()
    g.teams[0].won = row([ti.XP_4, ti.STONE])
    g.discards[ti.KARAS_2] = 3
    for seat in (-1, 1):
        shown = view(g, seat)
        assert shown["teams"][0]["won"] == ["xp-4", "stone"]
        assert shown["discards"] == {"karas-2": 3}


def test_content_with_a_wrong_count_is_refused():
    with pytest.raises(ValueError, match="17 deep tiles instead of 18"):
        content.check([t for t in content.TILES if t.id != "drake"], content.SPECIALISTS, content.TITLES)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_component_of_the_box_is_on_the_table(players):
    assert census(ti.new_game(players, Rng(1), {})) == {
        **{tile.id: tile.count for tile in content.TILES},
        **{f"adventurers {seat}": 3 for seat in range(players)},
        "tokens": 3 * players,
        "specialists": 4,
    }


def lose_gallery(g: ti.Takara) -> None:
    g.sites[2].remove()


def lose_treasure(g: ti.Takara) -> None:
    g.chests = g.chests[1:]


def win_from_nowhere(g: ti.Takara) -> None:
    g.teams[1].keep(ti.STONE)


def discard_twice(g: ti.Takara) -> None:
    g.discards[ti.MAP] += 1


def exchange(g: ti.Takara) -> None:
    g.sites[0].tiles[8] = ti.KARAS_2 if g.sites[0].tiles[8] != ti.KARAS_2 else ti.BAT_A


def lose_token(g: ti.Takara) -> None:
    g.tokens -= 1


def get_token(g: ti.Takara) -> None:
    g.teams[0].tokens += 1


def lose_adventurer(g: ti.Takara) -> None:
    g.teams[g.active].ready -= 1


def send_nobody(g: ti.Takara) -> None:
    g.at[ti.DEN_PLACE] += 1


def recruit_twice(g: ti.Takara) -> None:
    g.teams[1].ready += 1


def lose_specialist(g: ti.Takara) -> None:
    g.holder[ti.MINER] = 2  # there is no third player


@pytest.mark.parametrize(
    "mishap",
    [
        lose_gallery,
        lose_treasure,
        win_from_nowhere,
        discard_twice,
        exchange,
        lose_token,
        get_token,
        lose_adventurer,
        send_nobody,
        recruit_twice,
        lose_specialist,
    ],
)
def test_the_census_notices_what_is_lost_or_made(mishap):
    g = ti.new_game(2, Rng(1), {})
    before = census(g)
    mishap(g)
    assert census(g) != before
