"""My Game, rule by rule, on positions built by hand."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from my_game.rules import CARDS, DRAW, LAY, MyGame, Player, Turn, new_game
from my_game.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log
from veillee.kernel.state import ALLOWED


def table(*hands: list[int], rows: list[list[int]] | None = None, pile: list[int] | None = None) -> MyGame:
    """These cards in hand and in the rows, this pile (its top last); seat 0 is asked."""
    rows = rows or [[] for _ in hands]
    players = [Player(vec[i64](hand), vec[i64](row)) for hand, row in zip(hands, rows, strict=True)]
    g = MyGame(vec[Player](players), vec[i64]([20, 21] if pile is None else pile))
    g.push(Turn(0))
    g.proceed(Rng(0))
    return g


def test_mg_1_1_two_cards_each_and_the_rest_is_the_pile() -> None:
    g = new_game(3, Rng(1), {})
    assert [len(player.hand) for player in g.players] == [2, 2, 2]
    assert len(g.pile) == CARDS - 6


def test_mg_1_1_one_sees_ones_own_hand_alone() -> None:
    g = table([5, 3], [8])
    assert [view(g, seat)["mine"] for seat in (0, 1, NO_SEAT)] == [[3, 5], [8], None]


def test_mg_1_2_anybody_may_begin() -> None:
    assert {new_game(3, Rng(seed), {}).to_act for seed in range(30)} == {(0,), (1,), (2,)}


def test_mg_2_1_one_draws_or_lays_and_the_next_one_plays() -> None:
    g = table([3, 5], [8])
    assert g.legal(0) == [DRAW, LAY + 3, LAY + 5]
    g.apply(0, LAY + 3, Rng(0))
    assert g.to_act == (1,)


def test_mg_2_2_who_draws_is_told_the_card_and_nobody_else() -> None:
    g, log = table([3], [8], pile=[20, 21]), Log()
    g.apply(0, DRAW, Rng(0), log)
    assert list(g.players[0].hand) == [3, 21]
    assert [e.kind.name for e in log.seen_by(0)] == ["drew", "got"]
    assert [e.kind.name for e in log.seen_by(1)] == ["drew"]


def test_mg_2_3_a_row_climbs_by_cards_of_ones_own_hand() -> None:
    g = table([3, 9], [8], rows=[[1, 6], []])
    assert [g.explain(0, LAY + card) for card in (3, 8, 9)] == ["MG-2.3", "MG-2.3", ALLOWED]
    g.apply(0, LAY + 9, Rng(0))
    assert list(g.players[0].row) == [1, 6, 9]
    assert list(g.players[0].hand) == [3]


def test_mg_3_1_the_last_card_of_the_pile_ends_the_game() -> None:
    g, log = table([3], [8], pile=[20]), Log()
    g.apply(0, DRAW, Rng(0), log)
    assert g.to_act == ()
    assert [(e.seat, e.card) for e in log.seen_by(NO_SEAT) if e.kind.name == "left"] == [(0, 3), (0, 20), (1, 8)]


def test_mg_3_2_rows_count_and_hands_cost() -> None:
    g = table([3], [], rows=[[1, 6, 9], [2, 4]])
    assert [g.score(0), g.score(1)] == [2, 2]
    assert g.returns() == [0.5, 0.5]
