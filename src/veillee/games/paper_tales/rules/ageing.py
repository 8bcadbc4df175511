"""PT-2.6 Phase 6, Ageing."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.events import DIED, GREW_OLD, HEALED, LEGEND, LET_DIE
from veillee.games.paper_tales.rules.kingdom import Realm, Unit
from veillee.games.paper_tales.rules.pieces import (
    AGEING,
    DEMON,
    FROM_FLOOR,
    HEAL,
    HEALS,
    KRAKEN,
    MONKEY,
    MOST_UNITS,
    NO_HEAL,
    PALM_READER,
    SCULPTOR,
)
from veillee.games.paper_tales.rules.table import PaperTales, Secret
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED, Moves, Phase


@mypyc_attr(acyclic=True, free_list_len=1)
class Heal(Secret):
    """PT-2.6.2 Each Healer may save one own unit that is about to die with exactly 1 age, herself too.

    How many are asked is known to everyone: one who saves nobody does not spare the next one her question.
    """

    def run(self, g: PaperTales, rng: Rng) -> None:
        asked: i64 = 0
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            realm.answered = 0
            if realm.healers_asked() > 0:
                asked |= 1 << seat
        if asked:
            g.ask_all(self, asked)

    def options(self, g: PaperTales, seat: i64) -> vec[i64]:
        return append(HEALS[: len(g.realms[seat].units)], NO_HEAL)

    def forbids(self, g: PaperTales, seat: i64, action: i64) -> str:
        if action == NO_HEAL:
            return ALLOWED
        unit = g.realms[seat].units[action - HEAL]
        return ALLOWED if unit.needs_healing() and not unit.healed else "PT-2.6.2"

    def answer(self, g: PaperTales, seat: i64, action: i64, rng: Rng) -> None:
        realm = g.realms[seat]
        heal(g, realm, action)
        if realm.healers_asked() > 0:
            g.ask_again(seat)

    def answer_anew(self, g: PaperTales, owner: i64, moves: Moves, rng: Rng) -> None:
        realm = g.realms[owner]
        if realm.answered > 0:
            realm.answered = 0
            for unit in realm.units:
                unit.healed = False
            while not g.asks(owner) and realm.healers_asked() > 0:
                g.offer(owner, moves)
                heal(g, realm, moves.random(rng))


def heal(g: PaperTales, realm: Realm, action: i64) -> None:
    realm.answered += 1
    if action != NO_HEAL:
        realm.units[action - HEAL].healed = True
    elif g.version == 1:  # then no further Healer was asked
        realm.answered = len(realm.units)


@mypyc_attr(acyclic=True, free_list_len=1)
class Ageing(Phase):
    """PT-2.6.1 Units with an age token die, unless an effect says otherwise. PT-2.6.2 The survivors get one."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            if realm.answered > 0:
                reveal_healing(g, seat, realm)
            bury_the_dead(g, seat, realm)
            for unit in realm.units:
                unit.age += 1
                unit.fresh = False
                unit.healed = False
            sort_units(realm.units)
        g.note("PT-2.6.2", GREW_OLD, NO_SEAT)


def reveal_healing(g: PaperTales, seat: i64, realm: Realm) -> None:
    """PT-2.6.2 What the Healers chose is revealed together."""
    realm.answered = 0
    nobody = True
    for place in range(len(realm.units)):
        unit = realm.units[place]
        if unit.healed:
            g.reveal("PT-2.6.2", HEALED, seat, unit.kind, place)
            nobody = False
    if nobody:
        g.reveal("PT-2.6.2", LET_DIE, seat, 0)


def bury_the_dead(g: PaperTales, seat: i64, realm: Realm) -> None:
    """PT-2.6.1 Effects on death. PT-2.6.2 Gains and losses are added up before the floor of 0 applies."""
    survivors = vec[Unit](capacity=MOST_UNITS)
    ages: i64 = 0
    sum_of_all: i64 = 0
    for place in range(len(realm.units)):
        unit = realm.units[place]
        if unit.healed or not unit.dies():
            survivors = append(survivors, unit)
            continue
        g.note("PT-2.6.1", DIED, seat, unit.kind, unit.age, place)
        realm.enter(AGEING, unit.kind, 0, 0)
        g.discard(unit.card)
        ages += unit.age
        if unit.kind == MONKEY:
            g.gain_gold("PT-2.6.1", AGEING, seat, unit.age, MONKEY)
        elif unit.kind == SCULPTOR:
            sum_of_all += told(g, seat, 3, SCULPTOR)
        elif unit.kind == DEMON and unit.age == 1:
            sum_of_all += told(g, seat, -3, DEMON)
    if ages == 0:
        return  # no unit died
    for unit in realm.units:  # the dying Palm Reader and Kraken included
        if unit.kind in (PALM_READER, KRAKEN):
            sum_of_all += told(g, seat, ages, unit.kind)
    realm.units = survivors
    realm.legend += sum_of_all
    if realm.legend < 0:
        g.note("PT-1.1", LEGEND, seat, -realm.legend, FROM_FLOOR)
        realm.enter(AGEING, FROM_FLOOR, -realm.legend, 0)
        realm.legend = 0


def told(g: PaperTales, seat: i64, legend: i64, source: i64) -> i64:
    """Write down points of this phase, which count only when all of them are added up."""
    g.note("PT-2.6.1", LEGEND, seat, legend, source)
    g.realms[seat].enter(AGEING, source, legend, 0)
    return legend


def sort_units(units: vec[Unit]) -> None:
    """By kind, then by age: the order in which the next deployment asks about them."""
    for i in range(1, len(units)):
        unit = units[i]
        j = i
        while j > 0 and comes_before(unit, units[j - 1]):
            units[j] = units[j - 1]
            j -= 1
        units[j] = unit


def comes_before(unit: Unit, other: Unit) -> bool:
    return unit.kind < other.kind or (unit.kind == other.kind and unit.age < other.age)
