"""Checks before an upgrade that every table can be replayed under this version. Works on a copy, so nothing is changed.

The copy is a backup (backup.py), and only the copy is migrated to the current schema.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from veillee.house.house import House
from veillee.house.maintenance.backup import backup
from veillee.house.storage.schema import tables
from veillee.house.storage.store import Store
from veillee.house.workers.inline import InlineThinkers
from veillee.match.errors import VeilleeError


@dataclass(frozen=True)
class CheckedTable:
    """A table of the copy; `why`: the error on replay, None: it can be played on."""

    id: str
    game: str
    status: str
    why: VeilleeError | None


@dataclass(frozen=True)
class UpgradeReport:
    """The tables of the copy, replayed while they are iterated over."""

    tables: int
    played: Iterator[CheckedTable]  # running games first


@contextmanager
def check_upgrade(place: str | Path) -> Iterator[UpgradeReport]:
    """Replays every table of the house at `place`, which may be open. Raises StoreError."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite3"
        backup(place, copy)
        store = Store.open(copy)
        house = House(store, InlineThinkers(), 0.0)
        try:
            every = _load_tables(store)
            yield UpgradeReport(len(every), (_check_table(house, *table) for table in every))
        finally:
            store.close()


def count_by_outcome(rehearsed: list[CheckedTable]) -> Counter[str]:
    """Returns how many tables of each status can be played on."""
    return Counter(table.status for table in rehearsed if table.why is None)


def _load_tables(store: Store) -> list[tuple[str, str, str]]:
    """Returns id, game and status of all tables, running games first."""
    order = sa.case({"playing": 0, "waiting": 1}, value=tables.c.status, else_=2)
    query = sa.select(tables.c.id, tables.c.game, tables.c.status).order_by(order, tables.c.created)
    with store.reading() as db:
        return [(row.id, row.game, row.status) for row in db.execute(query)]


def _check_table(house: House, table_id: str, game: str, status: str) -> CheckedTable:
    try:
        house.tables.replay(table_id)
    except VeilleeError as error:
        return CheckedTable(table_id, game, status, error)
    return CheckedTable(table_id, game, status, None)
