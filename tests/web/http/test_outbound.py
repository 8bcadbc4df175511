"""Outbound requests reach public addresses alone, at the port of https, within one deadline, without redirects."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager

import pytest

from veillee.house.errors import BadRequest
from veillee.web.http.outbound import Unreachable, exchange, is_public_address, post, resolve_public, validate_url


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://u:p@example.org/",
        "https://example.org:22/",
        "https://example.org:8443/",
        "file:///etc/passwd",
        "x",
        "https://localhost/",
        "https://intranet/",
        "https://2130706433/",
        "https://127.1/",
        "https://0x7f.1/",
        "https://0177.0.0.0x1/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://example.org/\x00",
        "https://exam\x00ple.org/",
        "https://example.org/a b",
        "https://[",
    ],
)
def test_an_address_that_is_not_public_is_refused_when_it_is_entered(url):
    with pytest.raises(BadRequest):
        validate_url(url)


@pytest.mark.parametrize(
    "url", ["https://example.org/x?y=1", "https://push.xn--p1ai/", "https://9.9.9.9/", "https://a-b.co:443/"]
)
def test_a_public_address_is_taken(url):
    assert validate_url(url).geturl() == url


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.0.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "192.0.2.1",
            "224.0.0.1",
            "255.255.255.255",
        ),
        *("::", "::1", "fd00::1", "fe80::1%eth0", "fec0::1", "ff0e::1", "2001:db8::1"),
        "::ffff:10.0.0.1",  # IPv4-mapped
        "::10.0.0.1",  # IPv4-compatible
        "64:ff9b::a00:1",  # NAT64 of 10.0.0.1
        "64:ff9b:1::a00:1",
        "2002:a00:1::",  # 6to4 of 10.0.0.1
        "2001:0:53aa:64c:0:0:f5ff:fffe",  # Teredo
        "no address",
    ],
)
def test_addresses_of_networks_that_are_not_public(address):
    assert not is_public_address(address)


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "64:ff9b::909:909", "2002:909:909::", "::ffff:9.9.9.9"])
def test_addresses_of_the_public_internet(address):
    assert is_public_address(address)


def test_a_name_is_refused_if_one_of_its_addresses_is_not_public(monkeypatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in ("9.9.9.9", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(Unreachable, match="no public address"):
        resolve_public("example.org", 443, private=False)
    assert resolve_public("example.org", 443, private=True) == "9.9.9.9"


def test_a_name_is_resolved_once_and_the_connection_goes_there(monkeypatch):
    asked, connected = [], []

    def getaddrinfo(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("9.9.9.9", port))]

    def create_connection(address, timeout):
        connected.append(address)
        raise OSError("refused")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(socket, "create_connection", create_connection)
    with pytest.raises(Unreachable):
        post("https://example.org/", b"", {})
    assert (asked, connected) == (["example.org"], [("9.9.9.9", 443)])


@contextmanager
def serving(talk):
    """A server that hands each connection to `talk`, and the number of connections it has got."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        got = []

        def accept():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                got.append(connection)
                threading.Thread(target=talk, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", got
        for connection in got:
            connection.close()


def test_a_receiver_that_drips_is_left_at_the_deadline():
    ended = threading.Event()

    def drip(connection):
        try:
            connection.recv(10_000)
            for _ in range(1200):
                connection.sendall(b"x")  # never the end of the first line
                time.sleep(0.05)
        except OSError:
            ended.set()

    with serving(drip) as (url, _), pytest.raises(Unreachable):
        exchange("POST", url, b"{}", {}, private=True, seconds=0.5)
    assert ended.wait(20), "the connection was shut down while the receiver still sent"


def test_redirects_are_not_followed():
    def redirect(connection):
        connection.recv(10_000)
        connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n")

    with serving(redirect) as (url, got):
        assert post(url, b"{}", {}, private=True) == 302
        assert len(got) == 1
