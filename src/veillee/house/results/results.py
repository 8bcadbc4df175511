"""How finished tables ended, kept for those who will ask (ratings.py, tallies.py): no game is replayed for it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.results import ratings
from veillee.house.storage.schema import results
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.table import Table


@dataclass(frozen=True)
class Result:
    """How a finished table ended."""

    places: tuple[int, ...]  # of each seat, 1 for the best
    winners: tuple[int, ...]  # none where everybody lost


def keep(store: Store, table: Table) -> Result:
    """How the table ended, once; a rated one counts with it. Raises StoreError."""
    now = table.now
    result = Result(tuple([now.match.place(seat) for seat in range(len(now.seats))]), tuple(now.match.winners))
    if not table.kept:
        row = {"table_id": now.id, "places": json.dumps(result.places), "winners": json.dumps(result.winners)}
        with contextlib.suppress(Conflict), store.writing() as db:  # it is there already
            db.execute(results.insert().values(row))
            if now.row.rated:
                ratings.count(db, now.row.game, now.row.seats, result.places)
        table.kept = True
    return result


def find(store: Store, ids: Sequence[str]) -> dict[str, Result]:
    """Of those tables whose result is kept."""
    with store.reading() as db:
        found = db.execute(sa.select(results).where(results.c.table_id.in_(ids))).all()
    return {row.table_id: Result(tuple(json.loads(row.places)), tuple(json.loads(row.winners))) for row in found}
