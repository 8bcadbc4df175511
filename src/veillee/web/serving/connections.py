"""Connections: how many there may be, and how long a half-sent request or an unread answer may keep one.

uvicorn has a timeout for connections that are kept between two requests, and none within one: a thousand clients that
send half a line each would keep the house busy with nothing for ever. And it makes a connection of whatever knocks, which
costs more than most answers: so whoever knocks too often is turned away before. They are left standing on the doorstep for a
while: who is sent away at once knocks again at once, and ten thousand knocks a second are a quarter of a processor.
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

from veillee.web.http.rate_limits import Buckets, Count, Limits, Rate, network
from veillee.web.http.shared_counters import Ledger

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

WHOLE = 20.0  # seconds for a whole request, from its first byte (or the connection) to its last
READ = 60.0  # seconds for a reader to take some of an answer that waits
KNOCKS = Rate(400, 25.0)  # new connections of an address that is no proxy's
POLITE = Rate(50, 2.0)  # of which so many are told why they are not let in
LOOK = 0.1  # seconds until it is looked again whether somebody with many connections has closed some
MOST_SHUT = 4096  # addresses
STANDING = 10.0  # seconds on the doorstep
MOST_STANDING = 8000  # there: whoever has stood longest makes room
IN_A_ROW = 10  # knocks that are answered, and connections ended, before others have their turn
FILES = 65_536  # that we may open: streams are some of them
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 30\r\n"
    b"connection: close\r\ncontent-length: 47\r\n\r\nThe house is full: please try again in a while."
)


class Connections:
    """Those of one house, counted."""

    def __init__(
        self,
        limits: Limits,
        trusted: Collection[str] = (),
        whole: float = WHOLE,
        read: float = READ,
        ledger: Ledger | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """trusted: addresses and networks of proxies, which bring many people; ledger: where the other processes of the
        house count, too."""
        ledger = ledger or Ledger()
        self.limits = limits
        self.whole = whole
        self.read = read
        self.turned_away = 0
        self.cut = 0  # for being slow
        self._trusted = [ip_network(proxy, strict=False) for proxy in trusted if proxy != "*"]
        self._all_trusted = "*" in trusted
        self._clock = clock
        self._open = Count("connections", ledger)
        self._shut: dict[str, float] = {}  # for whom there will be nothing until when: they need not be counted
        self._is_proxy = lru_cache(4096)(self._vouches)
        self._knocks = Buckets("knocks", KNOCKS, ledger, clock)
        self._polite = Buckets("polite", POLITE, ledger, clock)

    def knock(self, address: str) -> bool:
        """Is it worth making a connection of? Whoever has enough of them is told so a few times, and then not any more."""
        if self._is_proxy(address):
            return True
        now = self._clock()
        if self._shut.get(address, now) > now:
            self.turned_away += 1
            return False
        wait = self._knocks.wait(address)
        if not wait and self._open[address] < self.limits.connections_of_address:
            return True
        told = self._polite.wait(address)
        if not told:
            return True
        if len(self._shut) >= MOST_SHUT:
            self._shut.clear()
        self._shut[address] = now + min(wait or told, told, LOOK)
        self.turned_away += 1
        return False

    def at(self, door: socket.socket) -> Doorstep:
        """The door that they knock at."""
        return Doorstep(door, self.knock)

    def enter(self, address: str) -> bool:
        """Is there room for one more from there?"""
        here = self._open[address]
        full = self._open.here() >= self.limits.connections
        if full or (here >= self.limits.connections_of_address and not self._is_proxy(address)):
            self.turned_away += 1
            return False
        self._open.add(address, 1)
        return True

    def leave(self, address: str) -> None:
        self._open.add(address, -1)

    def __len__(self) -> int:
        return self._open.here()

    def _vouches(self, address: str) -> bool:
        """Is it one of the proxies?"""
        if self._all_trusted:
            return True
        try:
            found = ip_address(address)
        except ValueError:  # a socket of this machine
            return True
        return any(found in proxy for proxy in self._trusted)

    def protocol(self) -> type[H11Protocol]:
        """What uvicorn makes of each connection."""
        connections = self

        class Counted(Patient):
            def __init__(self, *args: Any, **more: Any) -> None:
                super().__init__(*args, connections=connections, **more)

        return Counted


class Doorstep(socket.socket):
    """A listening socket that lets those in whom `knock` lets in. Of the others nothing is made: they wait for an answer that
    does not come, and are then hung up on."""

    def __init__(self, door: socket.socket, knock: Callable[[str], bool]) -> None:
        super().__init__(door.family, door.type, door.proto, os.dup(door.fileno()))
        self._knock = knock
        self._row = 0  # knocks since others had their turn
        self._standing: deque[tuple[int, float]] = deque()  # each with when it began
        self._most = min(MOST_STANDING, files_allowed() // 4) if files_allowed() else 0

    def accept(self) -> tuple[socket.socket, Any]:
        while self._row < IN_A_ROW:
            self._row += 1
            number, address = self._accept()  # type: ignore[attr-defined]
            if self.family not in (socket.AF_INET, socket.AF_INET6) or self._knock(network(address[0])):
                return socket.socket(self.family, self.type, self.proto, number), address
            self._leave_standing(number)
        self._row = 0
        raise BlockingIOError  # there may be more: the loop comes back when others have had their turn

    def close(self) -> None:
        super().close()
        while self._standing:
            os.close(self._standing.popleft()[0])

    def _leave_standing(self, number: int) -> None:
        if not self._most:
            os.close(number)
            return
        if not self._standing:
            asyncio.get_running_loop().call_later(STANDING, self._send_away)
        self._standing.append((number, time.monotonic()))
        if len(self._standing) > self._most:
            os.close(self._standing.popleft()[0])

    def _send_away(self) -> None:
        """Those who have stood long enough: a few, and then others have their turn."""
        now, loop = time.monotonic(), asyncio.get_running_loop()
        for _ in range(IN_A_ROW):
            if not self._standing:
                return
            if (wait := self._standing[0][1] + STANDING - now) > 0:
                loop.call_later(wait, self._send_away)
                return
            os.close(self._standing.popleft()[0])
        loop.call_soon(self._send_away)


class Patient(H11Protocol):
    """One connection, and how long we are patient with it."""

    def __init__(self, *args: Any, connections: Connections, **more: Any) -> None:
        super().__init__(*args, **more)
        self._house = connections
        self._from: str | None = None  # where it comes from, once it is let in
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
        vars(self.transport).pop("_read_ready_cb", None)  # asyncio's own circle: nobody need search for it (circles.py)
        self.cycle = None  # type: ignore[assignment]  # another

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():  # what comes after we have said goodbye
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
        """The clock runs from a request's first byte to its last, whatever comes in between."""
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
    """How many files this process may open once it has asked for as many as we may need; 0: nobody says."""
    if resource is None:
        return 0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)


def open_more_files() -> None:
    """Let this process open that many."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < files_allowed():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files_allowed(), hard))
