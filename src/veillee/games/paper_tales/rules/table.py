"""PT-1 What is on the table, and who may know what of it."""

from __future__ import annotations

from typing import Any, ClassVar

from librt.vecs import append, extend, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules import knowledge
from veillee.games.paper_tales.rules.events import GOLD, LEGEND, RESHUFFLE
from veillee.games.paper_tales.rules.kingdom import NO_PICK, Realm, rule_of
from veillee.games.paper_tales.rules.pieces import (
    AGE,
    BUILD,
    BUILD_HIGH,
    DEPLOY,
    HEAL,
    KEEP,
    MOST_PLAYERS,
    NO_BUILDING,
    NO_HEAL,
    PICKS,
    SAVED,
    TOSS,
    UPGRADE,
)
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, TOGETHER
from veillee.kernel.plain import records
from veillee.kernel.state import Moves, Phase, State


class PaperTales(State):
    """PT-1 What is on the table."""

    shape: ClassVar[dict[str, Any]] = {"realms": records(Realm)}

    def __init__(
        self,
        realms: vec[Realm],
        turn: i64,
        passes: i64,
        pile: vec[i64],
        discards: vec[i64],
        buried: vec[i64],
        buriers: vec[i64],
        picks: vec[i64],
        seen: vec[i64],
        turned: vec[i64],
        aside: vec[i64],
        early: i64,
    ) -> None:
        super().__init__()
        self.realms = realms
        self.turn = turn  # 1 to 4
        self.passes = passes  # how often the packets were passed this turn
        self.pile = pile  # the next card is the last
        self.discards = discards  # face up: discarded from a kingdom, or dead
        self.buried = buried  # discarded face down
        self.buriers = buriers  # by whom, in the same order
        self.picks = picks  # which pick of a draft each of them was, in the same order: see pick()
        self.seen = seen  # of each card, who saw it since it left the pile: the sum of 1 << seat
        # PT-1.2 after a reshuffle, up to the next reveal of the kingdoms: who knows what about the cards (else empty)
        self.turned = turned  # of each card, who knows that it was shuffled into the new pile
        self.aside = aside  # of each card, who knows that it was not in the old pile any more
        self.early = early  # how many packets of this turn were dealt before the reshuffle

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def right_of(self, seat: i64) -> i64:
        if seat == 0:
            seat = len(self.realms)
        return seat - 1

    def draw(self, rng: Rng) -> i64:
        """PT-1.2 The next card; when there is none, the discard pile is shuffled."""
        if len(self.pile) == 0:
            self.note("PT-1.2", RESHUFFLE, NO_SEAT, len(self.discards) + len(self.buried))
            knowledge.remember_the_old_pile(self)
            self.pile = extend(self.discards, self.buried)
            self.discards = vec[i64]()
            self.buried = vec[i64]()
            self.buriers = vec[i64]()
            self.picks = vec[i64]()
            rng.shuffle(self.pile)
        self.pile, card = pop(self.pile)
        return card

    def discard(self, card: i64) -> None:
        """Face up."""
        self.discards = append(self.discards, card)

    def bury(self, seat: i64, card: i64, pick: i64 = NO_PICK) -> None:
        """Discard a card face down."""
        self.buried = append(self.buried, card)
        self.buriers = append(self.buriers, seat)
        self.picks = append(self.picks, pick)

    def gain_gold(self, rule: str, phase: i64, seat: i64, gold: i64, source: i64) -> None:
        """Gold, earned or paid."""
        if gold != 0:
            realm = self.realms[seat]
            realm.gold += gold
            realm.enter(phase, source, 0, gold)
            self.note(rule, GOLD, seat, gold, source)

    def gain_legend(self, rule: str, phase: i64, seat: i64, legend: i64, source: i64) -> None:
        """Legend points, gained or lost; PT-1.1 never below 0."""
        realm = self.realms[seat]
        if realm.legend + legend < 0:
            legend = -realm.legend
        if legend != 0:
            realm.legend += legend
            realm.enter(phase, source, legend, 0)
            self.note(rule, LEGEND, seat, legend, source)

    def passes_left(self) -> bool:
        """PT-2.1.2 Turns 1 and 3 pass to the left, turns 2 and 4 to the right."""
        return self.turn & 1 == 1

    def giver(self, seat: i64) -> i64:
        """PT-2.1.2 Who passes a packet to the seat."""
        return self.right_of(seat) if self.passes_left() else self.left_of(seat)

    def receiver(self, seat: i64) -> i64:
        """PT-2.1.2 To whom the seat passes its packet."""
        return self.left_of(seat) if self.passes_left() else self.right_of(seat)

    def holder(self, origin: i64, passes: i64) -> i64:
        """PT-2.1.2 Who has the packet dealt to `origin` after so many passes."""
        players = len(self.realms)
        return (origin + passes) % players if self.passes_left() else (origin - passes) % players

    def pick(self, seat: i64, passes: i64) -> i64:
        """This turn's pick of a seat after so many passes, as a number: the turn, whose packet, the passes.

        It is even; 1 is added once everyone knows that the card of this pick is discarded.
        """
        origin = self.holder(seat, -passes)
        return ((self.turn * MOST_PLAYERS + origin) * PICKS + passes) * 2

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> PaperTales:
        g = PaperTales(
            vec[Realm]([realm.clone() for realm in self.realms]),
            self.turn,
            self.passes,
            self.pile[:],
            self.discards[:],
            self.buried[:],
            self.buriers[:],
            self.picks[:],
            self.seen[:],
            self.turned[:],
            self.aside[:],
            self.early,
        )
        g.resume(self)
        return g

    def determinize(self, seat: i64, rng: Rng) -> None:
        """PT-4.1 Deal anew what the seat cannot know: the pile, hidden discards, saved cards, the others' draft.
        The place of every other card is known to some seat.

        What it can know is kept: of a packet that it held, which cards went on, and that each of the next holders
        took one of them; of a card seen in a draft, that it is not in the pile; of the last cards of a pile, that
        none of them lay in the discards. The others' answers that are still secret are then chosen at random.

        Three things it could work out are left open. A saved card may be any that its owner has discarded face
        down from the hand since it last had none saved, also where a later deployment tells which it must have
        been. After a reshuffle, whose a card was that is neither seen in the new draft nor known to be shuffled in.
        And that the packet whose deal the reshuffle interrupts has at least one card of the old pile.
        """
        if seat == TOGETHER:
            rng.shuffle(self.pile)
            return
        knowledge.resample(self, seat, rng)
        question = self.question
        if isinstance(question, Secret):
            moves = Moves()
            for owner in range(len(self.realms)):
                if owner != seat:
                    question.answer_anew(self, owner, moves, rng)

    def seats(self) -> i64:
        return len(self.realms)

    def score(self, seat: i64) -> i64:
        return self.realms[seat].legend

    def standing(self, seat: i64) -> list[int]:
        """PT-3.2 Most legend points; then most gold; then a shared victory."""
        realm = self.realms[seat]
        return [realm.legend, realm.gold]

    def answers(self) -> i64:
        return NO_BUILDING + 1

    def misplaced(self, seat: i64, action: i64) -> str:
        """Every answer has its phase; of a card or a unit that is not there, the rule that asks for one."""
        if action < TOSS:
            return "PT-2.1.1"
        if action < DEPLOY:
            return "PT-2.1.3"
        if action < AGE:
            return "PT-2.2.6" if action == DEPLOY + SAVED else "PT-2.2.1"
        if action < HEAL:
            return "PT-2.2.4"
        return "PT-2.6.2" if action <= NO_HEAL else rule_of(action)

    def choice(self, action: i64) -> tuple[str, dict[str, int]]:
        if action < TOSS:
            return "keep", {"kind": action - KEEP}
        if action < DEPLOY:
            return "toss", {"kind": action - TOSS}
        if action < AGE:
            return ("front", "back", "save", "discard")[action - DEPLOY], {}
        if action < HEAL:
            return "age", {"place": action - AGE}
        if action < NO_HEAL:
            return "heal", {"place": action - HEAL}
        if action == NO_HEAL:
            return "let die", {}
        if action < BUILD_HIGH:
            return "build", {"building": action - BUILD}
        if action < UPGRADE:
            return "build high", {"building": action - BUILD_HIGH}
        if action < NO_BUILDING:
            return "upgrade", {"building": action - UPGRADE}
        return "build nothing", {}


@mypyc_attr(acyclic=True)
class Secret(Phase):
    """A question that all answer at once and in secret, before the answers are revealed together."""

    def answer_anew(self, g: PaperTales, owner: i64, moves: Moves, rng: Rng) -> None:
        """PT-4.1 What this owner has answered so far, chosen again at random (`moves` is lent)."""
        raise NotImplementedError
