"""Whose time is out: one look every few seconds at the tables where it may be, and what was agreed on is done.

A table says when somebody should look (`due`, written with each answer): who counts most exactly is whoever looks then. Of
several processes one does it: whoever moves `due` on. The same hand says that the house is open (awake.py).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from veillee.house.accounts.quiet_hours import counted
from veillee.house.accounts.quiet_hours_store import Sleepers
from veillee.house.errors import StoreError
from veillee.house.storage import uptime
from veillee.house.storage.schema import tables
from veillee.house.storage.store import Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

LOOK = 2.0  # seconds between two looks
AGAIN = 60.0  # seconds after which a table is looked at once more, if nothing has come of it
MOST = 200  # tables at one look


def left(store: Store, sleepers: Sleepers, now: Moment, seat: int) -> float | None:
    """The seconds that a person has left for the question that they are asked; None: nobody counts, or nothing is asked.
    Less than nothing: their time has been out for so long."""
    pace = now.row.pace
    since = seat_clocks.asked_since(now.hours[seat], now.row.lines, seat) if now.hours else 0.0
    if not pace.kind or not since or now.seats[seat].by_bot:
        return None
    if pace.kind == "evening":
        took = store.closings.awake(store.now()) - since
    else:
        asked, present = store.closings.wall(since), store.now()
        free = [*sleepers.of(now.seats[seat].guest).spans(asked, present), *store.closings.closed]
        took = counted(asked, present, free)
    return pace.allows(now.hours[seat].spent) - took


class Timekeeper:
    """Of one process. `find`: a table as it is now; `wake`: its bots."""

    def __init__(
        self, store: Store, sleepers: Sleepers, find: Callable[[str], Table], wake: Callable[[Table], None]
    ) -> None:
        self._store = store
        self._sleepers = sleepers
        self._find = find
        self._wake = wake
        self._also: list[Callable[[], None]] = []
        self._stopped = threading.Event()
        self._said = float("-inf")  # when this process last said that the house is open
        self._thread = threading.Thread(target=self._tend, name="timekeeper", daemon=True)

    def also(self, do: Callable[[], None]) -> None:
        """What else is looked at every time."""
        self._also.append(do)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Once. Raises StoreError."""
        now = self._store.now()
        if now - self._said >= uptime.BEAT:
            self._said = now
            uptime.still_open(self._store)
        for table_id in self._due(now):
            try:
                table = self._find(table_id)
                self._look_at(table)
                self._wake(table)  # a bot that was interrupted goes on
            except VeilleeError as error:
                log.warning("Nobody can look at the clocks of table %s: %s", table_id, error)
        for do in self._also:
            do()

    # -- inside -------------------------------------------------------------------------------------------------
    def _due(self, now: float) -> Sequence[str]:
        """The tables that this process is to look at."""
        query = sa.select(tables.c.id, tables.c.due).where(tables.c.due <= now).order_by(tables.c.due).limit(MOST)
        with self._store.reading() as db:
            found = db.execute(query).all()
        return [row.id for row in found if self._moved(row.id, row.due, now + AGAIN)]

    def _moved(self, table_id: str, was: float, to: float) -> bool:
        """Its next look, if nobody else was faster."""
        mine = sa.and_(tables.c.id == table_id, tables.c.due == was)
        with self._store.writing() as db:
            return db.execute(tables.update().where(mine).values(due=to)).rowcount == 1

    def _look_at(self, table: Table) -> None:
        now, waits = table.now, []
        for seat, hour in enumerate(now.hours):
            rest = left(self._store, self._sleepers, now, seat)
            if rest is None or now.row.pace.then != "bot":
                continue
            if rest <= 0:
                table.stand_in(seat, hour.turn, "out")
            else:
                waits.append(rest)
        if waits and table.now is now:  # nights and closings: not before that
            with self._store.writing() as db:
                db.execute(
                    tables.update()
                    .where(tables.c.id == now.id, tables.c.requests == now.requests)
                    .values(due=self._store.now() + min([*waits, AGAIN] if any_bots(now) else waits))
                )

    def _tend(self) -> None:
        while not self._stopped.wait(LOOK):
            try:
                self.look()
            except StoreError as error:
                log.warning("Nobody can look at the clocks: %s", error)
            except Exception:  # one trouble does not stop the clocks
                log.exception("The clocks could not be looked at.")


def any_bots(now: Moment) -> bool:
    """Is a bot asked?"""
    return any(seat.by_bot and hour.since for seat, hour in zip(now.seats, now.hours, strict=True))
