"""The open streams of this process. A house that closes ends them, instead of having them torn in the middle of a wait."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Stream:
    """One that is open: `woken` rises when there may be something to send, and when `over` says that it ends."""

    def __init__(self, woken: asyncio.Event) -> None:
        self.woken = woken
        self.over = False


OPEN: set[Stream] = set()


@contextmanager
def opened(woken: asyncio.Event) -> Iterator[Stream]:
    stream = Stream(woken)
    OPEN.add(stream)
    try:
        yield stream
    finally:
        OPEN.discard(stream)


def end_all() -> None:
    """In the loop that they wait in."""
    for stream in OPEN:
        stream.over = True
        stream.woken.set()
