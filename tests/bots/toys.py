"""Two tiny games with a known best play. They inherit nothing: the kernel may be compiled (see tests/match)."""

from __future__ import annotations

from veillee.kernel.chance import Rng


class Question:
    """Nothing but itself: the search only asks whether it is still the same one."""


class Pennies:
    """Seat 0 wins if both coins, laid at the same time, show the same; seat 1 if not. Nobody can do better than 1/2."""

    def __init__(self) -> None:
        self.to_act: tuple[int, ...] = (0, 1)
        self.question = Question()
        self.coins = [-1, -1]

    def legal(self, seat: int) -> list[int]:
        return [0, 1]

    def apply(self, seat: int, action: int, rng: Rng) -> None:
        self.coins[seat] = action
        self.to_act = tuple(s for s in self.to_act if s != seat)

    def clone(self) -> Pennies:
        twin = Pennies()
        twin.to_act, twin.question, twin.coins = self.to_act, self.question, self.coins[:]
        return twin

    def determinize(self, seat: int, rng: Rng) -> None:
        """Nobody has a coin on the table before everybody has."""

    def seats(self) -> int:
        return 2

    def returns(self) -> list[float]:
        same = float(self.coins[0] == self.coins[1])
        return [same, 1.0 - same]


class Nim:
    """Seven matches, two players, one to three at a time: who takes the last one wins. The first takes three."""

    def __init__(self) -> None:
        self.matches = 7
        self.to_act: tuple[int, ...] = (0,)
        self.question = Question()

    def legal(self, seat: int) -> list[int]:
        return [n for n in (1, 2, 3) if n <= self.matches]

    def apply(self, seat: int, action: int, rng: Rng) -> None:
        self.matches -= action
        self.last = seat
        self.to_act = (1 - seat,) if self.matches else ()

    def clone(self) -> Nim:
        twin = Nim()
        twin.matches, twin.to_act, twin.question = self.matches, self.to_act, self.question
        return twin

    def determinize(self, seat: int, rng: Rng) -> None:
        """Nothing is hidden."""

    def seats(self) -> int:
        return 2

    def returns(self) -> list[float]:
        return [float(self.last == seat) for seat in range(2)]
