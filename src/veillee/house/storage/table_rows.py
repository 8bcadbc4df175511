"""A table as it is stored: its row, seats and answers, and how they are read and written.

`status`, `asked` and `touched` are copies of what the answers replay to, so that lists need no replay.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast

import sqlalchemy as sa

from veillee.house.storage.schema import seats, tables
from veillee.house.tables.clocks.seat_clocks import HouseEvent
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.seats import Seat

LONGEST_LIST = 200

Status = Literal["waiting", "playing", "over"]
Guide = Literal["", "on", "left"]  # ordinary game; guided first game; first game whose guide was left (known deal)


class Version(NamedTuple):
    """The numbers of a table's latest answer and latest change of seats."""

    requests: int
    reseated: int


@dataclass(frozen=True)
class AnswerRequest:
    """One appended record: the seat's answers in a row; none: it took one back."""

    seat: int
    actions: tuple[int, ...]
    at: float = field(default=0.0, compare=False)  # when it arrived, in house time (house_time.py)


@dataclass(frozen=True)
class TableRow:
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
    luck: tuple[str, ...]  # each seat's word for the shuffle, or empty
    guide: Guide = ""
    pace: TimeControl = UNTIMED
    begun: float = 0.0  # when the match began, in house time
    lines: tuple[HouseEvent, ...] = ()  # house events of the chronicle; not loaded for lists
    due: float | None = None  # when a time limit is to be checked, in house time
    deal: str = ""  # day of the daily deal
    rated: bool = False
    branch: str = ""  # table and moment it was played on from, as "2222-2222-2222 17"


def load_rows(db: sa.Connection, which: sa.ColumnElement[bool]) -> list[TableRow]:
    """Loads the tables that match, latest change first; without the house events of the chronicle."""
    found = db.execute(sa.select(tables).where(which).order_by(tables.c.touched.desc()).limit(LONGEST_LIST)).all()
    theirs = sa.select(seats).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.seat)
    around: dict[str, list[Any]] = {row.id: [] for row in found}
    for seat in db.execute(theirs):
        around[seat.table_id].append(seat)
    return [
        TableRow(
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
            pace=TimeControl.parse(row.pace),
            begun=row.begun,
            deal=row.deal,
            rated=row.rated,
            branch=row.branch,
        )
        for row in found
    ]


def seat_rows(row: TableRow) -> list[dict[str, Any]]:
    """Returns the seats of a table as rows to insert."""
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
