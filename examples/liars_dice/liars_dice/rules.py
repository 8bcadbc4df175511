"""Liar's Dice (2-6 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from typing import Any, ClassVar

from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.chance import Rng
from veillee.kernel.counts import at, one
from veillee.kernel.log import TOGETHER, Log, kind
from veillee.kernel.plain import counts, things
from veillee.kernel.state import ALLOWED, Phase, State, Step, Thing

FACES = 6
DICE = 5  # of each player at the start
MOST_PLAYERS = 6
NO_BID = 0

# What can happen.
FIRST = kind("first")
ROLLED = kind("rolled", "faces")  # how many dice show each face, in one number (kernel/counts.py)
BID = kind("bid", "count", "face")
DOUBTED = kind("doubted")
SHOWN = kind("shown", "faces")
FOUND = kind("found", "count", "face")  # so many dice do show the face of the bid
LOST = kind("lost")
OUT = kind("out")

# Actions. A choice has the same number whatever the position.
DOUBT = 0
COUNT = 0  # + how many dice: 1 to 30
FACE = 30  # + the face: 1 to 6


class Player(Thing):
    """LD-1.1 Dice under a cup."""

    shape: ClassVar[dict[str, Any]] = {"faces": counts(FACES)}

    def __init__(self, dice: int, faces: int, outlived: int) -> None:
        self.dice = dice  # 0: out
        self.faces = faces  # how many of them show each face
        self.outlived = outlived  # how many others went out before

    def clone(self) -> Player:
        return Player(self.dice, self.faces, self.outlived)

    def roll(self, rng: Rng) -> None:
        self.faces = 0
        for _die in range(self.dice):
            self.faces += one(rng.below(FACES))


class LiarsDice(State):
    """LD-1 What is on the table."""

    shape: ClassVar[dict[str, Any]] = {"players": things(Player)}

    def __init__(self, players: vec[Player], rounds: int, count: int, face: int, bidder: int) -> None:
        super().__init__()
        self.players = players
        self.rounds = rounds  # begun; each costs somebody a die
        self.count = count  # of the bid; NO_BID: nobody has bid in this round
        self.face = face  # of the bid: 1 to 6
        self.bidder = bidder  # who bid last

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def dice(self) -> int:
        """On the table, under all the cups."""
        return sum(player.dice for player in self.players)

    def showing(self, face: int) -> int:
        """How many of them show this face."""
        return sum(at(player.faces, face - 1) for player in self.players)

    def next_in(self, seat: int) -> int:
        """The next to the left who has dice."""
        seat = self.left_of(seat)
        while self.players[seat].dice == 0:
            seat = self.left_of(seat)
        return seat

    # -- the contract -------------------------------------------------------------------------------------
    def seats(self) -> int:
        return len(self.players)

    def clone(self) -> LiarsDice:
        players = vec[Player]([player.clone() for player in self.players])
        g = LiarsDice(players, self.rounds, self.count, self.face, self.bidder)
        g.resume(self)
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """LD-2.1 The others' dice may show anything."""
        if seat == TOGETHER:
            return
        for number, player in enumerate(self.players):
            if number != seat:
                player.roll(rng)

    def score(self, seat: int) -> int:
        """LD-4.2 How many others one has outlived."""
        return self.players[seat].outlived

    def standing(self, seat: int) -> list[int]:
        return [self.score(seat)]

    def answers(self) -> int:
        return FACE + FACES + 1

    def misplaced(self, seat: int, action: int) -> str:
        """LD-2.3 A number of dice, then a face; LD-2.2 or a doubt, as long as one has said neither."""
        return "LD-2.2" if action == DOUBT else "LD-2.3"

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        if action == DOUBT:
            return "doubt", {}
        if action <= FACE:
            return "count", {"dice": action - COUNT}
        return "face", {"face": action - FACE}


class Setup(Phase):
    """LD-1.2 Who begins is drawn by lot."""

    def run(self, g: LiarsDice, rng: Rng) -> None:
        first = rng.below(g.seats())
        g.note("LD-1.2", FIRST, first)
        g.push(Round(first))


class Round(Step):
    """LD-2.1 Everybody rolls, and looks at their own dice alone. The seat bids first."""

    def run(self, g: LiarsDice, rng: Rng) -> None:
        g.count = g.face = NO_BID
        for seat, player in enumerate(g.players):
            player.roll(rng)
            if player.dice:
                g.reveal("LD-2.1", ROLLED, seat, player.faces, to=1 << seat)
        g.ask(BidOrDoubt(self.seat))


class BidOrDoubt(Step):
    """LD-2.2 Make a higher bid, or doubt the last one. LD-2.3 A bid says how many dice show a face: first, how many."""

    def options(self, g: LiarsDice, seat: int) -> vec[i64]:
        return vec[i64]([DOUBT] + [COUNT + count for count in range(1, g.dice() + 1)])

    def forbids(self, g: LiarsDice, seat: int, action: int) -> str:
        if action == DOUBT:
            return "LD-2.2" if g.count == NO_BID else ALLOWED
        count = action - COUNT
        higher = count > g.count or (count == g.count and g.face < FACES)
        return ALLOWED if higher else "LD-2.4"

    def answer(self, g: LiarsDice, seat: int, action: int, rng: Rng) -> None:
        if action == DOUBT:
            g.note("LD-2.2", DOUBTED, seat)
            g.push(Showdown(seat))
        else:
            g.ask(WhichFace(seat, action - COUNT))


class WhichFace(Step):
    """LD-2.3 Then, which face."""

    def __init__(self, seat: int, count: int) -> None:
        super().__init__(seat)
        self.count = count

    def options(self, g: LiarsDice, seat: int) -> vec[i64]:
        return vec[i64]([FACE + face for face in range(1, FACES + 1)])

    def forbids(self, g: LiarsDice, seat: int, action: int) -> str:
        return "LD-2.4" if self.count == g.count and action - FACE <= g.face else ALLOWED

    def answer(self, g: LiarsDice, seat: int, action: int, rng: Rng) -> None:
        g.count, g.face, g.bidder = self.count, action - FACE, seat
        g.note("LD-2.3", BID, seat, g.count, g.face)
        g.ask(BidOrDoubt(g.next_in(seat)))


class Showdown(Step):
    """LD-3.1 All dice are shown. With as many as were bid, or more, the doubter loses a die; with fewer, the bidder."""

    def run(self, g: LiarsDice, rng: Rng) -> None:
        for seat, player in enumerate(g.players):
            if player.dice:
                g.reveal("LD-3.1", SHOWN, seat, player.faces)
        found = g.showing(g.face)
        g.note("LD-3.1", FOUND, g.bidder, found, g.face)
        loser = self.seat if found >= g.count else g.bidder
        g.note("LD-3.1", LOST, loser)
        g.players[loser].dice -= 1
        g.rounds += 1
        if g.players[loser].dice == 0:
            self.go_out(g, loser)
        if sum(player.dice > 0 for player in g.players) == 1:
            g.end_game("LD-4.1")
        else:
            g.push(Round(loser if g.players[loser].dice else g.next_in(loser)))

    def go_out(self, g: LiarsDice, loser: int) -> None:
        """LD-3.2 Without dice one is out. LD-4.2 All who are still there have outlived one more."""
        g.note("LD-3.2", OUT, loser)
        for player in g.players:
            if player.dice:
                player.outlived += 1


def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> LiarsDice:
    """LD-1.1 Five dice each. A game about to be asked its first question."""
    g = LiarsDice(vec[Player]([Player(DICE, 0, 0) for _ in range(players)]), 1, NO_BID, NO_BID, 0)
    g.begin(Setup(), rng, log)
    return g
