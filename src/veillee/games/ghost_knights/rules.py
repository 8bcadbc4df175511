"""Ghost Knights (4-5 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import ALLOWED, State, Step

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
SWORDS: Final = 10
SWORDS_AT_START: Final = 2
HAND_AT_START: Final = 4
SEEDS: Final = 4  # cards of each player's colour dealt in front of the dolmens
TOURNAMENTS: Final = 4  # GK-1.3 four dolmen cards: the box's fifth is left out
LAP: Final = 30
EVERYWHERE_BONUS: Final = 5

# Why a guard is put: which rule a line of the log cites.
OWN_CARD: Final = 0
OTHER_CARD: Final = 1
BLACK_CARD: Final = 2
DOLMEN_DRAWN: Final = 3
STRUCK: Final = 4
CAUSES: Final = ["GK-2.2", "GK-2.3", "GK-2.5", "GK-3.1", "GK-4.4"]

# Actions. A choice has the same number whatever the position.
DRAW: Final = 0
PASS: Final = 1
PLAY: Final = 2  # + colour
OWNER: Final = 8  # + the seat whose guard it is
PUT: Final = 13  # + dolmen
TAKE: Final = 18  # + dolmen

DRAW_OR_PLAY: Final = [DRAW] + [PLAY + c for c in range(COLOURS)]
FIGHT: Final = [PASS] + [PLAY + c for c in range(COLOURS)]
OWNERS: Final = [[OWNER + p for p in range(n)] for n in range(6)]
PUTS: Final = [PUT + d for d in range(DOLMENS)]
TAKES: Final = [TAKE + d for d in range(DOLMENS)]


@mypyc_attr(acyclic=True)
class Knight:
    """One player's things."""

    reserve: int  # guards
    swords: int  # in the reserve
    altar: int  # swords on the altar
    glory: int
    hand: list[int]  # cards of each colour
    guards: list[int]  # at each dolmen

    def clone(self) -> Knight:
        k = Knight()
        k.reserve = self.reserve
        k.swords = self.swords
        k.altar = self.altar
        k.glory = self.glory
        k.hand = self.hand[:]
        k.guards = self.guards[:]
        return k

    def cards(self) -> int:
        total = 0
        for cards in self.hand:
            total += cards
        return total

    def on_the_board(self) -> bool:
        return any(guards > 0 for guards in self.guards)

    def can_fight(self) -> bool:
        """GK-4.3 A sword on the altar and a card in hand."""
        return self.altar > 0 and any(cards > 0 for cards in self.hand)

    def everywhere(self) -> bool:
        return all(guards > 0 for guards in self.guards)


class GhostKnights(State):
    """GK-1 What is on the table."""

    knights: list[Knight]
    pile: list[int]  # the next card is the last of the list
    discards: list[int]  # numbered cards of each colour, face up; the dolmen cards drawn lie beside them
    top: int  # the colour on top of the discards; NO_CARD before the first
    lower_half: int  # how many cards the lower half of the pile was given
    tournaments: int  # begun, each by a dolmen card
    out: int  # who has passed in this tournament: the sum of 1 << seat

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.knights)

    def owner_of(self, colour: int, seat: int) -> int:
        """GK-1.1 Whose colour it is for this seat: the common colour counts as everyone's own."""
        return colour if colour < len(self.knights) else seat

    def draw(self, seat: int) -> bool:
        """GK-2.1, GK-3.1 Draw a card; False if it was a dolmen card, which ends the turn."""
        card = self.pile.pop()
        if card == DOLMEN_CARD:
            self.tournaments += 1
            self.reveal("GK-3.1", "dolmen card", seat, self.tournaments)
            self.push(Tournament(seat))
            if self.knights[seat].reserve > 0:
                self.push(PutGuard(seat, seat, DOLMEN_DRAWN))
            return False
        self.note("GK-2.1", "drawn", seat)
        self.reveal("GK-2.1", "draw", seat, card, to=1 << seat)
        self.knights[seat].hand[card] += 1
        return True

    def discard(self, seat: int, card: int) -> None:
        """GK-2.7 A played card is discarded, face up."""
        self.show("GK-2.7", "play", seat, card)
        self.knights[seat].hand[card] -= 1
        self.discards[card] += 1
        self.top = card

    def gain(self, rule: str, seat: int, glory: int, dolmen: int = NOWHERE) -> None:
        self.note(rule, "glory", seat, glory, dolmen)
        self.knights[seat].glory += glory

    def sword_to_altar(self, rule: str, seat: int) -> None:
        """One sword from the reserve to the altar, if any is left."""
        knight = self.knights[seat]
        if knight.swords > 0:
            self.note(rule, "sword", seat)
            knight.swords -= 1
            knight.altar += 1

    def lapped(self) -> bool:
        """GK-6.2 A player's glory exceeds another's by more than a lap."""
        most = least = self.knights[0].glory
        for knight in self.knights:
            if knight.glory > most:
                most = knight.glory
            elif knight.glory < least:
                least = knight.glory
        return most - least > LAP

    def can_strike(self, seat: int, owner: int) -> bool:
        """GK-4.4 Put a guard of one's own, take away another player's."""
        if owner == seat:
            return self.knights[seat].reserve > 0
        return self.knights[owner].on_the_board()

    def strike(self, seat: int, owner: int) -> None:
        if owner == seat:
            self.push(PutGuard(seat, owner, STRUCK))
        else:
            self.push(TakeGuard(seat, owner))

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> GhostKnights:
        g = GhostKnights()
        g.copy_flow(self)
        g.knights = [knight.clone() for knight in self.knights]
        g.pile = self.pile[:]
        g.discards = self.discards[:]
        g.top = self.top
        g.lower_half = self.lower_half
        g.tournaments = self.tournaments
        g.out = self.out
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """Shuffle the cards of the pile and of the other hands; each half keeps its number of dolmen cards."""
        unseen = [card for card in self.pile if card != DOLMEN_CARD]
        for owner, knight in enumerate(self.knights):
            if owner != seat:
                for colour in range(COLOURS):
                    unseen.extend([colour] * knight.hand[colour])
        rng.shuffle(unseen)
        for owner, knight in enumerate(self.knights):
            if owner != seat:
                cards = knight.cards()
                knight.hand = [0] * COLOURS
                for _ in range(cards):
                    knight.hand[unseen.pop()] += 1
        lower = self.pile[: self.lower_half]
        upper = self.pile[self.lower_half :]
        self.pile = redeal(lower, unseen, rng) + redeal(upper, unseen, rng)

    def seats(self) -> int:
        return len(self.knights)

    def score(self, seat: int) -> int:
        return self.knights[seat].glory

    def standing(self, seat: int) -> list[int]:
        """GK-6.3 Most glory; then more swords on the altar; then more cards in hand; then a shared victory."""
        knight = self.knights[seat]
        return [knight.glory, knight.altar, knight.cards()]

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
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

    def dump(self) -> dict[str, Any]:
        return {
            "flow": self.dump_flow(),
            "knights": [[k.reserve, k.swords, k.altar, k.glory, k.hand[:], k.guards[:]] for k in self.knights],
            "pile": self.pile[:],
            "discards": self.discards[:],
            "top": self.top,
            "lower_half": self.lower_half,
            "tournaments": self.tournaments,
            "out": self.out,
        }


# -- GK-2 A turn ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Turn(Step):
    """GK-2.1 Draw a card. Then either draw a second one or play one. Then the turn passes to the left."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        g.push(Turn(g.left_of(self.seat)))
        if g.draw(self.seat):
            g.push(DrawOrPlay(self.seat))


@mypyc_attr(acyclic=True)
class CardOr(Step):
    """A card of the hand is played, or something else is done, which is always possible: the first option."""

    def legal(self, g: GhostKnights, seat: int) -> list[int]:
        """What the guard allows; it need not be asked about cards that are not there."""
        hand = g.knights[seat].hand
        allowed = [self.options(g, seat)[0]]
        for colour in range(COLOURS):
            if hand[colour] > 0 and not self.forbids(g, seat, PLAY + colour):
                allowed.append(PLAY + colour)
        return allowed


@mypyc_attr(acyclic=True, free_list_len=1)
class DrawOrPlay(CardOr):
    """GK-2.1 Either draw a second card or play one from the hand."""

    def options(self, g: GhostKnights, seat: int) -> list[int]:
        return DRAW_OR_PLAY

    def forbids(self, g: GhostKnights, seat: int, action: int) -> str:
        if action == DRAW:
            return ALLOWED
        colour = action - PLAY
        if g.knights[seat].hand[colour] == 0:
            return "GK-2.1"
        if colour == BLACK:
            return ALLOWED if any(knight.reserve > 0 for knight in g.knights) else "GK-2.6"
        owner = g.owner_of(colour, seat)
        if g.knights[owner].reserve > 0:
            return ALLOWED
        return "GK-2.6" if owner == seat else "GK-2.4"

    def answer(self, g: GhostKnights, seat: int, action: int, rng: Rng) -> None:
        if action == DRAW:
            g.draw(seat)
            return
        colour = action - PLAY
        g.discard(seat, colour)
        if colour == BLACK:
            g.push(WhoseGuard(seat))
            return
        owner = g.owner_of(colour, seat)
        if owner == seat:
            g.push(PutGuard(seat, owner, OWN_CARD))
        else:
            g.push(Reward(seat))
            g.push(PutGuard(seat, owner, OTHER_CARD))


@mypyc_attr(acyclic=True, free_list_len=1)
class PutGuard(Step):
    """GK-2.2, GK-2.3 Put one guard of the owner's reserve at a dolmen of your choice."""

    def __init__(self, seat: int, owner: int, cause: int) -> None:
        super().__init__(seat)
        self.owner = owner
        self.cause = cause

    def args(self) -> list[int]:
        return [self.seat, self.owner, self.cause]

    def options(self, g: GhostKnights, seat: int) -> list[int]:
        return PUTS

    def legal(self, g: GhostKnights, seat: int) -> list[int]:
        return PUTS

    def answer(self, g: GhostKnights, seat: int, action: int, rng: Rng) -> None:
        dolmen = action - PUT
        owner = g.knights[self.owner]
        owner.reserve -= 1
        owner.guards[dolmen] += 1
        g.note(CAUSES[self.cause], "put", seat, self.owner, dolmen)


@mypyc_attr(acyclic=True, free_list_len=1)
class Reward(Step):
    """GK-2.3 Another player's colour: 1 glory, and one sword from your reserve to the altar."""

    def run(self, g: GhostKnights, rng: Rng) -> None:
        g.gain("GK-2.3", self.seat, 1)
        g.sword_to_altar("GK-2.3", self.seat)
        if g.lapped():
            g.end_game("GK-6.2")


@mypyc_attr(acyclic=True, free_list_len=1)
class WhoseGuard(Step):
    """GK-2.5 Black: one guard from your own reserve or from any other player's. No reward."""

    def options(self, g: GhostKnights, seat: int) -> list[int]:
        return OWNERS[len(g.knights)]

    def forbids(self, g: GhostKnights, seat: int, action: int) -> str:
        return ALLOWED if g.knights[action - OWNER].reserve > 0 else "GK-2.5"

    def answer(self, g: GhostKnights, seat: int, action: int, rng: Rng) -> None:
        g.push(PutGuard(seat, action - OWNER, BLACK_CARD))


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
        for _ in range(len(g.knights)):
            if (g.out >> seat) & 1 == 0 and g.knights[seat].can_fight():
                g.push(NextFighter(g.left_of(seat)))
                g.push(Fight(seat))
                return
            seat = g.left_of(seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Fight(CardOr):
    """GK-4.1 Play exactly one card with one of your swords on the altar, or pass."""

    def options(self, g: GhostKnights, seat: int) -> list[int]:
        return FIGHT

    def forbids(self, g: GhostKnights, seat: int, action: int) -> str:
        if action == PASS:
            return ALLOWED
        colour = action - PLAY
        if g.knights[seat].hand[colour] == 0:
            return "GK-4.1"
        if colour == BLACK:
            possible = any(g.can_strike(seat, owner) for owner in range(len(g.knights)))
        else:
            possible = g.can_strike(seat, g.owner_of(colour, seat))
        return ALLOWED if possible else "GK-4.5"

    def answer(self, g: GhostKnights, seat: int, action: int, rng: Rng) -> None:
        if action == PASS:
            g.note("GK-4.1", "pass", seat)
            g.out |= 1 << seat
            return
        colour = action - PLAY
        g.discard(seat, colour)
        g.knights[seat].altar -= 1
        g.note("GK-4.2", "sword used", seat)  # It leaves the game.
        if colour == BLACK:
            g.push(Target(seat))
        else:
            g.strike(seat, g.owner_of(colour, seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class Target(Step):
    """GK-4.4 Black: either take away any opponent's guard, or put one of your own."""

    def options(self, g: GhostKnights, seat: int) -> list[int]:
        return OWNERS[len(g.knights)]

    def forbids(self, g: GhostKnights, seat: int, action: int) -> str:
        return ALLOWED if g.can_strike(seat, action - OWNER) else "GK-4.5"

    def answer(self, g: GhostKnights, seat: int, action: int, rng: Rng) -> None:
        g.strike(seat, action - OWNER)


@mypyc_attr(acyclic=True, free_list_len=1)
class TakeGuard(Step):
    """GK-4.4 Take one of that player's guards away from a dolmen, back to its owner's reserve."""

    def __init__(self, seat: int, owner: int) -> None:
        super().__init__(seat)
        self.owner = owner

    def args(self) -> list[int]:
        return [self.seat, self.owner]

    def options(self, g: GhostKnights, seat: int) -> list[int]:
        return TAKES

    def forbids(self, g: GhostKnights, seat: int, action: int) -> str:
        return ALLOWED if g.knights[self.owner].guards[action - TAKE] > 0 else "GK-4.4"

    def answer(self, g: GhostKnights, seat: int, action: int, rng: Rng) -> None:
        dolmen = action - TAKE
        owner = g.knights[self.owner]
        owner.guards[dolmen] -= 1
        owner.reserve += 1
        g.note("GK-4.4", "take", seat, self.owner, dolmen)


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
        for seat, knight in enumerate(g.knights):
            if knight.everywhere():
                g.gain("GK-5.4", seat, EVERYWHERE_BONUS)
        if g.tournaments == TOURNAMENTS:
            g.end_game("GK-6.1")
            return
        if lapped or g.lapped():
            g.end_game("GK-6.2")
            return
        for seat in range(len(g.knights)):  # Not if the game ends here.
            g.sword_to_altar("GK-5.5", seat)


def tally(g: GhostKnights, dolmen: int) -> tuple[int, int, int]:
    """The most guards that a player has there, how many players have that many, and how many have any."""
    most = 0
    tied = 0
    present = 0
    for knight in g.knights:
        guards = knight.guards[dolmen]
        if guards > 0:
            present += 1
            if guards > most:
                most = guards
                tied = 1
            elif guards == most:
                tied += 1
    return most, tied, present


def score_dolmen(g: GhostKnights, dolmen: int) -> None:
    """GK-5.1 The player alone in having the most guards scores 1 per guard; GK-5.2 twice that if nobody else is
    there; GK-5.3 if several have the most, every player who has a guard there scores that many."""
    most, tied, present = tally(g, dolmen)
    for seat, knight in enumerate(g.knights):
        guards = knight.guards[dolmen]
        if guards == 0:
            continue
        if tied > 1:
            g.gain("GK-5.3", seat, most, dolmen)
        elif present == 1:
            g.gain("GK-5.2", seat, 2 * most, dolmen)
        elif guards == most:
            g.gain("GK-5.1", seat, most, dolmen)


# -- GK-1 Setup -------------------------------------------------------------------------------------------
def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> GhostKnights:
    """A game about to be asked its first question."""
    g = GhostKnights()
    g.start_flow()
    g.log = log
    g.tournaments = 0
    g.out = 0
    g.discards = [0] * COLOURS
    g.top = NO_CARD
    g.knights = [new_knight() for _ in range(players)]
    deal_guards(g, rng)
    deal_cards(g, rng)
    first = rng.below(players)
    g.note("GK-1.8", "first", first)  # First player at random; play goes clockwise.
    g.push(Turn(first))
    g.proceed(rng)
    g.log = None
    return g


def new_knight() -> Knight:
    """GK-1.4, GK-1.5 On space 1; 10 guards and 10 swords in the reserve, then 2 of the swords on the altar."""
    knight = Knight()
    knight.reserve = GUARDS
    knight.swords = SWORDS - SWORDS_AT_START
    knight.altar = SWORDS_AT_START
    knight.glory = 1
    knight.hand = [0] * COLOURS
    knight.guards = [0] * DOLMENS
    return knight


def deal_guards(g: GhostKnights, rng: Rng) -> None:
    """GK-1.6 Four cards of each player's colour, dealt one at a time in front of the dolmens: a guard for each."""
    seeds = [seat for seat in range(len(g.knights)) for _ in range(SEEDS)]
    rng.shuffle(seeds)
    for i, seat in enumerate(seeds):
        knight = g.knights[seat]
        knight.guards[i % DOLMENS] += 1
        knight.reserve -= 1


def deal_cards(g: GhostKnights, rng: Rng) -> None:
    """GK-1.7 Four cards each; the rest in two equal halves, two dolmen cards shuffled into each."""
    cards = [colour for colour in range(COLOURS) for _ in range(COPIES)]
    rng.shuffle(cards)
    for knight in g.knights:
        for _ in range(HAND_AT_START):
            knight.hand[cards.pop()] += 1
    half = len(cards) // 2
    upper = cards[:half] + [DOLMEN_CARD, DOLMEN_CARD]
    lower = cards[half:] + [DOLMEN_CARD, DOLMEN_CARD]
    rng.shuffle(upper)
    rng.shuffle(lower)
    g.pile = lower + upper
    g.lower_half = len(lower)


def redeal(cards: list[int], unseen: list[int], rng: Rng) -> list[int]:
    """As many cards, as many dolmen cards among them, the others from the end of `unseen`, shuffled."""
    new = [card for card in cards if card == DOLMEN_CARD]
    while len(new) < len(cards):
        new.append(unseen.pop())
    rng.shuffle(new)
    return new


STEPS: Final[dict[str, Callable[..., Step]]] = {
    "Turn": Turn,
    "DrawOrPlay": DrawOrPlay,
    "PutGuard": PutGuard,
    "Reward": Reward,
    "WhoseGuard": WhoseGuard,
    "Tournament": Tournament,
    "NextFighter": NextFighter,
    "Fight": Fight,
    "Target": Target,
    "TakeGuard": TakeGuard,
    "Scoring": Scoring,
}


def load(data: dict[str, Any]) -> GhostKnights:
    """The state that dump() wrote."""
    g = GhostKnights()
    g.load_flow(data["flow"], STEPS)
    g.knights = []
    for reserve, swords, altar, glory, hand, guards in data["knights"]:
        knight = Knight()
        knight.reserve = reserve
        knight.swords = swords
        knight.altar = altar
        knight.glory = glory
        knight.hand = list(hand)
        knight.guards = list(guards)
        g.knights.append(knight)
    g.pile = list(data["pile"])
    g.discards = list(data["discards"])
    g.top = data["top"]
    g.lower_half = data["lower_half"]
    g.tournaments = data["tournaments"]
    g.out = data["out"]
    return g
