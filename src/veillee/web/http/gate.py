"""The door of a house that strangers may come to: what is turned away before any page is made.

Stands around the whole application, so that what has no address costs its drop, too. Answers are made by errors.py.
"""

from __future__ import annotations

import logging
import re
import socket
import time
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from ipaddress import ip_address
from typing import Any

from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.types import Message, Receive, Scope, Send

from veillee.house.errors import BadRequest, NotHere, ShownTheDoor
from veillee.web.http.error_pages import on_error
from veillee.web.http.rate_limits import Meter
from veillee.web.http.same_origin import asker
from veillee.web.rendering.templates import t
from veillee.web.serving.health import Traffic

requests = logging.getLogger("veillee.requests")

HOST = re.compile(r"([\w.~-]{1,255}|\[[0-9a-fA-F:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
LONGEST = 200  # bytes of one step of an address: the longest of ours is the end of a recovery link
MOST_ASKED, MOST_FIELDS = 4000, 50  # bytes after the question mark, and fields: ours has the way back to a page at most
MOST_COOKIES, LONGEST_COOKIE = 60, 400  # others on the same host may have left some, too
PLAIN = ("/static/", "/boards/")  # files: the page that says why nobody comes in is drawn with them
WAITING = ("/stream", "/turn")  # as long as somebody waits there
ALWAYS = ("/healthz", "/readyz")  # asked by machines that may call us by any name, and cheap


class Door:
    """The application, behind its door."""

    def __init__(
        self, app: Litestar, meter: Meter, hosts: Collection[str] | None = None, traffic: Traffic | None = None
    ) -> None:
        """hosts: the names that the house is called by (see names_of); None: any."""
        self.app = app
        self.meter = meter
        self.hosts = hosts
        self.traffic = traffic or Traffic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        scope["litestar_app"] = self.app  # for answers that are made here
        began, status = time.perf_counter(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        scope["headers"] = without_crumbs(scope["headers"])
        request: Request[Any, Any, Any] = Request(scope, receive, noted)
        with ExitStack() as leaving:
            try:
                if scope["path"] not in ALWAYS:
                    self.let_in(request, leaving)
            except (BadRequest, NotHere, ShownTheDoor) as error:
                await self.turn_away(request, error)
            else:
                await self.app(scope, receive, noted)
        self.note(request, status, time.perf_counter() - began)

    def let_in(self, request: Request[Any, Any, Any], leaving: ExitStack) -> None:
        """Raises BadRequest, NotHere, ShownTheDoor, TooMany."""
        address, guest = asker(request)
        self.meter.spend("requests", address, guest)
        path = request.scope["path"]
        if not path.startswith(PLAIN):
            self.app.state.house.order.check("address", address)
        if not path.isprintable() or any(len(step.encode(errors="replace")) > LONGEST for step in path.split("/")):
            raise NotHere(t("There is nothing at this address."))
        query = request.scope["query_string"]
        if len(query) > MOST_ASKED or query.count(b"&") > MOST_FIELDS:
            raise NotHere(t("There is nothing at this address."))
        host = request.headers.get("host", "")
        if not HOST.fullmatch(host) or (self.hosts is not None and not called(host, self.hosts)):
            self.meter.turned_away["hosts"] += 1
            raise BadRequest(t("This house is not called that: follow a link of its own."))
        if path.endswith(WAITING):
            leaving.enter_context(self.meter.stream(address, guest))

    def note(self, request: Request[Any, Any, Any], status: int, seconds: float) -> None:
        """What whoever runs the house may know of a request: a pattern instead of the address, which may be a secret."""
        pattern = str(request.scope.get("path_template") or "")
        method = request.method if request.method in METHODS else "other"
        if not pattern.endswith(WAITING):
            self.traffic.note(method, pattern, status, seconds)
        if requests.isEnabledFor(logging.INFO):
            told = {"method": method, "address": pattern, "status": status, "ms": round(seconds * 1000, 1)}
            requests.info("%s %s %d", method, pattern, status, extra={"told": told})

    async def turn_away(self, request: Request[Any, Any, Any], error: Exception) -> None:
        answer = on_error(request, error).to_asgi_response(None, request)
        await answer(request.scope, request.receive, request.send)


def without_crumbs(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Without cookies that are too long, or too many: the framework keeps in memory what the last thousand were made of."""
    return [(name, crumbs(value)) if name == b"cookie" else (name, value) for name, value in headers]


def crumbs(cookies: bytes) -> bytes:
    if len(cookies) <= LONGEST_COOKIE:
        return cookies
    short = [one for one in cookies.split(b";") if len(one) <= LONGEST_COOKIE]
    return b";".join(short[:MOST_COOKIES])


def names_of(*names: str) -> frozenset[str]:
    """What a house may be called: the names given, its machine's, and localhost."""
    own = socket.gethostname().lower()
    return frozenset({"localhost", own, f"{own.split('.')[0]}.local", *(name.lower() for name in names if name)})


def called(host: str, names: Collection[str]) -> bool:
    """Is the host of a request one of these? Numbers always are: no other site can make a browser say ours for its own."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    name = name.strip("[]").lower().rstrip(".")
    try:
        ip_address(name)
    except ValueError:
        return name in names
    return True
