"""Submits answers: the event loop plays an answer, which is quicker than handing it to a thread, and queues it for the
batch writer (house/storage/batch_writer.py). A thread is used only where that is not possible at once."""

from __future__ import annotations

from asyncio import Event, to_thread
from collections.abc import Sequence

from veillee.house.accounts.guest import Guest
from veillee.house.storage.store import Conflict
from veillee.house.tables.table import Table
from veillee.web.live.streams import loop_waker


async def submit_answer(table: Table, guest: Guest, seat: int, stamp: str, actions: Sequence[int]) -> None:
    """Submits the answer; it is on disk when this returns. Raises what Table.answer does."""
    written, ring = Event(), loop_waker().wake
    wrong: Exception | None = None

    def done(why: Exception | None) -> None:
        nonlocal wrong
        wrong = why
        ring(written)

    if table.submit_answer(guest, seat, stamp, actions, done):
        await written.wait()
        if wrong is None:
            return
        if not isinstance(wrong, Conflict):
            raise wrong
    await to_thread(table.answer, guest, seat, stamp, actions)
