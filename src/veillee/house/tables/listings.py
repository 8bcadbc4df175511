"""Tables in lists: enough to show them without replaying their games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.house.accounts.guest import Guest
from veillee.house.storage.schema import seats, tables
from veillee.house.storage.store import Store
from veillee.house.tables.clocks.time_control import TimeControl
from veillee.house.tables.repository import Status, TableRow, load_rows
from veillee.house.tables.seats import Seat

RECENTLY_ACTIVE_SECONDS = 3 * 86_400.0  # seconds: in correspondence games a table may be quiet for a while


@dataclass(frozen=True)
class TableSummary:
    """Summary of a table for a list."""

    id: str
    box: Box
    options: Options
    seats: Sequence[Seat]
    status: Status
    asked: tuple[int, ...]  # the seats to act, as far as that is public
    created: datetime
    touched: datetime  # the last public change
    hints: bool  # whether players may ask for advice
    pace: TimeControl
    rated: bool

    def seats_of(self, guest: Guest | None) -> list[int]:
        """Returns the guest's seats."""
        return [number for number, seat in enumerate(self.seats) if guest is not None and seat.guest == guest.id]


def summarize_rows(rows: Iterable[TableRow]) -> list[TableSummary]:
    """Returns the summaries of the rows whose game is installed."""
    return [
        TableSummary(
            row.id,
            catalogue.BOXES[row.game],
            row.options,
            row.seats,
            row.status,
            row.asked,
            datetime.fromtimestamp(row.created, UTC),
            datetime.fromtimestamp(row.touched, UTC),
            row.hints,
            row.pace,
            row.rated,
        )
        for row in rows
        if row.game in catalogue.BOXES
    ]


def guest_tables(store: Store, guest: str) -> list[TableRow]:
    """Returns the tables where the guest sits, latest change first."""
    with store.reading() as db:
        return load_rows(db, tables.c.id.in_(sa.select(seats.c.table_id).where(seats.c.guest == guest)))


def waiting_tables(store: Store) -> list[TableRow]:
    """Returns public tables with an open seat, latest change first."""
    with store.reading() as db:
        return load_rows(db, sa.and_(tables.c.status == "waiting", tables.c.public))


def public_games(store: Store) -> list[TableRow]:
    """Returns public tables that are being played and changed within LIVELY, latest change first."""
    lively = tables.c.touched > store.now() - RECENTLY_ACTIVE_SECONDS
    with store.reading() as db:
        return load_rows(db, sa.and_(tables.c.status == "playing", tables.c.public, lively))
