"""An open house says so now and then; whoever opens it next knows since when it was closed (clock.py)."""

from __future__ import annotations

import sqlalchemy as sa

from veillee.house.house_time import Closings
from veillee.house.storage.schema import awake, closings
from veillee.house.storage.store import Store

BEAT = 10.0  # seconds between two times that it says so
SHORT = 1.0  # seconds: that is no closing


def opened(store: Store, *, others: bool) -> None:
    """The house is open, and knows when it was not. `others`: it was open already, in other processes."""
    now = store.now()
    with store.writing() as db:
        seen = _said(store, db, now)
        if seen is not None and now - seen >= SHORT and not others:
            db.execute(closings.insert().values(since=seen, until=now))
        store.closings = Closings([(row.since, row.until) for row in db.execute(sa.select(closings))])


def still_open(store: Store) -> None:
    """It is, now."""
    with store.writing() as db:
        _said(store, db, store.now())


def _said(store: Store, db: sa.Connection, now: float) -> float | None:
    """Say so; when it was said before. Whoever opens the house at the same moment waits for this."""
    if store.shared:
        db.execute(sa.text("LOCK TABLE awake IN EXCLUSIVE MODE"))
    seen = db.execute(sa.select(awake.c.seen)).scalar()
    if seen is None:
        db.execute(awake.insert().values(id=1, seen=now))
    elif seen < now:
        db.execute(awake.update().values(seen=now))
    return None if seen is None else float(seen)
