"""GK-1 Components and setup."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.ghost_knights.table import asked, empty, guards_of, hold, position
from helpers import apply_all
from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.conformance.census import census
from veillee.games.ghost_knights.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log


def new(players: int, seed: int = 1, log: Log | None = None) -> gk.GhostKnights:
    return gk.new_game(players, Rng(seed), {}, log)


def test_gk_1_1_each_seat_has_its_colour_and_black_is_nobodys():
    g = position(5)
    assert [g.owner_of(colour, 2) for colour in range(5)] == [0, 1, 2, 3, 4]
    assert [knight["colour"] for knight in view(g, 0)["knights"]] == ["white", "blue", "green", "yellow", "red"]
    assert view(g, 0)["common"] is None
    hold(g, 0, gk.BLACK)
    apply_all(g, gk.PLAY + gk.BLACK)
    assert asked(g) == ("WhoseGuard", (0,))  # no colour of a player: one chooses whose guard


def test_gk_1_1_with_four_players_the_colour_that_nobody_took_is_everyones_own():
    g = position(4)
    assert [g.owner_of(gk.RED, seat) for seat in range(4)] == [0, 1, 2, 3]
    assert view(g, 0)["common"] == "red"


@pytest.mark.parametrize("players", [4, 5])
def test_gk_1_2_ten_cards_of_each_of_six_colours(players):
    counts = census(new(players))
    assert [counts[f"cards {colour}"] for colour in range(gk.COLOURS)] == [10] * 6


@pytest.mark.parametrize("players", [4, 5])
def test_gk_1_3_four_dolmen_cards(players):
    assert census(new(players))["dolmen cards"] == 4


@pytest.mark.parametrize("players", [4, 5])
def test_gk_1_4_every_figure_starts_on_space_1_of_a_ring_of_30(players):
    g = new(players)
    knights = view(g, 0)["knights"]
    assert [(k["glory"], k["space"], k["laps"]) for k in knights] == [(1, 1, 0)] * players
    for glory, space, laps in ((30, 30, 0), (31, 1, 1), (62, 2, 2)):
        g.knights[0].glory = glory
        knight = view(g, 0)["knights"][0]
        assert (knight["space"], knight["laps"]) == (space, laps)


@pytest.mark.parametrize("players", [4, 5])
def test_gk_1_5_ten_guards_and_ten_swords_two_of_them_on_the_altar(players):
    g = new(players)
    assert [(k.reserve + sum(guards_of(k)), k.swords, k.altar) for k in g.knights] == [(10, 8, 2)] * players


@pytest.mark.parametrize(("players", "dealt"), [(4, [4, 3, 3, 3, 3]), (5, [4, 4, 4, 4, 4])])
@pytest.mark.parametrize("seed", range(5))
def test_gk_1_6_four_guards_of_each_player_are_dealt_round_the_dolmens(players, dealt, seed):
    g = new(players, seed)
    assert [sum(guards_of(k)[d] for k in g.knights) for d in range(gk.DOLMENS)] == dealt
    assert [sum(guards_of(k)) for k in g.knights] == [4] * players


def test_gk_1_6_they_are_shuffled():
    assert len({str([guards_of(k) for k in new(5, seed).knights]) for seed in range(8)}) == 8


@pytest.mark.parametrize(("players", "cards"), [(4, 48), (5, 44)])
@pytest.mark.parametrize("seed", range(10))
def test_gk_1_7_hands_of_four_and_a_pile_in_two_equal_halves_with_two_dolmen_cards_each(players, cards, seed):
    rng = Rng(seed)
    g = empty(players)
    gk.deal_cards(g, rng)
    assert [k.cards() for k in g.knights] == [4] * players
    assert len(g.pile) == cards
    lower, upper = list(g.pile[: g.lower_half]), list(g.pile[g.lower_half :])
    assert (len(lower), len(upper)) == (cards // 2, cards // 2)
    assert (lower.count(gk.DOLMEN_CARD), upper.count(gk.DOLMEN_CARD)) == (2, 2)


def test_gk_1_7_the_pile_lasts_until_the_fourth_dolmen_card_even_if_it_is_the_last_card():
    g = position(5)
    g.pile = vec[i64]([gk.DOLMEN_CARD] + [gk.WHITE] * 40)
    g.tournaments = 3
    while g.to_act:
        apply_all(g, g.legal(g.to_act[0])[0])  # always draw; in the tournament pass
    assert (g.tournaments, len(g.pile)) == (4, 0)


def test_gk_1_8_the_first_player_is_drawn_by_lot_and_told():
    firsts = set()
    for seed in range(40):
        log = Log()
        g = new(5, seed, log)
        event = log.events[0]
        assert (event.rule, event.kind) == ("GK-1.8", gk.FIRST)
        assert g.to_act == (event.seat,)
        assert g.out == 0  # no seat is out of the tournament to come
        firsts.add(event.seat)
    assert firsts == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("players", [4, 5])
def test_gk_1_8_play_goes_clockwise(players):
    g = position(players)
    order = []
    for _ in range(players + 1):
        order.append(g.to_act[0])
        apply_all(g, gk.DRAW)
    assert order == [*range(players), 0]
