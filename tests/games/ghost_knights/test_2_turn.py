"""GK-2 A turn, GK-3 A dolmen card."""

from __future__ import annotations

import pytest

from games.ghost_knights.table import asked, glory, guards_of, hold, lay, position, post
from helpers import apply_all
from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.rules import BLACK, BLUE, DOLMEN_CARD, DRAW, GREEN, OWNER, PLAY, PUT, RED, WHITE
from veillee.games.ghost_knights.view import view
from veillee.kernel.state import NOT_YOU


def test_gk_2_1_a_second_draw_ends_the_turn_and_the_left_neighbour_draws():
    g = position()
    apply_all(g, DRAW)
    assert [k.cards() for k in g.knights] == [1, 1, 0, 0, 0]
    assert asked(g) == ("DrawOrPlay", (1,))


def test_gk_2_1_a_card_played_ends_the_turn():
    g = position()
    hold(g, 0, WHITE)
    apply_all(g, PLAY + WHITE, PUT)
    assert asked(g) == ("DrawOrPlay", (1,))
    assert g.knights[0].cards() == 0


def test_gk_2_1_no_passing_and_one_plays_only_what_one_holds():
    g = position()
    hold(g, 0, WHITE)
    assert g.legal(0) == [DRAW, PLAY + WHITE]
    assert g.explain(0, PLAY + BLUE) == "GK-2.1"
    assert g.explain(0, gk.PASS) == "GK-4.1"
    assert g.explain(1, DRAW) == NOT_YOU


def test_gk_2_1_no_hand_limit():
    g = position()
    hold(g, 0, *[WHITE] * 10, *[BLUE] * 10, *[GREEN] * 10)
    apply_all(g, DRAW)
    assert g.knights[0].cards() == 31


def test_gk_2_1_with_an_empty_hand_drawing_is_still_asked():
    g = position()
    assert g.knights[0].cards() == 0
    assert asked(g) == ("DrawOrPlay", (0,))
    assert g.legal(0) == [DRAW]


def test_gk_2_2_own_colour_posts_a_guard_of_ones_own_without_reward():
    g = position()
    hold(g, 0, WHITE)
    apply_all(g, PLAY + WHITE, PUT + 2)
    assert guards_of(g.knights[0]) == [0, 0, 1, 0, 0]
    assert (g.knights[0].reserve, g.knights[0].altar) == (9, 2)
    assert glory(g) == [1] * 5


def test_gk_2_2_the_common_colour_is_ones_own():
    g = position(4)
    hold(g, 0, RED)
    apply_all(g, PLAY + RED, PUT)
    assert guards_of(g.knights[0]) == [1, 0, 0, 0, 0]
    assert glory(g) == [1] * 4


def test_gk_2_2_every_dolmen_may_be_chosen():
    g = position()
    hold(g, 0, WHITE)
    apply_all(g, PLAY + WHITE)
    assert g.legal(0) == [PUT, PUT + 1, PUT + 2, PUT + 3, PUT + 4]


def test_gk_2_3_another_colour_posts_that_players_guard_for_1_glory_and_a_sword():
    g = position()
    hold(g, 0, BLUE)
    apply_all(g, PLAY + BLUE, PUT + 4)
    assert (guards_of(g.knights[1])[4], g.knights[1].reserve) == (1, 9)
    assert (g.knights[0].glory, g.knights[0].altar, g.knights[0].swords) == (2, 3, 7)
    assert g.knights[0].reserve == 10
    assert glory(g)[1:] == [1] * 4


def test_gk_2_3_without_a_sword_in_reserve_the_glory_remains():
    g = position()
    hold(g, 0, RED)
    g.knights[0].swords = 0
    apply_all(g, PLAY + RED, PUT)
    assert (g.knights[0].glory, g.knights[0].altar, g.knights[0].swords) == (2, 2, 0)


def test_gk_2_3_no_sword_is_promised_when_none_is_left():
    g = position()
    hold(g, 0, WHITE, RED)
    assert [(c["reward"], c["sword"]) for c in view(g, 0)["cards"]] == [(0, False), (1, True)]
    g.knights[0].swords = 0
    assert [(c["reward"], c["sword"]) for c in view(g, 0)["cards"]] == [(0, False), (1, False)]


def test_gk_2_3_no_reward_is_promised_once_the_game_is_over():
    g = position()
    hold(g, 0, RED)
    assert view(g, 0)["cards"][0]["reward"] == 1
    g.to_act = ()
    assert (view(g, 0)["cards"][0]["reward"], view(g, 0)["cards"][0]["sword"]) == (0, False)


def test_gk_2_4_not_the_colour_of_a_player_without_a_guard_in_reserve():
    g = position()
    hold(g, 0, BLUE, GREEN)
    g.knights[1].reserve = 0
    g.knights[2].reserve = 1
    assert g.explain(0, PLAY + BLUE) == "GK-2.4"
    assert g.legal(0) == [DRAW, PLAY + GREEN]


@pytest.mark.parametrize("players", [4, 5])
def test_gk_2_4_nor_ones_own_colour_with_an_empty_reserve(players):
    g = position(players)
    hold(g, 0, WHITE)
    assert g.legal(0) == [DRAW, PLAY + WHITE]
    g.knights[0].reserve = 0
    assert g.explain(0, PLAY + WHITE) == "GK-2.4"
    assert g.legal(0) == [DRAW]


def test_gk_2_5_black_posts_anybodys_guard_without_reward():
    g = position()
    hold(g, 0, BLACK)
    apply_all(g, PLAY + BLACK)
    assert g.legal(0) == [OWNER, OWNER + 1, OWNER + 2, OWNER + 3, OWNER + 4]
    apply_all(g, OWNER + 3, PUT + 1)
    assert (guards_of(g.knights[3])[1], g.knights[3].reserve) == (1, 9)
    assert glory(g) == [1] * 5
    assert (g.knights[0].altar, g.knights[0].swords) == (2, 8)


def test_gk_2_5_black_may_post_ones_own():
    g = position(4)
    hold(g, 0, BLACK)
    apply_all(g, PLAY + BLACK)
    assert g.legal(0) == [OWNER, OWNER + 1, OWNER + 2, OWNER + 3]
    apply_all(g, OWNER, PUT + 1)
    assert (guards_of(g.knights[0])[1], g.knights[0].reserve) == (1, 9)


def test_gk_2_5_black_needs_a_guard_in_that_reserve():
    g = position()
    hold(g, 0, BLACK)
    g.knights[0].reserve = g.knights[1].reserve = 0
    g.knights[2].reserve = 1
    apply_all(g, PLAY + BLACK)
    assert g.legal(0) == [OWNER + 2, OWNER + 3, OWNER + 4]
    assert g.explain(0, OWNER) == g.explain(0, OWNER + 1) == "GK-2.5"


@pytest.mark.parametrize(
    ("card", "answers", "rule"),
    [
        (WHITE, (PLAY + WHITE, PUT), "GK-2.2"),
        (BLUE, (PLAY + BLUE, PUT), "GK-2.3"),
        (BLACK, (PLAY + BLACK, OWNER, PUT), "GK-2.5"),
        (BLACK, (PLAY + BLACK, OWNER + 1, PUT), "GK-2.5"),
    ],
)
def test_gk_2_2_gk_2_3_gk_2_5_the_log_cites_the_rule_by_which_a_guard_is_put(card, answers, rule):
    g = position()
    hold(g, 0, card)
    log = apply_all(g, *answers)
    assert [event.rule for event in log.events if event.kind is gk.POSTED] == [rule]


def test_gk_2_6_the_common_colour_needs_a_guard_in_ones_own_reserve():
    g = position(4)
    hold(g, 0, RED)
    assert g.legal(0) == [DRAW, PLAY + RED]
    g.knights[0].reserve = 0
    assert g.explain(0, PLAY + RED) == "GK-2.6"
    assert g.legal(0) == [DRAW]


def test_gk_2_6_black_needs_a_guard_in_any_reserve():
    g = position()
    hold(g, 0, BLACK)
    for knight in g.knights:
        knight.reserve = 0
    assert g.explain(0, PLAY + BLACK) == "GK-2.6"
    g.knights[4].reserve = 1
    assert g.legal(0) == [DRAW, PLAY + BLACK]


def test_gk_2_7_a_played_card_is_discarded_face_up():
    g = position()
    hold(g, 0, BLUE)
    log = apply_all(g, PLAY + BLUE)
    assert (list(g.discards), g.top) == ([0, 1, 0, 0, 0, 0], BLUE)
    assert [(e.rule, e.kind, e.card, e.visible(-1)) for e in log.events] == [("GK-2.7", gk.PLAYED, BLUE, True)]
    assert log.shows == 1


def test_gk_3_1_the_second_card_is_a_dolmen_card():
    g = position()
    lay(g, DOLMEN_CARD)
    hold(g, 0, BLUE)
    g.knights[0].reserve = 1
    log = apply_all(g, DRAW)
    assert [(e.rule, e.kind, e.visible(-1)) for e in log.events] == [("GK-3.1", gk.DOLMEN, True)]
    assert g.knights[0].cards() == 1  # it is discarded, not taken in hand
    assert asked(g) == ("PutGuard", (0,))
    log = apply_all(g, PUT + 3)
    assert (guards_of(g.knights[0])[3], g.knights[0].reserve) == (1, 0)
    assert [e.rule for e in log.events if e.kind is gk.POSTED] == ["GK-3.1"]
    assert glory(g) == [2, 1, 1, 1, 1]
    assert asked(g) == ("Fight", (0,))


def test_gk_3_1_the_first_card_is_a_dolmen_card():
    g = position()
    lay(g, DOLMEN_CARD, WHITE)
    apply_all(g, DRAW)  # seat 0 takes white; seat 1 draws the dolmen card first
    assert asked(g) == ("PutGuard", (1,))
    hold(g, 1, BLUE)
    apply_all(g, PUT)
    assert glory(g) == [1, 2, 1, 1, 1]
    assert asked(g) == ("Fight", (1,))


def test_gk_3_1_an_empty_reserve_posts_nothing_and_the_glory_remains():
    g = position()
    lay(g, DOLMEN_CARD)
    hold(g, 0, BLUE)
    g.knights[0].reserve = 0
    apply_all(g, DRAW)
    assert glory(g) == [2, 1, 1, 1, 1]
    assert asked(g) == ("Fight", (0,))


def test_gk_3_1_the_scoring_follows_the_tournament_at_once():
    g = position()
    lay(g, DOLMEN_CARD)
    post(g, 0, 0, 3)
    apply_all(g, DRAW, PUT + 1)  # no seat holds a card: no fight
    assert glory(g) == [1 + 1 + 2, 1 + 6, 1, 1, 1]
    assert asked(g) == ("DrawOrPlay", (1,))


@pytest.mark.parametrize(("before", "over"), [(30, False), (31, True)])
def test_gk_3_1_no_tournament_if_this_glory_laps_somebody(before, over):
    g = position()
    lay(g, DOLMEN_CARD)
    hold(g, 0, BLUE)
    g.knights[0].glory = before
    log = apply_all(g, DRAW, PUT)
    assert asked(g)[1] == (() if over else (0,))
    assert (log.events[-1].rule == "GK-6.2") is over
    assert guards_of(g.knights[0])[0] == 1  # the effect in hand was completed
