"""GK-4 Tournament."""

from __future__ import annotations

import pytest

from games.ghost_knights.table import asked, fight, glory, guards_of, hand_of, hold, position, post
from helpers import apply_all
from veillee.games.ghost_knights import BOX
from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.rules import (
    BLACK,
    BLUE,
    GREEN,
    OWNER,
    PASS,
    PLAY,
    PUT,
    RED,
    TAKE,
    WHITE,
    YELLOW,
    GhostKnights,
)
from veillee.games.ghost_knights.view import view
from veillee.kernel.log import NO_SEAT


def test_gk_4_1_it_starts_with_the_one_who_drew_the_dolmen_card_and_goes_clockwise():
    g = position()
    for seat in range(5):
        hold(g, seat, *[seat] * 2)
    fight(g, 3)
    order = []
    for seat in (3, 4, 0, 1, 2, 3):
        order.append(g.to_act[0])
        apply_all(g, PLAY + seat, PUT)
    assert order == [3, 4, 0, 1, 2, 3]


def test_gk_4_1_exactly_one_card_at_a_time():
    g = position()
    hold(g, 0, WHITE, WHITE)
    hold(g, 1, BLUE)
    fight(g)
    apply_all(g, PLAY + WHITE, PUT)
    assert asked(g) == ("Fight", (1,))
    assert g.knights[0].cards() == 1


def test_gk_4_1_who_passed_is_out_and_it_ends_when_all_are():
    g = position()
    hold(g, 0, WHITE, WHITE)
    hold(g, 1, BLUE, BLUE)
    fight(g)
    apply_all(g, PASS)
    assert g.out == 0b00001
    apply_all(g, PLAY + BLUE, PUT)
    assert asked(g) == ("Fight", (1,))  # seat 0 is not asked again
    apply_all(g, PASS)
    assert asked(g) == ("DrawOrPlay", (1,))
    assert g.out == 0  # of this tournament only


def test_gk_4_1_one_may_come_into_the_next_tournament():
    g = position()
    hold(g, 0, WHITE, WHITE)
    for _ in range(2):
        fight(g)
        assert asked(g) == ("Fight", (0,))
        apply_all(g, PASS)


def test_gk_4_1_only_what_one_holds():
    g = position()
    hold(g, 0, WHITE)
    post(g, 0, 0, 1)
    fight(g)
    assert g.explain(0, PLAY + BLUE) == "GK-4.1"
    assert g.legal(0) == [PASS, PLAY + WHITE]


def test_gk_4_2_the_sword_used_leaves_the_game():
    g = position()
    hold(g, 0, WHITE)
    hold(g, 1, BLUE)
    fight(g)
    log = apply_all(g, PLAY + WHITE)
    assert (g.knights[0].altar, g.knights[0].swords) == (1, 8)
    assert ("GK-4.2", gk.SWORD_USED) in [(e.rule, e.kind) for e in log.events]


def test_gk_4_2_passing_uses_no_sword():
    g = position()
    hold(g, 0, WHITE)
    hold(g, 1, BLUE)
    fight(g)
    apply_all(g, PASS)
    assert (g.knights[0].altar, g.knights[0].swords) == (2, 8)


def test_gk_4_3_without_a_sword_on_the_altar_one_takes_no_part():
    g = position()
    for seat in range(5):
        hold(g, seat, WHITE)
    g.knights[0].altar = g.knights[2].altar = 0
    fight(g)
    assert asked(g) == ("Fight", (1,))
    apply_all(g, PASS)
    assert asked(g) == ("Fight", (3,))


def test_gk_4_3_with_the_last_sword_used_one_is_not_asked_again():
    g = position()
    hold(g, 0, WHITE, WHITE, WHITE)
    fight(g)
    apply_all(g, PLAY + WHITE, PUT, PLAY + WHITE, PUT)
    assert asked(g) == ("DrawOrPlay", (1,))
    assert hand_of(g.knights[0])[WHITE] == 1


def test_gk_4_3_without_a_card_in_hand_one_takes_no_part():
    g = position()
    hold(g, 3, YELLOW)
    fight(g)
    assert asked(g) == ("Fight", (3,))
    apply_all(g, PLAY + YELLOW, PUT)
    assert asked(g) == ("DrawOrPlay", (1,))


def marked(g: GhostKnights) -> list[int]:
    """The seats of which the views say that they are out of the tournament: on the board and in the terminal."""
    shown = view(g, NO_SEAT)
    found = [seat for seat, knight in enumerate(shown["knights"]) if shown["fighting"] and not knight["fights"]]
    names = [f"Name{seat}" for seat in range(g.seats())]
    lines = BOX.draw(shown | {"to_act": g.to_act}, names, BOX.words("en")).splitlines()
    assert found == [s for s, name in enumerate(names) for line in lines if name in line and "out of the" in line]
    return found


def test_gk_4_3_who_cannot_fight_is_marked_while_the_tournament_lasts():
    g = position()
    for seat in (0, 1, 2):
        hold(g, seat, WHITE + seat, WHITE + seat)
    g.knights[1].altar = 0
    assert marked(g) == []
    fight(g)
    assert marked(g) == [1, 3, 4]  # without a sword, without a card
    apply_all(g, PASS)
    assert marked(g) == [0, 1, 3, 4]
    apply_all(g, PLAY + GREEN)
    assert asked(g) == ("PutGuard", (2,))
    assert marked(g) == [0, 1, 3, 4]  # while a guard is put, too
    apply_all(g, PUT, PASS)
    assert asked(g)[0] == "DrawOrPlay"
    assert marked(g) == []


def test_gk_4_1_an_answer_out_of_place_is_refused_by_the_rules_of_the_tournament():
    g = position()
    hold(g, 0, WHITE, BLUE)
    fight(g)
    apply_all(g, PLAY + WHITE)
    assert asked(g) == ("PutGuard", (0,))
    assert [g.explain(0, action) for action in (PLAY + BLUE, OWNER, TAKE)] == ["GK-4.1", "GK-4.4", "GK-4.4"]


@pytest.mark.parametrize(("players", "card"), [(5, WHITE), (4, WHITE), (4, RED)])
def test_gk_4_4_own_or_common_colour_posts_a_guard_of_ones_own(players, card):
    g = position(players)
    hold(g, 0, card, YELLOW)
    fight(g)
    apply_all(g, PLAY + card, PUT + 2)
    assert (guards_of(g.knights[0]), g.knights[0].reserve) == ([0, 0, 1, 0, 0], 9)


def test_gk_4_4_another_colour_takes_that_players_guard_back_to_its_reserve():
    g = position()
    hold(g, 0, GREEN)
    hold(g, 1, BLUE)
    post(g, 1, 0, 0, 2)
    post(g, 3, 0, 1, 1)
    fight(g)
    apply_all(g, PLAY + GREEN)
    assert g.legal(0) == [TAKE + 1, TAKE + 3]
    assert g.explain(0, TAKE) == "GK-4.4"
    apply_all(g, TAKE + 1)
    assert (guards_of(g.knights[2]), g.knights[2].reserve) == ([0, 1, 0, 1, 0], 8)
    assert asked(g) == ("Fight", (1,))


def test_gk_4_4_black_takes_any_opponents_guard():
    g = position()
    hold(g, 0, BLACK)
    hold(g, 1, BLUE)
    post(g, 1, 1, 0, 2, 0, 1)
    fight(g)
    assert view(g, 0)["black"]["first"] == 2, "an opponent is proposed, not oneself"
    apply_all(g, PLAY + BLACK)
    assert g.legal(0) == [OWNER, OWNER + 2, OWNER + 4]
    apply_all(g, OWNER + 4, TAKE + 1)
    assert (guards_of(g.knights[4])[1], g.knights[4].reserve) == (0, 10)


def test_gk_4_4_black_or_posts_ones_own():
    g = position()
    hold(g, 0, BLACK)
    hold(g, 1, BLUE)
    fight(g)
    assert view(g, 0)["black"]["first"] == 0, "there is nobody else"
    apply_all(g, PLAY + BLACK)
    assert g.legal(0) == [OWNER]
    apply_all(g, OWNER, PUT + 4)
    assert (guards_of(g.knights[0])[4], g.knights[0].reserve) == (1, 9)


def test_gk_4_4_tournament_cards_are_discarded_and_earn_no_glory():
    g = position()
    hold(g, 0, GREEN)
    hold(g, 1, BLUE)
    post(g, 1, 0, 0, 2)
    fight(g)
    before = glory(g)
    apply_all(g, PLAY + GREEN, TAKE + 1)
    assert glory(g) == before
    assert (g.discards[GREEN], g.top) == (1, GREEN)
    assert (g.knights[0].altar, g.knights[0].swords) == (1, 8)  # and no sword


def test_gk_4_5_another_colour_needs_a_guard_on_the_board():
    g = position()
    hold(g, 0, RED, GREEN)
    post(g, 0, 0, 0, 1)
    fight(g)
    assert g.explain(0, PLAY + RED) == "GK-4.5"
    assert g.legal(0) == [PASS, PLAY + GREEN]


@pytest.mark.parametrize(("players", "card"), [(5, WHITE), (4, RED)])
def test_gk_4_5_own_colour_needs_a_guard_in_reserve(players, card):
    g = position(players)
    hold(g, 0, card)
    g.knights[0].reserve = 0
    fight(g)
    assert g.explain(0, PLAY + card) == "GK-4.5"


def test_gk_4_5_black_needs_one_or_the_other():
    g = position()
    hold(g, 0, BLACK)
    post(g, 0, 10)
    fight(g)
    assert g.explain(0, PLAY + BLACK) == "GK-4.5"  # no reserve, and no other guard on the board
    post(g, 0, 0, 1)
    assert g.legal(0) == [PASS, PLAY + BLACK]
    apply_all(g, PLAY + BLACK)
    assert g.explain(0, OWNER) == g.explain(0, OWNER + 2) == "GK-4.5"
    assert g.legal(0) == [OWNER + 1]


def test_gk_4_5_with_swords_and_no_usable_card_one_is_still_asked():
    g = position()
    hold(g, 0, RED)
    fight(g)
    assert asked(g) == ("Fight", (0,))
    assert g.legal(0) == [PASS]
