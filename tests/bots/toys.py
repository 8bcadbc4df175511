"""Three tiny games with a known best play. They are interpreted subclasses of the kernel's classes, compiled or not."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.advisor import Advisor, Signs
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, Phase, State, Step

LOOK = 2


class Lay(Phase):
    """Everybody lays a coin, heads or tails, at the same time."""

    def run(self, g: Pennies, rng: Rng) -> None:
        g.ask_all(self, g.everyone())

    def options(self, g: Pennies, seat: int) -> vec[i64]:
        return vec[i64]([0, 1])

    def answer(self, g: Pennies, seat: int, action: int, rng: Rng) -> None:
        g.coins[seat] = action


class Pennies(State):
    """Seat 0 wins if both coins, laid at the same time, show the same; seat 1 if not. No strategy does better than 1/2."""

    def __init__(self, coins: vec[i64]) -> None:
        super().__init__()
        self.coins = coins

    def seats(self) -> int:
        return 2

    def clone(self) -> Pennies:
        twin = Pennies(self.coins[:])
        twin.resume(self)
        return twin

    def determinize(self, seat: int, rng: Rng) -> None:
        """No coin is on the table before both are."""

    def standing(self, seat: int) -> list[int]:
        return [int((self.coins[0] == self.coins[1]) == (seat == 0))]


class Take(Step):
    """One to three matches; then it is the other's turn."""

    def options(self, g: Nim, seat: int) -> vec[i64]:
        return vec[i64]([n for n in (1, 2, 3) if n <= g.matches])

    def answer(self, g: Nim, seat: int, action: int, rng: Rng) -> None:
        g.matches -= action
        g.last = seat
        if g.matches:
            g.ask(Take(g.left_of(seat)))


class Nim(State):
    """Seven matches, two players, one to three at a time: who takes the last one wins. The first takes three."""

    def __init__(self, matches: int, last: int) -> None:
        super().__init__()
        self.matches = matches
        self.last = last

    def seats(self) -> int:
        return 2

    def clone(self) -> Nim:
        twin = Nim(self.matches, self.last)
        twin.resume(self)
        return twin

    def determinize(self, seat: int, rng: Rng) -> None:
        """Nothing is hidden."""

    def standing(self, seat: int) -> list[int]:
        return [int(self.last == seat)]


class Guess(Step):
    """Under which of two cups the coin is; a seat that has not looked may look first."""

    def options(self, g: Cups, seat: int) -> vec[i64]:
        return vec[i64]([0, 1] if g.looked else [0, 1, LOOK])

    def answer(self, g: Cups, seat: int, action: int, rng: Rng) -> None:
        if action == LOOK:
            g.looked = 1
            g.ask(Guess(seat))
        else:
            g.guess = action


class Cups(State):
    """Seat 0 wins if it guesses where the coin is, seat 1 if not. Who looks first cannot miss."""

    def __init__(self, coin: int, looked: int, guess: int) -> None:
        super().__init__()
        self.coin = coin
        self.looked = looked
        self.guess = guess

    def seats(self) -> int:
        return 2

    def clone(self) -> Cups:
        twin = Cups(self.coin, self.looked, self.guess)
        twin.resume(self)
        return twin

    def determinize(self, seat: int, rng: Rng) -> None:
        if seat != 0 or not self.looked:
            self.coin = rng.below(2)

    def standing(self, seat: int) -> list[int]:
        return [int((self.guess == self.coin) == (seat == 0))]


class Watchful(Advisor):
    """Knows what a seat sees, and nothing of what to answer."""

    def sight(self, g: Cups, seat: int) -> int:
        return 1 + g.coin if g.looked else 0


class Fond(Advisor):
    """Has the habit of taking two matches."""

    def signs(self, g: Nim, seat: int, moves: Moves, place: int, into: Signs) -> None:
        into.add(0, 1.0 if moves.at(place) == 2 else 0.0)


def cups() -> Cups:
    g = Cups(0, 0, -1)
    g.begin(Guess(0), Rng(0), None)
    return g


def pennies() -> Pennies:
    g = Pennies(vec[i64]([-1, -1]))
    g.begin(Lay(), Rng(0), None)
    return g


def nim() -> Nim:
    g = Nim(7, -1)
    g.begin(Take(0), Rng(0), None)
    return g
