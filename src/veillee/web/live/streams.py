"""Open streams of this process. Shutdown ends them, instead of cutting them off while they wait; signing out a device
ends its streams."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary


class LoopWaker:
    """Wakes waiting tasks of one event loop from any thread: one call_soon_threadsafe, however many events it sets."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._callbacks: deque[asyncio.Event] = deque()
        self._is_scheduled = False

    def wake(self, woken: asyncio.Event) -> None:
        self._callbacks.append(woken)
        if not self._is_scheduled and not self._loop.is_closed():
            self._is_scheduled = True
            self._loop.call_soon_threadsafe(self._run_callbacks)

    def _run_callbacks(self) -> None:
        self._is_scheduled = False  # first: an event added from now on and not set below schedules again
        while self._callbacks:
            self._callbacks.popleft().set()


BELLS: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopWaker] = WeakKeyDictionary()


def loop_waker() -> LoopWaker:
    """Returns the bell of the running event loop."""
    loop = asyncio.get_running_loop()
    found = BELLS.get(loop)
    if found is None:
        found = BELLS[loop] = LoopWaker(loop)
    return found


class Stream:
    """An open stream: `woken` is set when there may be something to send, when `over` says that it must end, and when
    `doubted` asks it to check its guest again."""

    def __init__(self, woken: asyncio.Event, guest: str = "") -> None:
        """Called in the event loop that it waits in. guest: id of its guest."""
        self.woken = woken
        self.guest = guest
        self.is_over = False
        self.must_recheck = False
        self._waker = loop_waker()

    def recheck_session(self) -> None:
        """Makes the stream check its guest again. Callable from any thread."""
        self.must_recheck = True
        self._waker.wake(self.woken)


class StreamCounter:
    """Counter of ended streams."""

    number = 0


OPEN: set[Stream] = set()
ENDED = StreamCounter()


@contextmanager
def open_stream(woken: asyncio.Event, guest: str = "") -> Iterator[Stream]:
    stream = Stream(woken, guest)
    OPEN.add(stream)
    try:
        yield stream
    finally:
        OPEN.discard(stream)
        ENDED.number += 1


def end_all() -> None:
    """Ends all streams. Called in their event loop."""
    for stream in OPEN:
        stream.is_over = True
        stream.woken.set()


def recheck_sessions(guest: str) -> None:
    """Makes the guest's streams (all streams, if it is empty) check whether they are still signed in. Callable from any
    thread."""
    for stream in [stream for stream in tuple(OPEN) if stream.guest and guest in ("", stream.guest)]:
        stream.recheck_session()
