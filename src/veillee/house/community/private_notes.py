"""Private notes of a guest at a table: one text, which no other guest is ever shown."""

from __future__ import annotations

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotYours, t
from veillee.house.storage.schema import private_notes
from veillee.house.storage.store import Store
from veillee.house.tables.table import Table

MAX_NOTE_LENGTH = 2000  # characters


class PrivateNotes:
    """Private notes of all guests of one house."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load(self, guest: Guest, table_id: str) -> str:
        """Returns what the guest has noted at this table; empty: nothing."""
        own = sa.and_(private_notes.c.guest == guest.id, private_notes.c.table_id == table_id)
        with self._store.reading() as db:
            return db.execute(sa.select(private_notes.c.words).where(own)).scalar() or ""

    def save(self, guest: Guest, table: Table, words: str) -> None:
        """Replaces what the guest has noted; an empty text deletes it. Raises NotYours for a guest without a seat."""
        if not table.seats_of(guest):
            raise NotYours(t("You do not sit at this table."))
        kept = words.replace("\r\n", "\n").replace("\0", "").strip()[:MAX_NOTE_LENGTH]
        own = sa.and_(private_notes.c.guest == guest.id, private_notes.c.table_id == table.id)
        with self._store.writing() as db:
            db.execute(private_notes.delete().where(own))
            if kept:
                db.execute(private_notes.insert().values(guest=guest.id, table_id=table.id, words=kept))
