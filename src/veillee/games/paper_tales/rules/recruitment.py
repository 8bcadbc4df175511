"""PT-2.1 Phase 1, Recruitment: a draft."""

from __future__ import annotations

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.events import DEAL, KEPT, KEPT_LAST, RECEIVED, TOSSED
from veillee.games.paper_tales.rules.kingdom import Realm
from veillee.games.paper_tales.rules.knowledge import see_packet
from veillee.games.paper_tales.rules.pieces import DEALT, DEALT_TO_TWO, KEEP, KIND, NO_CARD, PASSES, TOSS, sort_cards
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, Phase


@mypyc_attr(acyclic=True, free_list_len=1)
class Recruitment(Phase):
    """PT-2.1.1 Deal 5 cards each; PT-2.1.3 nine each to two players. Keep 1, pass the rest, until 5 are kept."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        n: i64 = DEALT_TO_TWO if len(g.realms) == 2 else DEALT
        for seat in range(len(g.realms)):
            packet = vec[i64](capacity=DEALT_TO_TWO)
            for _card in range(n):
                if len(g.pile) == 0:
                    g.early = seat
                packet = append(packet, g.draw(rng))
            sort_cards(packet)
            g.realms[seat].packet = packet
        for seat in range(len(g.realms)):
            see_packet(g, seat)
            g.reveal("PT-2.1.3" if len(g.realms) == 2 else "PT-2.1.1", DEAL, seat, n, to=1 << seat)
        for _pass in range(PASSES):
            g.push(PassPackets())
            g.push(Keep())


@mypyc_attr(acyclic=True, free_list_len=1)
class Keep(Phase):
    """PT-2.1.1 Keep 1 card secretly. PT-2.1.3 With two players, then also discard 1, face down."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        g.ask_all(self, g.everyone())

    def options(self, g: PaperTales, seat: i64) -> vec[i64]:
        moves = Moves()
        self.allow(g, seat, moves)
        return moves.actions[: moves.count]

    def allow(self, g: PaperTales, seat: i64, moves: Moves) -> None:
        realm = g.realms[seat]
        base: i64 = TOSS if tosses(g, realm) else KEEP
        before: i64 = NO_CARD
        for card in realm.packet:  # sorted: equal cards are neighbours
            kind = KIND[card]
            if kind != before:
                moves.add(base + kind)
                before = kind

    def answer(self, g: PaperTales, seat: i64, action: i64, rng: Rng) -> None:
        realm = g.realms[seat]
        if action >= TOSS:
            realm.tossed = append(realm.tossed, take(realm, action - TOSS))
            g.note("PT-2.1.3", TOSSED, seat, action - TOSS, to=1 << seat)
            return
        realm.kept = append(realm.kept, take(realm, action - KEEP))
        g.note("PT-2.1.1", KEPT, seat, action - KEEP, to=1 << seat)
        if len(g.realms) == 2:
            g.ask_again(seat)


def tosses(g: PaperTales, realm: Realm) -> bool:
    """PT-2.1.3 Has the card to keep been chosen, and is one to be discarded?"""
    return len(realm.kept) > g.passes


def take(realm: Realm, kind: i64) -> i64:
    """Take a card of the kind out of the packet."""
    place: i64 = 0
    while KIND[realm.packet[place]] != kind:
        place += 1
    realm.packet, card = pop(realm.packet, place)
    return card


@mypyc_attr(acyclic=True, free_list_len=1)
class PassPackets(Phase):
    """PT-2.1.2 Turns 1 and 3 pass to the left, turns 2 and 4 to the right. The last card is kept without a choice."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        packets = vec[vec[i64]]([realm.packet for realm in g.realms])
        g.passes += 1
        for seat in range(len(g.realms)):
            giver = g.giver(seat)
            g.realms[seat].packet = packets[giver]
            see_packet(g, seat)
            g.reveal("PT-2.1.2", RECEIVED, seat, giver, len(packets[giver]), to=1 << seat)
        if g.passes == PASSES:
            for seat in range(len(g.realms)):
                realm = g.realms[seat]
                realm.packet, card = pop(realm.packet)
                realm.kept = append(realm.kept, card)
                g.note("PT-2.1.1", KEPT_LAST, seat, KIND[card], to=1 << seat)
