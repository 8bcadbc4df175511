"""The waker has somebody think for every bot that is asked, and lets it answer when it is due.

Of several processes one does so, by a claim (claims.py); what cannot be written is thought about again a little later.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial

from veillee.house.cluster.peers import Neighbours
from veillee.house.errors import StoreError
from veillee.house.storage import leases
from veillee.house.storage.store import Store
from veillee.house.tables.bots.question import Asked
from veillee.house.tables.bots.scripted import Prompter, line
from veillee.house.tables.table import Table
from veillee.house.workers.pool import AtOnce, Job, Thinkers
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

LONGEST = 3.0  # seconds that a bot waits for what happened before to be shown: who has skipped it waits no longer
AGAIN = 2.0  # seconds after which a bot whose answer could not be written tries again
GRACE = 0.15  # seconds that a process where nobody looks on leaves to another one, before it thinks for a bot


class Waker:
    """Of one process. `find`: a table as it is now; `pause`: how long a bot waits before it answers; `closed`: the house is."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        neighbours: Neighbours,
        find: Callable[[str], Table],
        pause: float,
        closed: threading.Event,
    ) -> None:
        self.thinkers = thinkers
        self._store = store
        self._neighbours = neighbours
        self._find = find
        self._pause = pause
        self._closed = closed
        self._prompter = Prompter()
        neighbours.think_instead = self.take_over

    def wake(self, table: Table) -> None:
        """Every bot that is asked there, if there is anybody for whom they play."""
        if self._closed.is_set() or not table.attended():
            return
        asked = table.bots_asked()
        if not asked:
            return
        due = time.monotonic() + self._pause + (min(LONGEST, table.shown_for()) if self._pause else 0.0)
        if self._store.shared and self._pause and not table.is_watched:
            later(min(GRACE, self._pause), partial(self._think, table, asked, due))
        else:
            self._think(table, asked, due)

    def take_over(self, table: Table) -> None:
        """Another process died while it thought: people have waited long enough."""
        if not self._closed.is_set():
            self._think(table, table.bots_asked(), time.monotonic())

    def go_on(self, ids: Sequence[str], look: Callable[[str], object]) -> None:
        """Let the bots of these tables go on, in a thread of its own where they think in processes of their own."""

        def look_at_all() -> None:
            for table_id in ids:
                try:
                    look(table_id)
                except VeilleeError as error:
                    log.warning("Table %s cannot go on: %s", table_id, error)

        if isinstance(self.thinkers, AtOnce):
            look_at_all()
        else:
            threading.Thread(target=look_at_all, name="go on", daemon=True).start()

    # -- inside -------------------------------------------------------------------------------------------------
    def _think(self, table: Table, asked: Sequence[Asked], due: float) -> None:
        """About all that no other process thinks about."""
        for one in asked:
            try:
                mine = leases.claim(self._store, one.question, self._neighbours.me)
            except StoreError as error:
                self._give_up(table, one, error)
                continue
            if mine:
                self._think_of(table, one, partial(self._thought, table, one, due))
            else:
                table.not_thinking(one)
                self._neighbours.thought_about(one.question, table)

    def _think_of(self, table: Table, asked: Asked, done: Callable[[Sequence[int]], None]) -> None:
        """One question: the bot of a guided first game is told its part, any other thinks."""
        if (answer := line(asked.now, asked.seat)) is not None:
            self._prompter.whisper(answer, done)
            return
        job = asked.job
        if self.thinkers.submit(job, done) is False:
            self._wait_for_room(table, asked, job)

    def _wait_for_room(self, table: Table, asked: Asked, job: Job) -> None:
        """Those at the table have enough in the line: it waits for its turn."""
        table.not_thinking(asked)
        with contextlib.suppress(StoreError):
            leases.give_up(self._store, asked.question, self._neighbours.me)
        self.thinkers.when_room(job, partial(self._wake_again, table.id))

    def _thought(self, table: Table, asked: Asked, due: float, actions: Sequence[int]) -> None:
        """A bot knows what it wants: it says so when it is due. Others may think meanwhile."""
        wait = due - time.monotonic() if self._pause else 0.0
        if wait > 0:
            later(wait, partial(self._bot_answers, table, asked, actions))
        else:
            self._bot_answers(table, asked, actions)

    def _bot_answers(self, table: Table, asked: Asked, actions: Sequence[int]) -> None:
        if self._closed.is_set():
            return
        try:
            if not table.bot_answers(asked.seat, asked.stamp, actions):
                leases.give_up(self._store, asked.question, self._neighbours.me)
        except StoreError as error:
            self._give_up(table, asked, error)

    def _give_up(self, table: Table, asked: Asked, error: StoreError) -> None:
        """For now."""
        log.warning("A bot's answer at table %s is not saved, it will think again: %s", table.id, error)
        table.not_thinking(asked)
        later(AGAIN, partial(self.wake, table))

    def _wake_again(self, table_id: str) -> None:
        """There is room for what its bots must think about."""
        if not self._closed.is_set():
            with contextlib.suppress(VeilleeError):
                self.wake(self._find(table_id))


def later(seconds: float, do: Callable[[], None]) -> None:
    """In a thread of its own."""
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()
