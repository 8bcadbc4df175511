"""Whispers their parts to the bots of a guided first game: nobody has to think."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from veillee.house.tables.moment import Moment
from veillee.match.guided_game import says

Line = tuple[int, Callable[[list[int]], None]]


def line(now: Moment, seat: int) -> int | None:
    """What the seat's part has it answer now; None: there is no part, or it does not fit any more, and a bot thinks."""
    first = now.first_game
    return says(first, now.match, seat) if first is not None else None


class Prompter:
    """Says a line in the thread that asks. The answer may lead to the next line: that one's turn comes afterwards, so that a
    long row of them is no deep stack."""

    def __init__(self) -> None:
        self._mine = threading.local()

    def whisper(self, answer: int, done: Callable[[list[int]], None]) -> None:
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
