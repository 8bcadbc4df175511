"""PT-2.5 Phase 5, Construction. What a building costs is in kingdom.py."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.events import BUILT, BUILT_NOTHING, CANNOT_BUILD
from veillee.games.paper_tales.rules.kingdom import Means, Realm
from veillee.games.paper_tales.rules.pieces import (
    BUILD,
    BUILD_HIGH,
    CONSTRUCTION,
    CONSTRUCTIONS,
    FROM_BUILDING,
    NO_BUILDING,
    UNDECIDED,
    UPGRADE,
)
from veillee.games.paper_tales.rules.table import PaperTales, Secret
from veillee.kernel.chance import Rng
from veillee.kernel.counts import one
from veillee.kernel.state import ALLOWED, Moves, Phase


@mypyc_attr(acyclic=True, free_list_len=1)
class Construct(Secret):
    """PT-2.5.1 Build, PT-2.5.2 straight to level 2, or PT-2.5.3 upgrade: one action or none, chosen by all at once.

    Whoever can build nothing is not asked: everyone can see why.
    """

    def run(self, g: PaperTales, rng: Rng) -> None:
        asked: i64 = 0
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            realm.construction = UNDECIDED
            if can_build(realm):
                asked |= 1 << seat
            else:
                g.note("PT-2.5.1", CANNOT_BUILD, seat)
        if asked:
            g.ask_all(self, asked)

    def options(self, g: PaperTales, seat: i64) -> vec[i64]:
        return CONSTRUCTIONS

    def forbids(self, g: PaperTales, seat: i64, action: i64) -> str:
        realm = g.realms[seat]
        if action == NO_BUILDING or (realm.has_site(action) and realm.price_of(action) <= realm.gold):
            return ALLOWED
        return rule_of(action)

    def allow(self, g: PaperTales, seat: i64, moves: Moves) -> None:
        """The same guards, for means that are counted once."""
        realm = g.realms[seat]
        means = Means(realm)
        moves.add(NO_BUILDING)
        for action in range(BUILD, NO_BUILDING):
            if realm.has_site(action) and means.price_of(action) <= realm.gold:
                moves.add(action)

    def answer(self, g: PaperTales, seat: i64, action: i64, rng: Rng) -> None:
        g.realms[seat].construction = action

    def answer_anew(self, g: PaperTales, owner: i64, moves: Moves, rng: Rng) -> None:
        realm = g.realms[owner]
        if not g.asks(owner) and realm.construction != UNDECIDED:
            g.offer(owner, moves)
            realm.construction = moves.random(rng)


def can_build(realm: Realm) -> bool:
    means = Means(realm)
    return any(realm.has_site(action) and means.price_of(action) <= realm.gold for action in range(BUILD, NO_BUILDING))


def rule_of(action: i64) -> str:
    if action < BUILD_HIGH:
        return "PT-2.5.1"
    return "PT-2.5.2" if action < UPGRADE else "PT-2.5.3"


@mypyc_attr(acyclic=True, free_list_len=1)
class RevealConstructions(Phase):
    """PT-2.5.1 The constructions are revealed together and paid for; resources are shown, not spent."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            action = realm.construction
            realm.construction = UNDECIDED
            if action == NO_BUILDING:
                g.reveal("PT-2.5.1", BUILT_NOTHING, seat, 0)
            elif action < BUILD:
                continue  # not asked
            elif action < BUILD_HIGH:
                build(g, seat, action, action - BUILD, 0, 1)
            elif action < UPGRADE:
                build(g, seat, action, action - BUILD_HIGH, 0, 2)
            else:
                build(g, seat, action, action - UPGRADE, 1, 2)


def build(g: PaperTales, seat: i64, action: i64, building: i64, before: i64, level: i64) -> None:
    realm = g.realms[seat]
    rule = rule_of(action)
    price = realm.price_of(action)
    realm.levels += (level - before) * one(building)
    g.reveal(rule, BUILT, seat, building, level, price)
    g.gain_gold(rule, CONSTRUCTION, seat, -price, FROM_BUILDING + building)
