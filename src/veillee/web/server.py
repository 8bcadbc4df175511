"""`veillee serve`: the house, its web room, and a browser on it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from veillee.match.errors import VeilleeError
from veillee.tables.errors import CannotListen, StoreError
from veillee.tables.house import House
from veillee.tables.pace import News
from veillee.tables.prune import Broom
from veillee.web import logs, streams
from veillee.web.app import create_app
from veillee.web.dev import WATCHED, Loop, door_kept, supervise
from veillee.web.door import Door, names_of
from veillee.web.health import Figures, Traffic, tell_prometheus
from veillee.web.limits import Limits, Meter
from veillee.web.pages import house_words, t
from veillee.web.wire import Connections, open_more_files


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


class Server(uvicorn.Server):
    """It says goodbye to those who listen before it closes: pages come back by themselves when there is a house again."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        streams.end_all()
        await super().shutdown(sockets)


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
    limits: Limits = Limits(),  # noqa: B008 (it never changes)
    hosts: Sequence[str] = (),
    trusted: Sequence[str] = ("127.0.0.1", "::1"),
    public_url: str = "",
    metrics: tuple[str, int] | None = None,
    json_log: bool = False,
) -> None:
    """Serve until interrupted, and say where in `lang`. Raises CannotListen, StoreError.

    `dev`: what is changed in the sources is in the browser a moment later. `hosts`: names that the house is called by,
    besides those of its machine; `trusted`: proxies whose word on who asks is taken; `public_url`: what they call us;
    `metrics`: where Prometheus is told its figures.
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
    if other := neighbours(host, sock):
        say(t("For others on your network: {address}", address=other))
    meter, connections, traffic = Meter(limits), Connections(limits, trusted), Traffic()
    if metrics is not None:
        try:
            tell_prometheus(Figures(house, traffic, meter, connections), *metrics)
        except VeilleeError:
            house.close()
            sock.close()
            raise
    broom = Broom(house.store)
    broom.start()
    house.pace.start(lambda news: say(news_of(news, lang)))
    loop = Loop() if dev else None
    if loop is not None:
        loop.start()
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    app = Door(create_app(house, loop, meter, public_url), meter, names_of(host, *hosts), traffic)
    open_more_files()
    logs.set_up(as_json=json_log)
    config = uvicorn.Config(
        app,
        http=connections.protocol(),
        log_config=None,
        log_level="warning",
        lifespan="off",
        timeout_graceful_shutdown=1,
        server_header=False,
        access_log=False,
        forwarded_allow_ips=list(trusted),
    )
    if threading.current_thread() is threading.main_thread():
        # uvicorn stops at SIGTERM and then sends it once more, to whoever was there before: the house is still to be closed.
        signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        asyncio.run(Server(config).serve(sockets=[sock]))
    except KeyboardInterrupt:
        pass
    finally:
        broom.stop()
        house.close()
        sock.close()
