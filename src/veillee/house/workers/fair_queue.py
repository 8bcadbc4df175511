"""Fair queue of questions: round-robin over guests, and over each guest's tables.

So sixty tables of one guest delay another guest's table by one question, not by sixty. Each guest has a limited number
of questions in the queue; callers whose question did not fit register a callback, which is called when there is room,
in round-robin among that guest's tables.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
Call = Callable[[], None]


class FairQueue(Generic[T]):
    """One queue of questions. Not thread-safe: the owner holds a lock."""

    def __init__(self, each: int, most: int | None = None) -> None:
        """each: how many questions one guest may have in the queue; most: limit for all guests together."""
        self._each = each
        self._most = most
        self._lines: OrderedDict[str, OrderedDict[str, deque[T]]] = OrderedDict()  # guest -> table; next one first
        self._counts: dict[str, int] = {}
        self._calls: dict[str, dict[str, Call]] = {}  # guest -> table -> callback when there is room

    def __len__(self) -> int:
        return sum(self._counts.values())

    def put(self, guests: Sequence[str], table: str, question: T) -> bool:
        """Enqueues a question under the guest at the table with the fewest questions: a table does not wait behind the
        other tables of a companion.

        Returns False if there is no room.
        """
        whose = self._shortest(guests)
        if self._counts.get(whose, 0) >= self._each or (self._most is not None and len(self) >= self._most):
            return False
        self._lines.setdefault(whose, OrderedDict()).setdefault(table, deque()).append(question)
        self._counts[whose] = self._counts.get(whose, 0) + 1
        return True

    def when_room(self, guests: Sequence[str], table: str, back: Call) -> bool:
        """Registers `back` to be called once there is room for the table's question. Returns False if there is room
        now.
        """
        whose = self._shortest(guests)
        if self._counts.get(whose, 0) < self._each:
            return False
        self._calls.setdefault(whose, {})[table] = back
        return True

    def pop(self) -> tuple[T, str] | None:
        """Removes and returns the next question, and the guest it was queued under. None: the queue is empty."""
        if not self._lines:
            return None
        whose, tables = self._lines.popitem(last=False)
        table, questions = tables.popitem(last=False)
        question = questions.popleft()
        if questions:
            tables[table] = questions  # after the guest's other tables
        if tables:
            self._lines[whose] = tables  # after the other guests
        self._counts[whose] -= 1
        if not self._counts[whose]:
            del self._counts[whose]
        return question, whose

    def pop_waiter(self, whose: str) -> Call | None:
        """Removes and returns the next callback of that guest if there is room, else None."""
        waiting = self._calls.get(whose)
        if not waiting or self._counts.get(whose, 0) >= self._each:
            return None
        back = waiting.pop(next(iter(waiting)))
        if not waiting:
            del self._calls[whose]
        return back

    def _shortest(self, guests: Sequence[str]) -> str:
        return min(guests, key=lambda guest: self._counts.get(guest, 0), default="")
