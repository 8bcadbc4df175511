"""Waiting for a hint of the expert bot."""

from __future__ import annotations

import asyncio

from veillee.house.accounts.guest import Guest
from veillee.house.errors import NoAdvice
from veillee.house.tables.table import Table
from veillee.match.hints import Hint
from veillee.web.http.work_pools import to_thread

HINT_TIMEOUT_SECONDS = 30.0  # the expert may have others queued


async def wait_for_hint(table: Table, guest: Guest, seat: int, stamp: str) -> Hint:
    """Returns the expert's hint; no thread is blocked meanwhile. Raises NoAdvice after 30 s."""
    future = await to_thread(table.hint, guest, seat, stamp)
    try:
        async with asyncio.timeout(HINT_TIMEOUT_SECONDS):
            return await asyncio.wrap_future(future)
    except TimeoutError:
        raise NoAdvice from None
