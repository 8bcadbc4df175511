"""Whom to tell that it is their turn.

A turn is what everybody sees somebody being asked (hours.py). They are told of it once, if they have not looked at the table
for a minute since: a page that is open somewhere and that nobody looks at is no look. Who has looked and not moved is
reminded, once too: by post when half of their time is gone, else after a day; of an evening they know. Never at night, never
after they have moved.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.accounts.quiet_hours_store import Sleepers
from veillee.house.community.presence import Presence, matters
from veillee.house.notifications import channels as ways
from veillee.house.notifications import outbox
from veillee.house.notifications.outbox import Notice
from veillee.house.storage.schema import channels, seats, tables
from veillee.house.storage.store import Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.time_control import DAY
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

LOOK = 10.0  # seconds between two looks
UNSEEN = 60.0  # seconds for which nobody has looked
MOST = 5000


class Turn(NamedTuple):
    """Somebody who has a channel is asked."""

    table: str
    seat: int
    guest: str
    requests: int


class Notices:
    """Of one process. `find`: a table as it is now."""

    def __init__(self, store: Store, presence: Presence, sleepers: Sleepers, find: Callable[[str], Table]) -> None:
        self._store = store
        self._presence = presence
        self._sleepers = sleepers
        self._find = find
        self._looked = float("-inf")
        self._done: dict[tuple[str, int], int] = {}  # how many requests a seat's table had when its notice was made

    def look(self) -> None:
        """Now and then: what is new goes to the outbox. Raises StoreError."""
        if self._store.now() - self._looked < LOOK:
            return
        self._looked = self._store.now()
        turns = [turn for turn in self._turns() if self._done.get((turn.table, turn.seat)) != turn.requests]
        if not turns:
            return
        seen = self._presence.known([(turn.guest, turn.table) for turn in turns])
        said = ways.wanted(self._store, sorted({turn.guest for turn in turns}))
        for turn in turns:
            try:
                self._consider(turn, seen.get((turn.guest, turn.table), 0.0), said)
            except VeilleeError as error:
                log.warning("Nobody can be told of their turn at table %s: %s", turn.table, error)

    def still(self, notice: Notice) -> Moment | None:
        """The table, if somebody still needs to be told of that turn there."""
        table = self._find(notice.table)
        now = table.now
        if not 0 <= notice.seat < len(now.hours):
            return None
        hour, seat = now.hours[notice.seat], now.seats[notice.seat]
        same = hour.turn == notice.turn and bool(hour.since) and now.status == "playing"
        if not same or seat.away or seat.guest != notice.channel.guest:
            return None
        said = ways.wanted(self._store, [seat.guest])
        return now if notice.channel.ready and ways.wants(said, seat.guest, now.id) else None

    # -- inside -------------------------------------------------------------------------------------------------
    def _turns(self) -> Iterator[Turn]:
        query = (
            sa.select(tables.c.id, seats.c.seat, seats.c.guest, tables.c.requests, tables.c.asked)
            .join(seats, seats.c.table_id == tables.c.id)
            .where(tables.c.status == "playing", seats.c.away.is_(False))
            .where(seats.c.guest.in_(sa.select(channels.c.guest).where(channels.c.ready)))
            .limit(MOST)
        )
        with self._store.reading() as db:
            rows = db.execute(query).all()
        return (Turn(row.id, row.seat, row.guest, row.requests) for row in rows if row.seat in json.loads(row.asked))

    def _consider(self, turn: Turn, seen: float, said: dict[tuple[str, str], bool]) -> None:
        table = self._find(turn.table)
        now = table.now
        since = seat_clocks.asked_since(now.hours[turn.seat], now.row.lines, turn.seat) if now.hours else 0.0
        if not matters(table) or not since or not ways.wants(said, turn.guest, turn.table):
            self._is_done(turn, now)
            return
        asked, present = self._store.closings.wall(since), self._store.now()
        due = asked + UNSEEN if seen < asked else self._reminds(now, asked)
        if due is None:
            return
        if present < due or self._sleepers.of(turn.guest).asleep(present):
            return
        mine = [channel for channel in ways.of(self._store, turn.guest) if channel.ready]
        outbox.put(self._store, turn.table, turn.seat, now.hours[turn.seat].turn, mine)
        self._is_done(turn, now)

    def _reminds(self, now: Moment, asked: float) -> float | None:
        """When somebody who has looked is reminded."""
        pace = now.row.pace
        if pace.kind == "evening":
            return None
        return asked + (pace.each / 2 if pace.kind == "post" else DAY)

    def _is_done(self, turn: Turn, now: Moment) -> None:
        if len(self._done) >= MOST:
            self._done.clear()
        self._done[turn.table, turn.seat] = now.requests


def waiting_for(store: Store, guest: str) -> list[tuple[str, int, int]]:
    """The tables where it is the guest's turn, as far as everybody may know, their seats there, and how far the table has come."""
    query = sa.select(tables.c.id, seats.c.seat, tables.c.requests, tables.c.asked)
    query = query.join(seats, seats.c.table_id == tables.c.id).where(seats.c.guest == guest, seats.c.away.is_(False))
    with store.reading() as db:
        rows = db.execute(query.where(tables.c.status == "playing").order_by(tables.c.touched.desc())).all()
    return [(row.id, row.seat, row.requests) for row in rows if row.seat in json.loads(row.asked)]
