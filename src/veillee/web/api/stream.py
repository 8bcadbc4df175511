"""Stream of positions for programs: the position as JSON, whenever the seat sees something new.

One message per change, as pages get theirs (web/live/table_stream.py). A slow client skips to the newest position, whose
events hold what has happened in between. A client that reconnects says which event it got last, and gets the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from msgspec.json import encode

from veillee.house.accounts.guest import Guest
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.web.live.streams import open_stream
from veillee.web.live.table_stream import STREAM_HEARTBEAT_SECONDS, listen


class HeardPosition(Protocol):
    """A position; `heard`: how many events its seat has been told of then."""

    heard: int


async def position_events(
    table: Table,
    guest: Guest,
    seat: int,
    heard: int,
    position: Callable[[Moment, int], HeardPosition],
    is_still_here: Callable[[], Awaitable[bool]],
) -> AsyncIterator[bytes]:
    """Yields messages until the game is over, or the seat is no longer the guest's. `position`: makes the position of a
    moment for a client that has been told of so many events.

    A change that is hidden from the seat sends nothing and does not shift the heartbeat, which runs on its own clock.
    """
    changed, _, stop = listen(table)
    time = asyncio.get_running_loop().time
    beat, shown = time() + STREAM_HEARTBEAT_SECONDS, ""
    try:
        with open_stream(changed, guest.id) as stream:
            yield b"retry: 1500\n\n"
            while not stream.is_over and not table.is_deleted:
                changed.clear()
                if stream.must_recheck and not await is_still_here():
                    return
                stream.must_recheck = False
                now = table.moment
                if seat not in now.seats_of(guest):
                    return
                name = now.shown_version([seat])
                if now.game is not None and name != shown:
                    told = position(now, heard)
                    heard, shown = told.heard, name
                    yield b"id: %d\nevent: position\ndata: %s\n\n" % (heard, encode(told))
                    del told  # frees memory while the stream waits
                    if now.status == "over":
                        return
                try:
                    async with asyncio.timeout_at(beat):
                        await changed.wait()
                except TimeoutError:
                    beat += STREAM_HEARTBEAT_SECONDS
                    yield b": still here\n\n"
    finally:
        stop()
