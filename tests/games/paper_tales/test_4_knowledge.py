"""PT-4.1 What a seat can work out about hidden cards holds in every world that is dealt anew for it."""

from __future__ import annotations

import pytest
from librt.vecs import append

from games.paper_tales.table import BACK, DISCARD, FRONT, SAVE, answer, card, cards, draw, hold, position, put, run
from veillee.games.paper_tales import BOX
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.conformance.census import census
from veillee.kernel.chance import Rng

WORLDS = 60


def worlds(g: pt.PaperTales, seat: int, many: int = WORLDS) -> list[pt.PaperTales]:
    dealt = []
    for number in range(many):
        world = g.clone()
        world.determinize(seat, Rng(number))
        assert census(world) == census(g)
        dealt.append(BOX.load(world.dump()))
    return dealt


def hidden(g: pt.PaperTales, owner: int) -> set[int]:
    """The cards that a seat has saved or discarded face down."""
    cards = {c for c, burier in zip(g.buried, g.buriers, strict=True) if burier == owner}
    return cards | ({g.realms[owner].saved} - {pt.NO_CARD})


def drafted(players: int) -> pt.PaperTales:
    """The draft of turn 1 is over; everyone deploys."""
    g = pt.new_game(players, Rng(8), {})
    while not isinstance(g.question, pt.Deploy):
        answer(g, g.to_act[0], g.legal(g.to_act[0])[0])
    return g


def lay_down(g: pt.PaperTales, seat: int, deployed: tuple[int, ...] = (), saved: int = pt.NO_CARD) -> None:
    """The seat deploys these cards in the back, saves one, and discards the others face down."""
    realm = g.realms[seat]
    realm.gold = realm.purse = 20
    for held in list(realm.hand):
        answer(g, seat, BACK if held in deployed else SAVE if held == saved else DISCARD)


# -- PT-1.2 the reshuffle in the middle of a deal -----------------------------------------------------------------
def reshuffled() -> tuple[pt.PaperTales, set[int], int, int]:
    """Five players, six cards left for the deal: seat 0's packet is of the old pile, those of seats 2 to 4 of the new."""
    g = position(5, turn=4)
    own, other = card(g, pt.COOK), card(g, pt.MINER)
    g.bury(3, own)
    g.bury(1, other)
    g.seen[other] = 1 << 3  # seat 3 saw it in a draft
    g.realms[1].saved = card(g, pt.ROGUE)
    g.pile, g.discards = g.pile[:6], g.pile[6:]
    face_up = set(g.discards)
    run(g, pt.Recruitment)
    return g, face_up, own, other


@pytest.mark.parametrize("seat", [3, -1])
def test_pt_1_2_a_packet_dealt_before_the_reshuffle_holds_no_card_of_the_discards(seat):
    g, face_up, _, _ = reshuffled()
    dealt = worlds(g, seat)
    assert not any(face_up & set(world.realms[0].packet) for world in dealt)
    assert len({tuple(world.realms[0].packet) for world in dealt}) > 5
    assert any(face_up & set(world.realms[2].packet) for world in dealt)
    assert not any(world.realms[1].saved in face_up for world in dealt)


def test_pt_1_2_nor_one_that_the_seat_discarded_or_saw_in_a_draft():
    g, _, own, other = reshuffled()
    dealt = worlds(g, 3)
    for known in (own, other):
        assert not any(known in world.realms[0].packet for world in dealt)
        assert any(known in world.pile for world in dealt)
    assert not any(world.realms[1].saved == own for world in dealt)
    assert any(own in world.realms[0].packet for world in worlds(g, 2))  # seat 2 knows nothing of it


def test_pt_1_2_the_next_reveal_ends_what_the_reshuffle_told():
    g = reshuffled()[0]
    assert g.early == 1
    assert len(g.turned) == len(g.aside) == pt.CARDS
    while g.to_act:
        answer(g, g.to_act[0], g.legal(g.to_act[0])[0])
    run(g, pt.Deploy, pt.RevealKingdoms)
    while g.to_act:
        answer(g, g.to_act[0], g.legal(g.to_act[0])[-1])
    assert (list(g.turned), list(g.aside), g.early) == ([], [], 0)


def test_pt_1_2_after_a_reshuffle_a_saved_card_that_another_saw_may_be_anywhere():
    g = position(3, turn=2)
    saved = card(g, pt.KNIGHT)
    g.realms[1].saved = saved
    g.bury(1, card(g, pt.COOK))
    for known in (saved, g.buried[0]):
        g.seen[known] = 1  # seat 0 saw both in a draft
    assert all(world.realms[1].saved in (saved, g.buried[0]) for world in worlds(g, 0))
    g.discards, g.pile = g.pile, cards([])
    run(g, pt.Recruitment)
    assert g.seen[saved] & 0b101 == 0
    dealt = worlds(g, 0, 5 * WORLDS)  # it comes into a packet once in thirty
    assert any(world.realms[1].saved == saved for world in dealt)
    assert any(saved in world.pile for world in dealt)
    assert any(saved in world.realms[2].packet for world in dealt)


# -- PT-2.1 who took a card that was handed on --------------------------------------------------------------------
def test_pt_4_1_a_card_handed_on_as_the_last_one_stays_with_its_receiver():
    """Turn 1, three players: seat 1 was given the last card of the packet that seat 0 held twice."""
    g = drafted(3)
    last = g.realms[1].kept[4]
    for seat in range(3):
        lay_down(g, seat, saved=g.realms[seat].hand[0])
    dealt = worlds(g, 0)
    assert g.seen[last] & 1
    assert all(last in hidden(world, 1) for world in dealt)
    assert {world.realms[1].saved == last for world in dealt} == {False, True}


def test_pt_4_1_of_the_cards_taken_between_two_looks_each_holder_has_one():
    """Seat 0's first packet: seats 1 and 2 took a card each before it came back."""
    g = drafted(3)
    pair = {g.realms[1].kept[1], g.realms[2].kept[2]}
    for seat in range(3):
        lay_down(g, seat, saved=g.realms[seat].hand[0])
    takers = set()
    for world in worlds(g, 0):
        assert [len(pair & hidden(world, seat)) for seat in range(3)] == [0, 1, 1]
        takers.add(min(pair) in hidden(world, 1))
    assert takers == {False, True}


def test_pt_4_1_once_one_of_them_is_deployed_the_other_is_known():
    g = drafted(3)
    mine, theirs = g.realms[1].kept[1], g.realms[2].kept[2]
    lay_down(g, 0)
    lay_down(g, 1, deployed=(mine,), saved=next(c for c in g.realms[1].hand if c != mine))
    lay_down(g, 2)
    assert all(theirs in hidden(world, 2) for world in worlds(g, 0))


def test_pt_4_1_the_knowledge_stays_while_a_card_is_saved_turn_after_turn():
    """Saved twice or discarded in between: seat 0 cannot tell, but it is seat 1's all the time."""
    g = drafted(3)
    last, other = g.realms[1].kept[4], g.realms[1].kept[1]
    for seat in range(3):
        lay_down(g, seat, saved=last if seat == 1 else pt.NO_CARD)
    g.turn = 2
    for realm in g.realms:
        realm.kept = append(realm.kept, draw(g))
    run(g, pt.Deploy, pt.RevealKingdoms)
    for seat in range(3):
        lay_down(g, seat, saved=last if seat == 1 else pt.NO_CARD)
    assert g.realms[1].saved == last
    dealt = worlds(g, 0)
    assert all(last in hidden(world, 1) for world in dealt)
    saved = {world.realms[1].saved for world in dealt}
    assert last in saved
    assert len(saved) > 3  # another card of turn 1 may have been saved twice just as well
    assert not any(other in hidden(world, 0) for world in dealt)


# -- PT-2.1.3 two players: what was surely discarded ----------------------------------------------------------------
def test_pt_2_1_3_a_card_surely_discarded_in_the_draft_is_not_the_saved_one():
    g = drafted(2)
    kept, tossed = g.realms[1].kept[1], g.realms[1].tossed[1]
    saved = next(c for c in g.realms[1].hand if c != kept)
    lay_down(g, 0)
    lay_down(g, 1, deployed=(kept,), saved=saved)
    dealt = worlds(g, 0)
    assert all(tossed in world.buried for world in dealt)
    assert len({world.realms[1].saved for world in dealt}) > 3


def test_pt_2_1_3_while_neither_is_shown_either_may_be_the_saved_one():
    g = drafted(2)
    kept, tossed = g.realms[1].kept[1], g.realms[1].tossed[1]
    lay_down(g, 0)
    lay_down(g, 1, saved=kept)
    saved = {world.realms[1].saved for world in worlds(g, 0)}
    assert {kept, tossed} <= saved


def test_pt_2_2_6_who_saved_nothing_has_discarded_everything_before():
    g = drafted(3)
    for seat in range(3):
        lay_down(g, seat)
    early = set(g.buried)
    g.turn = 2
    for realm in g.realms:
        realm.kept = append(realm.kept, draw(g))
    run(g, pt.Deploy, pt.RevealKingdoms)
    for seat in range(3):
        lay_down(g, seat, saved=g.realms[seat].hand[0])
    known = {c for c in early if g.seen[c] & 1}
    assert known
    assert not any(world.realms[1].saved in known for world in worlds(g, 0))


# -- PT-2.2.1 ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("ages", "rule"), [((1, 2), ""), ((1, 1), "PT-2.2.1")])
def test_pt_2_2_1_two_units_of_one_kind_are_arranged_freely_if_their_ages_differ(ages, rule):
    g = position()
    for age in ages:
        put(g, 0, pt.FARMER, pt.FRONT, age=age)
    hold(g, 0, pt.KNIGHT)
    run(g, pt.Deploy, pt.RevealKingdoms)
    answer(g, 0, BACK)
    assert g.explain(0, FRONT) == rule
    assert g.explain(0, BACK) == ""
