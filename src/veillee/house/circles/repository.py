"""Circles in the database. Functions with a `db` run in the caller's transaction, all others are one transaction."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Literal

import sqlalchemy as sa

from veillee.house.accounts.shields import shield_or_default
from veillee.house.championships.repository import Championship
from veillee.house.championships.repository import find as find_championship
from veillee.house.storage.schema import (
    championships,
    circle_championships,
    circle_members,
    circle_tables,
    circles,
    guests,
    tables,
)
from veillee.house.storage.store import Store
from veillee.house.tables.repository import TableRow, load_rows

Role = Literal["founder", "helper", "member"]
ROLES: tuple[Role, ...] = ("founder", "helper", "member")  # a circle without the first is led by the next
INVITATION_BYTES = 8


@dataclass(frozen=True)
class Circle:
    id: str
    name: str
    shield: str
    invitation: str  # names the link that is valid
    created: float
    evening: float | None  # when the next evening begins
    evening_note: str
    evening_set: float


@dataclass(frozen=True)
class Member:
    guest: str
    name: str
    shield: str
    role: Role
    since: float  # in this role
    joined: float
    is_muted: bool


def new_invitation() -> str:
    return secrets.token_hex(INVITATION_BYTES)


# -- circles -----------------------------------------------------------------------------------------------------------
def add(db: sa.Connection, circle: Circle, skeleton: str) -> None:
    """Adds a circle without members. Raises Conflict if another one's name looks the same."""
    row = {
        "id": circle.id,
        "name": circle.name,
        "skeleton": skeleton,
        "shield": circle.shield,
        "invitation": circle.invitation,
        "created": circle.created,
    }
    db.execute(circles.insert().values(row))


def find(store: Store, circle_id: str) -> Circle | None:
    with store.reading() as db:
        return select_circle(db, circle_id)


def select_circle(db: sa.Connection, circle_id: str, *, lock: bool = False) -> Circle | None:
    """Returns the circle. lock: until the end of the transaction no other one changes its members."""
    query = sa.select(circles).where(circles.c.id == circle_id)
    row = db.execute(query.with_for_update() if lock else query).first()
    return None if row is None else _circle(row)


def change(db: sa.Connection, circle_id: str, **values: object) -> None:
    """Changes columns of a circle. Raises Conflict if another circle's name looks like the new one."""
    db.execute(circles.update().where(circles.c.id == circle_id).values(values))


def find_by_guest(store: Store, guest: str) -> list[Circle]:
    """Returns the circles of the guest, by name."""
    mine = sa.select(circle_members.c.circle).where(circle_members.c.guest == guest)
    with store.reading() as db:
        return [
            _circle(row)
            for row in db.execute(sa.select(circles).where(circles.c.id.in_(mine)).order_by(circles.c.name))
        ]


# -- members -----------------------------------------------------------------------------------------------------------
def load_members(store: Store, circle_id: str) -> list[Member]:
    with store.reading() as db:
        return select_members(db, circle_id)


def select_members(db: sa.Connection, circle_id: str) -> list[Member]:
    """Returns the members: the founder, helpers, others, each group by length of service.

    A founder can disappear in many ways (leaving, deleting the guest, maintenance), so the first of this order is the
    founder, also if another role is stored.
    """
    query = (
        sa.select(circle_members, guests.c.name, guests.c.shield)
        .join(guests, guests.c.id == circle_members.c.guest)
        .where(circle_members.c.circle == circle_id)
    )
    found = [
        Member(
            row.guest, row.name, shield_or_default(row.shield, row.guest), row.role, row.since, row.joined, row.muted
        )
        for row in db.execute(query)
    ]
    found.sort(key=lambda one: (ROLES.index(one.role), one.since, one.guest))
    return [replace(one, role="founder") if number == 0 else one for number, one in enumerate(found)]


def lock_guest(db: sa.Connection, guest: str) -> None:
    """Waits until no other transaction holds this lock, and holds it until the end of this one. In SQLite there is one
    writer at a time anyway."""
    db.execute(sa.select(guests.c.id).where(guests.c.id == guest).with_for_update(key_share=True))


def count_circles(db: sa.Connection, guest: str) -> int:
    """Returns the number of circles of which the guest is a member."""
    query = sa.select(sa.func.count()).select_from(circle_members).where(circle_members.c.guest == guest)
    return int(db.execute(query).scalar_one())


def add_member(db: sa.Connection, circle_id: str, guest: str, role: Role, now: float) -> None:
    row = {"circle": circle_id, "guest": guest, "role": role, "since": now, "joined": now}
    db.execute(circle_members.insert().values(row))


def change_member(db: sa.Connection, circle_id: str, guest: str, **values: object) -> None:
    theirs = sa.and_(circle_members.c.circle == circle_id, circle_members.c.guest == guest)
    db.execute(circle_members.update().where(theirs).values(values))


def remove_member(db: sa.Connection, circle_id: str, guest: str) -> None:
    """Removes a member, and with the last one the circle. Its tables stay."""
    theirs = sa.and_(circle_members.c.circle == circle_id, circle_members.c.guest == guest)
    db.execute(circle_members.delete().where(theirs))
    left = sa.select(circle_members.c.guest).where(circle_members.c.circle == circle_id).limit(1)
    if db.execute(left).first() is None:
        db.execute(circles.delete().where(circles.c.id == circle_id))


# -- tables and championships ------------------------------------------------------------------------------------------
def load_tables(store: Store, circle_id: str, *, over: bool) -> list[TableRow]:
    """Returns the finished tables of a circle, or the others, latest public change first."""
    theirs = tables.c.id.in_(sa.select(circle_tables.c.table_id).where(circle_tables.c.circle == circle_id))
    with store.reading() as db:
        return load_rows(db, sa.and_(theirs, (tables.c.status == "over") == over))


def find_name_of_table(store: Store, guest: str, table_id: str) -> str:
    """Returns the name of the table's circle if the guest is a member of it, else the empty text."""
    query = (
        sa.select(circles.c.name)
        .join(circle_tables, circle_tables.c.circle == circles.c.id)
        .join(circle_members, circle_members.c.circle == circles.c.id)
        .where(circle_tables.c.table_id == table_id, circle_members.c.guest == guest)
    )
    with store.reading() as db:
        return db.execute(query).scalar() or ""


def register_table(circle_id: str, db: sa.Connection, row: TableRow) -> None:
    """Adds a table to a circle, in the transaction that creates the table. Raises Conflict if the circle is gone."""
    db.execute(circle_tables.insert().values(table_id=row.id, circle=circle_id))


def add_championship(store: Store, circle_id: str, championship_id: str) -> None:
    """Raises Conflict if the circle is gone, or the championship has one."""
    with store.writing() as db:
        db.execute(circle_championships.insert().values(championship=championship_id, circle=circle_id))


def load_championships(store: Store, circle_id: str, most: int) -> list[Championship]:
    """Returns the championships of a circle, latest first."""
    query = (
        sa.select(championships.c.id)
        .join(circle_championships, circle_championships.c.championship == championships.c.id)
        .where(circle_championships.c.circle == circle_id)
        .order_by(championships.c.created.desc())
        .limit(most)
    )
    with store.reading() as db:
        ids = list(db.execute(query).scalars())
    found = [find_championship(store, one) for one in ids]
    return [one for one in found if one is not None]


def _circle(row: sa.Row[tuple[object, ...]]) -> Circle:
    return Circle(
        row.id,
        row.name,
        row.shield,
        row.invitation,
        row.created,
        row.evening,
        row.evening_note,
        row.evening_set,
    )
