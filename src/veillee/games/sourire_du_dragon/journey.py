"""How long the way is: a hero alone from the Entrance to the Vortex, by the squares and cards of a file.

The hero has bad luck with the objects: all of their penalties, none of their bonuses. Cards that are kept lie in other
hands: what is drawn is one of the others, each time any of them. Announcements are made at random. Where there is a way
for this hero, every game comes to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veillee.games.sourire_du_dragon.content import Card, Square

SIX = 6
FRESH = 0  # a die that is still to be rolled
START = 0

State = tuple[int, bool]  # at the beginning of a turn: the square, and whether it blocks; HOME is the Vortex
Chances = dict[State, float]
HOME: State = (-1, False)


class Way:
    """The chances of one turn, square by square."""

    def __init__(
        self, outer: Sequence[Square], inner: Sequence[Square], cards: Sequence[Card], kept: Sequence[str]
    ) -> None:
        self.squares = [*outer, *inner]
        self.whirlpool = len(outer) - 1
        self.castle = len(outer)
        self.arrow = len(self.squares) - 1
        self.drawn = [card for card in cards if card.effect not in kept]
        self.fighting = penalty(cards, "C")
        self.passing = penalty(cards, "A")
        self.shut = [square.kind == "adventure" and square.number > self.highest(square) for square in self.squares]
        self.wins = any(self.on_arrow(die).get(HOME) for die in range(1, SIX + 1))
        self._turns: dict[State, tuple[Chances, float]] = {}

    def highest(self, square: Square) -> int:
        """What a hero with every penalty can reach there."""
        return SIX + (self.fighting if square.combat else self.passing)

    # -- what there is to know ------------------------------------------------------------------------------------
    def stuck(self) -> list[int]:
        """Returns the squares that a hero can reach, and from which there is no way to the Vortex."""
        reached, todo = {(START, False)}, [(START, False)]
        before: dict[State, set[State]] = {}
        while todo:
            here = todo.pop()
            for there in self.turn(here)[0]:
                before.setdefault(there, set()).add(here)
                if there not in reached and there != HOME:
                    reached.add(there)
                    todo.append(there)
        good, todo = {HOME}, [HOME]
        while todo:
            for state in before.get(todo.pop(), set()) - good:
                good.add(state)
                todo.append(state)
        return sorted({square for square, _ in reached - good})

    def turns(self) -> float:
        """How many turns the whole way takes, on average. There must be no square that is stuck."""
        states = [(START, False)]
        for state in states:  # which grows
            states += [there for there in self.turn(state)[0] if there != HOME and there not in states]
        place = {state: number for number, state in enumerate(states)}
        rows = []
        for state in states:
            chances, lost = self.turn(state)
            row = [0.0] * (len(states) + 1)
            row[place[state]] = 1.0
            row[-1] = 1.0 + lost
            for there, chance in chances.items():
                if there != HOME:
                    row[place[there]] -= chance
            rows.append(row)
        return solved(rows)[0]

    def turn(self, state: State) -> tuple[Chances, float]:
        """Where a turn leads, and how many turns are lost by it."""
        if state not in self._turns:
            chances: Chances = {}
            lost = 0.0
            for move, die, chance in rolls():
                for there, part, missed in self.played(state, move, die):
                    chances[there] = chances.get(there, 0.0) + chance * part
                    lost += chance * part * missed
            self._turns[state] = chances, lost
        return self._turns[state]

    # -- a turn ---------------------------------------------------------------------------------------------------
    def played(self, state: State, move: int, die: int) -> Iterator[tuple[State, float, int]]:
        """SD-2.2, SD-2.3 Where it leads with these dice: the state, its chance, and the turns lost."""
        square, blocked = state
        if not blocked:
            yield from self.walked(square, move, die)
        elif square == self.arrow:
            yield from self.landed(square, die)
        elif not self.passes(square, die):
            yield state, 1.0, 0
        elif square == self.whirlpool:
            yield (self.castle, True), 1.0, 0
        else:
            yield from self.walked(square, move, FRESH)

    def walked(self, square: int, move: int, die: int) -> Iterator[tuple[State, float, int]]:
        to = self.after(square, move)
        if to is None:  # SD-3.5
            if self.squares[square].kind == "green":
                yield from self.with_die(square, die)
            else:
                yield (square, False), 1.0, 0
        else:
            yield from self.with_die(to, die)

    def with_die(self, square: int, die: int) -> Iterator[tuple[State, float, int]]:
        for face in range(1, SIX + 1) if die == FRESH else [die]:
            for there, chance, missed in self.landed(square, face):
                yield there, chance / SIX if die == FRESH else chance, missed

    def landed(self, square: int, die: int) -> Iterator[tuple[State, float, int]]:
        """SD-3 What the square does."""
        kind = self.squares[square].kind
        if kind == "orange":
            yield (square, False), 1.0, 1
        elif kind == "green":
            yield from self.draws(square, die)
        elif kind == "arrow":
            yield from ((there, chance, 0) for there, chance in self.on_arrow(die).items())
        elif kind not in ("adventure", "whirlpool"):
            yield (square, False), 1.0, 0
        elif not self.passes(square, die):
            yield (square, True), 1.0, 0
        else:
            yield (self.castle, True) if square == self.whirlpool else (square, False), 1.0, 0

    def draws(self, square: int, die: int) -> Iterator[tuple[State, float, int]]:
        """SD-4 Any card that is not kept."""
        total = sum(card.copies for card in self.drawn)
        for card in self.drawn:
            there: State = (square, False)
            if card.effect == "retreat" or (card.effect == "monster" and die + self.fighting < card.number):
                there = self.sent_back(square)
            elif card.effect == "move":
                to = self.after(square, card.number) if card.number > 0 else self.before(square, -card.number)
                there = (square, False) if to is None else (to, self.blocks(to) or to == self.arrow)  # SD-4.6
            yield there, card.copies / total, int(card.effect == "miss")

    def on_arrow(self, die: int) -> Chances:
        """SD-3.6 Who still stands on the arrow after the card is in the Vortex."""
        chances: Chances = {}
        for there, chance, _ in self.draws(self.arrow, die):
            there = HOME if there == (self.arrow, False) else there
            chances[there] = chances.get(there, 0.0) + chance
        return chances

    def passes(self, square: int, die: int) -> bool:
        """SD-3.1; SD-3.5 at the Whirlpool penalties do not count."""
        if square == self.whirlpool:
            return die >= self.squares[square].number
        return die + (self.fighting if self.squares[square].combat else self.passing) >= self.squares[square].number

    def blocks(self, square: int) -> bool:
        return self.squares[square].kind in ("adventure", "whirlpool")

    def after(self, square: int, steps: int) -> int | None:
        """SD-3.5, SD-3.6; None: it would pass the Whirlpool."""
        to = square + steps
        if square <= self.whirlpool < to:
            return None
        while to > self.arrow:
            to -= self.arrow - self.whirlpool
        return to

    def before(self, square: int, steps: int) -> int:
        return max(self.castle if square >= self.castle else START, square - steps)

    def sent_back(self, square: int) -> State:
        """SD-4.2 To the adventure before, blocked; the start blocks nobody."""
        for place in range(square - 1, START, -1):
            if self.squares[place].kind == "adventure":
                return place, True
        return START, False


def penalty(cards: Sequence[Card], use: str) -> int:
    """SD-4.1 What all objects together take away at worst, whoever holds them."""
    objects = [card for card in cards if card.effect == "object" and use in card.use]
    everybody = sum(min(card.anyone, 0) for card in objects)
    return min([everybody, *(everybody - min(card.anyone, 0) + min(card.owner, 0) for card in objects)])


@cache
def rolls() -> list[tuple[int, int, float]]:
    """SD-2.1 The movement die and the combat die of three, by either announcement, and how likely they fall so."""
    counts: dict[tuple[int, int], int] = {}
    faces = range(1, SIX + 1)
    for dice in ((a, b, c) for a in faces for b in faces for c in faces):
        for pair in ((max(dice), min(dice)), (min(dice), max(dice))):
            counts[pair] = counts.get(pair, 0) + 1
    total = sum(counts.values())
    return [(move, die, count / total) for (move, die), count in counts.items()]


def solved(rows: list[list[float]]) -> list[float]:
    """The unknowns of so many equations: each row is its factors, and last what they add up to."""
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda n: abs(rows[n][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        top = rows[at]
        for below in rows[at + 1 :]:
            if below[at]:
                factor = below[at] / top[at]
                below[at:] = [x - factor * y for x, y in zip(below[at:], top[at:], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        row = rows[at]
        found[at] = (row[-1] - sum(row[n] * found[n] for n in range(at + 1, size))) / row[at]
    return found
