"""`veillee serve`: the house, its web room, and a browser on it."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TextIO

import uvicorn

from veillee.tables.errors import StoreError
from veillee.tables.house import House
from veillee.tables.pace import News
from veillee.web.app import create_app
from veillee.web.dev import WATCHED, Loop, door_kept, supervise
from veillee.web.pages import house_words

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


def is_free(host: str, port: int) -> bool:
    try:
        listening(host, port).close()
    except OSError:
        return False
    return True


def address_of(host: str, sock: socket.socket) -> str:
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else host  # noqa: S104
    return f"http://{shown}:{sock.getsockname()[1]}/"


def neighbours(host: str, sock: socket.socket) -> str:
    """The address for other machines of the network, if they are let in; else empty."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which of our addresses would be used
        except OSError:
            return ""
        return f"http://{probe.getsockname()[0]}:{sock.getsockname()[1]}/"


def news_of(news: News, lang: str) -> str:
    """What the terminal says of the bots' engine."""
    t = house_words(lang)
    if news == "building":
        return t("The bots will think faster in a minute: their engine is being compiled. Play on meanwhile.")
    if news == "changed":
        return t("The bots now think at full speed: their engine is compiled.")
    return t("The bots' engine could not be compiled here: they go on thinking as they do.")


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: str | Path = "data",
    *,
    open_browser: bool = False,
    workers: int | None = None,
    pause: float = 0.6,
    lang: str = "en",
    dev: bool = False,
) -> int:
    """Serve until interrupted; the result is an exit code. What is in the way is said in a sentence.

    `dev`: what is changed in the sources is in the browser a moment later.
    """
    t = house_words(lang)
    try:
        sock = door_kept() or listening(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        sentence = t(
            "Cannot listen on {host} port {port}: {reason}. Choose another with --port.",
            host=host,
            port=port,
            reason=reason,
        )
        say(sentence, sys.stderr)
        return CANNOT_LISTEN
    if dev and WATCHED not in os.environ:
        again = t("Something has changed: the house is opened anew.")
        broken = t("The house cannot be opened like this (see above): it is tried again after the next change.")
        return supervise(sock, again, broken)
    try:
        house = House.open(data, workers=workers, pause=pause)
    except StoreError as error:
        sock.close()
        say(error.say(lang), sys.stderr)
        return CANNOT_STORE
    address = address_of(host, sock)
    say(t("Veillée is at {address} (Ctrl+C to stop).", address=address), sys.stdout)
    if other := neighbours(host, sock):
        say(t("For others on your network: {address}", address=other), sys.stdout)
    house.pace.start(lambda news: say(news_of(news, lang), sys.stdout))
    loop = Loop() if dev else None
    if loop is not None:
        loop.start()
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        create_app(house, loop), log_level="warning", timeout_graceful_shutdown=1, server_header=False, access_log=False
    )
    try:
        asyncio.run(uvicorn.Server(config).serve(sockets=[sock]))
    except KeyboardInterrupt:
        pass
    finally:
        house.close()
        sock.close()
    return 0
