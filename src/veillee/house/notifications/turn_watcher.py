"""Finds the guests to notify that it is their turn.

A turn is a public question to a seat (tables/clocks/seat_clocks.py). Its guest is notified once, if they have not
looked at the table for 60 s since; an open page that is not visible does not count as looking. A guest who has looked
and not moved is reminded once: in a correspondence game when half of their time is gone, else after a day; in an
evening game never. No notification is sent in quiet hours or after they have moved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.accounts.quiet_hours import QuietHoursStore
from veillee.house.background import logged
from veillee.house.community.presence import Presence, is_tracked
from veillee.house.notifications import channels as ways
from veillee.house.notifications import outbox
from veillee.house.notifications.outbox import QueuedNotice
from veillee.house.storage.schema import answers, channels, seats, tables
from veillee.house.storage.store import Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.time_control import DAY
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table

POLL_SECONDS = 10.0  # seconds between two polls
UNSEEN_SECONDS = 60.0  # seconds without a look at the table
MAX_TURNS_PER_POLL = 5000


class PendingTurn(NamedTuple):
    """An open question to a guest who has a channel."""

    table: str
    seat: int
    guest: str
    requests: int


class TurnWatcher:
    """The watcher of one process. `find` returns a table in its current state."""

    def __init__(
        self, store: Store, presence: Presence, sleepers: QuietHoursStore, find: Callable[[str], Table]
    ) -> None:
        self._store = store
        self._presence = presence
        self._sleepers = sleepers
        self._find = find
        self._polled_at = float("-inf")
        self._done: dict[tuple[str, int], int] = {}  # requests at a seat's table when its notice was enqueued

    def poll(self) -> None:
        """Polls for new turns, every 10 s at most, and enqueues notices in the outbox. Raises StoreError."""
        if 0 <= self._store.now() - self._polled_at < POLL_SECONDS:
            return
        self._polled_at = self._store.now()
        turns = [turn for turn in self._pending_turns() if self._done.get((turn.table, turn.seat)) != turn.requests]
        if not turns:
            return
        seen = self._presence.load([(turn.guest, turn.table) for turn in turns])
        said = ways.load_wishes(self._store, sorted({turn.guest for turn in turns}))
        for turn in turns:
            with logged("Nobody can be told of their turn at table %s", turn.table):
                self._enqueue_if_unseen(turn, seen.get((turn.guest, turn.table), 0.0), said)

    def moment_if_due(self, notice: QueuedNotice) -> Moment | None:
        """Returns the table's moment if the guest still needs to be notified of that turn, else None."""
        table = self._find(notice.table)
        now = table.moment
        if not 0 <= notice.seat < len(now.clocks):
            return None
        hour, seat = now.clocks[notice.seat], now.seats[notice.seat]
        same = hour.turn == notice.turn and bool(hour.since) and now.status == "playing"
        if not same or seat.away or seat.guest != notice.channel.guest:
            return None
        said = ways.load_wishes(self._store, [seat.guest])
        return now if notice.channel.is_confirmed and ways.is_wanted(said, seat.guest, now.id) else None

    # -- inside -------------------------------------------------------------------------------------------------
    def _pending_turns(self) -> Iterator[PendingTurn]:
        query = (
            sa.select(tables.c.id, seats.c.seat, seats.c.guest, tables.c.requests, tables.c.asked)
            .join(seats, seats.c.table_id == tables.c.id)
            .where(tables.c.status == "playing", seats.c.away.is_(False))
            .where(seats.c.guest.in_(sa.select(channels.c.guest).where(channels.c.ready)))
            .limit(MAX_TURNS_PER_POLL)
        )
        with self._store.reading() as db:
            rows = db.execute(query).all()
        return (
            PendingTurn(row.id, row.seat, row.guest, row.requests) for row in rows if row.seat in json.loads(row.asked)
        )

    def _enqueue_if_unseen(self, turn: PendingTurn, seen: float, said: dict[tuple[str, str], bool]) -> None:
        table = self._find(turn.table)
        now = table.moment
        since = seat_clocks.waiting_since(now.clocks[turn.seat], now.row.lines, turn.seat) if now.clocks else 0.0
        if not is_tracked(table) or not since or not ways.is_wanted(said, turn.guest, turn.table):
            self._is_done(turn, now)
            return
        asked, present = self._store.downtime.wall_seconds(since), self._store.now()
        due = asked + UNSEEN_SECONDS if seen < asked else self._reminds(now, asked)
        if due is None:
            return
        if present < due or self._sleepers.for_guest(turn.guest).is_quiet(present):
            return
        mine = [channel for channel in ways.channels_of(self._store, turn.guest) if channel.is_confirmed]
        outbox.enqueue(self._store, turn.table, turn.seat, now.clocks[turn.seat].turn, mine)
        self._is_done(turn, now)

    def _reminds(self, now: Moment, asked: float) -> float | None:
        """Returns when a guest who has looked is reminded; None: never."""
        pace = now.row.pace
        if pace.kind == "evening":
            return None
        return asked + (pace.each / 2 if pace.kind == "post" else DAY)

    def _is_done(self, turn: PendingTurn, now: Moment) -> None:
        if len(self._done) >= MAX_TURNS_PER_POLL:
            self._done.clear()
        self._done[turn.table, turn.seat] = now.requests


class WaitingTable(NamedTuple):
    """A table where it is publicly the guest's turn. turn: how often the seat has answered or taken back, which tells
    nothing of what others do in secret."""

    id: str
    seat: int
    turn: int


def waiting_tables_of(store: Store, guest: str) -> list[WaitingTable]:
    """Returns the tables where it is publicly the guest's turn, latest change first."""
    own = sa.and_(answers.c.table_id == tables.c.id, answers.c.seat == seats.c.seat)
    turn = sa.select(sa.func.count()).select_from(answers).where(own).scalar_subquery()
    query = sa.select(tables.c.id, seats.c.seat, turn.label("turn"), tables.c.asked)
    query = query.join(seats, seats.c.table_id == tables.c.id).where(seats.c.guest == guest, seats.c.away.is_(False))
    with store.reading() as db:
        rows = db.execute(query.where(tables.c.status == "playing").order_by(tables.c.touched.desc())).all()
    return [WaitingTable(row.id, row.seat, row.turn) for row in rows if row.seat in json.loads(row.asked)]
