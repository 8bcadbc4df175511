"""Repository of tables: their rows, seats and answers. Answers are only ever appended.

The answers (with the sealed seed) are the source of truth: a table is what they replay to. `status`, `asked` and
`touched` are copies of that, so that lists need no replay; they are written in the same transaction. `requests` and
`reseated` number a table's changes (optimistic locking): a writer says which numbers it knows, and gets Conflict if
there are newer ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, overload

import sqlalchemy as sa

from veillee.house.errors import StoreError, t
from veillee.house.storage.answer_sql import Record, checksum
from veillee.house.storage.schema import answers, circle_tables, claims, house_lines, seats, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.clocks.seat_clocks import HouseEvent
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.seats import Seat

MAX_LISTED_TABLES = 200

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
    deal: str = ""  # of several guests, each playing it once: day of the daily deal, or id of the championship
    rated: bool = False
    branch: str = ""  # table and moment it was played on from, as "2222-2222-2222 17"
    opens_until: float | None = None  # while contributions to the shuffle are opened: until when, in house time
    sealed_until: float | None = None  # of a championship: when its deals may be seen by all, in wall time

    @property
    def is_played_alone(self) -> bool:
        """Whether it is a deal that a guest plays alone and without help, so that all who play it can be compared. In the
        rounds of a championship there is a clock, and a bot goes on for a player who leaves."""
        return bool(self.deal) and not self.pace.kind


class TableDeleted(Exception):
    """The table was deleted."""


class TableRepository:
    """Tables in the database, without knowledge of the rules. Every method is one transaction, and safe from any
    thread.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.before_delete: Callable[[sa.Connection, TableRow], None] = lambda _db, _row: None  # in its transaction

    def add(
        self,
        row: TableRow,
        rematch_of: str = "",
        played: Sequence[tuple[int, int]] = (),
        register: Callable[[sa.Connection, TableRow], None] | None = None,
    ) -> None:
        """Inserts a new table; `rematch_of`: the table whose rematch it is; `register`: what else is written in the same
        transaction. Raises Conflict if that table has a rematch already, or `register` does.
        """
        with self.store.writing() as db:
            if rematch_of:
                free = tables.update().where(tables.c.id == rematch_of, tables.c.rematch == "")
                if db.execute(free.values(rematch=row.id, reseated=tables.c.reseated + 1)).rowcount != 1:
                    raise Conflict
                self.store.notify_table(db, rematch_of)
            db.execute(tables.insert().values(self._to_columns(row, (*FIXED_COLUMNS, *RESEATED_COLUMNS))))
            db.execute(seats.insert(), _seat_rows(row))
            if played:  # it continues from a moment of another table
                records = [
                    {
                        "table_id": row.id,
                        "seq": seq,
                        "seat": seat,
                        "actions": (actions := json.dumps([action])),
                        "created": row.created,
                        "checksum": checksum(row.id, seq, seat, actions),
                    }
                    for seq, (seat, action) in enumerate(played, 1)
                ]
                db.execute(answers.insert(), records)
                db.execute(tables.update().where(tables.c.id == row.id).values(requests=len(records)))
            if rematch_of:
                db.execute(KEEP_CIRCLE, {"table": row.id, "before": rematch_of})
            if register is not None:
                register(db, row)

    def add_all(self, rows: Sequence[TableRow], register: Callable[[sa.Connection, Sequence[TableRow]], None]) -> None:
        """Inserts new tables and what `register` writes, in one transaction. Raises Conflict if `register` does."""
        with self.store.writing() as db:
            for row in rows:
                db.execute(tables.insert().values(self._to_columns(row, (*FIXED_COLUMNS, *RESEATED_COLUMNS))))
                db.execute(seats.insert(), _seat_rows(row))
            register(db, rows)

    def find(self, table_id: str) -> tuple[TableRow, list[AnswerRequest]] | None:
        """Returns the table and its answers, in order. Raises StoreError if one is damaged or missing."""
        log = sa.select(*ANSWER_COLUMNS)
        log = log.where(answers.c.table_id == table_id).order_by(answers.c.seq)
        told = sa.select(house_lines).where(house_lines.c.table_id == table_id).order_by(house_lines.c.number)
        with self.store.reading() as db:
            found = next(iter(load_rows(db, tables.c.id == table_id)), None)
            if found is None:
                return None
            lines = [
                HouseEvent(one.what, one.seat, one.after, one.shown, self._house_seconds(one.at))
                for one in db.execute(told)
            ]
            row = replace(found, begun=self._house_seconds(found.begun or found.created), lines=tuple(lines))
            if row.opens_until is not None:
                row = replace(row, opens_until=self._house_seconds(row.opens_until))
            number = db.execute(sa.select(tables.c.requests).where(tables.c.id == table_id)).scalar_one()
            return row, self._requests(table_id, number, db.execute(log))

    def load_newer(self, row: TableRow, requests: int) -> tuple[TableRow, list[AnswerRequest]]:
        """Returns the table as it is now, and the answers after the first `requests`; the same row if its seats have
        not changed. Raises TableDeleted.
        """
        with self.store.single_statement() as db:
            found = db.execute(SELECT_NEWER_ANSWERS, {"table": row.id, "known": requests}).all()
        if not found:
            raise TableDeleted
        if found[0].reseated == row.reseated:
            new = [self._request(row.id, *one[2:]) for one in found if one.actions is not None]
            return (replace(row, touched=found[0].touched) if new else row), new
        whole = self.find(row.id)
        if whole is None:
            raise TableDeleted
        return whole[0], whole[1][requests:]

    def find_rematch_origin(self, table_id: str) -> TableRow | None:
        """Returns the table whose rematch this one is."""
        with self.store.reading() as db:
            return next(iter(load_rows(db, tables.c.rematch == table_id)), None)

    def load_versions(self, ids: Collection[str]) -> dict[str, Version]:
        """Returns the version of each of these tables."""
        query = sa.select(tables.c.id, tables.c.requests, tables.c.reseated).where(tables.c.id.in_(ids))
        with self.store.single_statement() as db:
            return {row.id: Version(row.requests, row.reseated) for row in db.execute(query)}

    def append(self, row: TableRow, seq: int, request: AnswerRequest, *, shown: bool = True) -> TableRow:
        """Appends an answer; it is on disk when this returns. Raises Conflict if the number is taken, or the seats have
        changed.

        shown: the change is public. Otherwise the table keeps its place in the lists.
        """
        row, record = self._record(row, seq, request, shown=shown)
        self.store.append_answer(record)
        return row

    def submit(
        self,
        row: TableRow,
        seq: int,
        request: AnswerRequest,
        done: Callable[[TableRow | Exception], None],
        *,
        shown: bool = True,
    ) -> None:
        """Like append(), without waiting for the disk (SQLite only): `done` is called from the writer thread with what
        append() would return or raise.
        """
        row, record = self._record(row, seq, request, shown=shown)
        self.store.submit_answer(record, lambda wrong: done(wrong or row))

    def save_seats(self, row: TableRow, requests: int, *, moved: bool = True) -> TableRow:
        """Saves the seats, and what their change brought about. Raises Conflict if they have changed since `row` was
        read, or the number of answers is not `requests`.

        moved: a player came or went. A new name alone leaves the table where it is in the lists.
        """
        row = replace(row, reseated=row.reseated + 1, touched=self.store.now() if moved else row.touched)
        with self.store.writing() as db:
            known = sa.and_(tables.c.reseated == row.reseated - 1, tables.c.requests == requests)
            present = tables.update().where(tables.c.id == row.id, known)
            if db.execute(present.values(self._to_columns(row, RESEATED_COLUMNS))).rowcount != 1:
                raise Conflict
            db.execute(seats.delete().where(seats.c.table_id == row.id))
            db.execute(seats.insert(), _seat_rows(row))
            if row.lines:
                db.execute(house_lines.delete().where(house_lines.c.table_id == row.id))
                db.execute(house_lines.insert(), self._line_rows(row))
            self.store.notify_table(db, row.id)
        return row

    def save_names(self, rows: Sequence[TableRow]) -> None:
        """Saves the names and shields of the seats of all these tables, and nothing else. Raises Conflict if the seats
        of one have changed since its row was read, or its game is over.
        """
        if not rows:
            return
        with self.store.writing() as db:
            for row in rows:
                known = sa.and_(tables.c.reseated == row.reseated, tables.c.status != "over")
                present = tables.update().where(tables.c.id == row.id, known)
                if db.execute(present.values(reseated=row.reseated + 1)).rowcount != 1:
                    raise Conflict
                self.store.notify_table(db, row.id)
            values = [
                {"of": row.id, "number": number, "shown": seat.name, "arms": seat.shield}
                for row in rows
                for number, seat in enumerate(row.seats)
            ]
            place = sa.and_(seats.c.table_id == sa.bindparam("of"), seats.c.seat == sa.bindparam("number"))
            called = seats.update().where(place).values(name=sa.bindparam("shown"), shield=sa.bindparam("arms"))
            db.execute(called, values)

    def delete(self, row: TableRow) -> None:
        """Deletes the table and all that was played there. Raises Conflict if its seats have changed since `row` was
        read.
        """
        with self.store.writing() as db:
            present = tables.update().where(tables.c.id == row.id, tables.c.reseated == row.reseated)
            if db.execute(present.values(reseated=row.reseated + 1)).rowcount != 1:
                raise Conflict
            self.before_delete(db, row)
            was = tables.update().where(tables.c.rematch == row.id)
            db.execute(was.values(rematch="", reseated=tables.c.reseated + 1))
            for part in (answers, seats):  # the rest is deleted by ON DELETE CASCADE
                db.execute(part.delete().where(part.c.table_id == row.id))
            db.execute(claims.delete().where(claims.c.table_id == row.id))
            db.execute(tables.delete().where(tables.c.id == row.id))
            self.store.notify_deleted_table(db, row.id, row.reseated + 1)

    # -- internals ----------------------------------------------------------------------------------------------
    def _record(self, row: TableRow, seq: int, request: AnswerRequest, *, shown: bool) -> tuple[TableRow, Record]:
        """Returns the table after an answer, and the SQL parameters for both."""
        now = self._wall_seconds(request.at) if request.at else self.store.now()
        row = replace(row, touched=now) if shown else row
        actions = json.dumps(request.actions)
        return row, {
            "table": row.id,
            "known": row.reseated,
            **self._to_columns(row, ANSWERED_COLUMNS),
            "seq": seq,
            "seat": request.seat,
            "actions": actions,
            "created": now,
            "checksum": checksum(row.id, seq, request.seat, actions),
        }

    def _to_columns(self, row: TableRow, names: Iterable[str]) -> dict[str, Any]:
        """Returns these columns of a table; the opposite of _from_columns()."""
        values = {}
        for name in names:
            value = getattr(row, name)
            if name in JSON_COLUMNS:
                value = json.dumps(value)
            elif name in TIME_COLUMNS:
                value = self._wall_seconds(value)
            elif name == "pace":
                value = value.serialize()
            values[name] = value
        return values

    def _requests(self, table_id: str, number: int, rows: Iterable[Any]) -> list[AnswerRequest]:
        """Returns the stored answers. Raises StoreError unless all are there: `number` at least, as others may write
        meanwhile. A damaged page of the database can hide answers without an error of SQLite."""
        found = []
        for expected, row in enumerate(rows, 1):
            if row.seq != expected:
                raise StoreError(t("Answer {number} of this table is missing in the database.", number=expected))
            found.append(self._request(table_id, *row))
        if len(found) < number:
            raise StoreError(t("Answer {number} of this table is missing in the database.", number=len(found) + 1))
        return found

    def _request(
        self, table_id: str, seq: int, seat: int, actions: str, created: float, known: int | None
    ) -> AnswerRequest:
        """Returns a stored answer. Raises StoreError if it is not the one that was written (`known`: its checksum)."""
        if known is not None and known != checksum(table_id, seq, seat, actions):
            raise StoreError(t("Answer {number} of this table is damaged in the database.", number=seq))
        return AnswerRequest(seat, tuple(json.loads(actions)), self._house_seconds(created))

    def _line_rows(self, row: TableRow) -> list[dict[str, Any]]:
        return [
            line._asdict() | {"table_id": row.id, "number": number, "at": self._wall_seconds(line.at)}
            for number, line in enumerate(row.lines)
        ]

    def _house_seconds(self, wall: float) -> float:
        return self.store.downtime.house_seconds(wall)

    @overload
    def _wall_seconds(self, awake: float) -> float: ...
    @overload
    def _wall_seconds(self, awake: float | None) -> float | None: ...
    def _wall_seconds(self, awake: float | None) -> float | None:
        return self.store.downtime.wall_seconds(awake) if awake else awake


def load_rows(db: sa.Connection, which: sa.ColumnElement[bool]) -> list[TableRow]:
    """Loads the tables that match, latest change first; without the house events of the chronicle, and with `begun` in
    wall time.
    """
    found = db.execute(sa.select(tables).where(which).order_by(tables.c.touched.desc()).limit(MAX_LISTED_TABLES)).all()
    theirs = sa.select(seats).where(seats.c.table_id.in_([row.id for row in found])).order_by(seats.c.seat)
    around: dict[str, list[Any]] = {row.id: [] for row in found}
    for seat in db.execute(theirs):
        around[seat.table_id].append(seat)
    return [_from_columns(row, around[row.id]) for row in found]


def _from_columns(row: Any, around: Sequence[Any]) -> TableRow:
    """Returns a table from its columns and those of its seats."""
    values = {name: getattr(row, name) for name in (*FIXED_COLUMNS, *RESEATED_COLUMNS) if name != "due"}
    values |= {"options": json.loads(row.options), "asked": tuple(json.loads(row.asked))}
    values |= {"pace": TimeControl.parse(row.pace), "luck": tuple(seat.luck for seat in around)}
    people = tuple(Seat(**{name: getattr(s, name) for name in SEAT_COLUMNS} | {"guest": s.guest or ""}) for s in around)
    return TableRow(**values, seats=people)


def _seat_rows(row: TableRow) -> list[dict[str, Any]]:
    """Returns the seats of a table as rows to insert."""
    return [
        {name: getattr(seat, name) for name in SEAT_COLUMNS}
        | {"guest": seat.guest or None, "table_id": row.id, "seat": number, "luck": luck}
        for number, (seat, luck) in enumerate(zip(row.seats, row.luck, strict=True))
    ]


# Columns of a table: what an answer changes, what a change of seats changes, and what stays. JSON_COLUMNS are stored as
# JSON, TIME_COLUMNS as wall time.
ANSWERED_COLUMNS = ("status", "asked", "touched", "due")
RESEATED_COLUMNS = (*ANSWERED_COLUMNS, "begun", "reseated", "guide", "opens_until")
FIXED_COLUMNS = (
    *("id", "game", "version", "options", "seed", "public", "rematch", "hints", "created"),
    *("pace", "deal", "rated", "branch", "sealed_until"),
)
JSON_COLUMNS = frozenset(("options", "asked"))
TIME_COLUMNS = frozenset(("begun", "due", "opens_until"))
SEAT_COLUMNS = ("kind", "name", "guest", "level", "away", "shield", "sealed", "opened")
ANSWER_COLUMNS = (answers.c.seq, answers.c.seat, answers.c.actions, answers.c.created, answers.c.checksum)
KEEP_CIRCLE = circle_tables.insert().from_select(  # a rematch belongs to the circle of the table before it
    ["table_id", "circle"],
    sa.select(sa.bindparam("table", type_=sa.Text), circle_tables.c.circle).where(
        circle_tables.c.table_id == sa.bindparam("before")
    ),
)
SELECT_NEWER_ANSWERS = (
    sa.select(tables.c.reseated, tables.c.touched, *ANSWER_COLUMNS)
    .outerjoin(answers, sa.and_(answers.c.table_id == tables.c.id, answers.c.seq > sa.bindparam("known")))
    .where(tables.c.id == sa.bindparam("table"))
    .order_by(answers.c.seq)
)
