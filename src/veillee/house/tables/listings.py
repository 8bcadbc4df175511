"""Tables in lists: enough to show them, without replaying their games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.house.accounts.people import Guest, Seat
from veillee.house.storage.schema import seats, tables
from veillee.house.storage.store import Store
from veillee.house.storage.table_rows import Row, Status, read_rows
from veillee.house.tables.clocks.time_control import Pace

LIVELY = 3 * 86_400.0  # seconds: by post a table may be quiet for a while


@dataclass(frozen=True)
class Glance:
    """A table in a list."""

    id: str
    box: Box
    options: Options
    seats: Sequence[Seat]
    status: Status
    asked: tuple[int, ...]  # the seats whose turn it is, as far as everybody may know
    created: datetime
    touched: datetime  # the last change before everybody's eyes
    hints: bool  # may those who play ask for advice?
    pace: Pace
    rated: bool

    def seats_of(self, guest: Guest | None) -> list[int]:
        """The seats of the guest."""
        return [number for number, seat in enumerate(self.seats) if guest is not None and seat.guest == guest.id]


def glances(rows: Iterable[Row]) -> list[Glance]:
    """Those whose game is on the shelf."""
    return [
        Glance(
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


def tables_of(store: Store, guest: str) -> list[Row]:
    """Where the guest sits, the latest change first."""
    with store.reading() as db:
        return read_rows(db, tables.c.id.in_(sa.select(seats.c.table_id).where(seats.c.guest == guest)))


def tables_that_wait(store: Store) -> list[Row]:
    """Public tables with an open seat, the latest change first."""
    with store.reading() as db:
        return read_rows(db, sa.and_(tables.c.status == "waiting", tables.c.public))


def public_games(store: Store) -> list[Row]:
    """Public tables where somebody plays, and did so not long ago, the latest change first."""
    lively = tables.c.touched > store.now() - LIVELY
    with store.reading() as db:
        return read_rows(db, sa.and_(tables.c.status == "playing", tables.c.public, lively))
