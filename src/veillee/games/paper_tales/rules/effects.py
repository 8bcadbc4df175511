"""PT-2.2.4 What units do when they are revealed, in its order; age tokens."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.events import AGED, RAISED, SHAPE, SHAPE_REFUSED
from veillee.games.paper_tales.rules.kingdom import Realm, Unit, new_unit
from veillee.games.paper_tales.rules.pieces import (
    AGE,
    AGES,
    BUILDINGS,
    CAVE_SPIRIT,
    COST,
    DEMON,
    DEPLOYMENT,
    GOLEM,
    KIND,
    KRAKEN,
    NECROMANCER,
    SHAPES_UP_TO,
    SHAPESHIFTER,
    VETERAN,
)
from veillee.games.paper_tales.rules.table import PaperTales, Secret
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at, one
from veillee.kernel.state import Moves, Phase


@mypyc_attr(acyclic=True, free_list_len=1)
class RevealEffects(Phase):
    """PT-2.2.4 A player's effects in this order: Shapeshifter, Golem, age tokens that need no choice."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            for place in range(len(realm.units)):
                if realm.units[place].kind == SHAPESHIFTER:
                    shift_shape(g, seat, realm, place, rng)
            if realm.fresh(GOLEM) > 0:
                raise_buildings(g, seat, realm)
            for place in range(len(realm.units)):
                if realm.units[place].fresh:
                    age_on_reveal(g, seat, realm, place)


def shift_shape(g: PaperTales, seat: i64, realm: Realm, place: i64, rng: Rng) -> None:
    """PT-2.2.4 Draw and discard until a unit of cost 3 or less; it is deployed here, free, with 1 age."""
    old = realm.units[place]
    card = g.draw(rng)
    while COST[KIND[card]] > SHAPES_UP_TO:
        g.reveal("PT-2.2.4", SHAPE_REFUSED, seat, KIND[card])
        g.discard(card)
        card = g.draw(rng)
    g.reveal("PT-2.2.4", SHAPE, seat, KIND[card], place)
    realm.units[place] = new_unit(card, old.row, 1)
    g.discard(old.card)


def raise_buildings(g: PaperTales, seat: i64, realm: Realm) -> None:
    """PT-2.2.4 Golem: all level-1 buildings become level 2, free; the fifth spot opens next turn."""
    for building in range(BUILDINGS):
        if at(realm.levels, building) == 1:
            realm.levels += one(building)
            g.note("PT-2.2.4", RAISED, seat, building)


def age_on_reveal(g: PaperTales, seat: i64, realm: Realm, place: i64) -> None:
    """PT-2.2.4 Veteran, Cave Spirit and Demon: 1 age on themselves; Necromancer and Kraken: on each other unit."""
    kind = realm.units[place].kind
    if kind in (VETERAN, CAVE_SPIRIT, DEMON):
        put_age(g, seat, realm.units[place], place)
    elif kind in (NECROMANCER, KRAKEN):
        for other in range(len(realm.units)):
            if other != place:
                put_age(g, seat, realm.units[other], other)


def put_age(g: PaperTales, seat: i64, unit: Unit, place: i64) -> None:
    unit.age += 1
    g.note("PT-2.2.4", AGED, seat, unit.kind, 1, place)


@mypyc_attr(acyclic=True, free_list_len=1)
class ChooseAge(Secret):
    """PT-2.2.4 Time Masters revealed this turn: 2 age on one own unit each; then the Master Alchemist, every turn: as
    many as food produced. Chosen in secret by all at once; 0 food: no question; a single unit: no question either."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        asked: i64 = 0
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            realm.answered = 0
            if len(realm.units) == 1:
                while realm.tokens_asked() > 0:
                    put_tokens(realm, 0)
            elif realm.tokens_asked() > 0:
                asked |= 1 << seat
        if asked:
            g.ask_all(self, asked)

    def options(self, g: PaperTales, seat: i64) -> vec[i64]:
        return AGES[: len(g.realms[seat].units)]

    def allow(self, g: PaperTales, seat: i64, moves: Moves) -> None:
        for place in range(len(g.realms[seat].units)):
            moves.add(AGE + place)

    def answer(self, g: PaperTales, seat: i64, action: i64, rng: Rng) -> None:
        realm = g.realms[seat]
        put_tokens(realm, action - AGE)
        if realm.tokens_asked() > 0:
            g.ask_again(seat)

    def answer_anew(self, g: PaperTales, owner: i64, moves: Moves, rng: Rng) -> None:
        realm = g.realms[owner]
        done = not g.asks(owner)
        asked = realm.answered > 0 or not done
        realm.answered = 0
        for unit in realm.units:
            unit.coming = 0
        while done and asked and realm.tokens_asked() > 0:
            put_tokens(realm, rng.below(len(realm.units)))


def put_tokens(realm: Realm, place: i64) -> None:
    realm.units[place].coming += realm.tokens_asked()
    realm.answered += 1


@mypyc_attr(acyclic=True, free_list_len=1)
class PutAge(Phase):
    """PT-2.2.4 The chosen tokens are revealed together."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            realm.answered = 0
            for place in range(len(realm.units)):
                unit = realm.units[place]
                if unit.coming > 0:
                    unit.age += unit.coming
                    g.reveal("PT-2.2.4", AGED, seat, unit.kind, unit.coming, place)
                    unit.coming = 0


@mypyc_attr(acyclic=True, free_list_len=1)
class KrakenToll(Phase):
    """PT-2.2.4 Last of all: the Kraken revealed this turn takes 3 LP per own level-2 building."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            if realm.fresh(KRAKEN) > 0:
                g.gain_legend("PT-2.2.4", DEPLOYMENT, seat, -3 * realm.high(), KRAKEN)
