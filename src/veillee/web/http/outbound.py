"""Outbound requests to addresses that guests have entered: to public addresses only (against SSRF), with timeouts, and
without following redirects."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from veillee.house.errors import BadRequest
from veillee.web.rendering.templates import t

CONNECT_TIMEOUT_SECONDS = 10.0  # seconds for each step
MOST = 10_000  # bytes read of a response


class Unreachable(Exception):
    """The receiver could not be reached or did not accept the request; a later attempt may succeed."""


def validate_url(url: str, *, private: bool = False) -> SplitResult:
    """Returns the parsed URL if it may be sent to. Raises BadRequest. private: the operator allows any address and
    port, and plain http."""
    try:
        parts = urlsplit(url if url.isprintable() else "")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = None, "", None
    plain = parts is not None and not (parts.username or parts.password or parts.fragment)
    if parts is None or not plain or not host or parts.scheme not in (("https", "http") if private else ("https",)):
        raise BadRequest(t("An address of that kind begins with https:// and has no password in it."))
    if not private and port not in (None, 443):
        raise BadRequest(t("The house sends to the usual port of https alone."))
    return parts


def resolve_public(host: str, port: int, *, private: bool) -> str:
    """Resolves the host and returns the IP address to connect to, so that DNS cannot change between check and
    connection. Raises Unreachable."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{host}: {error}") from None
    wheres = [str(place[4][0]) for place in places]
    if not private and not all(ip_address(where.partition("%")[0]).is_global for where in wheres):
        raise Unreachable(f"{host} is no public address.")
    return wheres[0]


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False) -> int:
    """Sends a POST request and returns the status of the response. Raises Unreachable, BadRequest."""
    parts = validate_url(url, private=private)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    host = parts.hostname or ""
    where = resolve_public(host, port, private=private)
    connection = http.client.HTTPConnection(host, port, timeout=CONNECT_TIMEOUT_SECONDS)
    try:
        sock = socket.create_connection((where, port), CONNECT_TIMEOUT_SECONDS)
        connection.sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host) if secure else sock
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        answer.read(MOST)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(f"{host}: {error}") from None
    else:
        return answer.status
    finally:
        connection.close()
