"""`veillee serve`: the house, its web room, and a browser on it."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import uvicorn

from veillee.tables.errors import CannotListen, StoreError
from veillee.tables.house import House
from veillee.tables.pace import News
from veillee.web import streams
from veillee.web.app import create_app
from veillee.web.dev import WATCHED, Loop, door_kept, supervise
from veillee.web.pages import house_words, t
from veillee.web.reach import Door, addresses

USUAL = 8000  # the port


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def listening(host: str, port: int) -> socket.socket:
    """A socket on that address. Raises CannotListen."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        sock = socket.socket(family, kind, proto)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(address)
            sock.listen(512)
        except OSError:
            sock.close()
            raise
    except OSError as error:
        said = t(
            "Cannot listen on {host} port {port}: {reason}. Choose another with --port.",
            host=host,
            port=port,
            reason=error.strerror or str(error),
        )
        raise CannotListen(said) from error
    return sock


def is_free(host: str, port: int) -> bool:
    try:
        listening(host, port).close()
    except CannotListen:
        return False
    return True


def address_of(host: str, sock: socket.socket) -> str:
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else host  # noqa: S104
    return f"http://{shown}:{sock.getsockname()[1]}/"


def wider(port: int, data: str | Path) -> str:
    """The command that opens this house, with the same tables, to other machines."""
    python = Path(sys.executable)
    python = python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python
    words = ["veillee"] if shutil.which("veillee") else [str(python), "-m", "veillee"]
    words += ["serve", "--host", "0.0.0.0"]  # noqa: S104
    words += ["--port", str(port)] if port not in (0, USUAL) else []
    if "://" in str(data):
        words += ["--data", "…"]  # it may hold a password
    elif str(data) != "data":
        words += ["--data", str(data)]
    return shlex.join(words).replace("'…'", "…")


def news_of(news: News, lang: str) -> str:
    """What the terminal says of the bots' engine."""
    t = house_words(lang)
    if news == "building":
        return t("The bots will think faster in a minute: their engine is being compiled. Play on meanwhile.")
    if news == "changed":
        return t("The bots now think at full speed: their engine is compiled.")
    return t("The bots' engine could not be compiled here: they go on thinking as they do.")


class Server(uvicorn.Server):
    """It says goodbye to those who listen before it closes: pages come back by themselves when there is a house again."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        streams.end_all()
        await super().shutdown(sockets)


def serve(
    host: str = "127.0.0.1",
    port: int = USUAL,
    data: str | Path = "data",
    *,
    open_browser: bool = False,
    workers: int | None = None,
    pause: float = 0.6,
    lang: str = "en",
    dev: bool = False,
) -> None:
    """Serve until interrupted, and say where in `lang`. Raises CannotListen, StoreError.

    `dev`: what is changed in the sources is in the browser a moment later.
    """
    sock = door_kept() or listening(host, port)
    t = house_words(lang)
    if dev and WATCHED not in os.environ:
        again = t("Something has changed: the house is opened anew.")
        broken = t("The house cannot be opened like this (see above): it is tried again after the next change.")
        supervise(sock, again, broken)
        return
    try:
        house = House.open(data, workers=workers, pause=pause)
    except StoreError:
        sock.close()
        raise
    address = address_of(host, sock)
    say(t("Veillée is at {address} (Ctrl+C to stop).", address=address))
    door = Door(host, sock.getsockname()[1], wider(port, data))
    if others := addresses(door):
        say(t("For others on your network: {address}", address=others[0]))
    house.pace.start(lambda news: say(news_of(news, lang)))
    loop = Loop() if dev else None
    if loop is not None:
        loop.start()
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        create_app(house, loop, door),
        log_level="warning",
        timeout_graceful_shutdown=1,
        server_header=False,
        access_log=False,
    )
    try:
        asyncio.run(Server(config).serve(sockets=[sock]))
    except KeyboardInterrupt:
        pass
    finally:
        house.close()
        sock.close()
