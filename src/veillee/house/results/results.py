"""Stored results of finished tables (for ratings.py and statistics.py), so that no game has to be replayed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.results import ratings
from veillee.house.storage.schema import results
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.listings import TableSummary
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError

MAX_REPLAYS_PER_LIST = 20  # finished tables per list, at most


@dataclass(frozen=True)
class Result:
    """Result of a finished table."""

    places: tuple[int, ...]  # per seat, 1 for the best
    winners: tuple[int, ...]  # empty if all players lost


class Results:
    """Results of all tables of one house. find: returns the current table."""

    def __init__(self, store: Store, find: Callable[[str], Table]) -> None:
        self._store = store
        self._find = find

    def save(self, table: Table) -> Result:
        """Returns the table's result and saves it once; updates the ratings of a rated table with it. Raises
        StoreError.
        """
        now = table.moment
        result = Result(tuple([now.match.place(seat) for seat in range(len(now.seats))]), tuple(now.match.winners))
        if not table.result_saved:
            values = {"table_id": now.id, "places": json.dumps(result.places), "winners": json.dumps(result.winners)}
            with contextlib.suppress(Conflict), self._store.writing() as db:  # it is saved already
                db.execute(results.insert().values(values))
                if now.row.rated:
                    row, present = now.row, self._store.now()
                    ratings.record_game(db, row.game, row.seats, result.places, table_id=row.id, now=present)
            table.result_saved = True
        return result

    def load(self, summaries: Sequence[TableSummary]) -> dict[str, Result]:
        """Returns the results of the finished tables among these. Missing results are computed by replay,
        MAX_REPLAYS_PER_REQUEST per call, and saved.
        """
        over = [summary.id for summary in summaries if summary.status == "over"]
        with self._store.reading() as db:
            found = db.execute(sa.select(results).where(results.c.table_id.in_(over))).all()
        known = {row.table_id: Result(tuple(json.loads(row.places)), tuple(json.loads(row.winners))) for row in found}
        for table_id in [table_id for table_id in over if table_id not in known][:MAX_REPLAYS_PER_LIST]:
            with contextlib.suppress(VeilleeError):
                known[table_id] = self.save(self._find(table_id))
        return known
