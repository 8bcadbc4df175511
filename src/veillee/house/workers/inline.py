"""Bots that answer in the calling thread."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from veillee.bots.advice import advise_blind
from veillee.games import catalogue
from veillee.house.workers.jobs import Advised, Done, ThinkJob
from veillee.kernel.chance import Rng


class InlineThinkers:
    """Answers with the first idea in the calling thread, before submit() returns: for tests and tools."""

    def __init__(self) -> None:
        self._mine = threading.local()

    def submit(self, job: ThinkJob, done: Done) -> bool:
        waiting: deque[tuple[ThinkJob, Done]] | None = getattr(self._mine, "waiting", None)
        if waiting is not None:  # called from `done` of another job: runs after it, not inside it
            waiting.append((job, done))
            return True
        self._mine.waiting = waiting = deque([(job, done)])
        try:
            while waiting:
                job, done = waiting.popleft()
                done([fallback_answers(job)])
        finally:
            self._mine.waiting = None
        return True

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        """Calls `back` at once: there is always room."""
        back()

    def advise(self, job: ThinkJob, done: Advised) -> None:
        box = catalogue.BOXES[job.box_id]
        done(advise_blind(box, box.load(job.position), job.seat, job.seed, "novice", timed=False))

    def count_waiting(self) -> dict[str, int]:
        """Returns nothing: no question ever waits."""
        return {}

    def switch_engine(self) -> bool:
        """Does nothing: this process keeps its engine."""
        return False

    def close(self) -> None:
        """Does nothing: there is no process to stop."""


def fallback_answers(job: ThinkJob) -> int:
    """Returns the first idea of the game's advisor, without search."""
    box = catalogue.BOXES[job.box_id]
    state = box.load(job.position)
    return box.advisor.first_idea(state, job.seat, Rng(job.seed))
