"""What is to be sent, each thing once: a row for a turn and a channel, made by whichever process finds it first, and sent by
whichever takes it.

Whoever takes a row says so before they send. If they are killed in the middle, nobody knows whether it went out, and it is
not sent again: a notice may be lost with its process, but never comes twice. What could not be delivered is tried again, a
few times, later and later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.notifications.channels import Channel
from veillee.house.storage.schema import channels, notices
from veillee.house.storage.store import Store

LATER = (60.0, 300.0, 1800.0)  # seconds until something is tried again
KEPT = 90 * 86_400.0  # seconds that it is remembered what was sent
MOST = 100  # at once

CONFIRM = -1  # the seat of a notice that asks whether a channel is right: it is about no table


class Notice(NamedTuple):
    """To one channel, about one turn."""

    table: str
    seat: int
    turn: int
    channel: Channel
    tried: int


def put(store: Store, table: str, seat: int, turn: int, to: Sequence[Channel]) -> None:
    """Once for each channel, however often this is called."""
    if not to:
        return
    rows = [
        {"table_id": table, "seat": seat, "turn": turn, "channel": one.id, "made": store.now(), "state": "waiting"}
        for one in to
    ]
    with store.writing() as db:
        db.execute(sa.text(PUT), rows)


def waiting(store: Store, kind: str) -> list[Notice]:
    """What is due, of that kind of channel."""
    query = (
        sa.select(notices.c.table_id, notices.c.seat, notices.c.turn, notices.c.tried, channels)
        .join(channels, channels.c.id == notices.c.channel)
        .where(notices.c.state == "waiting", notices.c.due <= store.now(), channels.c.kind == kind)
        .order_by(notices.c.made)
        .limit(MOST)
    )
    with store.reading() as db:
        rows = db.execute(query).all()
    return [
        Notice(
            row.table_id,
            row.seat,
            row.turn,
            Channel(row.id, row.guest, row.kind, row.address, row.lang, row.ready),
            row.tried,
        )
        for row in rows
    ]


def take(store: Store, notice: Notice) -> bool:
    """It is for this process to send: of several that try, one."""
    return _move(store, notice, "waiting", state="sending")


def sent(store: Store, notice: Notice) -> None:
    _move(store, notice, "sending", state="sent")


def dropped(store: Store, notice: Notice) -> None:
    """Nobody needs it any more."""
    _move(store, notice, "waiting", state="dropped")


def failed(store: Store, notice: Notice) -> None:
    """For now, or for good."""
    if notice.tried < len(LATER):
        due = store.now() + LATER[notice.tried]
        _move(store, notice, "sending", state="waiting", tried=notice.tried + 1, due=due)
    else:
        _move(store, notice, "sending", state="failed")


def forget(store: Store) -> None:
    """What was long ago."""
    with store.writing() as db:
        db.execute(notices.delete().where(notices.c.made < store.now() - KEPT))


def _move(store: Store, notice: Notice, was: str, **values: object) -> bool:
    same = sa.and_(
        notices.c.table_id == notice.table,
        notices.c.seat == notice.seat,
        notices.c.turn == notice.turn,
        notices.c.channel == notice.channel.id,
        notices.c.state == was,
    )
    with store.writing() as db:
        return db.execute(notices.update().where(same).values(values)).rowcount == 1


PUT = """
    INSERT INTO notices (table_id, seat, turn, channel, made, due, tried, state)
    VALUES (:table_id, :seat, :turn, :channel, :made, 0, 0, :state)
    ON CONFLICT DO NOTHING
"""
