"""Outbox of notifications: one row per turn and channel, inserted by the first process that finds the turn, and sent by
the first process that claims it.

A process claims a row before it sends. If it is killed in between, it is unknown whether the notification went out, and
it is not sent again: at-most-once delivery. A failed delivery is retried a few times, at growing intervals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.notifications.channels import Channel
from veillee.house.storage.schema import channels, notices
from veillee.house.storage.store import Store

RETRY_DELAYS_SECONDS = (60.0, 300.0, 1800.0)  # before each retry
HISTORY_SECONDS = 90 * 86_400.0  # how long sent rows are kept
BATCH_SIZE = 100  # per query

CONFIRM = -1  # the seat of a notice that asks to confirm a channel: it belongs to no table


class QueuedNotice(NamedTuple):
    """A notification to one channel about one turn."""

    table: str
    seat: int
    turn: int
    channel: Channel
    tried: int


def enqueue(store: Store, table: str, seat: int, turn: int, to: Sequence[Channel]) -> None:
    """Enqueues a notice for each channel; once per turn, however often this is called."""
    if not to:
        return
    rows = [
        {"table_id": table, "seat": seat, "turn": turn, "channel": one.id, "made": store.now(), "state": "waiting"}
        for one in to
    ]
    with store.writing() as db:
        db.execute(sa.text(PUT), rows)


def load_due(store: Store, kind: str, except_guests: Collection[str] = ()) -> list[QueuedNotice]:
    """Returns the notices that are due for that kind of channel, oldest first, without those of some guests."""
    query = (
        sa.select(notices.c.table_id, notices.c.seat, notices.c.turn, notices.c.tried, channels)
        .join(channels, channels.c.id == notices.c.channel)
        .where(notices.c.state == "waiting", notices.c.due <= store.now(), channels.c.kind == kind)
        .where(channels.c.guest.not_in(list(except_guests)))
        .order_by(notices.c.made)
        .limit(BATCH_SIZE)
    )
    with store.reading() as db:
        rows = db.execute(query).all()
    return [
        QueuedNotice(
            row.table_id,
            row.seat,
            row.turn,
            Channel(row.id, row.guest, row.kind, row.address, row.lang, row.ready),
            row.tried,
        )
        for row in rows
    ]


def claim(store: Store, notice: QueuedNotice) -> bool:
    """Claims a notice for this process: of several that try, one gets True."""
    return _change_state(store, notice, "waiting", state="sending")


def mark_sent(store: Store, notice: QueuedNotice) -> None:
    _change_state(store, notice, "sending", state="sent")


def discard(store: Store, notice: QueuedNotice) -> None:
    """Discards a notice that is no longer needed."""
    _change_state(store, notice, "waiting", state="dropped")


def schedule_retry(store: Store, notice: QueuedNotice) -> None:
    """Schedules a retry, or marks the notice as failed after the last one."""
    if notice.tried < len(RETRY_DELAYS_SECONDS):
        due = store.now() + RETRY_DELAYS_SECONDS[notice.tried]
        _change_state(store, notice, "sending", state="waiting", tried=notice.tried + 1, due=due)
    else:
        _change_state(store, notice, "sending", state="failed")


def delete_history(store: Store) -> None:
    """Deletes rows older than 90 days."""
    with store.writing() as db:
        db.execute(notices.delete().where(notices.c.made < store.now() - HISTORY_SECONDS))


def _change_state(store: Store, notice: QueuedNotice, was: str, **values: object) -> bool:
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
