"""Heartbeat of an open house: the next start knows from it since when the house was closed (house_time.py)."""

from __future__ import annotations

import logging

import sqlalchemy as sa

from veillee.house.house_time import IMPLAUSIBLE_CLOSING_SECONDS, Downtime, SteadyClock
from veillee.house.storage.schema import awake, closings, tables
from veillee.house.storage.store import Store

log = logging.getLogger(__name__)

DAY = 86_400
UPTIME_HEARTBEAT_SECONDS = 10.0  # seconds between two heartbeats
MIN_DOWNTIME_SECONDS = 1.0  # seconds: a shorter gap is not a closing


def record_opening(store: Store, *, others: bool) -> None:
    """Writes the first heartbeat and records the closing before it. `others`: other processes had the house open
    already.
    """
    now = store.now()
    with store.writing() as db:
        seen = _last_heartbeat(store, db, now)
        if seen is not None and not others:
            if now - seen >= MIN_DOWNTIME_SECONDS:
                db.execute(closings.insert().values(since=seen, until=now))
            if now - seen >= IMPLAUSIBLE_CLOSING_SECONDS:
                log.error(
                    "The house was closed for %d days, or the clock of this machine is wrong.", (now - seen) / DAY
                )
            elif seen - now >= MIN_DOWNTIME_SECONDS:
                log.error("The clock of this machine is behind the last time the house was open: it is believed.")
                _go_back(db, now)
        store.downtime = load_downtime(db)


def record_jumps(store: Store) -> None:
    """Records the jumps of the clock that were believed: one ahead as a closing, so that no player loses time by it."""
    for before, after in store.now.take_believed_jumps() if isinstance(store.now, SteadyClock) else ():
        with store.writing() as db:
            if before < after:
                db.execute(closings.insert().values(since=before, until=after))
            else:
                _go_back(db, after)
            store.downtime = load_downtime(db)


def load_downtime(db: sa.Connection, now: float | None = None) -> Downtime:
    """Returns the closings. now: for a house that is not open, with the closing that lasts until now."""
    spans = [(row.since, row.until) for row in db.execute(sa.select(closings))]
    seen = db.execute(sa.select(awake.c.seen)).scalar() if now is not None else None
    return Downtime(spans if seen is None or now is None else [*spans, (seen, max(now, seen))])


def record_heartbeat(store: Store) -> None:
    """Writes a heartbeat."""
    with store.writing() as db:
        _last_heartbeat(store, db, store.now())


def _go_back(db: sa.Connection, now: float) -> None:
    """Forgets what was recorded by a clock that was ahead: house time would stand still until then."""
    db.execute(closings.delete().where(closings.c.since >= now))
    db.execute(closings.update().where(closings.c.until > now).values(until=now))
    db.execute(awake.update().values(seen=now))
    ahead = sa.and_(tables.c.status == "playing", tables.c.due > now)
    db.execute(tables.update().where(ahead).values(due=now))  # checked at once, and moved to where it belongs


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
