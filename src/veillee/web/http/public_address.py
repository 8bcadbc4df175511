"""Where others reach this house: an invitation is worth nothing with an address that friends cannot open."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar import Request

# Nothing is sent to these: asking for the way there tells which of our own addresses would be used. A place far away,
# and one in each kind of home network (a second one, a tunnel).
FAR = {
    socket.AF_INET: ("192.0.2.1", "192.168.1.1", "10.0.0.1", "172.16.0.1", "100.64.0.1"),
    socket.AF_INET6: ("2001:db8::1",),
}
WIDER = "veillee serve --host 0.0.0.0"
EVERYWHERE = {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET, socket.AF_INET6)}  # noqa: S104


@dataclass(frozen=True)
class Doorway:
    """Where the house listens; and the command that opens it to others, with the same tables."""

    host: str
    port: int
    wider: str = WIDER


@dataclass(frozen=True)
class Reach:
    """An address to send to friends, without a slash at its end. `others`: more of the same house. `open`: it can be
    reached from other machines, as far as the house knows."""

    origin: str
    others: tuple[str, ...] = ()
    open: bool = True
    wider: str = WIDER  # the command that would open it


def reach(request: Request[Any, Any, Any]) -> Reach:
    """What the house was told to be called; else the address that this reader has come by, if it is no name for "this
    machine"; else the machine's own addresses, where the house listens to them."""
    state = request.app.state
    if public := state.get("public_url", ""):
        return Reach(public.rstrip("/"))
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if not is_here(urlsplit(origin).hostname or ""):
        return Reach(origin)
    door: Doorway | None = state.get("doorway")
    found = addresses(door) if door is not None else []
    return (
        Reach(found[0], tuple(found[1:])) if found else Reach(origin, open=False, wider=door.wider if door else WIDER)
    )


def addresses(door: Doorway) -> list[str]:
    """The addresses under which other machines reach the house, the likeliest first; none if it does not let them in."""
    if door.host in EVERYWHERE:
        hosts = [host for family in EVERYWHERE[door.host] for host in own_addresses(family)]
    else:
        hosts = [] if is_here(door.host) else [door.host]
    return [f"http://{f'[{host}]' if ':' in host else host}:{door.port}" for host in hosts]


def own_addresses(family: socket.AddressFamily) -> list[str]:
    """This machine's addresses, but for those that only it understands."""
    found: list[str] = []
    for far in FAR[family]:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:  # no network of that kind
            probe.connect((far, 9))
            host = probe.getsockname()[0]
            address = ip_address(host)
            if host not in found and not (address.is_loopback or address.is_link_local or address.is_unspecified):
                found.append(host)
    return found


def is_here(host: str) -> bool:
    """Is it a name for "this machine", whichever that is?"""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return not host
    return address.is_loopback or address.is_unspecified  # "0.0.0.0" in a browser's bar is this machine, too
