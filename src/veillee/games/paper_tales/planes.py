"""PT-4.1 A position of Paper Tales as numbers for one seat: of packets, hands and plans, its own."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from veillee.games.paper_tales.rules.ageing import Heal
from veillee.games.paper_tales.rules.construction import Construct
from veillee.games.paper_tales.rules.deployment import Deploy
from veillee.games.paper_tales.rules.effects import ChooseAge
from veillee.games.paper_tales.rules.kingdom import Realm
from veillee.games.paper_tales.rules.pieces import (
    BUILD,
    BUILDINGS,
    CARDS,
    KIND,
    KINDS,
    MOST_PLANNED,
    MOST_UNITS,
    NO_BUILDING,
    NO_CARD,
    TURNS,
    UNDECIDED,
)
from veillee.games.paper_tales.rules.recruitment import Keep, tosses
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.kernel.planes import Planes, Sheet

MOST_GOLD: Final = 99
MOST_LEGEND: Final = 200
MOST_AGE: Final = 20
CONSTRUCTIONS: Final = 16  # the answers of a construction


class KingdomPlanes(Planes):
    def write(self, g: PaperTales, seat: i64, sheet: Sheet) -> None:
        seats = len(g.realms)
        me = g.realms[seat]
        asked = g.asks(seat)
        question = g.question
        sheet.plane("your packet, of each kind", 9)
        self.kinds(me.packet, sheet)
        sheet.plane("cards that you kept in this draft, of each kind", 9)
        self.kinds(me.kept, sheet)
        sheet.plane("cards that you discarded in this draft, of each kind", 9)
        self.kinds(me.tossed, sheet)
        sheet.plane("the card that you saved", 1)
        sheet.one_of(KIND[me.saved] if me.saved != NO_CARD else -1, KINDS)
        deploying = g.waiting != 0 and isinstance(question, Deploy)
        sheet.names("your deployment: each old unit, then each card in hand, its kind and 1 more", KINDS)
        place, numbers = sheet.at, sheet.numbers
        sheet.nothing(MOST_PLANNED)
        if deploying:
            for unit in me.units:
                numbers[place] = i16(unit.kind + 1)
                place += 1
            for card in me.hand:
                numbers[place] = i16(KIND[card] + 1)
                place += 1
        sheet.plane("your deployment: front 1, back 2, saved 3, discarded 4; 0: not yet said", 4)
        place = sheet.at
        sheet.nothing(MOST_PLANNED)
        for said in me.plan:
            numbers[place] = i16(said + 1)
            place += 1
        sheet.plane("your deployment: free in front, in the back, and gold left", MOST_GOLD)
        if deploying:
            sheet.put(me.front)
            sheet.put(me.back)
            sheet.put(me.purse)
        else:
            sheet.nothing(3)
        for turn in range(seats):
            other = seat + turn if seat + turn < seats else seat + turn - seats
            self.realm(g, g.realms[other], other == seat, sheet)
        sheet.plane("discards, of each kind", 9)
        self.kinds(g.discards, sheet)
        sheet.plane("cards in the pile, and discarded face down", CARDS)
        sheet.put(len(g.pile))
        sheet.put(len(g.buried))
        sheet.plane("turn", TURNS)
        sheet.put(g.turn)
        sheet.plane("packets passed in this turn", 4)
        sheet.put(g.passes)
        asks: i64 = -1
        if g.waiting != 0:
            if isinstance(question, Keep):
                asks = 1 if asked and tosses(g, me) else 0
            elif isinstance(question, Deploy):
                asks = 2
            elif isinstance(question, ChooseAge):
                asks = 3
            elif isinstance(question, Construct):
                asks = 4
            elif isinstance(question, Heal):
                asks = 5
        sheet.plane("the question: keep, discard, deploy, age, build, heal", 1)
        sheet.one_of(asks, 6)
        sheet.plane("age tokens to give, healers asked", MOST_AGE)
        sheet.put(me.tokens_asked() if asks == 3 and asked else 0)
        sheet.put(me.healers_asked() if asks == 5 and asked else 0)
        sheet.plane("what you build", 1)
        sheet.one_of(me.construction - BUILD if asks == 4 and me.construction != UNDECIDED else -1, CONSTRUCTIONS)

    def kinds(self, cards: vec[i64], sheet: Sheet) -> None:
        start, numbers = sheet.at, sheet.numbers
        sheet.nothing(KINDS)
        for card in cards:
            numbers[start + KIND[card]] += 1

    def realm(self, g: PaperTales, realm: Realm, own: bool, sheet: Sheet) -> None:
        sheet.plane("a realm: gold", MOST_GOLD)
        sheet.put(realm.gold)
        sheet.plane("a realm: legend", MOST_LEGEND)
        sheet.put(realm.legend)
        sheet.plane("a realm: level of each building", 2)
        sheet.counts(realm.levels, BUILDINGS)
        sheet.plane("a realm: a card is saved", 1)
        sheet.put(1 if realm.saved != NO_CARD else 0)
        sheet.plane("a realm: strength in the last war, and wars won in it", 99)
        sheet.put(realm.strength)
        sheet.put(realm.wars)
        place = sheet.at
        sheet.names("a realm: its units, their kinds and 1 more", KINDS)
        sheet.nothing(MOST_UNITS)
        sheet.plane("a realm: their rows, front 1, back 2", 2)
        sheet.nothing(MOST_UNITS)
        sheet.plane("a realm: their age", MOST_AGE)
        sheet.nothing(MOST_UNITS)
        sheet.plane("a realm: revealed in this turn", 1)
        sheet.nothing(MOST_UNITS)
        if own:
            sheet.plane("your realm: age that you have chosen for each", MOST_AGE)
            sheet.nothing(MOST_UNITS)
            sheet.plane("your realm: those that your healers save", 1)
            sheet.nothing(MOST_UNITS)
        numbers = sheet.numbers
        for unit in realm.units:
            numbers[place] = i16(unit.kind + 1)
            numbers[place + MOST_UNITS] = i16(unit.row + 1)
            numbers[place + 2 * MOST_UNITS] = i16(min(unit.age, MOST_AGE))
            numbers[place + 3 * MOST_UNITS] = 1 if unit.fresh else 0
            if own:
                numbers[place + 4 * MOST_UNITS] = i16(min(unit.coming, MOST_AGE))
                numbers[place + 5 * MOST_UNITS] = 1 if unit.healed else 0
            place += 1


assert NO_BUILDING - BUILD == CONSTRUCTIONS - 1
PLANES = KingdomPlanes()
