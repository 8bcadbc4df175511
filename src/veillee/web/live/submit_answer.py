"""An answer, from the loop to the disk and back. The loop itself plays it, which takes less than handing it over would, and
gives it to the scribe; a thread waits only where something stands in the way."""

from __future__ import annotations

from asyncio import Event, to_thread
from collections.abc import Sequence

from veillee.house.accounts.people import Guest
from veillee.house.storage.store import Conflict
from veillee.house.tables.table import Table
from veillee.web.live.streams import bell


async def give(table: Table, guest: Guest, seat: int, stamp: str, actions: Sequence[int]) -> None:
    """On disk when this returns. Raises what Table.answer does."""
    written, ring = Event(), bell().ring
    wrong: Exception | None = None

    def done(why: Exception | None) -> None:
        nonlocal wrong
        wrong = why
        ring(written)

    if table.answer_soon(guest, seat, stamp, actions, done):
        await written.wait()
        if wrong is None:
            return
        if not isinstance(wrong, Conflict):
            raise wrong
    await to_thread(table.answer, guest, seat, stamp, actions)
