"""Would every table go on under this version? Played again from a copy, so that nothing is touched: before an upgrade.

The copy is a backup (backup.py), and only the copy is brought to the present schema.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veillee.match.errors import VeilleeError
from veillee.tables.backup import backup
from veillee.tables.house import House
from veillee.tables.store import Store
from veillee.tables.workers import AtOnce


@dataclass(frozen=True)
class Rehearsed:
    """A table of the copy: `why` says what it stumbles over, None that it goes on."""

    id: str
    game: str
    status: str
    why: VeilleeError | None


@dataclass(frozen=True)
class Rehearsal:
    tables: int
    played: Iterator[Rehearsed]  # one after the other, those that are being played first


@contextmanager
def rehearse(place: str | Path) -> Iterator[Rehearsal]:
    """Every table of the house at `place`, which may be open. Raises StoreError."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite3"
        backup(place, copy)
        store = Store.open(copy)
        house = House(store, AtOnce(), 0.0)
        try:
            tables = store.every_table()
            yield Rehearsal(len(tables), (_rehearsed(house, *table) for table in tables))
        finally:
            store.close()


def counted(rehearsed: list[Rehearsed]) -> Counter[str]:
    """How many tables of each status go on."""
    return Counter(table.status for table in rehearsed if table.why is None)


def _rehearsed(house: House, table_id: str, game: str, status: str) -> Rehearsed:
    try:
        house.replayed(table_id)
    except VeilleeError as error:
        return Rehearsed(table_id, game, status, error)
    return Rehearsed(table_id, game, status, None)
