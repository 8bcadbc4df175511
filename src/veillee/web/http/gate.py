"""Request gate: ASGI middleware that refuses requests before any page is made.

It wraps the whole application, so that requests for unknown addresses count against the rate limits too. Responses are
made by web/http/error_pages.py.
"""

from __future__ import annotations

import logging
import re
import socket
import time
from collections.abc import Collection, Iterable
from ipaddress import ip_address
from typing import Any

from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.types import Message, Receive, Scope, Send

from veillee.house.errors import BadRequest, Banned, NotFound
from veillee.web.http.error_pages import UNREADABLE, on_error
from veillee.web.http.rate_limits import RateLimiter
from veillee.web.http.same_origin import SAFE, client_key
from veillee.web.http.traffic import Traffic
from veillee.web.http.work_in_flight import SCOPE_KEY, RequestInFlight, WorkSlots
from veillee.web.http.work_pools import PAGES, REQUEST_POOL, WRITES
from veillee.web.rendering.templates import t

requests = logging.getLogger("veillee.requests")

HOST = re.compile(r"([\w.~-]{1,255}|\[[0-9a-fA-F:.]{2,45}\])(?::([0-9]{1,5}))?", re.ASCII)
MAX_PORT = 65_535
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
MAX_PATH_SEGMENT_BYTES = 200  # bytes of one path segment: the longest of ours is the token of a recovery link
MOST_ASKED, MOST_FIELDS = 4000, 50  # bytes and fields of a query string: ours hold one return address at most
MOST_COOKIES, LONGEST_COOKIE = 60, 400  # number, and bytes of each: other sites on the same host may have set some too
STATIC_PREFIXES = ("/static/", "/boards/")  # static files, also for banned addresses: the error page needs them
HEALTH_PATHS = ("/healthz", "/readyz")  # sent under any Host name; a limit of their own, so that no flood hides them


class RequestGate:
    """ASGI middleware that checks each request before the application gets it."""

    def __init__(
        self, app: Litestar, meter: RateLimiter, hosts: Collection[str] | None = None, traffic: Traffic | None = None
    ) -> None:
        """hosts: accepted Host names (see names_of); None: any."""
        self.app = app
        self.meter = meter
        self.hosts = hosts
        self.traffic = traffic or Traffic()
        self._slots = WorkSlots(meter.limits.work_of_address, beside_others=1)
        self._hint_slots = WorkSlots(meter.limits.hints_of_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        scope["litestar_app"] = self.app  # for responses made here
        began, status = time.perf_counter(), 0
        flight: RequestInFlight | None = None

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if flight is not None:
                    flight.end_work()  # a slow reader holds no slot
            await send(message)

        scope["headers"] = limit_cookie_headers(scope["headers"])
        request: Request[Any, Any, Any] = Request(scope, receive, noted)
        try:
            if scope["path"] in HEALTH_PATHS:
                self.meter.spend("health", client_key(request)[0], "")
                body: Receive | None = receive
            else:
                self.check(request)
                flight = RequestInFlight(self.meter, self._slots, self._hint_slots, *client_key(request))
                scope[SCOPE_KEY] = flight  # type: ignore[literal-required]
                body = await flight.read_body(scope, receive)
            if body is None:  # the client has gone
                status = UNREADABLE
            else:
                if flight is not None:
                    await flight.begin_work()
                REQUEST_POOL.set(PAGES if request.method in SAFE else WRITES)
                await self.app(scope, body, noted)
        except (BadRequest, NotFound, Banned) as error:
            await self.refuse(request, error)
        finally:
            if flight is not None:
                flight.close()
        self.record(request, status, time.perf_counter() - began, is_stream=flight is not None and flight.is_stream)

    def check(self, request: Request[Any, Any, Any]) -> None:
        """Checks rate limits, bans, path, query string and Host header. Raises BadRequest, NotFound, Banned, TooMany."""
        address, guest = client_key(request)
        self.meter.spend("requests", address, guest)
        path = request.scope["path"]
        if not path.startswith(STATIC_PREFIXES):
            self.app.state.house.bans.check("address", address)
        if not path.isprintable() or any(
            len(step.encode(errors="replace")) > MAX_PATH_SEGMENT_BYTES for step in path.split("/")
        ):
            raise NotFound(t("There is nothing at this address."))
        query = request.scope["query_string"]
        if len(query) > MOST_ASKED or query.count(b"&") > MOST_FIELDS:
            raise NotFound(t("There is nothing at this address."))
        host = request.headers.get("host", "")
        if not is_host(host) or (self.hosts is not None and not is_own_host(host, self.hosts)):
            self.meter.refused_count["hosts"] += 1
            raise BadRequest(t("This house is not called that: follow a link of its own."))

    def record(self, request: Request[Any, Any, Any], status: int, seconds: float, *, is_stream: bool) -> None:
        """Counts and logs a request by its route pattern: the address itself may hold a secret."""
        pattern = str(request.scope.get("path_template") or "")
        method = request.method if request.method in METHODS else "other"
        if not is_stream:
            self.traffic.record(method, pattern, status, seconds)
        if requests.isEnabledFor(logging.INFO):
            told = {"method": method, "address": pattern, "status": status, "ms": round(seconds * 1000, 1)}
            requests.info("%s %s %d", method, pattern, status, extra={"told": told})

    async def refuse(self, request: Request[Any, Any, Any], error: Exception) -> None:
        answer = on_error(request, error).to_asgi_response(None, request)
        await answer(request.scope, request.receive, request.send)


def limit_cookie_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Drops cookies that are too long or too many: Litestar caches the parsed cookies of the last thousand headers."""
    return [(name, limit_cookies(value)) if name == b"cookie" else (name, value) for name, value in headers]


def limit_cookies(cookies: bytes) -> bytes:
    if len(cookies) <= LONGEST_COOKIE:
        return cookies
    short = [one for one in cookies.split(b";") if len(one) <= LONGEST_COOKIE]
    return b";".join(short[:MOST_COOKIES])


def own_host_names(*names: str) -> frozenset[str]:
    """Returns the accepted Host names: those given, the machine's, and localhost."""
    own = socket.gethostname().lower()
    return frozenset({"localhost", own, f"{own.split('.')[0]}.local", *(name.lower() for name in names if name)})


def is_host(header: str) -> bool:
    """Returns whether the Host header can be part of a URL."""
    if (found := HOST.fullmatch(header)) is None or int(found[2] or 0) > MAX_PORT:
        return False
    if header.startswith("["):
        try:
            ip_address(found[1].strip("[]"))
        except ValueError:
            return False
    return True


def is_own_host(host: str, names: Collection[str]) -> bool:
    """Returns whether the Host header is one of these names. IP addresses always are: DNS rebinding needs a name."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    name = name.strip("[]").lower().rstrip(".")
    try:
        ip_address(name)
    except ValueError:
        return name in names
    return True
