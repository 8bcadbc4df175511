"""Pages for the one at this machine: the inspector, and the bench of designers."""

from __future__ import annotations

from ipaddress import ip_address

from litestar.exceptions import NotFoundException

from veillee.web.http.request import AnyRequest

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


def is_this_machine(request: AnyRequest) -> bool:
    """Returns whether the request was made on this machine, and not through a proxy on it."""
    host = (request.scope.get("client") or ("", 0))[0]
    try:
        is_local = ip_address(host).is_loopback
    except ValueError:
        is_local = False
    return is_local and not any(name in request.headers for name in FORWARDED)


def check_this_machine(request: AnyRequest) -> None:
    """Raises NotFoundException for every other machine, also behind a proxy on this one."""
    if not is_this_machine(request):
        raise NotFoundException
