"""SD-2.5 Several players on one square: SD-6 Brawl, SD-7 Trade."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.sourire_du_dragon.rules.course import CLOAK, NO_CARD, POTION
from veillee.games.sourire_du_dragon.rules.events import (
    AGREED,
    ATTACKED,
    BRAWL_DIE,
    BRAWL_WON,
    OFFERED,
    REFUSED,
    SPARED,
    TIED,
    TOOK,
)
from veillee.games.sourire_du_dragon.rules.position import (
    ACCEPT,
    ATTACK,
    CARD,
    OFFER,
    PASS,
    REFUSE,
    USE_HAT,
    CallForHelp,
    OfCards,
    SourireDuDragon,
)
from veillee.kernel.chance import Rng
from veillee.kernel.log import Event
from veillee.kernel.state import ALLOWED, Moves, Step

REPLIES: Final = vec[i64]([ACCEPT, REFUSE])


@mypyc_attr(acyclic=True, free_list_len=1)
class Meet(Step):
    """SD-2.5 Adventure and card come first, then a brawl or a trade. SD-7.1 One offer for each player on your square,
    before a brawl. SD-6.1 You may attack one of them, which ends your turn."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        seat = self.seat
        square = g.heroes[seat].square
        for other in range(len(g.heroes)):
            if g.heroes[other].square == square and other != seat:
                if not no_trade(g, seat, other) or not no_brawl(g, seat, other):
                    g.ask(self)
                    return

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        others = [other for other in range(g.seats()) if other != seat]
        return vec[i64]([PASS] + [OFFER + other for other in others] + [ATTACK + other for other in others])

    def allow(self, g: SourireDuDragon, seat: i64, moves: Moves) -> None:
        moves.add(PASS)
        for other in range(len(g.heroes)):
            if other != seat and not no_trade(g, seat, other):
                moves.add(OFFER + other)
        for other in range(len(g.heroes)):
            if other != seat and not no_brawl(g, seat, other):
                moves.add(ATTACK + other)

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        if action == PASS:
            return ALLOWED
        if action >= OFFER:
            return no_trade(g, seat, action - OFFER)
        return no_brawl(g, seat, action - ATTACK)

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        if action == PASS:
            return
        if action >= OFFER:
            g.offered |= 1 << (action - OFFER)
            g.push(self)
            g.ask(OfferWhat(seat, action - OFFER))
        else:
            brawl(g, seat, action - ATTACK, rng)


# -- SD-7 Trade -------------------------------------------------------------------------------------------
def no_trade(g: SourireDuDragon, seat: i64, other: i64) -> str:
    """SD-7.1 The rule against an offer, or ALLOWED: on your square, once a turn, and there must be a card."""
    me = g.heroes[seat]
    them = g.heroes[other]
    if them.square != me.square or (g.offered >> other) & 1 == 1:
        return "SD-7.1"
    return ALLOWED if me.has_cards() or them.has_cards() else "SD-7.1"


@mypyc_attr(acyclic=True, free_list_len=1)
class OfferWhat(OfCards):
    """SD-7.1 What you give: a card, or nothing if you ask for a gift."""

    def __init__(self, seat: i64, partner: i64) -> None:
        super().__init__(seat)
        self.partner = partner

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return nothing_or(g.heroes[seat].cards)

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        return "SD-7.1" if action == PASS and not g.heroes[self.partner].has_cards() else ALLOWED

    def no_card(self, g: SourireDuDragon, seat: i64, card: i64) -> str:
        return "SD-7.1"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        g.ask(OfferFor(seat, self.partner, card_of(action)))


@mypyc_attr(acyclic=True, free_list_len=1)
class OfferFor(OfCards):
    """SD-7.1 What you want for it: a card, or nothing if it is a gift."""

    def __init__(self, seat: i64, partner: i64, give: i64) -> None:
        super().__init__(seat)
        self.partner = partner
        self.give = give

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return nothing_or(g.heroes[self.partner].cards)

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        return "SD-7.1" if action == PASS and self.give == NO_CARD else ALLOWED

    def no_card(self, g: SourireDuDragon, seat: i64, card: i64) -> str:
        return "SD-7.1"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        want = card_of(action)
        if g.log is not None:
            g.tell(Event("SD-7.1", OFFERED, int(seat), [self.partner, self.give, want, g.course.set]))
        g.ask(Reply(self.partner, seat, self.give, want))


@mypyc_attr(acyclic=True, free_list_len=1)
class Reply(Step):
    """SD-7.1 The other player accepts or refuses. SD-7.2 Refusing what is rightfully another's allows a brawl."""

    def __init__(self, seat: i64, partner: i64, give: i64, want: i64) -> None:
        super().__init__(seat)
        self.partner = partner  # who made the offer
        self.give = give  # what the partner gives
        self.want = want  # what the partner wants

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return REPLIES

    def allow(self, g: SourireDuDragon, seat: i64, moves: Moves) -> None:
        moves.add_all(REPLIES)

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        if action == ACCEPT:
            if self.give != NO_CARD:
                g.hand_over(self.partner, seat, self.give)
            if self.want != NO_CARD:
                g.hand_over(seat, self.partner, self.want)
            if g.log is not None:
                g.tell(Event("SD-7.1", AGREED, int(seat), [self.partner, self.give, self.want, g.course.set]))
            return
        if self.want != NO_CARD and self.want == g.heroes[self.partner].character:
            g.refused |= 1 << seat
            g.note("SD-7.2", REFUSED, seat, self.partner)
        else:
            g.note("SD-7.1", REFUSED, seat, self.partner)


# -- SD-6 Brawl -------------------------------------------------------------------------------------------
def no_brawl(g: SourireDuDragon, seat: i64, other: i64) -> str:
    """SD-6.1 The rule against an attack, or ALLOWED: where your move ended, on a player with cards; SD-5.3 not on the
    Thief under the Cloak. SD-7.2 Anywhere on whoever refused you your own object."""
    me = g.heroes[seat]
    them = g.heroes[other]
    if them.square != me.square or not them.has_cards():
        return "SD-6.1"
    if them.has_own(CLOAK):
        return "SD-5.3"
    if g.landed == me.square or (g.refused >> other) & 1 == 1:
        return ALLOWED
    return "SD-6.1"


def brawl(g: SourireDuDragon, seat: i64, target: i64, rng: Rng) -> None:
    """SD-6.1 The attacker's combat die if it is still unused, else a new one; the other rolls one."""
    g.die = g.take_die(rng)
    g.other_die = rng.die()
    g.hats = 0
    g.note("SD-6.1", ATTACKED, seat, target)
    g.added = g.hat_before(seat, rng)
    g.other_added = g.hat_before(target, rng)
    fray = Fray(seat, target, 0)
    fray.tell(g)
    fray.run(g, rng)


@mypyc_attr(acyclic=True, free_list_len=1)
class Fray(CallForHelp):
    """SD-6.1, SD-6.2 Both dice with the C bonuses of both: higher wins, a tie changes nothing.

    SD-4.1 Whoever is not winning is asked for help when it could change the result, the attacker first, until nobody
    wants to.
    """

    def __init__(self, seat: i64, target: i64, declined: i64) -> None:
        super().__init__(seat)
        self.target = target
        self.declined = declined  # who does not want to call for help: the sum of 1 << seat

    def total(self, g: SourireDuDragon, seat: i64) -> i64:
        sum_ = g.die + g.added if seat == self.seat else g.other_die + g.other_added
        return sum_ + g.bonus(seat, True, False)

    def tell(self, g: SourireDuDragon) -> None:
        g.note("SD-6.1", BRAWL_DIE, self.seat, g.die, self.total(g, self.seat))
        g.note("SD-6.1", BRAWL_DIE, self.target, g.other_die, self.total(g, self.target))

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        mine = self.total(g, self.seat)
        theirs = self.total(g, self.target)
        if mine <= theirs and self.wants_help(g, self.seat):
            g.ask(self)
        elif theirs <= mine and self.wants_help(g, self.target):
            g.ask_all(self, 1 << self.target)
        elif mine == theirs:
            g.note("SD-6.2", TIED, self.seat, self.target)
        else:
            winner = self.seat if mine > theirs else self.target
            loser = self.target if mine > theirs else self.seat
            g.note("SD-6.2", BRAWL_WON, winner, loser)
            if g.heroes[loser].has_cards():
                g.ask(Spoils(winner, loser))

    def wants_help(self, g: SourireDuDragon, seat: i64) -> bool:
        return (self.declined >> seat) & 1 == 0 and self.within_reach(g, seat)

    def within_reach(self, g: SourireDuDragon, seat: i64) -> bool:
        """Could helps make a defeat a tie, or a tie a victory?"""
        mine = self.total(g, seat)
        theirs = self.total(g, self.target if seat == self.seat else self.seat)
        need = theirs if mine < theirs else theirs + 1
        return mine + g.reach(seat, self.die_of(g, seat)) >= need

    def die_of(self, g: SourireDuDragon, seat: i64) -> i64:
        return g.die if seat == self.seat else g.other_die

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        if action == PASS:
            return ALLOWED
        if action >= CARD and g.in_vain(action - CARD, self.die_of(g, seat)):
            return "SD-4.1"
        return ALLOWED if self.within_reach(g, seat) else "SD-4.1"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        if action == PASS:
            g.push(Fray(self.seat, self.target, self.declined | 1 << seat))
            return
        more: i64 = 0
        if action == USE_HAT:
            more = g.roll_hat(seat, rng)
        else:
            card = action - CARD
            g.use(seat, card)
            if g.course.effects[card] == POTION:
                more = g.course.powers[card]
            elif seat == self.seat:
                g.die = rng.die()
            else:
                g.other_die = rng.die()
        if seat == self.seat:
            g.added += more
        else:
            g.other_added += more
        self.tell(g)
        g.push(Fray(self.seat, self.target, 0))


@mypyc_attr(acyclic=True, free_list_len=1)
class Spoils(OfCards):
    """SD-6.2 The winner may take one card of the loser, of the winner's choice."""

    def __init__(self, seat: i64, loser: i64) -> None:
        super().__init__(seat)
        self.loser = loser

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return nothing_or(g.heroes[self.loser].cards)

    def no_card(self, g: SourireDuDragon, seat: i64, card: i64) -> str:
        return "SD-6.2"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        if action == PASS:
            g.note("SD-6.2", SPARED, seat, self.loser)
            return
        g.hand_over(self.loser, seat, action - CARD)
        g.note("SD-6.2", TOOK, seat, self.loser, action - CARD, g.course.set)


def card_of(action: i64) -> i64:
    """Which card an answer names; NO_CARD: nothing."""
    if action == PASS:
        return NO_CARD
    return action - CARD


def nothing_or(cards: vec[i64]) -> vec[i64]:
    """Nothing, or each different card once, as choices."""
    found = vec[i64]([PASS])
    for card in cards:
        if CARD + card not in found:
            found = append(found, CARD + card)
    return found
