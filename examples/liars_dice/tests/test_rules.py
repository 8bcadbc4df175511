"""Liar's Dice, rule by rule, on positions built by hand."""

from __future__ import annotations

import pytest
from librt.vecs import vec

from liars_dice.rules import COUNT, DOUBT, FACE, BidOrDoubt, LiarsDice, Player, Showdown, new_game
from liars_dice.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.counts import gather
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED


def table(*cups: list[int], count: int = 0, face: int = 0, bidder: int = 0) -> LiarsDice:
    """These dice under the cups; seat 1 is asked, seat 0 has made the bid, if there is one."""
    players = [Player(len(cup), gather([cup.count(side) for side in range(1, 7)]), 0) for cup in cups]
    g = LiarsDice(vec[Player](players), 1, count, face, bidder)
    g.push(BidOrDoubt(1))
    g.proceed(Rng(0))
    return g


def doubted(g: LiarsDice, seat: int = 1) -> LiarsDice:
    g.apply(seat, DOUBT, Rng(0))
    return g


def test_ld_1_1_five_dice_each() -> None:
    assert [player.dice for player in new_game(6, Rng(1), {}).players] == [5] * 6


def test_ld_1_2_anybody_may_begin() -> None:
    assert {new_game(3, Rng(seed), {}).to_act for seed in range(30)} == {(0,), (1,), (2,)}


def test_ld_2_1_one_sees_ones_own_dice() -> None:
    g = table([1, 2], [3, 4])
    assert view(g, 0)["mine"] == [1, 2]
    assert view(g, 1)["mine"] == [3, 4]
    assert view(g, NO_SEAT)["mine"] is None


def test_ld_2_2_the_first_has_nothing_to_doubt() -> None:
    assert table([1], [1]).explain(1, DOUBT) == "LD-2.2"
    assert table([1], [1], count=1, face=1).explain(1, DOUBT) == ALLOWED


def test_ld_2_3_one_bids_on_the_dice_that_there_are() -> None:
    assert table([1, 1], [1]).legal(1) == [COUNT + 1, COUNT + 2, COUNT + 3]


@pytest.mark.parametrize(("count", "face", "rule"), [(2, 3, "LD-2.4"), (2, 4, ""), (1, 6, "LD-2.4"), (3, 1, "")])
def test_ld_2_4_more_dice_or_a_higher_face(count: int, face: int, rule: str) -> None:
    g = table([1, 1], [1, 1], count=2, face=3)
    if g.explain(1, COUNT + count) == ALLOWED:
        g.apply(1, COUNT + count, Rng(0))
        assert g.explain(1, FACE + face) == rule
    else:
        assert rule == "LD-2.4"


def test_ld_2_4_no_face_is_higher_than_the_six() -> None:
    assert table([1], [1], count=1, face=6).explain(1, COUNT + 1) == "LD-2.4"


@pytest.mark.parametrize(("count", "loser"), [(1, 1), (2, 1), (3, 0)])
def test_ld_3_1_who_was_wrong_loses_a_die(count: int, loser: int) -> None:
    g = doubted(table([4, 4], [5, 6], count=count, face=4))
    assert [player.dice for player in g.players] == [1 if seat == loser else 2 for seat in range(2)]


def test_ld_3_2_without_dice_one_is_passed_over() -> None:
    g = table([2, 2], [3], [2], count=1, face=2)
    doubted(g)
    assert g.players[1].dice == 0
    assert g.next_in(0) == 2


def test_ld_3_3_the_loser_begins_or_the_next_to_the_left() -> None:
    assert doubted(table([4, 4], [5, 6], count=2, face=4)).to_act == (1,)
    assert doubted(table([4, 4], [5], [6], count=2, face=4)).to_act == (2,)


def test_ld_4_1_the_last_one_wins() -> None:
    g = doubted(table([4], [5], count=1, face=4))
    assert g.to_act == ()
    assert g.returns() == [1.0, 0.0]


def test_ld_4_2_the_others_rank_by_whom_they_outlived() -> None:
    g = table([4], [5], [6], count=1, face=4)
    doubted(g)
    g.agenda = [Showdown(2)]
    g.to_act = ()
    g.count, g.face, g.bidder = 0, 1, 0
    g.proceed(Rng(0))
    assert [g.score(seat) for seat in range(3)] == [2, 0, 1]
