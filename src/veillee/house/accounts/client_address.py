"""Addresses of clients, as bans and rate limits count them."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address


@lru_cache(4096)
def network(address: str) -> str:
    """Returns the address that bans and limits go by: for IPv6 its /64 network, as one household has 2^64 addresses.
    What is no IP address is returned as it is.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return address
