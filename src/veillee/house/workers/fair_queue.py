"""Whose question is thought about next: the guests take turns, and a guest's tables take turns.

So sixty tables of one guest delay another guest's table by one thought, not by sixty. A guest has only so many questions
in the line at once; those whose questions did not fit leave word, and are called when there is room: they keep their
turn among that guest's own.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
Call = Callable[[], None]


class Turns(Generic[T]):
    """One line of questions. Not safe from several threads by itself: whoever shares it holds a lock."""

    def __init__(self, each: int, most: int | None = None) -> None:
        """each: how many questions one guest may have in the line; most: all of them together."""
        self._each = each
        self._most = most
        self._lines: OrderedDict[str, OrderedDict[str, deque[T]]] = OrderedDict()  # guest, table; next comes first
        self._counts: dict[str, int] = {}
        self._calls: dict[str, dict[str, Call]] = {}  # guest, table: who is called when there is room

    def __len__(self) -> int:
        return sum(self._counts.values())

    def put(self, guests: Sequence[str], table: str, question: T) -> bool:
        """In the shortest line of those who sit at the table: nobody waits behind the other tables of their company.

        False: there is no room.
        """
        whose = self._shortest(guests)
        if self._counts.get(whose, 0) >= self._each or (self._most is not None and len(self) >= self._most):
            return False
        self._lines.setdefault(whose, OrderedDict()).setdefault(table, deque()).append(question)
        self._counts[whose] = self._counts.get(whose, 0) + 1
        return True

    def call(self, guests: Sequence[str], table: str, back: Call) -> bool:
        """Have `back` called once there is room for the table's question. False: there is room now."""
        whose = self._shortest(guests)
        if self._counts.get(whose, 0) < self._each:
            return False
        self._calls.setdefault(whose, {})[table] = back
        return True

    def take(self) -> tuple[T, str] | None:
        """The next question, and in whose line it stood. None: nobody asks."""
        if not self._lines:
            return None
        whose, tables = self._lines.popitem(last=False)
        table, questions = tables.popitem(last=False)
        question = questions.popleft()
        if questions:
            tables[table] = questions  # behind the guest's other tables
        if tables:
            self._lines[whose] = tables  # behind the other guests
        self._counts[whose] -= 1
        if not self._counts[whose]:
            del self._counts[whose]
        return question, whose

    def called(self, whose: str) -> Call | None:
        """The next who is to be called because there is room in that line."""
        waiting = self._calls.get(whose)
        if not waiting or self._counts.get(whose, 0) >= self._each:
            return None
        back = waiting.pop(next(iter(waiting)))
        if not waiting:
            del self._calls[whose]
        return back

    def _shortest(self, guests: Sequence[str]) -> str:
        return min(guests, key=lambda guest: self._counts.get(guest, 0), default="")
