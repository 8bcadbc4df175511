"""One's own corner: tables put away for oneself, deleted where nobody else sits, and how finished ones ended."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from veillee.house.accounts.people import Guest
from veillee.house.errors import NotYours, t
from veillee.house.results import results
from veillee.house.results.results import Result
from veillee.house.storage.schema import put_away
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.cache import Memory
from veillee.house.tables.listings import Glance
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError

REPLAYED = 20  # finished tables of a list, at once


class Corner:
    """Of every guest of one house. `find`: a table as it is now, for somebody who looks at it."""

    def __init__(self, store: Store, memory: Memory, find: Callable[[str], Table]) -> None:
        self._store = store
        self._memory = memory
        self._find = find

    def put_away(self, guest: Guest, table_id: str) -> None:
        """Keep the table out of the guest's list (away_from), for them alone. Raises NotYours, NoTable."""
        self._sits(guest, table_id)
        with contextlib.suppress(Conflict), self._store.writing() as db:  # it is already
            db.execute(put_away.insert().values(guest=guest.id, table_id=table_id))

    def take_out(self, guest: Guest, table_id: str) -> None:
        """The table is in the guest's list again."""
        with self._store.writing() as db:
            db.execute(put_away.delete().where(put_away.c.guest == guest.id, put_away.c.table_id == table_id))

    def away_from(self, guest: Guest) -> set[str]:
        """The tables that the guest has put away."""
        with self._store.reading() as db:
            return set(db.execute(sa.select(put_away.c.table_id).where(put_away.c.guest == guest.id)).scalars())

    def clear_away(self, guest: Guest, table_id: str) -> None:
        """Delete a table where nobody else sits, with all that was played there. Raises NotYours, NoTable."""
        table = self._sits(guest, table_id)
        table.clear_away(guest)
        self._memory.drop(table_id)
        for other in self._memory.in_use():
            if other.rematch_id == table_id:
                other.catch_up()

    def results(self, glances: Sequence[Glance]) -> dict[str, Result]:
        """How the finished ones among them ended. What is not kept yet is replayed, some at a time, and kept."""
        over = [glance.id for glance in glances if glance.status == "over"]
        found = results.find(self._store, over)
        for table_id in [table_id for table_id in over if table_id not in found][:REPLAYED]:
            with contextlib.suppress(VeilleeError):
                found[table_id] = results.keep(self._store, self._find(table_id))
        return found

    def _sits(self, guest: Guest, table_id: str) -> Table:
        table = self._find(table_id)
        if not table.seats_of(guest):
            raise NotYours(t("You do not sit at this table."))
        return table
