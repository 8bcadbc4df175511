"""GK-5 Scoring."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ghost_knights.table import asked, glory, guards_of, position, post, score, station
from veillee.games.ghost_knights import rules as gk
from veillee.kernel.chance import Rng


def gains(*here: int, players: int = 5) -> list[int]:
    g = position(players)
    post(g, 2, *here)
    gk.score_dolmen(g, 2)
    return [points - 1 for points in glory(g)]


def test_gk_5_1_example_a_alone_with_the_most():
    assert gains(3, 4, 2, 0, 0) == [0, 4, 0, 0, 0]


@pytest.mark.parametrize(("here", "points"), [((1, 2), [0, 2, 0, 0, 0]), ((5, 0, 0, 0, 4), [5, 0, 0, 0, 0])])
def test_gk_5_1_one_glory_for_each_own_guard(here, points):
    assert gains(*here) == points


def test_gk_5_2_double_if_nobody_else_is_there():
    assert gains(0, 0, 3) == [0, 0, 6, 0, 0]
    assert gains(0, 0, 0, 0, 1) == [0, 0, 0, 0, 2]


def test_gk_5_3_example_b_a_tie_pays_all_who_are_present():
    assert gains(4, 4, 2, 0, 0) == [4, 4, 4, 0, 0]


@pytest.mark.parametrize(
    ("here", "points"),
    [((1, 1), [1, 1, 0, 0, 0]), ((2, 2, 2, 2, 2), [2, 2, 2, 2, 2]), ((1, 0, 3, 2, 3), [3, 0, 3, 3, 3])],
)
def test_gk_5_3_as_much_as_one_of_the_tied_has_guards(here, points):
    assert gains(*here) == points


def test_gk_5_1_an_empty_dolmen_gives_nothing():
    assert gains() == [0, 0, 0, 0, 0]


def test_gk_5_4_five_more_for_guards_at_all_five_dolmens():
    g = position()
    for dolmen in range(5):
        post(g, dolmen, 1, 2)
    post(g, 0, 0, 0, 1)
    score(g)
    assert glory(g) == [1 + 5, 1 + 10 + 5, 1, 1, 1]


def test_gk_5_4_four_dolmens_are_not_enough():
    g = position()
    for dolmen in range(4):
        post(g, dolmen, 1, 2)
    score(g)
    assert glory(g) == [1, 1 + 8, 1, 1, 1]


def test_gk_5_5_a_sword_each_then_the_left_neighbour_and_the_guards_stay():
    g = position()
    post(g, 0, 1, 2)
    g.knights[1].swords = 1
    g.knights[2].swords = 0
    score(g, 3)
    assert [(k.altar, k.swords) for k in g.knights] == [(3, 7), (3, 0), (2, 0), (3, 7), (3, 7)]
    assert asked(g) == ("DrawOrPlay", (4,))
    assert [guards_of(k)[0] for k in g.knights] == [1, 2, 0, 0, 0]


def test_gk_5_5_no_sword_if_the_game_ends_with_the_scoring():
    g = position()
    g.tournaments = 3
    score(g)
    assert g.to_act == ()
    assert [k.altar for k in g.knights] == [2] * 5


def slow(board: list[list[int]]) -> list[int]:
    """GK-5 once more, written from the rule with no regard to speed: the guards of each seat at each dolmen."""
    seats = range(len(board))
    points = [0 for _ in seats]
    for dolmen in range(5):
        present = {seat: board[seat][dolmen] for seat in seats if board[seat][dolmen]}
        if not present:
            continue
        top = max(present.values())
        leaders = [seat for seat in present if present[seat] == top]
        if len(leaders) > 1:
            for seat in present:
                points[seat] += top
        else:
            points[leaders[0]] += top * (2 if len(present) == 1 else 1)
    return [points[seat] + 5 * all(board[seat]) for seat in seats]


boards = st.integers(4, 5).flatmap(
    lambda players: st.lists(
        st.lists(st.integers(0, 4), min_size=5, max_size=5).filter(lambda guards: sum(guards) <= 10),
        min_size=players,
        max_size=players,
    )
)


@given(boards)
def test_gk_5_the_whole_scoring_is_the_slow_one(board):
    g = position(len(board))
    for seat, guards in enumerate(board):
        station(g, seat, guards)
        g.knights[seat].reserve = 10 - sum(guards)
    g.tournaments = 4
    gk.Scoring(0).run(g, Rng(0))
    assert [points - 1 for points in glory(g)] == slow(board)


@given(boards, st.randoms())
def test_gk_5_scoring_knows_no_seat(board, random):
    """The same guards earn the same glory at every seat."""
    order = list(range(len(board)))
    random.shuffle(order)
    results = []
    for seating in (range(len(board)), order):
        g = position(len(board))
        for seat, who in enumerate(seating):
            station(g, seat, board[who])
        g.tournaments = 4
        gk.Scoring(0).run(g, Rng(0))
        results.append({who: g.knights[seat].glory for seat, who in enumerate(seating)})
    assert results[0] == results[1]
