"""Connection limits: how many there may be, and how long an incomplete request or an unread response may hold one.

uvicorn has a timeout for idle connections between two requests, and none within one: a thousand clients that send half
a line each would hold their connections for ever. It also makes a protocol object of every accepted connection, which
costs more than most responses: so addresses that connect too often are refused before that. Refused connections are
held open for 10 s, because a client that is closed at once connects again at once, and 10,000 connects a second take a
quarter of a CPU.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Collection
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from veillee.house.accounts.client_address import network
from veillee.web.http.rate_limits import Count, Limits, Rate, TokenBuckets
from veillee.web.http.shared_counters import SharedCounters

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

REQUEST_TIMEOUT_SECONDS = 20.0  # seconds for a whole request, from its first byte (or the connection) to its last
DRAIN_TIMEOUT_SECONDS = 60.0  # seconds for a client to read some of a pending response
CONNECTION_RATE = Rate(400, 25.0)  # new connections of an address that is no proxy
POLITE = Rate(50, 2.0)  # excess connections that are still accepted, so that the client gets a 503
DEADLINE_CHECK_SECONDS = 0.1  # seconds until an address with too many connections is checked again
MOST_SHUT = 4096  # addresses in the refusal cache
STANDING = 10.0  # seconds that a refused connection is held open
MOST_STANDING = 8000  # connections held: the oldest is closed first
IN_A_ROW = 10  # connections accepted, or closed, before the event loop does other work
FILES = 65_536  # file descriptors asked for: each stream needs one
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 30\r\n"
    b"connection: close\r\ncontent-length: 47\r\n\r\nThe house is full: please try again in a while."
)


class Connections:
    """Counts the open connections of one server and decides which to accept."""

    def __init__(
        self,
        limits: Limits,
        trusted: Collection[str] = (),
        whole: float = REQUEST_TIMEOUT_SECONDS,
        read: float = DRAIN_TIMEOUT_SECONDS,
        ledger: SharedCounters | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """trusted: addresses and networks of proxies, which serve many clients; ledger: counters shared with the other
        processes."""
        ledger = ledger or SharedCounters()
        self.limits = limits
        self.whole = whole
        self.read = read
        self.turned_away = 0
        self.cut = 0  # for being slow
        self._trusted = [ip_network(proxy, strict=False) for proxy in trusted if proxy != "*"]
        self._all_trusted = "*" in trusted
        self._clock = clock
        self._open = Count("connections", ledger)
        self._refused_until: dict[str, float] = {}  # address -> refused until then, without counting again
        self._is_proxy = lru_cache(4096)(self._is_trusted_proxy)
        self._knocks = TokenBuckets("knocks", CONNECTION_RATE, ledger, clock)
        self._polite = TokenBuckets("polite", POLITE, ledger, clock)

    def allow(self, address: str) -> bool:
        """Returns whether to accept a connection from this address. Above its limits a few are still accepted, to be
        told so."""
        if self._is_proxy(address):
            return True
        now = self._clock()
        if self._refused_until.get(address, now) > now:
            self.turned_away += 1
            return False
        wait = self._knocks.wait(address)
        if not wait and self._open[address] < self.limits.connections_of_address:
            return True
        told = self._polite.wait(address)
        if not told:
            return True
        if len(self._refused_until) >= MOST_SHUT:
            self._refused_until.clear()
        self._refused_until[address] = now + min(wait or told, told, DEADLINE_CHECK_SECONDS)
        self.turned_away += 1
        return False

    def at(self, door: socket.socket) -> ThrottledSocket:
        """Returns the listening socket, filtered by `knock`."""
        return ThrottledSocket(door, self.allow)

    def enter(self, address: str) -> bool:
        """Counts one more connection of the address. Returns False if there is no room."""
        here = self._open[address]
        full = self._open.count() >= self.limits.connections
        if full or (here >= self.limits.connections_of_address and not self._is_proxy(address)):
            self.turned_away += 1
            return False
        self._open.add(address, 1)
        return True

    def leave(self, address: str) -> None:
        self._open.add(address, -1)

    def __len__(self) -> int:
        return self._open.count()

    def _is_trusted_proxy(self, address: str) -> bool:
        """Returns whether the address is a trusted proxy."""
        if self._all_trusted:
            return True
        try:
            found = ip_address(address)
        except ValueError:  # a Unix socket
            return True
        return any(found in proxy for proxy in self._trusted)

    def protocol(self) -> type[H11Protocol]:
        """Returns uvicorn's protocol class, bound to these counts."""
        connections = self

        class Counted(TimeoutProtocol):
            def __init__(self, *args: Any, **more: Any) -> None:
                super().__init__(*args, connections=connections, **more)

        return Counted


class ThrottledSocket(socket.socket):
    """Listening socket that accepts only addresses `knock()` approves. Rejected connections are held open unanswered
    for 10 s, so that clients do not reconnect at once."""

    def __init__(self, door: socket.socket, knock: Callable[[str], bool]) -> None:
        super().__init__(door.family, door.type, door.proto, os.dup(door.fileno()))
        self._allow = knock
        self._row = 0  # connections accepted since the event loop did other work
        self._held: deque[tuple[int, float]] = deque()  # descriptors held open, each with its start time
        self._most = min(MOST_STANDING, files_allowed() // 4) if files_allowed() else 0

    def accept(self) -> tuple[socket.socket, Any]:
        while self._row < IN_A_ROW:
            self._row += 1
            number, address = self._accept()  # type: ignore[attr-defined]
            if self.family not in (socket.AF_INET, socket.AF_INET6) or self._allow(network(address[0])):
                return socket.socket(self.family, self.type, self.proto, number), address
            self._hold(number)
        self._row = 0
        raise BlockingIOError  # there may be more: the event loop calls again after other work

    def close(self) -> None:
        super().close()
        while self._held:
            os.close(self._held.popleft()[0])

    def _hold(self, number: int) -> None:
        if not self._most:
            os.close(number)
            return
        if not self._held:
            asyncio.get_running_loop().call_later(STANDING, self._close_oldest)
        self._held.append((number, time.monotonic()))
        if len(self._held) > self._most:
            os.close(self._held.popleft()[0])

    def _close_oldest(self) -> None:
        """Closes connections that were held long enough: a few per turn of the event loop."""
        now, loop = time.monotonic(), asyncio.get_running_loop()
        for _ in range(IN_A_ROW):
            if not self._held:
                return
            if (wait := self._held[0][1] + STANDING - now) > 0:
                loop.call_later(wait, self._close_oldest)
                return
            os.close(self._held.popleft()[0])
        loop.call_soon(self._close_oldest)


class TimeoutProtocol(H11Protocol):
    """One connection, with timeouts for an incomplete request and an unread response."""

    def __init__(self, *args: Any, connections: Connections, **more: Any) -> None:
        super().__init__(*args, **more)
        self._house = connections
        self._from: str | None = None  # the client's network, once accepted
        self._unsent: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = network(self.client[0]) if self.client else ""
        if not self._house.enter(address):
            transport.write(FULL)
            transport.close()
            return
        self._from = address
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._from is not None:
            self._house.leave(self._from)
        for timer in filter(None, (self._unsent, self._unread)):
            timer.cancel()
        super().connection_lost(exc)
        vars(self.transport).pop("_read_ready_cb", None)  # breaks a reference cycle of asyncio (idle_gc.py)
        self.cycle = None  # type: ignore[assignment]  # another cycle

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():  # data that arrives after we closed
            return
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(self._house.read, self._cut)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch(self) -> None:
        """Starts a timer at a request's first byte and cancels it at its last."""
        unfinished = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if unfinished and self._unsent is None:
            self._unsent = self.loop.call_later(self._house.whole, self._cut)
        elif not unfinished and self._unsent is not None:
            self._unsent.cancel()
            self._unsent = None

    def _cut(self) -> None:
        self._house.cut += 1
        self.transport.abort()


def files_allowed() -> int:
    """Returns how many files this process may open after open_more_files(); 0: unknown (Windows)."""
    if resource is None:
        return 0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)


def open_more_files() -> None:
    """Raises this process's limit of open files to that number."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < files_allowed():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files_allowed(), hard))
