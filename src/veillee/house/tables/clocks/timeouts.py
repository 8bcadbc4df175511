"""Timeouts: a thread checks every 2 s the tables where time may have run out, and substitutes bots as agreed.

A table stores when it must be checked next (`due`, written with each answer). With several processes, the one that
moves `due` on handles the table. The same thread writes the heartbeat that the house is open (house/storage/uptime.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sqlalchemy as sa

from veillee.house.accounts.quiet_hours import QuietHoursStore, seconds_outside
from veillee.house.background import PeriodicThread, logged
from veillee.house.storage import uptime
from veillee.house.storage.schema import tables
from veillee.house.storage.store import Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table

POLL_SECONDS = 2.0  # seconds between two polls
RECHECK_SECONDS = 60.0  # seconds until a table is checked again if nothing came of it
MAX_TABLES_PER_POLL = 200  # tables per poll


def seconds_left(store: Store, sleepers: QuietHoursStore, now: Moment, seat: int) -> float | None:
    """Returns the seconds a person has left for their question; negative: overdue by so many. None: there is no clock,
    or nothing is asked."""
    pace = now.row.pace
    since = seat_clocks.waiting_since(now.clocks[seat], now.row.lines, seat) if now.clocks else 0.0
    if not pace.kind or not since or now.seats[seat].is_played_by_bot:
        return None
    if pace.kind == "evening":
        took = store.downtime.house_seconds(store.now()) - since
    else:
        asked, present = store.downtime.wall_seconds(since), store.now()
        free = [*sleepers.for_guest(now.seats[seat].guest).spans(asked, present), *store.downtime.closings]
        took = seconds_outside(asked, present, free)
    return pace.seconds_allowed(now.clocks[seat].spent) - took


class TimeoutWatcher:
    """Timeout thread of one process. find: returns the current table; wake: schedules its bots."""

    def __init__(
        self, store: Store, sleepers: QuietHoursStore, find: Callable[[str], Table], wake: Callable[[Table], None]
    ) -> None:
        self._store = store
        self._sleepers = sleepers
        self._find = find
        self._wake = wake
        self._tasks: dict[str, Callable[[], None]] = {}  # by name
        self._reported = float("-inf")  # time of this process's last heartbeat
        self._thread = PeriodicThread(
            "timeouts", self.poll, POLL_SECONDS, failure="The clocks cannot be checked", is_essential=True
        )

    def add_task(self, name: str, do: Callable[[], None]) -> None:
        """Adds a task that runs at every poll. Its errors are logged, and stop neither the clocks nor other tasks."""
        self._tasks[name] = do

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._thread.stop()

    def poll(self) -> None:
        """Polls once. Raises StoreError."""
        now = self._store.now()
        uptime.record_jumps(self._store)
        if not 0 <= now - self._reported < uptime.UPTIME_HEARTBEAT_SECONDS:
            self._reported = now
            uptime.record_heartbeat(self._store)
        for table_id in self._due(now):
            self._thread.beat()
            with logged("The clocks of table %s cannot be checked", table_id):
                table = self._find(table_id)
                self._check_table(table)
                self._wake(table)  # resumes a bot that was interrupted
        for name, do in self._tasks.items():
            self._thread.beat()
            with logged("The task %s of the timeout thread has failed", name):
                do()

    # -- internals ----------------------------------------------------------------------------------------------
    def _due(self, now: float) -> Sequence[str]:
        """Returns the ids of the due tables that this process has claimed."""
        query = (
            sa.select(tables.c.id, tables.c.due)
            .where(tables.c.due <= now)
            .order_by(tables.c.due)
            .limit(MAX_TABLES_PER_POLL)
        )
        with self._store.reading() as db:
            found = db.execute(query).all()
        return [row.id for row in found if self._advance_deadline(row.id, row.due, now + RECHECK_SECONDS)]

    def _advance_deadline(self, table_id: str, was: float, to: float) -> bool:
        """Moves the table's next check on. Returns False if another process was faster."""
        mine = sa.and_(tables.c.id == table_id, tables.c.due == was)
        with self._store.writing() as db:
            return db.execute(tables.update().where(mine).values(due=to)).rowcount == 1

    def _check_table(self, table: Table) -> None:
        now, waits = table.moment, []
        if now.row.opens_until is not None:
            table.end_opening()
            return
        for seat, hour in enumerate(now.clocks):
            rest = seconds_left(self._store, self._sleepers, now, seat)
            if rest is None or now.row.pace.then != "bot":
                continue
            if rest <= 0:
                table.let_substitute_play(seat, hour.turn, "out")
            else:
                waits.append(rest)
        if waits and table.moment is now:  # quiet hours and closures postpone the timeout
            with self._store.writing() as db:
                db.execute(
                    tables.update()
                    .where(tables.c.id == now.id, tables.c.requests == now.requests)
                    .values(due=self._store.now() + min([*waits, RECHECK_SECONDS] if has_bots(now) else waits))
                )


def has_bots(now: Moment) -> bool:
    """Returns whether a bot is asked."""
    return any(seat.is_played_by_bot and hour.since for seat, hour in zip(now.seats, now.clocks, strict=True))
