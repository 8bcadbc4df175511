"""A table as a program follows it: the position as JSON, whenever its seat sees something new.

One message a change, as pages are sent theirs (play.py), and a slow reader skips to the newest: what has happened in between is in
its events. Whoever comes back says which event was the last that they heard of, and is told the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from msgspec.json import encode

from veillee.house.accounts.people import Guest
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.web.live.streams import opened
from veillee.web.pages.table import HEARTBEAT, listen


class Told(Protocol):
    """A position as it is told: with how many events its reader has heard of then."""

    heard: int


async def positions(
    table: Table,
    guest: Guest,
    seat: int,
    heard: int,
    position: Callable[[Moment, int], Told],
    is_still_here: Callable[[], Awaitable[bool]],
) -> AsyncIterator[bytes]:
    """Until the game is over, or the seat is the guest's no more. `position`: what is told of a moment to whoever has heard of so
    many events.

    A change that is hidden from the seat moves nothing, not even the heart, which keeps its own time.
    """
    changed, _, stop = listen(table)
    time = asyncio.get_running_loop().time
    beat, shown = time() + HEARTBEAT, ""
    try:
        with opened(changed, guest.id) as stream:
            yield b"retry: 1500\n\n"
            while not stream.over and not table.gone:
                changed.clear()
                if stream.doubted and not await is_still_here():
                    return
                stream.doubted = False
                now = table.now
                if seat not in now.seats_of(guest):
                    return
                name = now.name([seat])
                if now.game is not None and name != shown:
                    told = position(now, heard)
                    heard, shown = told.heard, name
                    yield b"id: %d\nevent: position\ndata: %s\n\n" % (heard, encode(told))
                    del told  # while it waits, a stream holds nothing
                    if now.status == "over":
                        return
                try:
                    async with asyncio.timeout_at(beat):
                        await changed.wait()
                except TimeoutError:
                    beat += HEARTBEAT
                    yield b": still here\n\n"
    finally:
        stop()
