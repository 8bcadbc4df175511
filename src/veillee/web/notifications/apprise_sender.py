"""Sends one notice by Apprise, in a process of its own: what its plugins connect to is checked at every connection.

A notice {address, title, body, private} in, whether it was delivered out. Run by
web/notifications/transports/apprise.py, which ends the process after a deadline.
"""

from __future__ import annotations

import sys
from typing import Any

from veillee.house.workers.json_lines import serve_lines
from veillee.web.http.outbound import is_public_address

ALLOWED_PORTS = {443, 465, 587}  # https, and mail over TLS


def refuse_private_connections(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: raises PermissionError for a connection to anything but a public address and an allowed port."""
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        is_internet = isinstance(address, tuple) and isinstance(address[0], str)
        if not is_internet or address[1] not in ALLOWED_PORTS or not is_public_address(address[0]):
            raise PermissionError("Only public addresses may be sent to.")
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        raise PermissionError("Only network services may be used.")


def send(address: str, title: str, body: str, *, private: bool) -> bool:
    """Sends the notice; certificates are verified and redirects not followed. Returns whether it was delivered."""
    import apprise  # noqa: PLC0415 - an extra
    import requests  # noqa: PLC0415 - comes with it

    requests.Session.get_redirect_target = lambda *_: None  # type: ignore[method-assign]
    if not private:
        sys.addaudithook(refuse_private_connections)
    service = apprise.Apprise.instantiate(address, suppress_exceptions=True)
    if service is None:
        return False
    service.verify_certificate = True
    return bool(service.notify(title=title, body=body))


if __name__ == "__main__":
    serve_lines(lambda notice: [send(**notice)])
