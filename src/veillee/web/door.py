"""The door of a house that strangers may come to: what is turned away before any page is made.

Stands around the whole application, so that what has no address costs its drop, too. Answers are made by errors.py.
"""

from __future__ import annotations

import socket
from collections.abc import Collection
from contextlib import ExitStack
from ipaddress import ip_address
from typing import Any

from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.types import Receive, Scope, Send

from veillee.tables.errors import BadRequest, NotHere
from veillee.web.errors import on_error
from veillee.web.guard import asker
from veillee.web.limits import Meter
from veillee.web.pages import t

LONGEST = 200  # bytes of one step of an address: the longest of ours is the end of a recovery link
ALWAYS = ("/healthz", "/readyz")  # asked by machines that may call us by any name, and cheap


class Door:
    """The application, behind its door."""

    def __init__(self, app: Litestar, meter: Meter, hosts: Collection[str] | None = None) -> None:
        """hosts: the names that the house is called by (see names_of); None: any."""
        self.app = app
        self.meter = meter
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        scope["litestar_app"] = self.app  # for answers that are made here
        request: Request[Any, Any, Any] = Request(scope, receive, send)
        with ExitStack() as leaving:
            try:
                if scope["path"] not in ALWAYS:
                    self.let_in(request, leaving)
            except (BadRequest, NotHere) as error:
                await self.turn_away(request, error)
                return
            await self.app(scope, receive, send)

    def let_in(self, request: Request[Any, Any, Any], leaving: ExitStack) -> None:
        """Raises BadRequest, NotHere, TooMany."""
        address, guest = asker(request)
        self.meter.spend("requests", address, guest)
        path = request.scope["path"]
        if not path.isprintable() or any(len(step.encode(errors="replace")) > LONGEST for step in path.split("/")):
            raise NotHere(t("There is nothing at this address."))
        if self.hosts is not None and not called(request.headers.get("host", ""), self.hosts):
            self.meter.turned_away["hosts"] += 1
            raise BadRequest(t("This house is not called that: follow a link of its own."))
        if path.endswith("/stream"):
            leaving.enter_context(self.meter.stream(address, guest))

    async def turn_away(self, request: Request[Any, Any, Any], error: Exception) -> None:
        answer = on_error(request, error).to_asgi_response(None, request)
        await answer(request.scope, request.receive, request.send)


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
