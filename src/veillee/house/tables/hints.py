"""Advice for players: an expert bot thinks about the seat's question, knowing no more than the seat does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from veillee.bots.advice import Advice
from veillee.house.errors import NoAdvice, Stale, t
from veillee.house.tables.bots.question import BotQuestion
from veillee.house.tables.moment import Moment
from veillee.house.workers.jobs import Advised, ThinkJob
from veillee.match.hints import Hint, as_hint


class Hints:
    """Hints of one table. Safe to use from any thread."""

    def __init__(self, advise: Callable[[ThinkJob, Advised], None]) -> None:
        self._advise = advise
        self._lock = threading.Lock()
        self._known: dict[int, tuple[str, Future[Hint]]] = {}  # latest hint per seat, with its stamp

    def ask(self, asked: BotQuestion, present: Callable[[], Moment]) -> Future[Hint]:
        """Returns the future hint; a repeated call for the same question returns the same future. The future raises
        Stale (`present`: the table has moved on meanwhile) or NoAdvice."""
        with self._lock:
            stamp, known = self._known.get(asked.seat, ("", None))
            if known is not None and stamp == asked.stamp and not _has_failed(known):
                return known
            future: Future[Hint] = Future()
            future.set_running_or_notify_cancel()  # shared by several callers: must not be cancelled
            job = asked.hint_job
            self._known[asked.seat] = asked.stamp, future
        self._advise(job, partial(_keep_hint, asked, present, future))
        return future


def _keep_hint(asked: BotQuestion, present: Callable[[], Moment], future: Future[Hint], advice: Advice | None) -> None:
    """Resolves the future with the expert's advice."""
    choices = {choice.id: choice for choice in asked.moment.match.choices(asked.seat)}
    if present().stamp(asked.seat) != asked.stamp:
        future.set_exception(Stale(t("The table has moved on: here is how it stands now.")))
    elif advice is None or not choices.keys() >= {weighed.action for weighed in advice.best}:
        future.set_exception(NoAdvice())
    else:
        future.set_result(as_hint(advice, choices))


def _has_failed(future: Future[Hint]) -> bool:
    return future.done() and future.exception() is not None
