"""Changes of a guest that reach their seats: name, shield, and the end of the account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from veillee.house.accounts import personal_data, shields
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.guests import Guests
from veillee.house.accounts.names import clean_name
from veillee.house.errors import Banned, NoTable, NotYours, StoreError, t
from veillee.house.storage.store import Conflict, Store


class SeatedTable(Protocol):
    """What a guest's account needs of a table (house/tables/table.py)."""

    def depart(self, guest: Guest) -> None: ...


class SeatedTables(Protocol):
    """What accounts need of the tables (house/tables/service.py)."""

    def find(self, table_id: str) -> SeatedTable: ...

    def rename_guest(self, guest: Guest, name: str) -> None: ...

    def change_guest_shield(self, guest: Guest, shield: str) -> None: ...


class Accounts:
    """Accounts of one house. delete_table: deletes a table where no other guest sits; refresh_chat: reads a table's
    chat again.
    """

    def __init__(
        self,
        store: Store,
        guests: Guests,
        tables: SeatedTables,
        delete_table: Callable[[Guest, str], None],
        refresh_chat: Callable[[str], None],
    ) -> None:
        self._store = store
        self._guests = guests
        self._tables = tables
        self._delete_table = delete_table
        self._refresh_chat = refresh_chat

    def rename(self, guest: Guest, name: str) -> Guest:
        """Renames the guest, also at tables that wait or are being played. Finished games keep the old name."""
        shown = clean_name(name)
        self._guests.change(guest, name=shown, chosen=True)
        self._tables.rename_guest(guest, shown)
        return replace(guest, name=shown, token="", has_chosen_name=True)

    def change_shield(self, guest: Guest, shield: str) -> Guest:
        """Changes the guest's shield, also at tables that wait or are being played. Raises BadRequest."""
        code = shields.parse_shield(shield).code
        self._guests.change(guest, shield=code)
        self._tables.change_guest_shield(guest, code)
        return replace(guest, shield=code, token="")

    def delete(self, guest: Guest) -> None:
        """Deletes the guest. Games that others played with them stay readable; tables where no other guest sits are
        deleted.
        """
        for _ in range(personal_data.MAX_ATTEMPTS):
            for table_id in personal_data.tables_with_seat(self._store, guest.id):
                self._leave_table(guest, table_id)
            try:
                spoke = personal_data.erase_guest(self._store, guest.id)
            except Conflict:  # the guest has taken a seat meanwhile
                continue
            self._guests.invalidate(guest.id)
            for table_id in spoke:
                self._refresh_chat(table_id)
            return
        raise StoreError(t("Too many changes at once: please try again."))

    def _leave_table(self, guest: Guest, table_id: str) -> None:
        try:
            table = self._tables.find(table_id)
        except (NoTable, Banned):  # a moderator closed it, or its game is not installed
            personal_data.vacate_seats(self._store, guest.id, table_id)
            return
        try:
            self._delete_table(guest, table_id)
        except NotYours:
            table.depart(guest)
