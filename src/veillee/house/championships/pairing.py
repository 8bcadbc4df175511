"""Who plays whom in a round of a championship, and on which seat: pure functions of what was played before.

An entrant is a number from 1 on; BOT stands for a bot that fills a seat. A table is a tuple of them, by seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, pairwise, permutations

BOT = 0
MAX_STEPS = 20_000  # of the search for groups: one of nine entrants is finished long before

Seating = tuple[int, ...]  # the entrants of one table, by seat


@dataclass(frozen=True)
class Shape:
    """How many seats a table has, and how many of them are for entrants."""

    seats: int
    people: int


def table_shapes(entrants: int, usual: int, players: range) -> list[Shape]:
    """Returns the tables of a round, those of the usual number of seats first.

    Every entrant has a seat: where the usual number does not divide, tables have one seat more or less, if the box allows
    it; otherwise bots take the seats that stay empty, one at a table as far as possible.
    """
    numbers = [n for n in range(1, entrants + 1) if n * players[0] <= entrants <= n * players[-1]]
    if numbers:
        number = min(numbers, key=lambda n: abs(entrants - n * usual))
        shapes = [Shape(people, people) for people in _even_parts(entrants, number)]
    else:
        shapes = [Shape(usual, people) for people in _even_parts(entrants, -(-entrants // usual))]
    return sorted(shapes, key=lambda shape: (_is_odd(shape, usual), shape.seats - shape.people))


def draw_order(seed: bytes, entrants: Iterable[int]) -> list[int]:
    """Returns the entrants in an order that follows from a sealed seed: no entrant can choose it, and any reader can check
    it once the seed is opened."""
    return sorted(entrants, key=lambda one: blake2b(f"veillee draw {one}".encode(), key=seed).digest())


def swiss_tables(order: Sequence[int], shapes: Sequence[Shape], usual: int, past: Sequence[Seating]) -> list[Seating]:
    """Returns the tables of a round: entrants who are near each other in `order` (the standings) and have met least, at
    seats that they have had least. past: all tables before."""
    met = Counter(frozenset(pair) for table in past for pair in combinations(table, 2))
    odd = Counter(one for table in past if BOT in table or len(table) != usual for one in table)
    groups = _Search(order, shapes, usual, met, odd).best
    return [seat_group(group, shape.seats, past) for group, shape in zip(groups, shapes, strict=True)]


def seat_group(group: Sequence[int], seats: int, past: Sequence[Seating]) -> Seating:
    """Returns the group by seat, bots on the others: each entrant where they have sat least at tables of that size."""
    had = Counter((one, seat) for table in past if len(table) == seats for seat, one in enumerate(table) if one != BOT)
    ways = permutations([*group, *[BOT] * (seats - len(group))])
    return min(ways, key=lambda way: sum(had[one, seat] for seat, one in enumerate(way)))


def divisions(order: Sequence[int], shapes: Sequence[Shape]) -> list[list[int]]:
    """Returns the divisions of a season: the entrants in this order, cut."""
    left, found = list(order), []
    for shape in shapes:
        found.append(left[: shape.people])
        left = left[shape.people :]
    return found


def promoted_order(ranked: Sequence[Sequence[int]]) -> list[int]:
    """Returns the order for the next season: the first of each division changes places with the last of the one above.
    ranked: the divisions of this season, each from first to last."""
    after = [list(division) for division in ranked]
    for above, below in pairwise(after):
        above[-1], below[0] = below[0], above[-1]
    return [one for division in after for one in division]


def _even_parts(total: int, number: int) -> list[int]:
    return [total // number + (n < total % number) for n in range(number)]


def _is_odd(shape: Shape, usual: int) -> bool:
    return shape.seats != usual or shape.people < shape.seats


class _Search:
    """Branch and bound for the groups with the fewest repetitions; among equals for the one nearest to the order. What it
    has found is returned when it has taken MAX_STEPS."""

    def __init__(
        self,
        order: Sequence[int],
        shapes: Sequence[Shape],
        usual: int,
        met: Counter[frozenset[int]],
        odd: Counter[int],
    ) -> None:
        self._usual = usual
        self._met = met
        self._odd = odd
        self._steps = MAX_STEPS
        self._cost = -1  # of the best; -1: none is found yet
        self._groups: list[list[int]] = [[] for _ in shapes]
        self._shapes = shapes
        self.best: list[list[int]] = []
        self._fill(list(order), [], 0)

    def _fill(self, left: list[int], open_groups: list[int], cost: int) -> None:
        """Fills a group with the entrants who are left: with the first of them, then with one after the other."""
        if self._is_hopeless(cost):
            return
        if not left:
            self._cost, self.best = cost, [list(group) for group in self._groups]
            return
        for number in open_groups or self._next_groups():
            group, shape = self._groups[number], self._shapes[number]
            candidates = sorted(left, key=lambda one: self._cost_of(one, group, shape)) if group else left[:1]
            for one in candidates:
                self._steps -= 1
                added = self._cost_of(one, group, shape)
                if self._is_hopeless(cost + added):
                    break  # so are the others: they are in order of their cost
                rest = [other for other in left if other != one]
                group.append(one)
                self._fill(rest, [number] if len(group) < shape.people else [], cost + added)
                group.pop()

    def _is_hopeless(self, cost: int) -> bool:
        return self._cost >= 0 and (cost >= self._cost or self._steps <= 0)

    def _next_groups(self) -> list[int]:
        """Returns an empty group of each shape."""
        empty: dict[Shape, int] = {}
        for number, shape in enumerate(self._shapes):
            if not self._groups[number]:
                empty.setdefault(shape, number)
        return list(empty.values())

    def _cost_of(self, one: int, group: Sequence[int], shape: Shape) -> int:
        """Returns how often the entrant has met the others of the group, and sat at tables of unusual shape."""
        cost = sum(self._met[frozenset((one, other))] for other in group)
        return cost + (self._odd[one] if _is_odd(shape, self._usual) else 0)
