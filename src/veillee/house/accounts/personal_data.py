"""Export and deletion of a guest's personal data.

Deletion removes what belongs to the guest alone. What others have played stays readable: in their finished games the
seat is "a former guest", at running ones a bot plays on under a name of its own, and at a waiting table the seat is
open again. A word of luck stays: it is needed to verify the shuffle.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from msgspec.json import encode

from veillee.house.accounts.guest import Guest
from veillee.house.storage.schema import (
    answers,
    circle_members,
    circles,
    guests,
    metadata,
    mutes,
    presence,
    ratings,
    reports,
    results,
    seats,
    tables,
    talk,
    tokens,
)
from veillee.house.storage.store import Conflict, Store

SECRET_COLUMNS = frozenset({"hash", "seed"})  # columns that are never exported, not even to their owner
TABLES_EXPORTED_SEPARATELY = frozenset(
    {"guests", "seats"}
)  # tables that refer to a guest, and are exported in another form
GAMES_PER_PIECE = 20  # of an export
MAX_ATTEMPTS = 10
DELETE_EMPTY_CIRCLES = circles.delete().where(circles.c.id.not_in(sa.select(circle_members.c.circle)))


# -- export -------------------------------------------------------------------------------------------------------------
def export_json(store: Store, guest: Guest, **beside: Any) -> Iterator[bytes]:
    """Yields all data about a guest as JSON, in pieces that fit into memory: the rows of every table that refers to
    guests, under the table's name, except who has reported them; then `beside`. Each piece is a transaction of its own:
    a slow reader holds none open.
    """
    with store.reading() as db:
        me = db.execute(sa.select(guests).where(guests.c.id == guest.id)).first()
        sitting = sa.select(seats.c.table_id).where(seats.c.guest == guest.id).distinct()
        ids = list(db.execute(sitting.order_by(seats.c.table_id)).scalars())
    yield b'{"guest": ' + encode(_row_values(me) if me else {}) + b',\n"games": ['
    for first in range(0, len(ids), GAMES_PER_PIECE):
        with store.reading() as db:
            games = _export_games(db, guest, ids[first : first + GAMES_PER_PIECE])
        yield (b",\n" if first else b"\n") + b",\n".join(map(encode, games))
    yield b"]"
    for table in metadata.sorted_tables:
        mine = [key.parent for key in table.foreign_keys if key.column is guests.c.id and key.parent.name != "about"]
        mine += [ratings.c.who] if table is ratings else []  # no foreign key: holds bot levels too
        if mine and table.name not in TABLES_EXPORTED_SEPARATELY:
            with store.reading() as db:
                found = db.execute(sa.select(table).where(sa.or_(*[column == guest.id for column in mine])))
                rows = [encode(_row_values(row)) for row in found]
            yield b',\n"%s": [\n%s]' % (table.name.encode(), b",\n".join(rows))
    for name, value in beside.items():
        yield b',\n"%s": %s' % (name.encode(), encode(value))
    yield b"}\n"


def _export_games(db: sa.Connection, guest: Guest, theirs: Sequence[str]) -> list[dict[str, Any]]:
    """Returns these tables where the guest sits: their public data, and the guest's own answers."""
    around = defaultdict(list)
    given: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for seat in db.execute(sa.select(seats).where(seats.c.table_id.in_(theirs)).order_by(seats.c.seat)):
        around[seat.table_id].append(seat)
    own = sa.and_(seats.c.table_id == answers.c.table_id, seats.c.seat == answers.c.seat, seats.c.guest == guest.id)
    for answer in db.execute(
        sa.select(answers)
        .join(seats, own)
        .where(answers.c.table_id.in_(theirs))
        .order_by(answers.c.table_id, answers.c.seq)
    ):
        mine = given[answer.table_id]  # numbered by itself: the table's number would count what others do in secret
        line = {"number": len(mine) + 1, "seat": answer.seat, "answers": json.loads(answer.actions)}
        mine.append(line | {"at": _format_time(answer.created)})
    found = sa.select(tables, results.c.places, results.c.winners).outerjoin(results)
    return [
        {
            "id": row.id,
            "game": row.game,
            "rules": row.version,
            "options": json.loads(row.options),
            "status": row.status,
            "opened": _format_time(row.created),
            "changed": _format_time(row.touched),
            "seats": [
                {"kind": seat.kind, "name": seat.name, "mine": seat.guest == guest.id}
                | ({"luck": seat.luck} if seat.guest == guest.id else {})
                for seat in around[row.id]
            ],
            "places": json.loads(row.places) if row.places else None,
            "record": f"/t/{row.id}/record.json" if row.status == "over" else None,
            "my_answers": given[row.id],
        }
        for row in db.execute(found.where(tables.c.id.in_(theirs)).order_by(tables.c.created))
    ]


def _row_values(row: Any) -> dict[str, Any]:
    return {name: value for name, value in row._asdict().items() if name not in SECRET_COLUMNS}


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


# -- deletion -----------------------------------------------------------------------------------------------------------
def tables_with_seat(store: Store, guest: str) -> list[str]:
    """Returns the tables where the guest has a seat."""
    with store.reading() as db:
        return list(db.execute(sa.select(seats.c.table_id).where(seats.c.guest == guest).distinct()).scalars())


def vacate_seats(store: Store, guest: str, table_id: str) -> None:
    """Empties the guest's seats at a table that cannot be opened here."""
    theirs = sa.and_(seats.c.table_id == table_id, seats.c.guest == guest)
    with store.writing() as db:
        db.execute(seats.update().where(theirs).values(guest=None, name="", shield=""))


def erase_guest(store: Store, guest: str) -> list[str]:
    """Deletes a guest who has no seat left, with all devices and messages. Returns the tables where they wrote.
    Raises Conflict if they have taken a seat meanwhile.
    """
    with store.writing() as db:
        spoke = list(db.execute(sa.select(talk.c.table_id).where(talk.c.guest == guest).distinct()).scalars())
        db.execute(talk.update().where(talk.c.guest == guest).values(words="", gesture="", name=""))
        db.execute(reports.delete().where(reports.c.about == guest))
        db.execute(mutes.delete().where(mutes.c.whom == guest))
        db.execute(ratings.delete().where(ratings.c.who == guest))
        db.execute(presence.delete().where(presence.c.guest == guest))
        db.execute(tokens.delete().where(tokens.c.guest == guest))
        if db.execute(sa.select(seats.c.seat).where(seats.c.guest == guest).limit(1)).first() is not None:
            raise Conflict
        db.execute(guests.delete().where(guests.c.id == guest))  # the rest is deleted by ON DELETE CASCADE
        db.execute(DELETE_EMPTY_CIRCLES)
        store.notify_guest(db, guest)
        for table_id in spoke:
            store.notify_chat(db, table_id)
    return spoke
