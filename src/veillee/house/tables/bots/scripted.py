"""Scripted answers of the bots in a guided first game; no bot has to think."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from veillee.house.tables.moment import Moment
from veillee.match import guided_game

Line = tuple[int, Callable[[list[int]], None]]


def scripted_answer(now: Moment, seat: int) -> int | None:
    """Returns the seat's scripted answer. None: there is no script, or the game has left it, and a bot thinks."""
    first = now.first_game
    return guided_game.scripted_answer(first, now.match, seat) if first is not None else None


class ScriptedBots:
    """Calls `done` with a scripted answer in the calling thread. An answer that leads to the next one while it is being
    played is queued, so that a long series needs no deep stack."""

    def __init__(self) -> None:
        self._mine = threading.local()

    def submit(self, answer: int, done: Callable[[list[int]], None]) -> None:
        waiting: deque[Line] | None = getattr(self._mine, "waiting", None)
        if waiting is not None:
            waiting.append((answer, done))
            return
        self._mine.waiting = waiting = deque([(answer, done)])
        try:
            while waiting:
                answer, done = waiting.popleft()
                done([answer])
        finally:
            self._mine.waiting = None
