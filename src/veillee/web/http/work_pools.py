"""Threads for the work of requests: a small pool for each kind, with a short queue, so that slow pictures, exports, a
slow disk or a slow issuer keep no page waiting.

A request that only reads uses the threads for pages, one that changes something those for writes, which may wait for the
disk. What does not fit into a queue is refused (503 with Retry-After).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar

from veillee.house.errors import Busy, StoreError
from veillee.house.storage.store import Conflict
from veillee.web.rendering.templates import t

P = ParamSpec("P")
T = TypeVar("T")
BUSY_RETRY_SECONDS = 2.0
MAX_CONFLICTS = 4  # of a change that another process, or the second of two clicks, was faster with
POOL_FULL = t("The house has its hands full just now: please try again in a moment.")
TOO_MANY_CHANGES = t("Too many changes at once: please try again.")


class CallerExecutor(Executor):
    """Executor that works in the calling thread, before submit() returns."""

    def submit(self, do: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(do(*args, **named))
        except Exception as error:  # noqa: BLE001 (the caller gets it, as from a thread)
            done.set_exception(error)
        return done


class WorkPool:
    """Threads of one kind of work, and how much of it may wait for them."""

    def __init__(self, name: str, *, threads: int, queue: int) -> None:
        self.refused_count = 0
        self._executor: Executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = threads + queue
        self._taken = 0
        self._changed = threading.Condition()  # of _taken: held for no longer than a count

    async def run(self, do: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Runs the function in one of the threads. Raises Busy if the queue is full, or what the function raises."""
        with self._changed:
            if self._taken >= self._most:
                self.refused_count += 1
                raise Busy(POOL_FULL, BUSY_RETRY_SECONDS)
            self._taken += 1
        work = self._executor.submit(copy_context().run, partial(_retry_conflicts, partial(do, *args, **named)))
        work.add_done_callback(self._on_done)  # also if the request was given up meanwhile
        return await asyncio.wrap_future(work)

    async def iterate(self, items: Iterator[T]) -> AsyncIterator[T]:
        """Yields the items, each made in one of the threads."""
        while (item := await self.run(next, items, None)) is not None:
            yield item

    def run_in_caller(self) -> None:
        """Does all work in the calling thread from now on: for a process without threads."""
        self._executor = CallerExecutor()

    def wait_until_idle(self) -> None:
        """Waits until nothing is worked on."""
        with self._changed:
            self._changed.wait_for(lambda: not self._taken)

    def _on_done(self, _: Future[Any]) -> None:
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()


PAGES = WorkPool("pages", threads=6, queue=200)
WRITES = WorkPool("writes", threads=8, queue=100)
PICTURES = WorkPool("pictures", threads=1, queue=8)  # each takes a process for half a second
EXPORTS = WorkPool("exports", threads=1, queue=32)
HEALTH = WorkPool("health", threads=1, queue=8)
SIGN_INS = WorkPool("sign-ins", threads=2, queue=8)  # each waits for an issuer on the network

# The pool of the request that is being served: set by the gate.
REQUEST_POOL: ContextVar[WorkPool] = ContextVar("request_pool", default=PAGES)


POOLS = (PAGES, WRITES, PICTURES, EXPORTS, HEALTH, SIGN_INS)


def wait_until_idle() -> None:
    """Waits until all work of requests is done: after the last request, before the house is closed."""
    for pool in POOLS:
        pool.wait_until_idle()


async def to_thread(do: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Runs the function in a thread for requests of this kind: reading, or changing something. Raises Busy."""
    return await REQUEST_POOL.get().run(do, *args, **named)


def _retry_conflicts(do: Callable[[], T]) -> T:
    """Calls the function again if another transaction was faster: nothing was written then (a double click on
    PostgreSQL)."""
    for _ in range(MAX_CONFLICTS):
        try:
            return do()
        except Conflict:
            continue
    raise StoreError(TOO_MANY_CHANGES)
