"""Requests from the house to addresses that guests have given it: to public ones alone, so that nobody reaches through it into
the network that it stands in; bounded, and never led anywhere else."""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from veillee.house.errors import BadRequest
from veillee.web.rendering.templates import t

PATIENCE = 10.0  # seconds for each step
MOST = 10_000  # bytes that are read of an answer


class Unreachable(Exception):
    """Nobody took it, or not now."""


def checked(url: str, *, private: bool = False) -> SplitResult:
    """An address that may be sent to. Raises BadRequest. private: whoever runs the house allows any, and plain http."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = None, "", None
    plain = parts is not None and not (parts.username or parts.password or parts.fragment)
    if parts is None or not plain or not host or parts.scheme not in (("https", "http") if private else ("https",)):
        raise BadRequest(t("An address of that kind begins with https:// and has no password in it."))
    if not private and port not in (None, 443):
        raise BadRequest(t("The house sends to the usual port of https alone."))
    return parts


def found(host: str, port: int, *, private: bool) -> str:
    """Where that is: the very address that is connected to, so that no name can change its mind in between. Raises
    Unreachable."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{host}: {error}") from None
    wheres = [str(place[4][0]) for place in places]
    if not private and not all(ip_address(where.partition("%")[0]).is_global for where in wheres):
        raise Unreachable(f"{host} is no public address.")
    return wheres[0]


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False) -> int:
    """The status of the answer. Raises Unreachable, BadRequest."""
    parts = checked(url, private=private)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    host = parts.hostname or ""
    where = found(host, port, private=private)
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        sock = socket.create_connection((where, port), PATIENCE)
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
