"""PT-2.0 The turn, PT-2.1 Recruitment."""

from __future__ import annotations

import pytest

from games.paper_tales.table import DISCARD, answer, asked, card, cards, hold, position, run
from veillee.games.paper_tales import rules as pt
from veillee.kernel.chance import Rng


def packets(g: pt.PaperTales) -> list[list[int]]:
    return [sorted(realm.packet) for realm in g.realms]


def keep_first(g: pt.PaperTales) -> None:
    """Everyone keeps the first card of the packet."""
    for seat in range(g.seats()):
        answer(g, seat, g.legal(seat)[0])


def test_pt_2_0_a_turn_is_six_phases_in_order():
    g = position()
    g.turn = 0
    run(g, pt.Turn)
    assert g.turn == 1
    flow = [type(step).__name__ for step in reversed(g.agenda)]
    assert [name for name in flow if name not in ("Keep", "PassPackets")] == [
        "Deploy",
        "RevealKingdoms",
        "RevealEffects",
        "ChooseAge",
        "PutAge",
        "KrakenToll",
        "War",
        "Income",
        "Construct",
        "RevealConstructions",
        "Heal",
        "Ageing",
        "Turn",
    ]


def test_pt_2_0_four_turns_and_the_game_is_over():
    g = pt.new_game(2, Rng(3), {})
    turns = [g.turn]
    rng = Rng(4)
    while g.to_act:
        seat = g.to_act[0]
        g.apply(seat, g.legal(seat)[0], rng)
        if g.turn != turns[-1]:
            turns.append(g.turn)
    assert turns == [1, 2, 3, 4]


def test_pt_2_1_1_five_cards_are_dealt_and_all_are_asked_at_once():
    g = position(4)
    run(g, pt.Recruitment)
    assert [len(realm.packet) for realm in g.realms] == [5] * 4
    assert asked(g) == ("Keep", (0, 1, 2, 3))


def test_pt_2_1_1_each_kind_of_the_packet_can_be_kept_and_nothing_else():
    g = position(3)
    g.realms[0].packet = cards(sorted(card(g, kind) for kind in (pt.FARMER, pt.FARMER, pt.KNIGHT)))
    run(g, pt.Keep)
    assert g.legal(0) == [pt.KEEP + pt.FARMER, pt.KEEP + pt.KNIGHT]
    assert g.explain(0, pt.KEEP + pt.DRAGON) == "PT-2.1.1"


def test_pt_2_1_1_the_rest_is_passed_until_five_are_kept_and_the_last_one_without_a_choice():
    g = position(3)
    run(g, pt.Recruitment, pt.Deploy)
    for left in (5, 4, 3, 2):
        assert [len(realm.packet) for realm in g.realms] == [left] * 3
        keep_first(g)
    assert asked(g) == ("Deploy", (0, 1, 2))
    assert [len(realm.kept) for realm in g.realms] == [5, 5, 5]
    assert packets(g) == [[], [], []]


@pytest.mark.parametrize(("turn", "giver"), [(1, 2), (2, 1), (3, 2), (4, 1)])
def test_pt_2_1_2_turns_1_and_3_pass_to_the_left_turns_2_and_4_to_the_right(turn, giver):
    g = position(3, turn)
    run(g, pt.Recruitment)
    given = packets(g)[giver]
    kept = min(given)
    keep_first(g)
    given.remove(kept)
    assert packets(g)[0] == given  # seat 1 sits to the left of seat 0


def test_pt_2_1_2_nobody_gets_a_packet_before_all_have_kept():
    g = position(3)
    run(g, pt.Recruitment)
    before = packets(g)
    answer(g, 0, g.legal(0)[0])
    answer(g, 2, g.legal(2)[0])
    assert (asked(g), packets(g)[1]) == (("Keep", (1,)), before[1])


def test_pt_2_1_3_two_players_get_9_keep_1_and_discard_1_each_time():
    g = position(2)
    run(g, pt.Recruitment, pt.Deploy)
    for left in (9, 7, 5, 3):
        assert [len(realm.packet) for realm in g.realms] == [left] * 2
        for seat in (0, 1):
            first = g.legal(seat)[0]
            assert first < pt.TOSS
            answer(g, seat, first)
            toss = g.legal(seat)[0]
            assert toss >= pt.TOSS
            answer(g, seat, toss)
    assert [(len(r.kept), len(r.tossed)) for r in g.realms] == [(5, 4), (5, 4)]
    assert asked(g)[0] == "Deploy"


def test_pt_2_1_3_first_a_card_of_the_packet_is_kept_then_one_is_discarded():
    g = position(2)
    g.realms[0].packet = cards(sorted(card(g, kind) for kind in (pt.FARMER, pt.HUNTER, pt.KNIGHT)))
    run(g, pt.Keep)
    assert g.explain(0, pt.TOSS + pt.FARMER) == "PT-2.1.3"
    answer(g, 0, pt.KEEP + pt.FARMER)
    assert g.legal(0) == [pt.TOSS + pt.HUNTER, pt.TOSS + pt.KNIGHT]
    assert (g.explain(0, pt.TOSS + pt.FARMER), g.explain(0, pt.KEEP + pt.KNIGHT)) == ("PT-2.1.3", "PT-2.1.1")


def test_pt_2_1_3_the_discards_go_face_down_and_are_told_to_nobody_else():
    g = position(2)
    run(g, pt.Recruitment)
    log = answer(g, 0, g.legal(0)[0])
    toss = g.legal(0)[-1]
    tossed = answer(g, 0, toss)
    assert [event.to for event in log.events + tossed.events] == [1, 1]
    tossed_cards = list(g.realms[0].tossed)
    hold(g, 1, pt.KNIGHT)
    run(g, pt.Deploy, pt.RevealKingdoms)
    for seat in (0, 1):
        while seat in g.to_act:
            answer(g, seat, DISCARD)
    assert set(tossed_cards) <= set(g.buried)
    assert g.buriers[list(g.buried).index(tossed_cards[0])] == 0
    assert list(g.discards) == []


def test_pt_2_1_4_the_saved_card_joins_the_hand_after_the_draft():
    g = position()
    for seat in range(3):
        hold(g, seat, pt.KNIGHT)
    g.realms[0].saved = card(g, pt.FARMER)
    run(g, pt.Deploy)
    assert [pt.KIND[c] for c in g.realms[0].hand] == [pt.FARMER, pt.KNIGHT]  # the cheapest first
    assert [pt.KIND[c] for c in g.realms[1].hand] == [pt.KNIGHT]


def test_pt_2_1_4_it_is_not_among_the_cards_to_draft():
    g = position()
    g.realms[0].saved = card(g, pt.FARMER)
    saved = g.realms[0].saved
    run(g, pt.Recruitment)
    assert all(saved not in realm.packet for realm in g.realms)
