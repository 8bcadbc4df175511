"""Heartbeat of an open house: the next start knows from it since when the house was closed (house_time.py)."""

from __future__ import annotations

import sqlalchemy as sa

from veillee.house.house_time import Downtime
from veillee.house.storage.schema import awake, closings
from veillee.house.storage.store import Store

UPTIME_HEARTBEAT_SECONDS = 10.0  # seconds between two heartbeats
MIN_DOWNTIME_SECONDS = 1.0  # seconds: a shorter gap is not a closing


def record_opening(store: Store, *, others: bool) -> None:
    """Writes the first heartbeat and records the closing before it. `others`: other processes had the house open
    already.
    """
    now = store.now()
    with store.writing() as db:
        seen = _last_heartbeat(store, db, now)
        if seen is not None and now - seen >= MIN_DOWNTIME_SECONDS and not others:
            db.execute(closings.insert().values(since=seen, until=now))
        store.downtime = Downtime([(row.since, row.until) for row in db.execute(sa.select(closings))])


def record_heartbeat(store: Store) -> None:
    """Writes a heartbeat."""
    with store.writing() as db:
        _last_heartbeat(store, db, store.now())


def _last_heartbeat(store: Store, db: sa.Connection, now: float) -> float | None:
    """Writes a heartbeat and returns the previous one. Another process that opens the house at the same time waits for
    this.
    """
    if store.is_shared:
        db.execute(sa.text("LOCK TABLE awake IN EXCLUSIVE MODE"))
    seen = db.execute(sa.select(awake.c.seen)).scalar()
    if seen is None:
        db.execute(awake.insert().values(id=1, seen=now))
    elif seen < now:
        db.execute(awake.update().values(seen=now))
    return None if seen is None else float(seen)
