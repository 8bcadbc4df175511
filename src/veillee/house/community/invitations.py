"""Invitations of earlier fellow players: shown to the invited guest until they sit down, decline, or the game begins.

Only guests who have sat at one table can invite each other, so strangers cannot; invitations by a muted guest are not
shown.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotNow, t
from veillee.house.storage.schema import guests, invitations, mutes, seats, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.repository import TableRow
from veillee.house.tables.seats import Seat

MAX_COMPANIONS_SHOWN = 12  # latest fellow players listed
MAX_INVITATIONS_PER_TABLE = 12  # invitations to one table


class Friend(NamedTuple):
    """A guest who has sat at a table with this guest."""

    id: str
    name: str
    is_invited: bool


class Invitation(NamedTuple):
    table_id: str
    game: str
    by: str  # name of the inviting guest


def recent_companions(store: Store, guest: Guest, table_id: str, around: tuple[Seat, ...]) -> list[Friend]:
    """Returns the guest's earlier fellow players, latest first, without the guests at this table."""
    mine, theirs = seats.alias(), seats.alias()
    here = {seat.guest for seat in around if seat.guest} | {guest.id}
    latest = sa.func.max(tables.c.touched)
    query = (
        sa.select(guests.c.id, guests.c.name, invitations.c.guest.label("invited"))
        .select_from(mine)
        .join(theirs, theirs.c.table_id == mine.c.table_id)
        .join(tables, tables.c.id == mine.c.table_id)
        .join(guests, guests.c.id == theirs.c.guest)
        .outerjoin(invitations, sa.and_(invitations.c.guest == guests.c.id, invitations.c.table_id == table_id))
        .where(mine.c.guest == guest.id, theirs.c.guest.not_in(here), tables.c.status != "waiting")
        .group_by(guests.c.id, guests.c.name, invitations.c.guest)
        .order_by(latest.desc())
        .limit(MAX_COMPANIONS_SHOWN)
    )
    with store.reading() as db:
        return [Friend(row.id, row.name, row.invited is not None) for row in db.execute(query)]


def invite(store: Store, guest: Guest, row: TableRow, whom: str) -> None:
    """Invites a guest. Raises NotNow: the table is not waiting, or they have not played together, or too many are
    invited."""
    if row.status != "waiting" or not any(seat.guest == guest.id for seat in row.seats):
        raise NotNow(t("Only players seated at a waiting table can invite others."))
    friends = recent_companions(store, guest, row.id, row.seats)
    if whom not in {friend.id for friend in friends}:
        raise NotNow(t("You can invite those you have played with."))
    if sum(friend.is_invited for friend in friends) >= MAX_INVITATIONS_PER_TABLE:
        raise NotNow(t("Many are invited to this table already: give them time to come."))
    try:
        with store.writing() as db:
            db.execute(invitations.insert().values(table_id=row.id, guest=whom, by=guest.id, created=store.now()))
    except Conflict:
        return  # already invited


def decline(store: Store, guest: Guest, table_id: str) -> None:
    with store.writing() as db:
        mine = sa.and_(invitations.c.table_id == table_id, invitations.c.guest == guest.id)
        db.execute(invitations.update().where(mine).values(declined=True))


def pending_invitations(store: Store, guest: Guest) -> list[Invitation]:
    """Returns the guest's open invitations, latest first: to waiting tables where they do not sit."""
    sits = sa.select(seats.c.table_id).where(seats.c.guest == guest.id)
    silent = sa.select(mutes.c.whom).where(mutes.c.guest == guest.id, mutes.c.whom != "")
    query = (
        sa.select(invitations.c.table_id, tables.c.game, guests.c.name)
        .join(tables, tables.c.id == invitations.c.table_id)
        .join(guests, guests.c.id == invitations.c.by)
        .where(
            invitations.c.guest == guest.id,
            sa.not_(invitations.c.declined),
            tables.c.status == "waiting",
            invitations.c.table_id.not_in(sits),
            invitations.c.by.not_in(silent),
        )
        .order_by(invitations.c.created.desc())
        .limit(MAX_COMPANIONS_SHOWN)
    )
    with store.reading() as db:
        return [Invitation(row.table_id, row.game, row.name) for row in db.execute(query)]
