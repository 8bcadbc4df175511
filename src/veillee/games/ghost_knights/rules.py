"""Ghost Knights (4-5 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from librt.vecs import append, extend, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.counts import at, first, one, without_first
from veillee.kernel.log import TOGETHER, Log, kind
from veillee.kernel.plain import counts, things
from veillee.kernel.state import ALLOWED, Moves, Phase, State, Step, Thing

# GK-1.1, GK-1.2: seat n plays colour n; with 4 players the fifth colour is common.
WHITE: Final = 0
BLUE: Final = 1
GREEN: Final = 2
YELLOW: Final = 3
RED: Final = 4
BLACK: Final = 5
COLOURS: Final = 6
COPIES: Final = 10  # cards of each colour
DOLMEN_CARD: Final = 6
NO_CARD: Final = -1
NOWHERE: Final = -1  # points that no dolmen gave

DOLMENS: Final = 5
GUARDS: Final = 10
MOST_PLAYERS: Final = 5
SWORDS: Final = 10
SWORDS_AT_START: Final = 2
HAND_AT_START: Final = 4
SEEDS: Final = 4  # cards of each player's colour dealt in front of the dolmens
TOURNAMENTS: Final = 4  # GK-1.3 four dolmen cards: the box's fifth is left out
LAP: Final = 30
LAP_AT_30: Final = 1  # GK-6.2 a reading (ADR 35), a bit of State.readings: exactly 30 is a lap
EVERYWHERE_BONUS: Final = 5
OTHERS_COLOUR: Final = 1  # glory for a guard posted for another player

# Why a guard is put: which rule a line of the log cites.
OWN_CARD: Final = 0
OTHER_CARD: Final = 1
BLACK_CARD: Final = 2
DOLMEN_DRAWN: Final = 3
STRUCK: Final = 4
CAUSES: Final = ["GK-2.2", "GK-2.3", "GK-2.5", "GK-3.1", "GK-4.4"]

# What can happen.
FIRST: Final = kind("first")
DRAWN: Final = kind("drawn")  # a card; which one is private
DREW: Final = kind("drew", "card")  # from the pile to the hand
DOLMEN: Final = kind("dolmen card", "tournament")
PLAYED: Final = kind("played", "card")  # from the hand to the discards
POSTED: Final = kind("posted", "owner", "dolmen")  # a guard from the owner's reserve to the dolmen
TAKEN: Final = kind("taken", "owner", "dolmen")  # a guard from the dolmen to its owner's reserve
SWORD: Final = kind("sword")  # from the reserve to the altar
SWORD_USED: Final = kind("sword used")  # from the altar, out of the game
PASSED: Final = kind("passed")
GLORY: Final = kind("glory", "points", "dolmen")  # from the dolmen, or from NOWHERE

# Actions. A choice has the same number in every position.
DRAW: Final = 0
PASS: Final = 1
PLAY: Final = 2  # + colour
OWNER: Final = 8  # + the seat whose guard it is
PUT: Final = 13  # + dolmen
TAKE: Final = 18  # + dolmen

DRAW_OR_PLAY: Final = vec[i64]([DRAW] + [PLAY + c for c in range(COLOURS)])
FIGHT: Final = vec[i64]([PASS] + [PLAY + c for c in range(COLOURS)])
OWNERS: Final = vec[vec[i64]]([vec[i64]([OWNER + p for p in range(n)]) for n in range(6)])
PUTS: Final = vec[i64]([PUT + d for d in range(DOLMENS)])
DECK: Final = vec[i64]([i // COPIES for i in range(COLOURS * COPIES)])
ALL_SEEDS: Final = vec[i64]([i // SEEDS for i in range(SEEDS * MOST_PLAYERS)])
DOLMEN_CARDS: Final = vec[i64]([DOLMEN_CARD] * 2)  # in each half of the pile
NO_DISCARDS: Final = vec[i64]([0] * COLOURS)
TAKES: Final = vec[i64]([TAKE + d for d in range(DOLMENS)])


@mypyc_attr(acyclic=True)
class Knight(Thing):
    """One player's things."""

    shape: ClassVar[dict[str, Any]] = {"hand": counts(COLOURS), "guards": counts(DOLMENS)}

    def __init__(self, reserve: i64, swords: i64, altar: i64, glory: i64, hand: i64, guards: i64) -> None:
        self.reserve = reserve  # guards
        self.swords = swords  # in the reserve
        self.altar = altar  # swords on the altar
        self.glory = glory
        self.hand = hand  # cards of each colour
        self.guards = guards  # at each dolmen

    def clone(self) -> Knight:
        return Knight(self.reserve, self.swords, self.altar, self.glory, self.hand, self.guards)

    def cards(self) -> i64:
        total: i64 = 0
        for colour in range(COLOURS):
            total += at(self.hand, colour)
        return total

    def on_the_board(self) -> bool:
        return self.guards != 0

    def can_fight(self) -> bool:
        """GK-4.3 A sword on the altar and a card in hand."""
        return self.altar > 0 and self.hand != 0

    def everywhere(self) -> bool:
        return all(at(self.guards, dolmen) > 0 for dolmen in range(DOLMENS))


class GhostKnights(State):
    """GK-1 What is on the table."""

    shape: ClassVar[dict[str, Any]] = {"knights": things(Knight)}

    def __init__(
        self,
        knights: vec[Knight],
        pile: vec[i64],
        discards: vec[i64],
        top: i64,
        lower_half: i64,
        tournaments: i64,
        out: i64,
    ) -> None:
        super().__init__()
        self.knights = knights
        self.pile = pile  # the next card is the last
        self.discards = discards  # numbered cards of each colour, face up; the dolmen cards drawn lie beside them
        self.top = top  # the colour on top of the discards; NO_CARD before the first
        self.lower_half = lower_half  # how many cards the lower half of the pile was given
        self.tournaments = tournaments  # begun, each by a dolmen card
        self.out = out  # who has passed in this tournament: the sum of 1 << seat

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def owner_of(self, colour: i64, seat: i64) -> i64:
        """GK-1.1 Whose colour it is for this seat: the common colour counts as everyone's own."""
        return colour if colour < len(self.knights) else seat

    def draw(self, seat: i64) -> bool:
        """GK-2.1, GK-3.1 Draw a card; False if it was a dolmen card, which ends the turn."""
        self.pile, card = pop(self.pile)
        if card == DOLMEN_CARD:
            self.tournaments += 1
            self.reveal("GK-3.1", DOLMEN, seat, self.tournaments)
            self.push(Tournament(seat))
            if self.knights[seat].reserve > 0:
                self.ask(PutGuard(seat, seat, DOLMEN_DRAWN))
            return False
        self.note("GK-2.1", DRAWN, seat)
        self.reveal("GK-2.1", DREW, seat, card, to=1 << seat)
        self.knights[seat].hand += one(card)
        return True

    def discard(self, seat: i64, card: i64) -> None:
        """GK-2.7 A played card is discarded, face up."""
        self.show("GK-2.7", PLAYED, seat, card)
        self.knights[seat].hand -= one(card)
        self.discards[card] += 1
        self.top = card

    def gain(self, rule: str, seat: i64, glory: i64, dolmen: i64 = NOWHERE) -> None:
        self.note(rule, GLORY, seat, glory, dolmen)
        self.knights[seat].glory += glory

    def sword_to_altar(self, rule: str, seat: i64) -> None:
        """One sword from the reserve to the altar, if any is left."""
        knight = self.knights[seat]
        if knight.swords > 0:
            self.note(rule, SWORD, seat)
            knight.swords -= 1
            knight.altar += 1

    def lapped(self) -> bool:
        """GK-6.2 A player's glory exceeds another's by more than a lap; in the other reading a lap is enough."""
        most = least = self.knights[0].glory
        for seat in range(len(self.knights)):
            glory = self.knights[seat].glory
            if glory > most:
                most = glory
            elif glory < least:
                least = glory
        return most - least > LAP or (most - least == LAP and self.readings & LAP_AT_30 != 0)

    def can_strike(self, seat: i64, owner: i64) -> bool:
        """GK-4.4 Put a guard of one's own, take away another player's."""
        if owner == seat:
            return self.knights[seat].reserve > 0
        return self.knights[owner].on_the_board()

    def strike(self, seat: i64, owner: i64) -> None:
        if owner == seat:
            self.ask(PutGuard(seat, owner, STRUCK))
        else:
            self.ask(TakeGuard(seat, owner))

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> GhostKnights:
        knights = vec[Knight]([knight.clone() for knight in self.knights])
        pile, discards = self.pile[:], self.discards[:]
        g = GhostKnights(knights, pile, discards, self.top, self.lower_half, self.tournaments, self.out)
        g.resume(self)
        return g

    def determinize(self, seat: i64, rng: Rng) -> None:
        """Shuffle the cards of the pile and of the other hands; each half keeps its number of dolmen cards."""
        hands = seat != TOGETHER
        unseen = vec[i64](capacity=COLOURS * COPIES)
        for card in self.pile:
            if card != DOLMEN_CARD:
                unseen = append(unseen, card)
        for owner in range(len(self.knights)):
            if hands and owner != seat:
                hand = self.knights[owner].hand
                for colour in range(COLOURS):
                    for _card in range(at(hand, colour)):
                        unseen = append(unseen, colour)
        rng.shuffle(unseen)
        for owner in range(len(self.knights)):
            if hands and owner != seat:
                knight = self.knights[owner]
                cards = knight.cards()
                knight.hand = 0
                for _card in range(cards):
                    unseen, card = pop(unseen)
                    knight.hand += one(card)
        lower, unseen = redeal(self.pile[: self.lower_half], unseen, rng)
        upper, unseen = redeal(self.pile[self.lower_half :], unseen, rng)
        self.pile = extend(lower, upper)

    def seats(self) -> i64:
        return len(self.knights)

    def score(self, seat: i64) -> i64:
        return self.knights[seat].glory

    def standing(self, seat: i64) -> list[int]:
        """GK-6.3 Most glory; then more swords on the altar; then more cards in hand; then a shared victory."""
        knight = self.knights[seat]
        return [knight.glory, knight.altar, knight.cards()]

    def fighting(self) -> bool:
        """GK-4.1 Is a tournament going on? Its scoring is still to come then."""
        return any(isinstance(self.steps[place], Scoring) for place in range(self.depth))

    def answers(self) -> i64:
        return TAKE + DOLMENS

    def misplaced(self, seat: i64, action: i64) -> str:
        """One card a turn, or one a blow; what comes after it depends on its colour."""
        fighting = self.fighting()
        if action == DRAW:
            return "GK-2.1"
        if action == PASS:
            return "GK-4.1"
        if action < OWNER:
            return "GK-4.1" if fighting else "GK-2.1"
        if action < PUT:
            return "GK-4.4" if fighting else "GK-2.5"
        if action < TAKE:
            return "GK-4.4" if fighting else "GK-2.2"
        return "GK-4.4"

    def choice(self, action: i64) -> tuple[str, dict[str, int]]:
        if action == DRAW:
            return "draw", {}
        if action == PASS:
            return "pass", {}
        if action < OWNER:
            return "play", {"colour": action - PLAY}
        if action < PUT:
            return "owner", {"seat": action - OWNER}
        if action < TAKE:
            return "put", {"dolmen": action - PUT}
        return "take", {"dolmen": action - TAKE}


# -- GK-2 A turn ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Turn(Step):
    """GK-2.1 Draw a card. Then either draw a second one or play one. Then the turn passes to the left."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        g.push(Turn(g.left_of(self.seat)))
        if g.draw(self.seat):
            g.ask(DrawOrPlay(self.seat))


@mypyc_attr(acyclic=True)
class CardOr(Step):
    """A card of the hand is played, or something else is done, which is always possible. A move begins with it."""

    def __init__(self, seat: i64, otherwise: i64) -> None:
        super().__init__(seat)
        self.otherwise = otherwise

    def begins_move(self) -> bool:
        return True

    def works(self, g: GhostKnights, seat: i64, colour: i64) -> bool:
        """Can what a card of this colour brings be carried out?"""
        raise NotImplementedError

    def allow(self, g: GhostKnights, seat: i64, moves: Moves) -> None:
        """What the guards of the heirs allow, without the rule that is against the rest: a search reads none."""
        moves.add(self.otherwise)
        colour: i64 = 0
        rest = g.knights[seat].hand
        while rest != 0:
            if first(rest) > 0 and self.works(g, seat, colour):
                moves.add(PLAY + colour)
            rest = without_first(rest)
            colour += 1


@mypyc_attr(acyclic=True, free_list_len=1)
class DrawOrPlay(CardOr):
    """GK-2.1 Either draw a second card or play one from the hand."""

    def __init__(self, seat: i64) -> None:
        super().__init__(seat, DRAW)

    def options(self, g: GhostKnights, seat: i64) -> vec[i64]:
        return DRAW_OR_PLAY

    def forbids(self, g: GhostKnights, seat: i64, action: i64) -> str:
        if action == DRAW:
            return ALLOWED
        colour = action - PLAY
        if at(g.knights[seat].hand, colour) == 0:
            return "GK-2.1"
        if self.works(g, seat, colour):
            return ALLOWED
        return "GK-2.4" if colour < len(g.knights) else "GK-2.6"  # a player's colour; black or the common one

    def works(self, g: GhostKnights, seat: i64, colour: i64) -> bool:
        """GK-2.4, GK-2.6 There is a guard in the reserve that it would put."""
        if colour == BLACK:
            return any(knight.reserve > 0 for knight in g.knights)
        return g.knights[g.owner_of(colour, seat)].reserve > 0

    def answer(self, g: GhostKnights, seat: i64, action: i64, rng: Rng) -> None:
        if action == DRAW:
            g.draw(seat)
            return
        colour = action - PLAY
        g.discard(seat, colour)
        if colour == BLACK:
            g.ask(WhoseGuard(seat))
            return
        owner = g.owner_of(colour, seat)
        if owner == seat:
            g.ask(PutGuard(seat, owner, OWN_CARD))
        else:
            g.push(Reward(seat))
            g.ask(PutGuard(seat, owner, OTHER_CARD))


@mypyc_attr(acyclic=True, free_list_len=1)
class PutGuard(Step):
    """GK-2.2, GK-2.3 Put one guard of the owner's reserve at a dolmen of your choice."""

    def __init__(self, seat: i64, owner: i64, cause: i64) -> None:
        super().__init__(seat)
        self.owner = owner
        self.cause = cause

    def options(self, g: GhostKnights, seat: i64) -> vec[i64]:
        return PUTS

    def allow(self, g: GhostKnights, seat: i64, moves: Moves) -> None:
        moves.add_all(PUTS)

    def answer(self, g: GhostKnights, seat: i64, action: i64, rng: Rng) -> None:
        dolmen = action - PUT
        owner = g.knights[self.owner]
        owner.reserve -= 1
        owner.guards += one(dolmen)
        g.note(CAUSES[self.cause], POSTED, seat, self.owner, dolmen)


@mypyc_attr(acyclic=True, free_list_len=1)
class Reward(Step):
    """GK-2.3 Another player's colour: 1 glory, and one sword from your reserve to the altar."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        g.gain("GK-2.3", self.seat, OTHERS_COLOUR)
        g.sword_to_altar("GK-2.3", self.seat)
        if g.lapped():
            g.end_game("GK-6.2")


@mypyc_attr(acyclic=True, free_list_len=1)
class WhoseGuard(Step):
    """GK-2.5 Black: one guard from your own reserve or from any other player's. No reward."""

    def options(self, g: GhostKnights, seat: i64) -> vec[i64]:
        return OWNERS[len(g.knights)]

    def forbids(self, g: GhostKnights, seat: i64, action: i64) -> str:
        owner = action - OWNER
        return ALLOWED if g.knights[owner].reserve > 0 else "GK-2.5"

    def answer(self, g: GhostKnights, seat: i64, action: i64, rng: Rng) -> None:
        g.ask(PutGuard(seat, action - OWNER, BLACK_CARD))


# -- GK-3 A dolmen card, GK-4 Tournament ------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Tournament(Step):
    """GK-3.1 After the guard, gain 1 glory; a tournament starts at once, then the scoring."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        g.gain("GK-3.1", self.seat, 1)
        if g.lapped():
            g.end_game("GK-6.2")
            return
        g.push(Scoring(self.seat))
        g.push(NextFighter(self.seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class NextFighter(Step):
    """GK-4.1, GK-4.3 Clockwise; not those who passed, nor those without a sword or a card. It ends when all are out."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        seat = self.seat
        for _turn in range(len(g.knights)):
            if (g.out >> seat) & 1 == 0 and g.knights[seat].can_fight():
                g.push(NextFighter(g.left_of(seat)))
                g.ask(Fight(seat))
                return
            seat = g.left_of(seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Fight(CardOr):
    """GK-4.1 Play exactly one card with one of your swords on the altar, or pass."""

    def __init__(self, seat: i64) -> None:
        super().__init__(seat, PASS)

    def options(self, g: GhostKnights, seat: i64) -> vec[i64]:
        return FIGHT

    def forbids(self, g: GhostKnights, seat: i64, action: i64) -> str:
        if action == PASS:
            return ALLOWED
        colour = action - PLAY
        if at(g.knights[seat].hand, colour) == 0:
            return "GK-4.1"
        return ALLOWED if self.works(g, seat, colour) else "GK-4.5"

    def works(self, g: GhostKnights, seat: i64, colour: i64) -> bool:
        """GK-4.5 There is a guard that it would put or take away."""
        if colour == BLACK:
            return any(g.can_strike(seat, owner) for owner in range(len(g.knights)))
        return g.can_strike(seat, g.owner_of(colour, seat))

    def answer(self, g: GhostKnights, seat: i64, action: i64, rng: Rng) -> None:
        if action == PASS:
            g.note("GK-4.1", PASSED, seat)
            g.out |= 1 << seat
            return
        colour = action - PLAY
        g.discard(seat, colour)
        g.knights[seat].altar -= 1
        g.note("GK-4.2", SWORD_USED, seat)  # It leaves the game.
        if colour == BLACK:
            g.ask(Target(seat))
        else:
            g.strike(seat, g.owner_of(colour, seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class Target(Step):
    """GK-4.4 Black: either take away any opponent's guard, or put one of your own."""

    def options(self, g: GhostKnights, seat: i64) -> vec[i64]:
        return OWNERS[len(g.knights)]

    def forbids(self, g: GhostKnights, seat: i64, action: i64) -> str:
        return ALLOWED if g.can_strike(seat, action - OWNER) else "GK-4.5"

    def answer(self, g: GhostKnights, seat: i64, action: i64, rng: Rng) -> None:
        g.strike(seat, action - OWNER)


@mypyc_attr(acyclic=True, free_list_len=1)
class TakeGuard(Step):
    """GK-4.4 Take one of that player's guards away from a dolmen, back to its owner's reserve."""

    def __init__(self, seat: i64, owner: i64) -> None:
        super().__init__(seat)
        self.owner = owner

    def options(self, g: GhostKnights, seat: i64) -> vec[i64]:
        return TAKES

    def forbids(self, g: GhostKnights, seat: i64, action: i64) -> str:
        dolmen = action - TAKE
        return ALLOWED if at(g.knights[self.owner].guards, dolmen) > 0 else "GK-4.4"

    def allow(self, g: GhostKnights, seat: i64, moves: Moves) -> None:
        guards = g.knights[self.owner].guards
        for dolmen in range(DOLMENS):
            if at(guards, dolmen) > 0:
                moves.add(TAKE + dolmen)

    def answer(self, g: GhostKnights, seat: i64, action: i64, rng: Rng) -> None:
        dolmen = action - TAKE
        owner = g.knights[self.owner]
        owner.guards -= one(dolmen)
        owner.reserve += 1
        g.note("GK-4.4", TAKEN, seat, self.owner, dolmen)


# -- GK-5 Scoring, GK-6 End -------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Scoring(Step):
    """GK-5 Dolmen by dolmen. GK-6.1, GK-6.2 The scoring is completed, even if somebody was lapped on the way."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        g.out = 0
        lapped = False
        for dolmen in range(DOLMENS):
            score_dolmen(g, dolmen)
            lapped = lapped or g.lapped()
        for seat in range(len(g.knights)):
            if g.knights[seat].everywhere():
                g.gain("GK-5.4", seat, EVERYWHERE_BONUS)
        if g.tournaments == TOURNAMENTS:
            g.end_game("GK-6.1")
            return
        if lapped or g.lapped():
            g.end_game("GK-6.2")
            return
        for seat in range(len(g.knights)):  # Not if the game ends here.
            g.sword_to_altar("GK-5.5", seat)


def tally(g: GhostKnights, dolmen: i64) -> tuple[i64, i64, i64]:
    """The most guards that a player has there, how many players have that many, and how many have any."""
    most: i64 = 0
    tied: i64 = 0
    present: i64 = 0
    for seat in range(len(g.knights)):
        guards = at(g.knights[seat].guards, dolmen)
        if guards > 0:
            present += 1
            if guards > most:
                most = guards
                tied = 1
            elif guards == most:
                tied += 1
    return most, tied, present


def worth(g: GhostKnights, seat: i64, dolmen: i64) -> i64:
    """GK-5 What the dolmen scores for the seat."""
    guards = at(g.knights[seat].guards, dolmen)
    if guards == 0:
        return 0
    most, tied, present = tally(g, dolmen)
    if tied > 1:
        return most
    if present == 1:
        return 2 * most
    return most if guards == most else 0


def score_dolmen(g: GhostKnights, dolmen: i64) -> None:
    """GK-5.1 The player alone in having the most guards scores 1 per guard; GK-5.2 twice that if nobody else is
    there; GK-5.3 if several have the most, every player who has a guard there scores that many."""
    most, tied, present = tally(g, dolmen)
    for seat in range(len(g.knights)):
        guards = at(g.knights[seat].guards, dolmen)
        if guards == 0:
            continue
        if tied > 1:
            g.gain("GK-5.3", seat, most, dolmen)
        elif present == 1:
            g.gain("GK-5.2", seat, 2 * most, dolmen)
        elif guards == most:
            g.gain("GK-5.1", seat, most, dolmen)


# -- GK-1 Setup -------------------------------------------------------------------------------------------
def new_game(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> GhostKnights:
    """A game about to be asked its first question."""
    knights = vec[Knight]([new_knight() for _ in range(players)])
    g = GhostKnights(knights, vec[i64](), NO_DISCARDS[:], NO_CARD, 0, 0, 0)
    if options.get("lap", "passed") == "level":
        g.readings = LAP_AT_30
    g.begin(Setup(), rng, log)
    return g


@mypyc_attr(acyclic=True)
class Setup(Phase):
    """GK-1.6, GK-1.7 Guards and cards are dealt. GK-1.8 First player at random; play goes clockwise."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        deal_guards(g, rng)
        deal_cards(g, rng)
        first = rng.below(len(g.knights))
        g.note("GK-1.8", FIRST, first)
        g.push(Turn(first))


def new_knight() -> Knight:
    """GK-1.4, GK-1.5 On space 1; 10 guards and 10 swords in the reserve, then 2 of the swords on the altar."""
    return Knight(GUARDS, SWORDS - SWORDS_AT_START, SWORDS_AT_START, 1, 0, 0)


def deal_guards(g: GhostKnights, rng: Rng) -> None:
    """GK-1.6 Four cards of each player's colour, dealt one at a time in front of the dolmens: a guard for each."""
    seeds = ALL_SEEDS[: SEEDS * len(g.knights)]
    rng.shuffle(seeds)
    for i in range(len(seeds)):
        knight = g.knights[seeds[i]]
        knight.guards += one(i % DOLMENS)
        knight.reserve -= 1


def deal_cards(g: GhostKnights, rng: Rng) -> None:
    """GK-1.7 Four cards each; the rest in two equal halves, two dolmen cards shuffled into each."""
    cards = DECK[:]
    rng.shuffle(cards)
    for knight in g.knights:
        for _card in range(HAND_AT_START):
            cards, card = pop(cards)
            knight.hand += one(card)
    half = len(cards) // 2
    upper = extend(cards[:half], DOLMEN_CARDS)
    lower = extend(cards[half:], DOLMEN_CARDS)
    rng.shuffle(upper)
    rng.shuffle(lower)
    g.lower_half = len(lower)
    g.pile = extend(lower, upper)


def redeal(cards: vec[i64], unseen: vec[i64], rng: Rng) -> tuple[vec[i64], vec[i64]]:
    """As many cards, as many dolmen cards among them, the others from the end of `unseen`, shuffled; what is left."""
    for i in range(len(cards)):
        if cards[i] != DOLMEN_CARD:
            unseen, cards[i] = pop(unseen)
    rng.shuffle(cards)
    return cards, unseen
