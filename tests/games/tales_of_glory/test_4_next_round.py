"""TG-4 Next round."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.tales_of_glory.table import asked, number, position
from veillee.games.tales_of_glory import BOX, words
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log

TAKEN = {2: (1, 4), 3: (1, 2, 6), 4: (1, 3, 5, 8), 5: (2, 3, 5, 6, 7)}


def go_on(g: tg.TalesOfGlory, seed: int = 0, log: Log | None = None) -> None:
    g.agenda = [tg.NextRound(0)]
    g.to_act = ()
    g.log = log
    g.proceed(Rng(seed))
    g.log = None


def after_taking(players: int) -> tuple[tg.TalesOfGlory, list[int]]:
    g = position(players)
    for slot in TAKEN[players]:
        g.slots[slot - 1] = tg.NO_TILE
    return g, [tile for tile in g.slots if tile != tg.NO_TILE]


@pytest.mark.parametrize(("players", "thrown"), [(2, 3), (3, 2), (4, 1), (5, 0)])
def test_tg_4_1_the_lowest_remaining_tiles_are_discarded(players, thrown):
    g, left = after_taking(players)
    go_on(g)
    assert list(g.discards) == sorted(left[:thrown])


@pytest.mark.parametrize(("players", "kept"), [(2, 1), (3, 1), (4, 3), (5, 3)])
def test_tg_4_2_the_rest_slides_in_its_order(players, kept):
    g, left = after_taking(players)
    go_on(g)
    assert list(g.slots)[:kept] == left[-kept:]


def test_tg_4_2_the_rulebooks_example_with_four_players():
    g, left = after_taking(4)  # slots 2, 4, 6, 7 are left: 2 goes, the others slide to 1, 2, 3
    go_on(g)
    assert list(g.slots)[:3] == left[1:]
    assert all(tile != tg.NO_TILE for tile in g.slots)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tg_4_3_five_tiles_of_the_lowest_age_on_the_free_slots(players):
    g, _ = after_taking(players)
    pile = list(g.pile)
    go_on(g)
    assert sorted(g.slots[-5:]) == sorted(pile[-5:])
    assert all(tile in g.tiles.ages[0] for tile in g.slots[-5:])
    assert (g.round, asked(g)) == (2, ("Selection", tuple(range(players))))


def test_tg_4_3_going_on_to_the_next_pile_at_random_places():
    orders = set()
    for seed in range(40):
        g, _ = after_taking(4)
        age_2, age_1 = number(g, "ogre"), [number(g, id_) for id_ in ("purse", "vials", "wisp")]
        g.pile = vec[i64]([*g.pile[:5], age_2, number(g, "wyvern"), *age_1])
        go_on(g, seed)
        assert set(g.slots[-5:]) == {age_2, number(g, "wyvern"), *age_1}
        orders.add(list(g.slots).index(age_2))
    assert orders == {3, 4, 5, 6, 7}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tg_4_3_ten_rounds_empty_the_piles_and_there_is_no_eleventh(players):
    g = position(players)
    rng = Rng(players)
    boards = {}
    while g.to_act:
        boards[g.round] = list(g.slots) if asked(g)[0] == "Selection" else boards[g.round]
        seat = g.to_act[0]
        legal = g.legal(seat)
        g.apply(seat, legal[rng.below(len(legal))], rng)
    assert g.round == 10
    assert list(g.pile) == []
    ages = [{age for age in range(3) for t in boards[n][-5:] if t in g.tiles.ages[age]} for n in range(1, 11)]
    assert ages == [{0}] * 3 + [{1}] * 4 + [{2}] * 3


def test_tg_4_3_the_token_gained_in_play_is_for_the_next_round():
    g, _ = after_taking(4)
    g.first = 1
    tg.gain_token(g, 3)
    assert g.first == 1
    go_on(g)
    assert (g.first, g.token) == (3, NO_SEAT)


@pytest.mark.parametrize("order", [(0, 2), (2, 0)])
def test_tg_4_3_if_two_gain_it_the_later_in_turn_order_keeps_it(order):
    g, _ = after_taking(4)
    g.first = 1  # so seat 0 plays last
    for seat in order:
        tg.gain_token(g, seat)
    go_on(g)
    assert g.first == 0


def told(g: tg.TalesOfGlory, seat: int, lang: str = "en") -> str:
    """What the log says when the seat gains the token."""
    g.log = Log()
    tg.gain_token(g, seat)
    (event,) = g.log.events
    g.log = None
    assert event.rule == "TG-4.3"
    return words.event(event, ["Ana", "Ben", "Cleo", "Dan"], BOX.words(lang))


def test_tg_4_3_the_log_promises_the_token_to_nobody_who_may_not_have_it():
    g, _ = after_taking(4)
    g.first = 1  # so seat 0 plays last
    assert told(g, 2) == "Cleo gains the first-player token for the next round."
    assert told(g, 2) == "Cleo gains the first-player token for the next round."
    assert told(g, 3) == "Dan gains the first-player token for the next round instead of Cleo."
    assert told(g, 1) == "Ben gains the first-player token, but Dan keeps it: later in turn order."
    assert told(g, 1, "fr") == "Ben gagne le jeton Premier Joueur, mais Dan, plus tard dans le tour, le garde."


@pytest.mark.parametrize(("number", "left"), [(9, True), (10, False)])
def test_tg_4_3_after_round_10_the_token_is_of_no_use(number, left):
    g, _ = after_taking(4)
    g.round = number
    assert (told(g, 2) == "Cleo gains the first-player token for the next round.") == left
    assert (told(g, 0) == "Ana gains the first-player token, but no round is left for it.") != left
