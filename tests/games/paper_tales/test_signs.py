"""The prior of Paper Tales: signs of an answer, and secret answers that the search reopens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from librt.vecs import append, vec
from mypy_extensions import i64

from games.paper_tales.table import build, card, hold, position, put, run
from veillee.games.catalogue import BOXES
from veillee.games.paper_tales import bot
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.signs import SIGNS
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves
from veillee.lab.policy_learning import LearnedAnswer, chances, signs_of

ADVISOR = cast(bot.Chronicler, BOXES["paper-tales"].advisor)


def positions(players: int, seed: int) -> Iterator[tuple[pt.PaperTales, int]]:
    """Every question with a choice in a game of quick choices, now the first one asked answers, now the last."""
    rng = Rng(seed)
    g = pt.new_game(players, rng, {}, None)
    while g.to_act:
        seat = g.to_act[rng.below(2) - 1]
        if len(g.legal(seat)) > 1:
            yield g, seat
        g.apply(seat, ADVISOR.first_idea(g, seat, rng), rng)


def leanings(g: pt.PaperTales, seat: int) -> dict[int, float]:
    """How likely each answer is by the habits that are shipped."""
    told = signs_of(ADVISOR, g, seat)
    shares = chances(list(ADVISOR.habits), [LearnedAnswer(signs, 0.0) for _, signs in told])
    return {action: share for (action, _), share in zip(told, shares, strict=True)}


@pytest.mark.parametrize("players", BOXES["paper-tales"].players)
def test_signs_tell_nothing_that_the_seat_cannot_know(players: int) -> None:
    rng = Rng(players)
    asked = set()
    for g, seat in positions(players, 70 + players):
        asked.add(type(g.question))
        told = signs_of(ADVISOR, g, seat)
        for _ in range(3):
            world = g.clone()
            world.determinize(seat, rng)
            assert signs_of(ADVISOR, world, seat) == told
            assert ADVISOR.sight(world, seat) == ADVISOR.sight(g, seat)
    assert {pt.Keep, pt.Deploy, pt.Construct} <= asked


@pytest.mark.parametrize("players", BOXES["paper-tales"].players)
def test_there_is_a_habit_for_every_sign(players: int) -> None:
    assert len(ADVISOR.habits) == SIGNS
    for g, seat in positions(players, 80 + players):
        for _, signs in signs_of(ADVISOR, g, seat):
            assert all(0 <= number < SIGNS for number, _ in signs)
            assert len({number for number, _ in signs}) == len(signs) <= 64


def drafting(*packet: int, turn: int = 1) -> pt.PaperTales:
    """Seat 0 is to keep one of these."""
    g = position(turn=turn)
    run(g, pt.Keep)
    cards = vec[i64]()
    for kind in sorted(packet):
        cards = append(cards, card(g, kind))
    g.realms[0].packet = cards
    return g


def test_experts_keep_what_they_can_pay() -> None:
    g = drafting(pt.KRAKEN, pt.KNIGHT, pt.FARMER, pt.WOODCUTTER)
    g.realms[0].gold = 0
    poor = leanings(g, 0)[pt.KEEP + pt.KRAKEN]
    g.realms[0].gold = 9
    rich = leanings(g, 0)[pt.KEEP + pt.KRAKEN]
    assert poor < 0.1
    assert rich > 2 * poor


def test_experts_keep_what_their_buildings_make_use_of() -> None:
    g = drafting(pt.MINER, pt.WOODCUTTER, pt.FARMER, pt.BLACKSMITH, turn=3)
    bare = leanings(g, 0)[pt.KEEP + pt.MINER]
    build(g, 0, [0, 2, 0, 0, 0])
    assert leanings(g, 0)[pt.KEEP + pt.MINER] > bare


def test_experts_put_the_strong_in_front() -> None:
    g = position()
    hold(g, 0, pt.KNIGHT, pt.FARMER, pt.BLACKSMITH, pt.MINER, pt.PEDDLER)
    run(g, pt.Deploy)
    while g.realms[0].next_kind() != pt.KNIGHT:
        g.apply(0, pt.DEPLOY + pt.BACK, Rng(0))
    told = leanings(g, 0)
    assert told[pt.DEPLOY + pt.FRONT] > 0.7


def test_experts_discard_nothing_that_has_a_spot_and_grows() -> None:
    g = position(turn=2)
    put(g, 0, pt.RELIC, age=1)
    hold(g, 0, pt.FARMER)
    run(g, pt.Deploy)
    assert leanings(g, 0)[pt.DEPLOY + pt.GONE] < 0.05


@pytest.mark.parametrize("players", BOXES["paper-tales"].players)
def test_the_others_are_asked_again_what_they_answered_in_secret(players: int) -> None:
    """As if only the seat had answered; all cards are where they were, or back in the packet."""
    rng = Rng(players)
    again = set()
    moves = Moves()
    for g, seat in positions(players, 90 + players):
        world = g.clone()
        world.determinize(seat, rng)
        before = lying(world)
        ADVISOR.reopen(world, seat)
        assert lying(world) == before
        assert world.legal(seat) == g.legal(seat)
        assert set(g.to_act) <= set(world.to_act)
        if world.to_act != g.to_act:
            again.add(type(g.question))
        if isinstance(g.question, (pt.Keep, pt.Deploy)):
            assert len(world.to_act) == players
        while world.waiting and world.question is g.question:  # and all of them can answer
            other = world.first_to_act()
            world.offer(other, moves)
            world.apply(other, moves.random(rng), rng)
    assert {pt.Keep, pt.Deploy, pt.Construct} <= again


@pytest.mark.parametrize("players", BOXES["paper-tales"].players)
def test_a_deployment_in_a_hurry_is_one_that_could_have_been_answered(players: int) -> None:
    """Wherever the answers have come to: what it adds has a spot and can be paid."""
    rng = Rng(players)
    hurried = 0
    for g, seat in positions(players, 100 + players):
        if not isinstance(g.question, pt.Deploy):
            continue
        world = g.clone()
        realm = world.realms[seat]
        told = list(realm.plan)
        answers = ADVISOR.deploy_all(world, realm, rng)
        plan = list(realm.plan)
        assert plan[: len(told)] == told
        assert len(plan) == len(told) + answers == len(realm.units) + len(realm.hand)
        assert plan.count(pt.FRONT) <= realm.front_spots()
        assert plan.count(pt.BACK) <= pt.BACK_SPOTS
        assert plan.count(pt.SAVED) <= (world.turn < pt.TURNS)
        assert pt.SAVED not in plan[: len(realm.units)]
        new = zip(realm.hand, plan[len(realm.units) :], strict=True)
        assert sum(pt.COST[pt.KIND[card]] for card, where in new if where <= pt.BACK) <= realm.gold
        hurried += 1
    assert hurried > 20


def lying(g: pt.PaperTales) -> list[int]:
    """All cards that lie somewhere, those of a draft wherever their owner has put them."""
    found = [*g.pile, *g.discards, *g.buried]
    for realm in g.realms:
        found += [*realm.packet, *realm.kept, *realm.tossed, *(unit.card for unit in realm.units)]
    return sorted(found)
