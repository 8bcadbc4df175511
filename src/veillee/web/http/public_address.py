"""Address under which other machines reach the server, for invitations."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar import Request

# Nothing is sent to these: connecting a UDP socket tells which of our own addresses the system would use. One address
# on the internet, and one in each kind of private network (a second network, a VPN).
PROBE_ADDRESSES = {
    socket.AF_INET: ("192.0.2.1", "192.168.1.1", "10.0.0.1", "172.16.0.1", "100.64.0.1"),
    socket.AF_INET6: ("2001:db8::1",),
}
WIDER = "veillee serve --host 0.0.0.0"
WILDCARD_FAMILIES = {"0.0.0.0": (socket.AF_INET,), "::": (socket.AF_INET, socket.AF_INET6)}  # noqa: S104


@dataclass(frozen=True)
class ListenAddress:
    """Where the server listens, and the command that opens it to other machines with the same data."""

    host: str
    port: int
    wider: str = WIDER


@dataclass(frozen=True)
class PublicAddress:
    """An address to send to friends, without a trailing slash. `others`: further addresses of the same server. `open`:
    it can be reached from other machines, as far as the server knows."""

    origin: str
    others: tuple[str, ...] = ()
    is_open: bool = True
    wider: str = WIDER  # command that would open the server to other machines


def public_address_of(request: Request[Any, Any, Any]) -> PublicAddress:
    """Returns the configured public URL; else the address of this request, unless it means "this machine"; else the
    machine's own addresses, if the server listens on them."""
    state = request.app.state
    if public := state.get("public_url", ""):
        return PublicAddress(public.rstrip("/"))
    origin = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if not is_local_host(urlsplit(origin).hostname or ""):
        return PublicAddress(origin)
    door: ListenAddress | None = state.get("doorway")
    found = addresses(door) if door is not None else []
    return (
        PublicAddress(found[0], tuple(found[1:]))
        if found
        else PublicAddress(origin, is_open=False, wider=door.wider if door else WIDER)
    )


def addresses(door: ListenAddress) -> list[str]:
    """Returns the addresses under which other machines reach the server, the likeliest first; empty if it listens
    locally only."""
    if door.host in WILDCARD_FAMILIES:
        hosts = [host for family in WILDCARD_FAMILIES[door.host] for host in own_addresses(family)]
    else:
        hosts = [] if is_local_host(door.host) else [door.host]
    return [f"http://{f'[{host}]' if ':' in host else host}:{door.port}" for host in hosts]


def own_addresses(family: socket.AddressFamily) -> list[str]:
    """Returns this machine's addresses, without loopback and link-local ones."""
    found: list[str] = []
    for far in PROBE_ADDRESSES[family]:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:  # no network of that kind
            probe.connect((far, 9))
            host = probe.getsockname()[0]
            address = ip_address(host)
            if host not in found and not (address.is_loopback or address.is_link_local or address.is_unspecified):
                found.append(host)
    return found


def is_local_host(host: str) -> bool:
    """Returns whether the name means "this machine" wherever it is used: localhost, loopback or unspecified."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return not host
    return address.is_loopback or address.is_unspecified  # "0.0.0.0" in a browser's bar is this machine, too
