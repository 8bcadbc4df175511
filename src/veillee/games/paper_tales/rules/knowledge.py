"""PT-4.1 What a seat knows of packets, discards and saved cards; what it cannot know, dealt anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.kingdom import NO_PICK, Realm
from veillee.games.paper_tales.rules.pieces import CARDS, MOST_PLAYERS, NO_CARD, PICKS, sort_cards
from veillee.kernel.chance import Rng

if TYPE_CHECKING:
    from veillee.games.paper_tales.rules.table import PaperTales

ONLOOKERS: Final = 1 << 5  # beside 1 << seat for each seat: the spectators
ALL_EYES: Final = (1 << 6) - 1
NOBODY_KNOWS: Final = vec[i64]([0] * CARDS)


# -- what a seat sees -----------------------------------------------------------------------------------------
def see_packet(g: PaperTales, seat: i64) -> None:
    for card in g.realms[seat].packet:
        g.seen[card] |= 1 << seat


def was_seen(g: PaperTales, card: i64, seat: i64) -> bool:
    return seat >= 0 and (g.seen[card] >> seat) & 1 == 1


def close_discards(g: PaperTales, seat: i64) -> None:
    """A seat that has saved nothing has discarded all its earlier cards that are not in its kingdom."""
    for i in range(len(g.buriers)):
        if g.buriers[i] == seat:
            g.picks[i] |= 1


def remember_the_old_pile(g: PaperTales) -> None:
    """Before a reshuffle: what each seat knows not to have been in the old pile's last cards.

    No seat can tell the cards of the new pile apart, nor a saved card from one of them.
    """
    g.turned = NOBODY_KNOWS[:]
    g.aside = NOBODY_KNOWS[:]
    for card in g.discards:
        g.turned[card] = ALL_EYES
        g.seen[card] = 0
    for i in range(len(g.buried)):
        card = g.buried[i]
        g.turned[card] = 1 << g.buriers[i]
        g.aside[card] = g.seen[card]
        g.seen[card] = 0
    for realm in g.realms:
        if realm.saved != NO_CARD:
            g.aside[realm.saved] = g.seen[realm.saved]
            g.seen[realm.saved] = 0


def forget_the_old_pile(g: PaperTales) -> None:
    g.turned = vec[i64]()
    g.aside = vec[i64]()
    g.early = 0


# -- what it cannot know, dealt anew --------------------------------------------------------------------------
@final
@mypyc_attr(acyclic=True, free_list_len=1)
class Stack:
    """Cards that are collected, shuffled and dealt from the end."""

    def __init__(self, cards: vec[i64]) -> None:
        self.cards = cards

    def add(self, card: i64) -> None:
        self.cards = append(self.cards, card)

    def add_all(self, cards: vec[i64]) -> None:
        for card in cards:
            self.cards = append(self.cards, card)

    def deal(self) -> i64:
        self.cards, card = pop(self.cards)
        return card


def resample(g: PaperTales, seat: i64, rng: Rng) -> None:
    """Move cards between the places that the seat cannot tell apart; how many lie where never changes."""
    for owner in range(len(g.realms)):
        if owner != seat and g.realms[owner].saved != NO_CARD:
            swap_saved(g, owner, g.realms[owner], rng)
    swap_within_packets(g, seat, rng)
    unknown = Stack(g.pile)
    for owner in range(len(g.realms)):
        if has_hidden(g, owner, seat):
            unknown.add(g.realms[owner].saved)
    for i in range(len(g.buried)):
        if is_hidden(g, i, seat):
            unknown.add(g.buried[i])
    collect_draft(g, seat, unknown)
    if len(g.turned) > 0:
        unknown = deal_old_cards(g, seat, unknown, rng)
    else:
        rng.shuffle(unknown.cards)
        deal_hidden(g, seat, unknown)
    for origin in range(g.early, len(g.realms)):
        deal_packet(g, seat, origin, unknown, rng)
    g.pile = unknown.cards


def has_hidden(g: PaperTales, owner: i64, seat: i64) -> bool:
    """Has the owner saved a card that the seat has never seen?"""
    saved = g.realms[owner].saved
    return owner != seat and saved != NO_CARD and not was_seen(g, saved, seat)


def is_hidden(g: PaperTales, i: i64, seat: i64) -> bool:
    """Is the i-th card discarded face down one that the seat has never seen?"""
    return g.buriers[i] != seat and not was_seen(g, g.buried[i], seat)


def deal_hidden(g: PaperTales, seat: i64, unknown: Stack) -> None:
    """Saved and discarded cards of the others that the seat has never seen: any of those unknown to it."""
    for owner in range(len(g.realms)):
        if has_hidden(g, owner, seat):
            g.realms[owner].saved = unknown.deal()
    for i in range(len(g.buried)):
        if is_hidden(g, i, seat):
            g.buried[i] = unknown.deal()


def deal_old_cards(g: PaperTales, seat: i64, unknown: Stack, rng: Rng) -> Stack:
    """After a reshuffle: packets of the old pile, then saved cards, without what cannot be there; gives the rest."""
    eye: i64 = ONLOOKERS
    if seat >= 0:
        eye = 1 << seat
    free = Stack(vec[i64]())
    aside = Stack(vec[i64]())
    turned = Stack(vec[i64]())
    for card in unknown.cards:
        if g.turned[card] & eye:
            turned.add(card)
        elif g.aside[card] & eye:
            aside.add(card)
        else:
            free.add(card)
    rng.shuffle(free.cards)
    for origin in range(g.early):
        deal_packet(g, seat, origin, free, rng)
    free.add_all(aside.cards)
    rng.shuffle(free.cards)
    deal_hidden(g, seat, free)
    free.add_all(turned.cards)
    rng.shuffle(free.cards)
    return free


# -- hidden cards of earlier drafts: i: the discard of that number; -1 - owner: a saved card ----------------------
def card_at(g: PaperTales, place: i64) -> i64:
    return g.buried[place] if place >= 0 else g.realms[-1 - place].saved


def put_card(g: PaperTales, place: i64, card: i64) -> None:
    if place >= 0:
        g.buried[place] = card
    else:
        g.realms[-1 - place].saved = card


def swap_saved(g: PaperTales, owner: i64, realm: Realm, rng: Rng) -> None:
    """Which of an owner's hidden cards is the saved one: any that is not known to be discarded."""
    places = vec[i64]([-1 - owner])
    hidden = vec[i64]([realm.saved_pick * CARDS + realm.saved])  # a pick and its card stay together
    for i in range(len(g.buriers)):
        if g.buriers[i] == owner and g.picks[i] & 1 == 0:
            places = append(places, i)
            hidden = append(hidden, g.picks[i] * CARDS + g.buried[i])
    rng.shuffle(hidden)
    for place in places:
        hidden, both = pop(hidden)
        put_card(g, place, both % CARDS)
        if place >= 0:
            g.picks[place] = both // CARDS
        else:
            realm.saved_pick = both // CARDS


def swap_within_packets(g: PaperTales, seat: i64, rng: Rng) -> None:
    """The hidden cards of a packet that the seat handed on: each later holder took as many of them as before."""
    players = len(g.realms)
    places = vec[i64]()
    looks = vec[i64]()  # the packet, and how often the seat had held it before the pick: unlike for unlike sets
    for i in range(len(g.buried)):
        if g.buriers[i] != seat and was_seen(g, g.buried[i], seat):
            places = append(places, i)
            looks = append(looks, look(g.picks[i], seat, players))
    for owner in range(players):
        realm = g.realms[owner]
        if owner != seat and realm.saved != NO_CARD and was_seen(g, realm.saved, seat):
            places = append(places, -1 - owner)
            looks = append(looks, look(realm.saved_pick, seat, players))
    for first in range(len(looks)):
        packet = looks[first]
        if packet == NO_PICK:
            continue
        same = vec[i64]()
        cards = vec[i64]()
        for i in range(first, len(looks)):
            if looks[i] == packet:
                looks[i] = NO_PICK
                same = append(same, places[i])
                cards = append(cards, card_at(g, places[i]))
        rng.shuffle(cards)
        for place in same:
            cards, card = pop(cards)
            put_card(g, place, card)


def look(pick: i64, seat: i64, players: i64) -> i64:
    """Equal for the picks from a packet between two looks of the seat at it; NO_PICK: it is not known which pick."""
    pick >>= 1
    if pick == NO_PICK:
        return NO_PICK
    packet = pick // PICKS  # the turn and the origin
    origin = packet % MOST_PLAYERS
    way: i64 = 1 if (packet // MOST_PLAYERS) % 2 == 1 else -1
    looks: i64 = 0
    for passes in range(pick % PICKS):
        if (origin + way * passes) % players == seat:
            looks += 1
    return packet * PICKS + looks


# -- this turn's packets ------------------------------------------------------------------------------------------
def collect_draft(g: PaperTales, seat: i64, unknown: Stack) -> None:
    """The cards of this turn's packets that the seat has never seen: those taken out before it held the packet."""
    for origin in range(len(g.realms)):
        end: i64 = 0
        while end <= g.passes and g.holder(origin, end) != seat:
            end += 1
        gather(g, origin, 0, end, unknown)


def deal_packet(g: PaperTales, seat: i64, origin: i64, unknown: Stack, rng: Rng) -> None:
    """Fill the places of a packet again; what the seat saw going on changes places within its later way."""
    passes: i64 = 0
    while passes <= g.passes:
        end = passes
        while end <= g.passes and g.holder(origin, end) != seat:
            end += 1
        if passes == 0:
            hand_out(g, origin, passes, end, unknown)
        elif passes < end:
            cards = Stack(vec[i64]())
            gather(g, origin, passes, end, cards)
            rng.shuffle(cards.cards)
            hand_out(g, origin, passes, end, cards)
        passes = end + 1


def gather(g: PaperTales, origin: i64, start: i64, end: i64, cards: Stack) -> None:
    """The cards taken from a packet between two passes, and what is left of it if that goes up to now."""
    for passes in range(start, end):
        realm = g.realms[g.holder(origin, passes)]
        if passes < len(realm.kept):
            cards.add(realm.kept[passes])
        if passes < len(realm.tossed):
            cards.add(realm.tossed[passes])
        if passes == g.passes:
            cards.add_all(realm.packet)


def hand_out(g: PaperTales, origin: i64, start: i64, end: i64, cards: Stack) -> None:
    """The reverse of gather: take as many from the end of `cards`."""
    for passes in range(start, end):
        realm = g.realms[g.holder(origin, passes)]
        if passes < len(realm.kept):
            realm.kept[passes] = cards.deal()
        if passes < len(realm.tossed):
            realm.tossed[passes] = cards.deal()
        if passes == g.passes:
            for i in range(len(realm.packet)):
                realm.packet[i] = cards.deal()
            sort_cards(realm.packet)
