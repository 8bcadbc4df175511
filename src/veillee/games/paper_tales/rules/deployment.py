"""PT-2.2 Phase 2, Deployment: in secret, then revealed and paid. What the units then do is in effects.py."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.events import DEPLOYED, DISMISSED, LEFTOVERS, MOVED
from veillee.games.paper_tales.rules.kingdom import NO_PICK, Realm, Unit, new_unit
from veillee.games.paper_tales.rules.knowledge import close_discards, forget_the_old_pile
from veillee.games.paper_tales.rules.pieces import (
    BACK,
    COST,
    DEPLOY,
    DEPLOY_NEW,
    DEPLOY_OLD,
    DEPLOYMENT,
    FRONT,
    GONE,
    KIND,
    MOST_UNITS,
    NO_CARD,
    SAVED,
    TURNS,
)
from veillee.games.paper_tales.rules.table import PaperTales, Secret
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, Moves, Phase


@mypyc_attr(acyclic=True, free_list_len=1)
class Deploy(Secret):
    """PT-2.2.1 In secret: for each old unit, then each card in hand: in front, in the back, saved, or discarded.

    PT-2.1.4 The card saved last turn joins the hand. Equal cards take an equal or a later option than the one
    before, so that every deployment is given exactly once.
    """

    def run(self, g: PaperTales, rng: Rng) -> None:
        for realm in g.realms:
            realm.start_plan()
        g.ask_all(self, g.everyone())

    def options(self, g: PaperTales, seat: i64) -> vec[i64]:
        realm = g.realms[seat]
        return DEPLOY_OLD if len(realm.plan) < len(realm.units) else DEPLOY_NEW

    def forbids(self, g: PaperTales, seat: i64, action: i64) -> str:
        realm = g.realms[seat]
        where = action - DEPLOY
        if where == SAVED and not may_save(g, realm):
            return "PT-2.2.6"
        if (where == FRONT and realm.front == 0) or (where == BACK and realm.back == 0):
            return "PT-1.3"
        if where <= BACK and not can_pay(realm):
            return "PT-2.2.3"
        return ALLOWED if where >= first_way(realm) else "PT-2.2.1"

    def allow(self, g: PaperTales, seat: i64, moves: Moves) -> None:
        """The same guards, each asked once. Whatever happens, it can be discarded."""
        realm = g.realms[seat]
        first = first_way(realm)
        if first <= BACK and can_pay(realm):
            if realm.front > 0 and first == FRONT:
                moves.add(DEPLOY + FRONT)
            if realm.back > 0:
                moves.add(DEPLOY + BACK)
        if first <= SAVED and len(realm.plan) >= len(realm.units) and may_save(g, realm):
            moves.add(DEPLOY + SAVED)
        moves.add(DEPLOY + GONE)

    def answer(self, g: PaperTales, seat: i64, action: i64, rng: Rng) -> None:
        realm = g.realms[seat]
        realm.settle(action - DEPLOY)
        if not realm.planned():
            g.ask_again(seat)

    def answer_anew(self, g: PaperTales, owner: i64, moves: Moves, rng: Rng) -> None:
        """With another hand, perhaps. Nobody knows how far a deployment has come that is not done."""
        realm = g.realms[owner]
        realm.start_plan()
        while not g.asks(owner) and not realm.planned():
            g.offer(owner, moves)
            realm.settle(moves.random(rng) - DEPLOY)


def may_save(g: PaperTales, realm: Realm) -> bool:
    """PT-2.2.6 One card, and none in the last turn."""
    return g.turn < TURNS and not realm.saving()


def can_pay(realm: Realm) -> bool:
    """PT-2.2.3 Only new units cost."""
    return len(realm.plan) < len(realm.units) or COST[realm.next_kind()] <= realm.purse


def first_way(realm: Realm) -> i64:
    """The first way that is open to the thing asked about: an equal one before it may have taken a later one."""
    if not realm.same_as_before():
        return FRONT
    last = len(realm.plan) - 1
    return realm.plan[last]


@mypyc_attr(acyclic=True, free_list_len=1)
class RevealKingdoms(Phase):
    """PT-2.2.2 All reveal at once and pay. PT-2.2.6 One card may be saved; the others are discarded, face down."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            realm.ledger = vec[i64]()
            if realm.saved == NO_CARD:
                close_discards(g, seat)
            carry_out_plan(g, seat, realm)
            for passes in range(len(realm.tossed)):
                g.bury(seat, realm.tossed[passes], g.pick(seat, passes) + 1)
            realm.kept = vec[i64]()
            realm.tossed = vec[i64]()
            realm.hand = vec[i64]()
            realm.plan = vec[i64]()
        g.passes = 0
        forget_the_old_pile(g)


def carry_out_plan(g: PaperTales, seat: i64, realm: Realm) -> None:
    """PT-2.2.1, PT-2.2.2 Old units stay, move or go; new ones are paid for."""
    units = vec[Unit](capacity=MOST_UNITS)
    old = len(realm.units)
    for place in range(old):
        unit = realm.units[place]
        where = realm.plan[place]
        if where == GONE:
            g.reveal("PT-2.2.1", DISMISSED, seat, unit.kind, unit.age, place)
            g.discard(unit.card)
            continue
        if where != unit.row:
            g.reveal("PT-2.2.1", MOVED, seat, unit.kind, where, place)
            unit.row = where
        units = append(units, unit)
    saved_card: i64 = NO_CARD
    saved_pick: i64 = NO_PICK
    buried: i64 = 0
    for i in range(len(realm.hand)):
        card = realm.hand[i]
        where = realm.plan[old + i]
        if where == SAVED:
            saved_card = card
            saved_pick = pick_of(g, seat, realm, card)
        elif where == GONE:
            g.bury(seat, card, pick_of(g, seat, realm, card))
            buried += 1
        else:
            kind = KIND[card]
            units = append(units, new_unit(card, where, 0))
            g.reveal("PT-2.2.2", DEPLOYED, seat, kind, where, COST[kind])
            g.gain_gold("PT-2.2.2", DEPLOYMENT, seat, -COST[kind], kind)
    realm.units = units
    realm.saved = saved_card
    realm.saved_pick = saved_pick
    g.reveal("PT-2.2.6", LEFTOVERS, seat, 1 if saved_card != NO_CARD else 0, buried)


def pick_of(g: PaperTales, seat: i64, realm: Realm, card: i64) -> i64:
    """With which pick a card in hand was taken."""
    if card == realm.saved:
        return realm.saved_pick
    for passes in range(len(realm.kept)):
        if realm.kept[passes] == card:
            return g.pick(seat, passes)
    return NO_PICK
