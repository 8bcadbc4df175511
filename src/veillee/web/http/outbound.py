"""Outbound requests to addresses that guests or operators have entered: to public addresses only (against SSRF), to the
port of https, without following redirects, with one deadline for the whole exchange."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from veillee.house.errors import BadRequest
from veillee.web.rendering.templates import t

CONNECT_TIMEOUT_SECONDS = 10.0  # for a connection, and for each read
EXCHANGE_SECONDS = 20.0  # for all reads and writes of one exchange together
MAX_RESPONSE_BYTES = 10_000  # read of a response
HTTPS_PORT = 443
# The last label of a public host name has a letter in it: "127.1", "2130706433" and "0x7f.1" are addresses in disguise.
HOST_NAME = re.compile(r"(?!.*\.0x[0-9a-f]*$)[\w-]+(\.[\w-]+)*\.(?=[\w-]*[^\W\d_])[\w-]+\.?", re.IGNORECASE)
UNPRINTABLE = re.compile(r"[\x00-\x20\x7f]")
SITE_LOCAL = IPv6Network("fec0::/10")  # deprecated, but still routed inside some networks
# IPv6 networks whose addresses reach an IPv4 address: its first bit, counted from the left.
IPV4_INSIDE = {
    IPv6Network("::/96"): 96,  # IPv4-compatible
    IPv6Network("::ffff:0:0/96"): 96,  # IPv4-mapped
    IPv6Network("64:ff9b::/96"): 96,  # NAT64
    IPv6Network("64:ff9b:1::/48"): 96,  # NAT64 of a network of its own
    IPv6Network("2002::/16"): 16,  # 6to4
}


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
    plain = parts is not None and not (parts.username or parts.password or parts.fragment or UNPRINTABLE.search(url))
    if parts is None or not plain or not host or parts.scheme not in (("https", "http") if private else ("https",)):
        raise BadRequest(t("An address of that kind begins with https:// and has no password in it."))
    if not private and port not in (None, HTTPS_PORT):
        raise BadRequest(t("The house sends to the usual port of https alone."))
    if not private and not is_public_host(host):
        raise BadRequest(t("The house sends to public addresses alone: {host} is none.", host=host[:60]))
    return parts


def is_public_host(host: str) -> bool:
    """Returns whether this is a public IP address, or a name that can stand for one."""
    try:
        ip_address(host)
    except ValueError:
        return HOST_NAME.fullmatch(host) is not None
    return is_public_address(host)


def is_public_address(address: str) -> bool:
    """Returns whether the IP address is on the public internet, also the IPv4 address inside an IPv6 one."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        for network, first_bit in IPV4_INSIDE.items():
            if ip in network:
                ip = IPv4Address((int(ip) >> (96 - first_bit)) & 0xFFFFFFFF)
                break
        else:
            if ip in SITE_LOCAL or ip.teredo is not None:
                return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def resolve_public(host: str, port: int, *, private: bool) -> str:
    """Resolves the host and returns the IP address to connect to, so that DNS cannot change between check and
    connection. Raises Unreachable."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{host}: {error}") from None
    wheres = [str(place[4][0]) for place in places]
    if not private and not all(is_public_address(where) for where in wheres):
        raise Unreachable(f"{host} is no public address.")
    return wheres[0]


@contextmanager
def deadline(current_socket: Callable[[], socket.socket | None], seconds: float = EXCHANGE_SECONDS) -> Iterator[None]:
    """Shuts the socket down when the time of one exchange is over, however slowly the other side sends."""

    def shut_down() -> None:
        if (sock := current_socket()) is not None:
            with suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)  # of TCP: a TLS socket is being read in another thread

    timer = threading.Timer(seconds, shut_down)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False) -> int:
    """Sends a POST request and returns the status of the response. Raises Unreachable, BadRequest."""
    return exchange("POST", url, body, headers, private=private)[0]


def exchange(
    method: str,
    url: str,
    body: bytes | None,
    headers: Mapping[str, str],
    *,
    private: bool = False,
    max_bytes: int = MAX_RESPONSE_BYTES,
    seconds: float = EXCHANGE_SECONDS,
) -> tuple[int, bytes]:
    """Sends a request and returns status and body of the response; of a longer body its first max_bytes. Raises
    Unreachable, BadRequest."""
    parts = validate_url(url, private=private)
    secure = parts.scheme == "https"
    port = parts.port or (HTTPS_PORT if secure else 80)
    host = parts.hostname or ""
    where = resolve_public(host, port, private=private)
    connection = http.client.HTTPConnection(host, port, timeout=CONNECT_TIMEOUT_SECONDS)
    try:
        connection.sock = socket.create_connection((where, port), min(seconds, CONNECT_TIMEOUT_SECONDS))
        with deadline(lambda: connection.sock, seconds):
            if secure:
                encrypted = ssl.create_default_context().wrap_socket(
                    connection.sock, server_hostname=host, do_handshake_on_connect=False
                )
                connection.sock = encrypted
                encrypted.do_handshake()
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            content = answer.read(max_bytes)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(f"{host}: {error}") from None
    else:
        return answer.status, content
    finally:
        connection.close()
