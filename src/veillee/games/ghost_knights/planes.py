"""GK-7.1 A position of Ghost Knights as numbers for one seat."""

from __future__ import annotations

from mypy_extensions import i64

from veillee.games.ghost_knights.rules import (
    BLACK,
    COLOURS,
    COPIES,
    DOLMEN_CARD,
    DOLMENS,
    GUARDS,
    SWORDS,
    TOURNAMENTS,
    DrawOrPlay,
    Fight,
    GhostKnights,
    PutGuard,
    TakeGuard,
    Target,
    WhoseGuard,
)
from veillee.kernel.counts import at
from veillee.kernel.planes import Planes, Sheet, relative


def colour_of(place: i64, seat: i64, seats: i64) -> i64:
    """The colours as the seat counts them: its own, the others' clockwise, the common one if there is one, black."""
    if place >= seats:
        return place
    return seat + place if seat + place < seats else seat + place - seats


class KnightPlanes(Planes):
    def write(self, g: GhostKnights, seat: i64, sheet: Sheet) -> None:
        seats = len(g.knights)
        me = g.knights[seat]
        sheet.plane("your cards, by colour: your own, the others', black last", COPIES)
        for place in range(COLOURS):
            sheet.put(at(me.hand, colour_of(place, seat, seats)))
        for place in range(seats):
            other = colour_of(place, seat, seats)
            knight = g.knights[other]
            sheet.plane("a knight: guards at each dolmen", GUARDS)
            sheet.counts(knight.guards, DOLMENS)
            sheet.plane("a knight: guards in reserve", GUARDS)
            sheet.put(knight.reserve)
            sheet.plane("a knight: swords in reserve and on the altar", SWORDS)
            sheet.put(knight.swords)
            sheet.put(knight.altar)
            sheet.plane("a knight: glory", 300)
            sheet.put(knight.glory)
            sheet.plane("a knight: cards in hand", COLOURS * COPIES)
            sheet.put(knight.cards())
            sheet.plane("a knight: has passed in this tournament", 1)
            sheet.put((g.out >> other) & 1)
        sheet.plane("discards, by colour", COPIES)
        for place in range(COLOURS):
            sheet.put(g.discards[colour_of(place, seat, seats)])
        sheet.plane("the colour on top of the discards", 1)
        top = g.top
        sheet.one_of(relative(top, seat, seats) if top < seats else top, COLOURS)
        sheet.plane("cards in the upper and in the lower half of the pile", COLOURS * COPIES)
        size = len(g.pile)
        lower = min(size, g.lower_half)
        sheet.put(size - lower)
        sheet.put(lower)
        sheet.plane("dolmen cards among them", TOURNAMENTS)
        above: i64 = 0
        below: i64 = 0
        for place in range(size):
            if g.pile[place] == DOLMEN_CARD:
                if place < lower:
                    below += 1
                else:
                    above += 1
        sheet.put(above)
        sheet.put(below)
        sheet.plane("tournaments begun", TOURNAMENTS)
        sheet.put(g.tournaments)
        sheet.plane("a tournament is going on", 1)
        sheet.put(1 if g.fighting() else 0)
        question = g.question
        asks: i64 = -1
        owner: i64 = -1
        if g.waiting != 0:
            if isinstance(question, DrawOrPlay):
                asks = 0
            elif isinstance(question, PutGuard):
                asks = 1
                owner = question.owner
            elif isinstance(question, WhoseGuard):
                asks = 2
            elif isinstance(question, Fight):
                asks = 3
            elif isinstance(question, Target):
                asks = 4
            elif isinstance(question, TakeGuard):
                asks = 5
                owner = question.owner
        sheet.plane("the question: draw or play, put a guard, whose guard, fight, whom to strike, take a guard", 1)
        sheet.one_of(asks, 6)
        sheet.plane("whose guard it is about", 1)
        sheet.one_of(relative(owner, seat, seats), seats)


assert BLACK == COLOURS - 1  # so that it is the last, however many play
PLANES = KnightPlanes()
