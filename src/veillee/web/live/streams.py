"""The open streams of this process. A house that closes ends them, instead of having them torn in the middle of a wait; a
device that is signed out loses its own."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary


class Bell:
    """Wakes those who wait in one loop, from any thread: one word to the loop, however many it is for."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._called: deque[asyncio.Event] = deque()
        self._rung = False

    def ring(self, woken: asyncio.Event) -> None:
        self._called.append(woken)
        if not self._rung and not self._loop.is_closed():
            self._rung = True
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._rung = False  # first: who is called from now on and not woken below rings again
        while self._called:
            self._called.popleft().set()


BELLS: WeakKeyDictionary[asyncio.AbstractEventLoop, Bell] = WeakKeyDictionary()


def bell() -> Bell:
    """Of the loop that this is called in."""
    loop = asyncio.get_running_loop()
    found = BELLS.get(loop)
    if found is None:
        found = BELLS[loop] = Bell(loop)
    return found


class Stream:
    """One that is open: `woken` rises when there may be something to send, when `over` says that it ends, and when
    `doubted` asks whether its reader is still who they were."""

    def __init__(self, woken: asyncio.Event, guest: str = "") -> None:
        """In the loop that it waits in. guest: whose it is."""
        self.woken = woken
        self.guest = guest
        self.over = False
        self.doubted = False
        self._bell = bell()

    def doubt(self) -> None:
        """From any thread."""
        self.doubted = True
        self._bell.ring(self.woken)


class Ended:
    """How many have ended, so far."""

    number = 0


OPEN: set[Stream] = set()
ENDED = Ended()


@contextmanager
def opened(woken: asyncio.Event, guest: str = "") -> Iterator[Stream]:
    stream = Stream(woken, guest)
    OPEN.add(stream)
    try:
        yield stream
    finally:
        OPEN.discard(stream)
        ENDED.number += 1


def end_all() -> None:
    """In the loop that they wait in."""
    for stream in OPEN:
        stream.over = True
        stream.woken.set()


def doubt(guest: str) -> None:
    """A device of this guest (or of anybody, if it is empty) may have been signed out. From any thread."""
    for stream in [stream for stream in tuple(OPEN) if stream.guest and guest in ("", stream.guest)]:
        stream.doubt()
