"""My Game (2-4 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from typing import Any, ClassVar

from librt.vecs import append, extend, pop, remove, vec
from mypy_extensions import i64

from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER, Log, kind
from veillee.kernel.plain import things
from veillee.kernel.state import ALLOWED, Phase, State, Step, Thing

CARDS = 24  # numbered from 1
DEALT = 2  # to each player

# What can happen: each kind of event, with the names of the figures that it carries.
FIRST = kind("first")
DREW = kind("drew")
GOT = kind("got", "card")
LAID = kind("laid", "card")
LEFT = kind("left", "card")

# Answers. A number means the same in every position: saved games store it.
DRAW = 0
LAY = 0  # + the card: 1 to 24


class Player(Thing):
    """MG-1.1 What one player has: what the constructor takes is what a position consists of."""

    def __init__(self, hand: vec[i64], row: vec[i64]) -> None:
        self.hand = hand
        self.row = row

    def top(self) -> int:
        """The last card of the row, which is the highest; 0: there is none yet."""
        return int(self.row[-1]) if len(self.row) else 0


class MyGame(State):
    """MG-1.1 What is on the table."""

    shape: ClassVar[dict[str, Any]] = {"players": things(Player)}

    def __init__(self, players: vec[Player], pile: vec[i64]) -> None:
        super().__init__()
        self.players = players
        self.pile = pile  # its last card is the top

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def draw(self, seat: int) -> int:
        """The top card of the pile goes to the seat's hand."""
        player = self.players[seat]
        self.pile, card = pop(self.pile)
        player.hand = append(player.hand, card)
        return int(card)

    # -- the contract: what every game defines (veillee/kernel/state.py) --------------------------------------
    def seats(self) -> int:
        return len(self.players)

    def clone(self) -> MyGame:
        g = MyGame(vec[Player]([Player(p.hand[:], p.row[:]) for p in self.players]), self.pile[:])
        g.resume(self)
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """MG-1.1 The seat knows its own hand: all other cards that lie face down may be anywhere."""
        others = [player for number, player in enumerate(self.players) if seat not in (number, TOGETHER)]
        unseen = self.pile
        for player in others:
            unseen = extend(unseen, player.hand)
        rng.shuffle(unseen)
        for player in others:
            size = len(player.hand)
            player.hand, unseen = unseen[:size], unseen[size:]
        self.pile = unseen

    def score(self, seat: int) -> int:
        """MG-3.2 A point for each card of one's row; each card in hand costs one."""
        return len(self.players[seat].row) - len(self.players[seat].hand)

    def standing(self, seat: int) -> list[int]:
        """MG-3.2 Most points; equals share the victory."""
        return [self.score(seat)]

    def answers(self) -> int:
        return LAY + CARDS + 1

    def misplaced(self, seat: int, action: int) -> str:
        """MG-2.3 What one lays comes from one's hand."""
        return "MG-2.3"

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        return ("draw", {}) if action == DRAW else ("lay", {"card": action - LAY})


class Setup(Phase):
    """MG-1.1 Two cards each, which nobody else sees. MG-1.2 Who begins is drawn by lot."""

    def run(self, g: MyGame, rng: Rng) -> None:
        rng.shuffle(g.pile)
        for seat in range(g.seats()):
            for _ in range(DEALT):
                g.reveal("MG-1.1", GOT, seat, g.draw(seat), to=1 << seat)
        first = int(rng.below(g.seats()))
        g.note("MG-1.2", FIRST, first)
        g.push(Turn(first))


class Turn(Step):
    """MG-2.1 Draw a card, or lay one."""

    def options(self, g: MyGame, seat: int) -> vec[i64]:
        return vec[i64]([DRAW] + [LAY + card for card in sorted(g.players[seat].hand)])

    def forbids(self, g: MyGame, seat: int, action: int) -> str:
        """MG-2.3 A row climbs."""
        return "MG-2.3" if action != DRAW and action - LAY < g.players[seat].top() else ALLOWED

    def answer(self, g: MyGame, seat: int, action: int, rng: Rng) -> None:
        if action == DRAW:
            self.draw(g, seat)
        else:
            self.lay(g, seat, action - LAY)
        g.push(Turn(g.left_of(seat)) if len(g.pile) else End())

    def draw(self, g: MyGame, seat: int) -> None:
        """MG-2.2 All see that a card is drawn; who draws it alone sees which."""
        g.note("MG-2.2", DREW, seat)
        g.reveal("MG-2.2", GOT, seat, g.draw(seat), to=1 << seat)

    def lay(self, g: MyGame, seat: int, card: int) -> None:
        """MG-2.3 Face up, at the end of one's row."""
        player = g.players[seat]
        player.hand = remove(player.hand, card)
        player.row = append(player.row, card)
        g.show("MG-2.3", LAID, seat, card)


class End(Phase):
    """MG-3.1 The pile is empty: all show what they have left."""

    def run(self, g: MyGame, rng: Rng) -> None:
        for seat, player in enumerate(g.players):
            for card in sorted(player.hand):
                g.reveal("MG-3.1", LEFT, seat, card)
        g.end_game("MG-3.1")


def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> MyGame:
    """MG-1.1 A game about to be asked its first question."""
    everybody = [Player(vec[i64](), vec[i64]()) for _ in range(players)]
    g = MyGame(vec[Player](everybody), vec[i64](list(range(1, CARDS + 1))))
    g.begin(Setup(), rng, log)
    return g
