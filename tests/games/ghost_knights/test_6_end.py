"""GK-6 End, GK-7 Public and private."""

from __future__ import annotations

import json
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.ghost_knights.table import asked, glory, hand_of, hold, position, post, score
from helpers import apply_all
from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.rules import BLUE, PLAY, PUT
from veillee.games.ghost_knights.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.counts import gather
from veillee.kernel.log import NO_SEAT, Log


@pytest.mark.parametrize(("tournaments", "over"), [(2, False), (3, True)])
def test_gk_6_1_the_fourth_scoring_ends_the_game(tournaments, over):
    g = position()
    g.tournaments = tournaments
    post(g, 0, 2, 1)
    score(g)
    assert (g.to_act == ()) is over
    assert glory(g)[0] == 3  # it was scored


@pytest.mark.parametrize(("before", "over"), [(30, False), (31, True)])
def test_gk_6_2_a_full_lap_is_more_than_30_ahead(before, over):
    g = position()
    g.knights[0].glory = before  # the reward makes it one more, the others have 1
    hold(g, 0, BLUE)
    apply_all(g, PLAY + BLUE, PUT)
    assert (g.to_act == ()) is over
    assert g.knights[0].altar == 3  # the effect in hand is completed: the reward's sword is moved


@pytest.mark.parametrize(("before", "over"), [(29, False), (30, True), (31, True)])
def test_gk_6_2_in_the_other_reading_exactly_30_is_a_lap(before, over):
    g = position()
    g.readings = gk.LAP_AT_30
    g.knights[0].glory = before
    hold(g, 0, BLUE)
    apply_all(g, PLAY + BLUE, PUT)
    assert (g.to_act == ()) is over


def test_gk_6_2_the_table_chooses_the_reading():
    assert gk.new_game(4, Rng(0), {}).readings == gk.new_game(4, Rng(0), {"lap": "passed"}).readings == 0
    assert gk.new_game(4, Rng(0), {"lap": "level"}).readings == gk.LAP_AT_30


@pytest.mark.parametrize(("last", "over"), [(0, False), (1, True)])
def test_gk_6_2_ahead_of_the_last_one_is_enough(last, over):
    g = position()
    for seat in range(5):
        g.knights[seat].glory = 30
    g.knights[0].glory = 31
    g.knights[4].glory = 2 - last
    hold(g, 0, BLUE)
    apply_all(g, PLAY + BLUE, PUT)
    assert (g.to_act == ()) is over


def test_gk_6_2_in_a_scoring_it_is_completed_first():
    g = position()
    g.knights[0].glory = 29
    post(g, 0, 2)  # 29 + 4: lapped at the first dolmen
    post(g, 4, 1, 0, 0, 2)
    score(g)
    assert g.to_act == ()
    assert glory(g) == [33, 1, 1, 3, 1]
    assert [k.altar for k in g.knights] == [2] * 5  # GK-5.5 no swords


def test_gk_6_2_once_it_happened_it_counts_even_if_the_distance_shrinks():
    g = position(4)
    g.knights[0].glory = 28
    post(g, 0, 2)  # 28 + 4 = 32 against 1
    post(g, 1, 0, 1, 1, 1)  # a tie: 2 each for the three others
    score(g)
    assert glory(g) == [32, 2, 2, 2]
    assert max(glory(g)) - min(glory(g)) == 30
    assert g.to_act == ()


def test_gk_6_2_the_bonus_counts_too():
    g = position(4)
    g.knights[0].glory = 29
    for dolmen in range(5):
        post(g, dolmen, 1, 1 if dolmen else 0, 2, 2)  # a tie: 2 each for those present
    score(g)
    assert glory(g) == [29 + 10 + 5, 1 + 8, 1 + 10 + 5, 1 + 10 + 5]  # 30 apart before the bonus
    assert g.to_act == ()


def test_gk_6_3_most_glory_then_swords_on_the_altar_then_cards_then_shared():
    g = position()
    g.knights[1].glory = 9
    assert g.returns() == [0, 1, 0, 0, 0]
    g.knights[2].glory = g.knights[3].glory = 9
    assert g.returns() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 0])
    g.knights[0].altar = 9
    hold(g, 1, BLUE)
    assert g.returns() == [0, 1, 0, 0, 0]  # swords on the altar are equal: cards in hand
    g.knights[2].altar = g.knights[3].altar = 3
    assert g.returns() == [0, 0, 0.5, 0.5, 0]  # swords weigh more than cards
    hold(g, 3, BLUE)
    assert g.returns() == [0, 0, 0, 1, 0]


# -- GK-7.1 hands and the order of the pile are private ----------------------------------------------------
def test_gk_7_1_a_seat_sees_its_own_hand_and_nobody_elses():
    g = position()
    hold(g, 0, BLUE)
    hold(g, 1, gk.RED, gk.RED)
    shown = view(g, 0)
    assert shown["hand"] == [0, 1, 0, 0, 0, 0]
    assert [k["cards"] for k in shown["knights"]] == [1, 2, 0, 0, 0]
    assert view(g, NO_SEAT)["hand"] is None
    before = json.dumps([view(g, 0), view(g, NO_SEAT)])
    g.knights[1].hand = gather([0, 0, 1, 1, 0, 0])
    g.pile = vec[i64](list(g.pile)[::-1])
    assert json.dumps([view(g, 0), view(g, NO_SEAT)]) == before


def test_gk_7_1_everything_else_is_public():
    g = position(4)
    g.pile = vec[i64]([gk.DOLMEN_CARD, gk.WHITE, gk.DOLMEN_CARD, gk.BLUE, gk.DOLMEN_CARD])
    g.lower_half = 3
    g.discards[BLUE] = 2
    post(g, 1, 0, 2)
    shown = view(g, NO_SEAT)
    assert shown["dolmens"][1] == [0, 2, 0, 0]
    assert (shown["pile"], shown["upper_half"]) == (5, 2)
    assert (shown["upper_dolmen_cards"], shown["lower_dolmen_cards"]) == (1, 2)
    assert shown["discards"] == [0, 2, 0, 0, 0, 0]
    knight = shown["knights"][1]
    assert (knight["reserve"], knight["swords"], knight["altar"], knight["glory"]) == (8, 8, 2, 1)


def test_gk_7_1_the_card_drawn_is_told_to_nobody_else():
    g = position()
    log = apply_all(g, gk.DRAW)
    draws = [e for e in log.events if e.kind is gk.DREW]
    assert [e.seat for e in draws] == [0, 1]  # seat 0 its second, seat 1 its first
    for e in draws:
        assert [seat for seat in range(-1, 5) if e.visible(seat)] == [e.seat]
    assert {e.kind for e in log.seen_by(NO_SEAT)} == {gk.DRAWN}
    assert [e.figures for e in log.events if e.kind is gk.DRAWN] == [[]] * 2


@pytest.mark.parametrize("seed", range(6))
def test_gk_7_1_resampling_keeps_all_that_the_seat_knows(seed):
    rng, pick = Rng(seed), Random(seed)
    g = gk.new_game(4 + seed % 2, rng, {}, Log())
    for _ in range(10 * seed):
        if g.to_act:
            g.apply(g.to_act[0], pick.choice(g.legal(g.to_act[0])), rng)
    for seat in range(-1, g.seats()):
        world = g.clone()
        world.determinize(seat, rng)
        assert view(world, seat) == view(g, seat)
        assert asked(world) == asked(g)
        hands = [hand_of(k) for k in world.knights]
        assert [sum(hand) for hand in hands] == [k.cards() for k in g.knights]
        everything = [sum(hand[c] for hand in hands) + list(world.pile).count(c) for c in range(gk.COLOURS)]
        assert everything == [sum(hand_of(k)[c] for k in g.knights) + list(g.pile).count(c) for c in range(gk.COLOURS)]
