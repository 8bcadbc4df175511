"""PT-4.1 Public and private; what a seat is left to know when its world is dealt anew."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from librt.vecs import extend

from games.paper_tales.table import DISCARD, FRONT, answer, asked, card, cards, draw, hold, position, put, raise_to, run
from veillee.games.paper_tales import BOX
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.conformance.census import census
from veillee.games.paper_tales.view import preview, view
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.match.match import Match

WORLDS = 30


def worlds(g: pt.PaperTales, seat: int) -> list[pt.PaperTales]:
    dealt = []
    for number in range(WORLDS):
        world = g.clone()
        world.determinize(seat, Rng(number))
        assert census(world) == census(g)
        dealt.append(world)
    return dealt


def drafted(players: int, rounds: int) -> pt.PaperTales:
    """A draft in which everyone has kept so many cards, and packets were passed as often."""
    g = pt.new_game(players, Rng(5), {})
    while g.passes < rounds:
        answer(g, g.to_act[0], g.legal(g.to_act[0])[0])
    return g


def test_pt_4_1_hands_saved_cards_and_the_draft_are_shown_to_their_owner_alone():
    g = drafted(3, 2)
    g.realms[1].saved = card(g, pt.KIND[g.pile[0]])
    for seat in (0, 2, -1):
        seen = view(g, seat)
        assert [set(realm) & {"packet", "kept", "hand", "plan", "tossed"} for realm in seen["realms"]] == [set()] * 3
        assert seen["realms"][1]["saved"] is True
        assert [realm["cards"] for realm in seen["realms"]] == [2, 3, 2]
    assert view(g, -1)["mine"] is None
    assert view(g, 1)["mine"]["kept"] == sorted(pt.KIND[c] for c in g.realms[1].kept)
    assert view(g, 1)["mine"]["saved"] == pt.KIND[g.realms[1].saved]


def test_pt_4_1_kingdoms_gold_points_buildings_and_discarded_units_are_public():
    g = position()
    put(g, 0, pt.KNIGHT, age=1)
    raise_to(g, 0, pt.MINE, 1)
    g.discards = cards([card(g, pt.KRAKEN)])
    run(g, pt.Recruitment)
    seen = view(g, -1)
    assert seen["discards"] == [pt.KRAKEN]
    assert (seen["realms"][0]["gold"], seen["realms"][0]["legend"], seen["realms"][0]["levels"]) == (
        3,
        0,
        [0, 1, 0, 0, 0],
    )
    assert [(u["kind"], u["age"]) for u in seen["realms"][0]["units"]] == [(pt.KNIGHT, 1)]
    assert seen["passes_to"] == "left"


def test_pt_4_1_a_packet_handed_on_keeps_its_cards_and_only_who_took_which_is_open():
    """Seat 0 passed its first packet to seat 1, who kept a card of it, and seat 2 holds the rest."""
    g = drafted(3, 2)
    first = Counter(pt.KIND[c] for c in [g.realms[1].kept[1], *g.realms[2].packet])
    kept = set()
    for world in worlds(g, 0):
        again = Counter(pt.KIND[c] for c in [world.realms[1].kept[1], *world.realms[2].packet])
        assert again == first
        kept.add(world.realms[1].kept[1])
    assert len(kept) > 1


def test_pt_4_1_what_was_taken_before_a_packet_came_is_unknown():
    g = drafted(3, 2)
    taken = {world.realms[1].kept[0] for world in worlds(g, 0)}
    assert len(taken) > 5
    assert all(g.seen[c] & 1 == 0 for c in taken)  # cards that seat 0 has not met


def test_pt_4_1_with_two_players_what_went_missing_between_two_looks_was_kept_or_discarded():
    """Seat 0's packet went to seat 1 and came back two cards poorer: which was kept is open."""
    g = drafted(2, 2)
    missing = {g.realms[1].kept[1], g.realms[1].tossed[1]}
    dealt = worlds(g, 0)
    assert all({w.realms[1].kept[1], w.realms[1].tossed[1]} == missing for w in dealt)
    assert {w.realms[1].kept[1] for w in dealt} == missing
    assert all(list(w.realms[0].packet) == list(g.realms[0].packet) for w in dealt)


def test_pt_4_1_pending_choices_of_the_draft_are_dealt_anew():
    g = drafted(3, 1)
    answer(g, 1, g.legal(1)[0])
    pending = {world.realms[1].kept[1] for world in worlds(g, 2)}
    assert len(pending) > 1
    assert all(len(world.realms[1].kept) == 2 for world in worlds(g, 2))


def test_pt_4_1_a_deployment_that_is_done_is_planned_anew_for_another_hand():
    g = position()
    for seat, kinds in enumerate(((pt.FARMER, pt.KNIGHT), (pt.HUNTER, pt.ROGUE), (pt.COOK, pt.MINER))):
        hold(g, seat, *kinds)
    g.passes = 4
    for realm in g.realms:  # as after a draft of two cards each
        realm.kept = extend(realm.kept, [draw(g, 20) for _ in range(3)])
    run(g, pt.Deploy)
    while 1 in g.to_act:
        answer(g, 1, g.legal(1)[0])
    answer(g, 2, DISCARD)
    dealt = worlds(g, 0)
    assert len({tuple(world.realms[1].plan) for world in dealt}) > 3
    for world in dealt:
        assert asked(world) == ("Deploy", (0, 2))
        assert world.realms[1].planned()
        assert list(world.realms[1].hand) == sorted(world.realms[1].kept)
        assert list(world.realms[2].plan) == []
        assert world.realms[1].purse >= 0
        assert view(world, 0) == view(g, 0)


def test_pt_4_1_a_saved_card_and_one_discarded_face_down_cannot_be_told_apart_by_the_others():
    g = position()
    g.realms[1].saved = card(g, pt.KNIGHT)
    g.bury(1, card(g, pt.FARMER))
    g.bury(0, card(g, pt.COOK))
    for hidden in (g.realms[1].saved, g.buried[0]):
        g.seen[hidden] = 1  # seat 0 saw both in the draft: they are not in the pile
    run(g, pt.Recruitment)
    dealt = worlds(g, 0)
    assert {pt.KIND[world.realms[1].saved] for world in dealt} == {pt.KNIGHT, pt.FARMER}
    assert all(pt.KIND[world.buried[1]] == pt.COOK for world in dealt)  # its own discard it knows
    assert len({pt.KIND[world.realms[1].saved] for world in worlds(g, 2)}) > 5  # seat 2 saw neither


def test_pt_4_1_a_spectator_knows_no_card_at_all():
    g = drafted(4, 2)
    dealt = worlds(g, -1)
    for seat in range(4):
        assert len({tuple(world.realms[seat].packet) for world in dealt}) > 5
        assert len({tuple(world.realms[seat].kept) for world in dealt}) > 5


@pytest.mark.parametrize("seat", [0, 1])
def test_pt_4_1_secret_age_tokens_constructions_and_cures_are_chosen_anew(seat):
    other = 1 - seat
    g = position()
    for owner in (0, 1):
        put(g, owner, pt.TIME_MASTER, fresh=True)
        put(g, owner, pt.KNIGHT)
    run(g, pt.ChooseAge, pt.PutAge)
    answer(g, other, pt.AGE + 1)
    assert {world.realms[other].units[1].coming for world in worlds(g, seat)} == {0, 2}
    g = position()
    for owner in (0, 1):
        put(g, owner, pt.WOODCUTTER)
    run(g, pt.Construct, pt.RevealConstructions)
    answer(g, other, pt.BUILD + pt.TOWN)
    assert len({world.realms[other].construction for world in worlds(g, seat)}) > 3
    g = position()
    for owner in (0, 1):
        put(g, owner, pt.HEALER)
        put(g, owner, pt.KNIGHT, age=1)
    run(g, pt.Heal, pt.Ageing)
    answer(g, other, pt.HEAL + 1)
    assert {world.realms[other].units[1].healed for world in worlds(g, seat)} == {False, True}


def test_pt_4_1_ones_own_secret_choices_stay():
    g = position()
    for seat in range(3):
        hold(g, seat, pt.FARMER, pt.KNIGHT)
    run(g, pt.Deploy)
    answer(g, 0, FRONT)
    assert all(list(world.realms[0].plan) == [pt.FRONT] for world in worlds(g, 0))
    assert all(list(world.realms[0].plan) == [] for world in worlds(g, 1))


# -- who is still asked reveals nothing: all secret answers of one seat, as seen by the other seats -------------------
def match_at(g: pt.PaperTales) -> Match:
    match = Match(BOX, g.seats(), {}, bytes(32))
    match.state, match.anchor = g, g.clone()
    return match


def noticed(match: Match, others: list[int]) -> str:
    """All that the others are shown, offered and told."""
    shown = [[match.view(seat), match.log(seat, "en")] for seat in others]
    asked_for = [[match.question(seat, "en"), repr(match.all_choices(seat))] for seat in others if seat >= 0]
    return json.dumps([match.to_act, shown, asked_for, [match.can_undo(seat) for seat in others if seat >= 0]])


def forks(match: Match, seat: int) -> list[set[str]]:
    """What the others notice after the seat's first answer, its second one and so on, until the question is over."""
    others = [NO_SEAT, *(other for other in range(match.seats) if other != seat)]
    question, row, seen = match.state.question, [match], []
    while row:
        asked_again = [m for m in row if seat in m.to_act and m.state.question is question]
        assert len(asked_again) in (0, len(row)), "whether the seat is still asked depends on what it answered"
        row = []
        for m in asked_again:
            for choice in m.choices(seat):
                row.append(m.copy())
                row[-1].play(seat, choice.id)
        if row and all(m.state.question is question for m in row):
            seen.append({noticed(m, others) for m in row})
    return seen


def secret_ages(version: int = pt.RULES, *, alone: bool = False) -> Match:
    g = position(version=version)
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.MASTER_ALCHEMIST)
    put(g, 0, pt.LEVIATHAN)
    if not alone:
        put(g, 1, pt.TIME_MASTER, fresh=True)
        put(g, 1, pt.KNIGHT)
    run(g, pt.RevealEffects, pt.ChooseAge, pt.PutAge, pt.KrakenToll, pt.War, pt.Recruitment)
    return match_at(g)


def secret_cures(version: int = pt.RULES, *, alone: bool = False) -> Match:
    g = position(version=version)
    for seat in (0, 1):
        put(g, seat, pt.HEALER)
        put(g, seat, pt.KNIGHT, age=0 if alone and seat else 1)
    put(g, 0, pt.HEALER)
    put(g, 0, pt.FARMER, age=1)
    put(g, 0, pt.HUNTER, age=1)
    run(g, pt.Heal, pt.Ageing, pt.Recruitment)
    return match_at(g)


@pytest.mark.parametrize("alone", [False, True], ids=["with another", "alone"])
@pytest.mark.parametrize("begun", [secret_ages, secret_cures], ids=["ages", "cures"])
def test_pt_2_2_4_nobody_learns_from_who_is_still_thinking(begun, alone):
    match = begun(alone=alone)
    assert match.to_act == ((0,) if alone else (0, 1))
    seen = forks(match, 0)
    assert [len(looks) for looks in seen] == ([1] if alone else [1, 1]), "after the first answer, and when it is done"


@pytest.mark.parametrize("begun", [secret_ages, secret_cures], ids=["ages", "cures"])
def test_pt_2_2_4_by_version_1_they_could(begun):
    """What the test above looks for is there to be found."""
    with pytest.raises(AssertionError, match="depends on what it answered"):
        forks(begun(version=1), 0)


def test_pt_4_1_a_draft_tells_a_seat_nothing_of_the_others():
    """It is worth the same in every world that the seat cannot tell apart, whatever the others have planned."""
    g = drafted(3, 2)
    while not isinstance(g.question, pt.Deploy):
        answer(g, g.to_act[0], g.legal(g.to_act[0])[0])
    answer(g, 1, *[DISCARD] * len(g.realms[1].hand))
    things = len(g.realms[0].units) + len(g.realms[0].hand)
    assert len({tuple(world.realms[2].hand) for world in worlds(g, 0)}) > 1, "the worlds differ"
    for plan in ([FRONT], [FRONT, DISCARD, FRONT], [FRONT] * things, [DISCARD] * things):
        assert {json.dumps(preview(world, 0, plan)) for world in worlds(g, 0)} == {json.dumps(preview(g, 0, plan))}
    assert preview(g, 1, []) is None, "who has answered is asked nothing"
