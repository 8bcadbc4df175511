"""A table as it is stored: its row, its seats and its answers, and how they are read and written.

`status`, `asked` and `touched` are copies of what the answers replay to, so that lists need no replay.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

import sqlalchemy as sa

from veillee.house.accounts.people import Seat
from veillee.house.storage.schema import seats, tables
from veillee.house.tables.clocks.seat_clocks import Line
from veillee.house.tables.clocks.time_control import NO_HURRY, Pace

LONGEST_LIST = 200

Status = Literal["waiting", "playing", "over"]
Guide = Literal["", "on", "left"]  # a game like any other; a first game that is guided, or was: its deal is known


class Version(NamedTuple):
    """How far a table has come."""

    requests: int
    reseated: int


@dataclass(frozen=True)
class Request:
    """One appended record: the seat's answers in a row, or none: it took one back."""

    seat: int
    actions: tuple[int, ...]
    at: float = field(default=0.0, compare=False)  # when it came, by the house's own time (clock.py)


@dataclass(frozen=True)
class Row:
    """A table as it is stored, without its answers."""

    id: str
    game: str
    version: int
    options: dict[str, str]
    seed: bytes
    public: bool
    status: Status
    asked: tuple[int, ...]
    reseated: int
    rematch: str
    hints: bool
    created: float
    touched: float
    seats: tuple[Seat, ...]
    luck: tuple[str, ...]  # each seat's word, empty if it gave none
    guide: Guide = ""
    pace: Pace = NO_HURRY
    begun: float = 0.0  # when the match began, by the house's own time
    lines: tuple[Line, ...] = ()  # of the house, in the chronicle; lists do without
    due: float | None = None  # when somebody should look whether time is out, by the house's own time
    deal: str = ""  # the day whose deal it is
    rated: bool = False
    branch: str = ""  # the table and the moment that it was played on from, as "2222-2222-2222 17"


def read_rows(db: sa.Connection, which: sa.ColumnElement[bool]) -> list[Row]:
    """The tables of a kind, the latest change first; without the lines of the house."""
    found = db.execute(sa.select(tables).where(which).order_by(tables.c.touched.desc()).limit(LONGEST_LIST)).all()
    theirs = sa.select(seats).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.seat)
    around: dict[str, list[Any]] = {row.id: [] for row in found}
    for seat in db.execute(theirs):
        around[seat.table_id].append(seat)
    return [
        Row(
            id=row.id,
            game=row.game,
            version=row.version,
            options=json.loads(row.options),
            seed=row.seed,
            public=row.public,
            status=cast(Status, row.status),
            asked=tuple(json.loads(row.asked)),
            reseated=row.reseated,
            rematch=row.rematch,
            hints=row.hints,
            created=row.created,
            touched=row.touched,
            seats=tuple(Seat(s.kind, s.name, s.guest or "", s.level, s.away, s.shield) for s in around[row.id]),
            luck=tuple(s.luck for s in around[row.id]),
            guide=cast(Guide, row.guide),
            pace=Pace.read(row.pace),
            begun=row.begun,
            deal=row.deal,
            rated=row.rated,
            branch=row.branch,
        )
        for row in found
    ]


def seat_rows(row: Row) -> list[dict[str, Any]]:
    """The seats of a table, to be written."""
    return [
        {
            "table_id": row.id,
            "seat": number,
            "kind": seat.kind,
            "name": seat.name,
            "guest": seat.guest or None,
            "level": seat.level,
            "away": seat.away,
            "luck": luck,
            "shield": seat.shield,
        }
        for number, (seat, luck) in enumerate(zip(row.seats, row.luck, strict=True))
    ]
