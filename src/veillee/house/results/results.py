"""Stored results of finished tables (for ratings.py and statistics.py), so that no game has to be replayed."""

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
    """Result of a finished table."""

    places: tuple[int, ...]  # per seat, 1 for the best
    winners: tuple[int, ...]  # empty if all players lost


def save_result(store: Store, table: Table) -> Result:
    """Returns the table's result and saves it once; updates the ratings of a rated table with it. Raises StoreError."""
    now = table.moment
    result = Result(tuple([now.match.place(seat) for seat in range(len(now.seats))]), tuple(now.match.winners))
    if not table.result_saved:
        row = {"table_id": now.id, "places": json.dumps(result.places), "winners": json.dumps(result.winners)}
        with contextlib.suppress(Conflict), store.writing() as db:  # it is saved already
            db.execute(results.insert().values(row))
            if now.row.rated:
                ratings.record_game(db, now.row.game, now.row.seats, result.places)
        table.result_saved = True
    return result


def find_results(store: Store, ids: Sequence[str]) -> dict[str, Result]:
    """Returns the saved results of these tables."""
    with store.reading() as db:
        found = db.execute(sa.select(results).where(results.c.table_id.in_(ids))).all()
    return {row.table_id: Result(tuple(json.loads(row.places)), tuple(json.loads(row.winners))) for row in found}
