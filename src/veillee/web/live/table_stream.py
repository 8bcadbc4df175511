"""Event stream of a table: what happened, the parts of the page that differ after it, chat and presence."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

from veillee.games.scene import SPEEDS
from veillee.house.tables.table import Table
from veillee.web.http.request import RequestContext
from veillee.web.http.work_pools import to_thread
from veillee.web.live.chat_stream import NO_CHAT, open_chat_stream
from veillee.web.live.stream_state import StreamState, sse
from veillee.web.live.streams import loop_waker, open_stream
from veillee.web.rendering.presence_panel import PresenceStream

STREAM_HEARTBEAT_SECONDS = 15.0


def listen(table: Table) -> tuple[asyncio.Event, Callable[[], None], Callable[[], None]]:
    """Returns an event that is set at every change (a slow reader skips to the newest board), a function that sets it,
    and one that stops."""
    changed = asyncio.Event()
    wake = partial(loop_waker().wake, changed)
    return changed, wake, table.subscribe(wake)


async def table_events(
    v: RequestContext,
    table: Table,
    wanted: int | None,
    have: str,
    last_said: str | None = None,
    seen: str | None = None,
    *,
    is_hasty: bool = False,
    shows_lobby: bool = False,
) -> AsyncIterator[bytes]:
    """Yields one message per change: what happened since, in order, then the parts that differ after it. `have`: the
    view that the page shows (Moment.name). `last_said`: the last chat message that it has; None: it wants none. `seen`:
    1 if the page is visible; None: it wants no presence panel. `is_hasty`: the reader skips what happens, so
    that bots need not wait until it has been shown. `shows_lobby`: the page was drawn before the match began, which may
    have happened since.

    A change that is hidden from the reader sends nothing: no message, no number, and no heartbeat, which runs on its
    own clock from the first byte on.
    """
    changed, wake, stop = listen(table)
    leave = table.watch(0.0 if is_hasty else SPEEDS[v.speed])
    heard, fall_silent = NO_CHAT
    loop = asyncio.get_running_loop()
    sent = StreamState(have)
    beside = (
        PresenceStream(v.house, table, v.guest, v.lang, changed, seen=seen == "1", run=to_thread)
        if seen is not None
        else None
    )
    alive = False  # a heartbeat is due

    def beat() -> None:
        nonlocal alive
        alive = True
        changed.set()

    with open_stream(changed, v.guest.id if v.guest else "") as stream:
        due = loop.time() + STREAM_HEARTBEAT_SECONDS
        heart = loop.call_later(STREAM_HEARTBEAT_SECONDS, beat)
        try:
            yield b"retry: 1500\n\n"  # goes out at once, with the response headers
            heard, fall_silent = await open_chat_stream(v, table, last_said, wake)
            now = table.moment  # board, stamp and name belong together
            waiting = shows_lobby or now.status == "waiting"
            if have == now.shown_version(now.seats_of(v.guest)):
                sent.next_update(v, now, wanted)  # the page has them
            while not stream.is_over:
                changed.clear()
                if stream.must_recheck and not await v.is_still_here():
                    return  # signed out
                stream.must_recheck = False
                now = table.moment
                if table.is_deleted or (waiting and now.status != "waiting"):
                    yield b"event: go\ndata: .\n\n"  # the match has begun, or the table is gone: the page must reload
                    return
                shown = now.shown_version(now.seats_of(v.guest)) != sent.name or not sent.shown.parts
                if shown:
                    if (told := sent.next_update(v, now, wanted)).message:
                        yield told.message
                    del told  # frees memory while the stream waits
                if heard is not None and (said := heard.next_update(now)):
                    yield said
                if beside is not None and (shown or beside.stirred) and (text := await beside.next_update(now)):
                    yield sse(sent.name, [text])
                await changed.wait()
                if alive:
                    alive, due = False, due + STREAM_HEARTBEAT_SECONDS
                    heart = loop.call_later(due - loop.time(), beat)
                    yield b": still here\n\n"
        finally:
            heart.cancel()
            if beside is not None:
                beside.end()
            stop()
            leave()
            fall_silent()
