"""Work in flight: what one guest or one address may have under way at once, whichever path a request names.

A request passes three stages: its body arrives (it counts as a *body*), it is worked on (it holds one of the few *work
slots* of its address; the others of that address wait in turn), and its response is sent. It counts as *under way* from
its first byte to its last, unless its handler declares it a *stream*, which may last for hours and is counted as such.
The work slots are those of one process; the counts are shared by all (shared_counters.py).
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import ExitStack

from litestar.types import Receive, ReceiveMessage, Scope

from veillee.web.http.rate_limits import RateLimiter

MAX_BODY_BYTES = 16_000  # of a request: the longest of ours holds a browser's push subscription. 85 kB of JSON took 25 ms of the loop
ALONE_SECONDS = 2.0  # since a request of another address: an address that is alone has all its slots
YIELD_SECONDS = 0.02  # at most, for which what waits for a slot of its own address lets others go first
SCOPE_KEY = "veillee_in_flight"


class WorkSlots:
    """Work slots of each address. Used in one event loop only.

    While other addresses send requests, too, each has `beside_others` slots. And what had to wait for a slot of its own
    address begins when no other address is at work, or after YIELD_SECONDS: an address that floods the house gets the
    processor time that the others leave, and a little. A request that finds a free slot never waits.
    """

    def __init__(
        self,
        most: int,
        beside_others: int = 0,
        clock: Callable[[], float] = time.monotonic,
        yield_seconds: float = YIELD_SECONDS,
    ) -> None:
        """beside_others: 0: there are always `most`, and nobody lets others go first."""
        self._most = most
        self._beside_others = beside_others
        self._clock = clock
        self._yield_seconds = yield_seconds
        self._taken = Counter[str]()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._yielding: dict[str, asyncio.TimerHandle] = {}  # addresses that let others go first, longest first
        self._latest, self._latest_at = "", float("-inf")  # the address that came last, and when
        self._others_at = float("-inf")  # when another one came last

    async def take(self, address: str) -> None:
        """Waits until a slot of this address is free, in the order of arrival, and takes it."""
        if address != self._latest:
            self._latest, self._others_at = address, self._latest_at
        self._latest_at = self._clock()
        if not self._waiting.get(address) and self._taken[address] < self._allowed():
            self._taken[address] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the slot was handed over at the same time
                self.free(address)
            raise

    def free(self, address: str) -> None:
        """Gives the slot back: to the request of this address that has waited for longest, once it is its turn."""
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]
        if not self._taken and self._yielding:
            self._hand_over(next(iter(self._yielding)))
        if address not in self._waiting or address in self._yielding:
            return
        if self._beside_others and self._taken.keys() - {address}:
            loop = asyncio.get_running_loop()
            self._yielding[address] = loop.call_later(self._yield_seconds, self._hand_over, address)
        else:
            self._hand_over(address)

    def _hand_over(self, address: str) -> None:
        """Gives the free slots of the address to its requests that have waited for longest."""
        if (timer := self._yielding.pop(address, None)) is not None:
            timer.cancel()
        waiting = self._waiting.get(address, deque())
        while waiting and self._taken[address] < self._allowed():
            turn = waiting.popleft()
            if not turn.done():
                self._taken[address] += 1
                turn.set_result(None)
        if not waiting:
            self._waiting.pop(address, None)
        if not self._taken[address]:
            del self._taken[address]

    def _allowed(self) -> int:
        """Returns how many slots an address has now."""
        is_alone = self._clock() - self._others_at > ALONE_SECONDS
        return self._most if is_alone or not self._beside_others else self._beside_others


class RequestInFlight:
    """One request on its way through the stages. Close it when the response is sent."""

    def __init__(self, meter: RateLimiter, slots: WorkSlots, hint_slots: WorkSlots, address: str, guest: str) -> None:
        """Counts the request as under way. Raises TooMany."""
        self.is_stream = False
        self._meter = meter
        self._slots = slots
        self._hint_slots = hint_slots
        self._who = address, guest
        self._has_slot = False
        self._held = ExitStack()
        self._held.enter_context(meter.hold("under_way", address, guest))

    async def read_body(self, scope: Scope, receive: Receive) -> Receive | None:
        """Waits for the body, before the request takes a work slot. Returns a `receive` that gives it to the
        application; None if the client has gone. A body that is too long is left to the application to refuse. Raises
        TooMany."""
        if not has_readable_body(scope):
            return receive
        messages: deque[ReceiveMessage] = deque()
        size, is_complete = 0, False
        with self._meter.hold("bodies", *self._who):
            while not is_complete and size <= MAX_BODY_BYTES:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                messages.append(message)
                size += len(message["body"])
                is_complete = not message["more_body"]

        async def replay() -> ReceiveMessage:
            return messages.popleft() if messages else await receive()

        return replay

    async def begin_work(self) -> None:
        """Waits for a work slot of the address."""
        if self._who[0]:
            await self._slots.take(self._who[0])
            self._has_slot = True

    def end_work(self) -> None:
        """Frees the work slot: from now on the request waits for others (the disk, a bot, the reader)."""
        if self._has_slot:
            self._has_slot = False
            self._slots.free(self._who[0])

    def become_stream(self) -> None:
        """Counts the request as a stream from now on, in place of a request under way. It keeps its work slot until
        its response begins or end_work(). Raises TooMany."""
        if self.is_stream:
            return
        stream = self._meter.hold("streams", *self._who)
        stream.__enter__()
        self._held.close()
        self._held.push(stream)
        self.is_stream = True

    async def begin_hint(self) -> None:
        """Waits for a hint slot of the address, which is held until the response is sent."""
        self.end_work()
        if self._who[0]:
            await self._hint_slots.take(self._who[0])
            self._held.callback(self._hint_slots.free, self._who[0])

    def hold(self, kind: str) -> None:
        """Counts the request under a further limit until its response is sent. Raises TooMany."""
        self._held.enter_context(self._meter.hold(kind, *self._who))

    def close(self) -> None:
        self.end_work()
        self._held.close()


def has_readable_body(scope: Scope) -> bool:
    """Returns whether a body follows that is not longer than we read."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return True
    length = headers.get(b"content-length", b"0")
    return length.isdigit() and 0 < int(length[:20]) <= MAX_BODY_BYTES


def become_stream(scope: Scope) -> None:
    """Counts this request as a stream: called by every handler that waits for something to happen. Raises TooMany."""
    if (flight := in_flight(scope)) is not None:
        flight.become_stream()


def hold(scope: Scope, kind: str) -> None:
    """Counts this request under the limit `kind` until its response is sent. Raises TooMany."""
    if (flight := in_flight(scope)) is not None:
        flight.hold(kind)


async def begin_hint(scope: Scope) -> None:
    """Counts this request as a stream that waits for a hint, and waits for its address's turn to ask for one. Raises
    TooMany."""
    if (flight := in_flight(scope)) is not None:
        flight.become_stream()
        await flight.begin_hint()


def end_work(scope: Scope) -> None:
    """Frees the work slot of this request: called by a handler that has only the disk or a bot left to wait for."""
    if (flight := in_flight(scope)) is not None:
        flight.end_work()


def in_flight(scope: Scope) -> RequestInFlight | None:
    """Returns the request's budget; None without a gate, as in tests."""
    found: RequestInFlight | None = scope.get(SCOPE_KEY)  # type: ignore[assignment]
    return found
