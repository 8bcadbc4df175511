"""`veillee serve`: the house, its web room, and a browser on it."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TextIO

import uvicorn

from veillee.tables.errors import StoreError
from veillee.tables.house import House
from veillee.web.app import create_app

CANNOT_LISTEN = 3  # exit codes
CANNOT_STORE = 4


def say(sentence: str, stream: TextIO) -> None:
    stream.write(sentence + "\n")
    stream.flush()


def listening(host: str, port: int) -> socket.socket:
    """A socket on that address. Raises OSError."""
    family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    sock = socket.socket(family, kind, proto)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(512)
    except OSError:
        sock.close()
        raise
    return sock


def address_of(host: str, sock: socket.socket) -> str:
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else host  # noqa: S104
    return f"http://{shown}:{sock.getsockname()[1]}/"


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: str | Path = "data",
    *,
    open_browser: bool = False,
    workers: int | None = None,
    pause: float = 0.6,
) -> int:
    """Serve until interrupted; the result is an exit code. What is in the way is said in a sentence."""
    try:
        sock = listening(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        say(f"Cannot listen on {host} port {port}: {reason}. Choose another with --port.", sys.stderr)
        return CANNOT_LISTEN
    try:
        house = House.open(data, workers=workers, pause=pause)
    except StoreError as error:
        sock.close()
        say(str(error), sys.stderr)
        return CANNOT_STORE
    address = address_of(host, sock)
    say(f"Veillée is at {address} (Ctrl+C to stop).", sys.stdout)
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        create_app(house), log_level="warning", timeout_graceful_shutdown=1, server_header=False, access_log=False
    )
    try:
        asyncio.run(uvicorn.Server(config).serve(sockets=[sock]))
    except KeyboardInterrupt:
        pass
    finally:
        house.close()
        sock.close()
    return 0
