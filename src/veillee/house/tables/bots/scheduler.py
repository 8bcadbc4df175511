"""Scheduler of bots: submits every bot's question to the workers and plays the answer when it is due.

With several processes a lease (house/storage/leases.py) decides which one does it. If an answer cannot be written, the
bot thinks again a little later.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from veillee.house.background import Background, logged
from veillee.house.errors import StoreError
from veillee.house.storage import leases
from veillee.house.storage.leases import Lease
from veillee.house.storage.store import Store
from veillee.house.tables.bots.question import BotQuestion
from veillee.house.tables.bots.scripted import ScriptedBots, scripted_answer
from veillee.house.tables.table import Table
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import Thinkers, ThinkJob
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

MAX_ANIMATION_WAIT_SECONDS = (
    3.0  # seconds: maximum that a bot waits for the animation of earlier events; skipping it ends the wait
)
RETRY_SECONDS = 2.0  # seconds until a retry when a bot's answer could not be written
OTHER_PROCESS_HEAD_START_SECONDS = (
    0.15  # seconds that a process without spectators waits: one with spectators claims the question first
)


class Peers(Protocol):
    """What the scheduler needs of the other processes (house/cluster/peers.py)."""

    process_id: str
    on_orphaned_bots: Callable[[Table], None]

    def claimed_elsewhere(self, question: Lease, table: Table) -> None: ...


class BotScheduler:
    """Scheduler of one process. find: returns the current table; pause: seconds a bot waits before it answers; closed:
    set when the house is closed."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        peers: Peers,
        find: Callable[[str], Table],
        pause: float,
        background: Background,
        closed: threading.Event,
    ) -> None:
        self.thinkers = thinkers
        self._store = store
        self._peers = peers
        self._find = find
        self._pause = pause
        self._background = background
        self._closed = closed
        self._prompter = ScriptedBots()
        peers.on_orphaned_bots = self.take_over

    def schedule(self, table: Table) -> None:
        """Submits the questions of every asked bot at the table, if the table is attended."""
        if self._closed.is_set() or not table.has_audience():
            return
        asked = table.bots_asked()
        if not asked:
            return
        due = (
            time.monotonic()
            + self._pause
            + (min(MAX_ANIMATION_WAIT_SECONDS, table.animation_seconds()) if self._pause else 0.0)
        )
        if self._store.is_shared and self._pause and not table.is_watched:
            self._background.run_later(
                min(OTHER_PROCESS_HEAD_START_SECONDS, self._pause), partial(self._think, table, asked, due)
            )
        else:
            self._think(table, asked, due)

    def take_over(self, table: Table) -> None:
        """Answers questions that were leased to a process that died; without another pause, because players have
        waited."""
        if not self._closed.is_set():
            self._think(table, table.bots_asked(), time.monotonic())

    def resume(self, ids: Sequence[str], look: Callable[[str], object]) -> None:
        """Calls `look` for these tables so that their bots go on; in a thread of its own unless bots think in this
        process."""

        def look_at_all() -> None:
            for table_id in ids:
                with logged("Table %s cannot go on", table_id):
                    look(table_id)

        if isinstance(self.thinkers, InlineThinkers):
            look_at_all()
        else:
            self._background.run_apart("go on", look_at_all)

    # -- internals ----------------------------------------------------------------------------------------------
    def _think(self, table: Table, asked: Sequence[BotQuestion], due: float) -> None:
        """Claims these questions and submits the claimed ones; the others are left to the process that holds the
        lease."""
        for one in asked:
            try:
                mine = leases.acquire(self._store, one.lease, self._peers.process_id)
            except StoreError as error:
                self._give_up(table, one, error)
                continue
            if mine:
                self._think_of(table, one, partial(self._on_answer, table, one, due))
            else:
                table.not_thinking(one)
                self._peers.claimed_elsewhere(one.lease, table)

    def _think_of(self, table: Table, asked: BotQuestion, done: Callable[[Sequence[int]], None]) -> None:
        """Submits one question. The bot of a guided first game gets its scripted answer instead."""
        if (answer := scripted_answer(asked.moment, asked.seat)) is not None:
            self._prompter.submit(answer, done)
            return
        job = asked.job
        if self.thinkers.submit(job, done) is False:
            self._wait_for_room(table, asked, job)

    def _wait_for_room(self, table: Table, asked: BotQuestion, job: ThinkJob) -> None:
        """Gives the lease up because the table's guests have too many jobs queued; tries again when there is room."""
        table.not_thinking(asked)
        with contextlib.suppress(StoreError):
            leases.release(self._store, asked.lease, self._peers.process_id)
        self.thinkers.when_room(job, partial(self._retry, table.id))

    def _on_answer(self, table: Table, asked: BotQuestion, due: float, actions: Sequence[int]) -> None:
        """Plays a bot's answer when it is due. No worker is blocked meanwhile."""
        wait = due - time.monotonic() if self._pause else 0.0
        if wait > 0:
            self._background.run_later(wait, partial(self._bot_answers, table, asked, actions))
        else:
            self._bot_answers(table, asked, actions)

    def _bot_answers(self, table: Table, asked: BotQuestion, actions: Sequence[int]) -> None:
        if self._closed.is_set():
            return
        try:
            if not table.bot_answers(asked.seat, asked.stamp, actions):
                leases.release(self._store, asked.lease, self._peers.process_id)
        except StoreError as error:
            self._give_up(table, asked, error)

    def _give_up(self, table: Table, asked: BotQuestion, error: StoreError) -> None:
        """Logs the error and schedules a retry."""
        log.warning("A bot's answer at table %s is not saved, it will think again: %s", table.id, error)
        table.not_thinking(asked)
        self._background.run_later(RETRY_SECONDS, partial(self.schedule, table))

    def _retry(self, table_id: str) -> None:
        """Called when the queue has room for the table's questions."""
        if not self._closed.is_set():
            with contextlib.suppress(VeilleeError):
                self.schedule(self._find(table_id))
