"""Guests' archives: tables hidden from the own list, and deletion of tables where no other guest sits."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotYours, t
from veillee.house.storage.schema import put_away
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.cache import TableCache
from veillee.house.tables.table import Table


class TableArchive:
    """Archives of all guests of one house. find: returns the current table."""

    def __init__(self, store: Store, memory: TableCache, find: Callable[[str], Table]) -> None:
        self._store = store
        self._memory = memory
        self._find = find

    def hide(self, guest: Guest, table_id: str) -> None:
        """Hides the table from the guest's own list (away_from). Raises NotYours, NoTable."""
        self._check_seat(guest, table_id)
        with contextlib.suppress(Conflict), self._store.writing() as db:  # it is hidden already
            db.execute(put_away.insert().values(guest=guest.id, table_id=table_id))

    def unhide(self, guest: Guest, table_id: str) -> None:
        """Shows the table in the guest's list again."""
        with self._store.writing() as db:
            db.execute(put_away.delete().where(put_away.c.guest == guest.id, put_away.c.table_id == table_id))

    def hidden_tables(self, guest: Guest) -> set[str]:
        """Returns the ids of the tables that the guest has hidden."""
        with self._store.reading() as db:
            return set(db.execute(sa.select(put_away.c.table_id).where(put_away.c.guest == guest.id)).scalars())

    def delete(self, guest: Guest, table_id: str) -> None:
        """Deletes a table where no other guest sits, with its game. Raises NotYours, NoTable."""
        table = self._check_seat(guest, table_id)
        table.delete(guest)
        self._memory.drop(table_id)
        for other in self._memory.in_use():
            if other.rematch_id == table_id:
                other.catch_up()

    def _check_seat(self, guest: Guest, table_id: str) -> Table:
        table = self._find(table_id)
        if not table.seats_of(guest):
            raise NotYours(t("You do not sit at this table."))
        return table
