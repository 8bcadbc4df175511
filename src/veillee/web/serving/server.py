"""`veillee serve`: the house, its web room, and a browser on it."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import uvicorn

from veillee.house.errors import CannotListen, StoreError
from veillee.house.house import House
from veillee.house.maintenance.cleanup import Broom
from veillee.house.storage.database import is_shared
from veillee.house.storage.store import Store
from veillee.house.workers.engine_upgrade import News
from veillee.web import logs
from veillee.web.app import create_app
from veillee.web.http.gate import Door, names_of
from veillee.web.http.public_address import Doorway, addresses
from veillee.web.http.rate_limits import Limits, Meter
from veillee.web.http.shared_counters import Ledger
from veillee.web.live import streams
from veillee.web.notifications.delivery import Postman
from veillee.web.notifications.transports import Carriers, Post, public_key
from veillee.web.rendering.templates import house_words, t
from veillee.web.serving.connections import Connections, open_more_files
from veillee.web.serving.dev_reload import WATCHED, Loop, door_kept, supervise
from veillee.web.serving.health import Figures, Traffic, tell_prometheus
from veillee.web.serving.idle_gc import Circles
from veillee.web.serving.processes import Place, oversee

USUAL = 8000  # the port
TURN = 0.0005  # seconds that a thread of this process goes on while another one waits: Python's usual is ten times that


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

    def __init__(self, config: uvicorn.Config, circles: Circles) -> None:
        super().__init__(config)
        self._circles = circles

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        if counter % 10 == 0:
            self._circles.look()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        streams.end_all()
        await super().shutdown(sockets)


def for_several(data: str | Path) -> None:
    """Can several processes share it? Its schema is brought up to date for all of them. Raises StoreError."""
    if not is_shared(data):
        raise StoreError(t("Several processes need a PostgreSQL to share: --data postgresql://… names it."))
    if sys.platform == "win32":
        raise CannotListen(t("On Windows processes cannot share a door: leave --processes away."))
    Store.open(data).close()


def announce(host: str, sock: socket.socket, lang: str, *, open_browser: bool) -> None:
    t = house_words(lang)
    address = address_of(host, sock)
    say(t("Veillée is at {address} (Ctrl+C to stop).", address=address))
    if others := addresses(Doorway(host, sock.getsockname()[1])):
        say(t("For others on your network: {address}", address=others[0]))
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()


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
    processes: int = 1,
    limits: Limits = Limits(),  # noqa: B008 (it never changes)
    hosts: Sequence[str] = (),
    trusted: Sequence[str] = ("127.0.0.1", "::1"),
    public_url: str = "",
    metrics: tuple[str, int] | None = None,
    json_log: bool = False,
    post: Post = Post(),  # noqa: B008 (it never changes)
    puzzles: bool = True,
) -> None:
    """Serve until interrupted, and say where in `lang`. Raises CannotListen, StoreError.

    `dev`: what is changed in the sources is in the browser a moment later. `processes`: how many serve at once, where
    the store is a PostgreSQL. `hosts`: names that the house is called by, besides those of its machine; `trusted`:
    proxies whose word on who asks is taken; `public_url`: what they call us; `metrics`: where Prometheus is told its
    figures, of the first of several processes: each of the others has the next port; `puzzles`: they are collected from
    public games, and shown.
    """
    t = house_words(lang)
    place = Place.mine()  # if this is one of several processes
    sock = place.take() if place is not None else door_kept() or listening(host, port)
    if dev and WATCHED not in os.environ:
        again = t("Something has changed: the house is opened anew.")
        broken = t("The house cannot be opened like this (see above): it is tried again after the next change.")
        supervise(sock, again, broken)
        return
    with sock:
        if processes > 1 and place is None and not dev:
            for_several(data)
            announce(host, sock, lang, open_browser=open_browser)
            oversee(sock, processes, lambda: say(t("A process has ended: another one takes its place.")))
            return
        if workers is None and processes > 1:
            workers = max(1, ((os.cpu_count() or 1) - 1) // processes)
        number = place.number if place is not None else 0
        house = House.open(data, workers=workers, pause=pause)
        try:
            ledger, traffic = place.ledger() if place is not None else Ledger(), Traffic()
            meter, connections = Meter(limits, ledger), Connections(limits, trusted, ledger=ledger)
            if metrics is not None:
                figures = Figures(house, traffic, meter, connections)
                tell_prometheus(figures, metrics[0], metrics[1] + number)
            if place is None:
                announce(host, sock, lang, open_browser=open_browser)
            house.quickening.start(
                partial(say_news, lang) if number == 0 else lambda _: None
            )  # what is said is said once
            house.timekeeper.start()
            house.collects = puzzles
            if puzzles:
                house.collector.start()
            loop = Loop() if dev else None
            if loop is not None:
                loop.start()
            doorway = Doorway(host, sock.getsockname()[1], wider(port, data))
            origin = public_url or next(iter(addresses(doorway)), address_of(host, sock).rstrip("/"))
            carriers = Carriers(house.store, replace(post, origin=origin))
            public_key(house.store)  # made at the first start
            postman = Postman(house, carriers)
            postman.start()
            pages = create_app(house, loop, meter, public_url, doorway, carriers)
            app = Door(pages, meter, names_of(host, *hosts), traffic)
            open_more_files()
            logs.set_up(as_json=json_log)
            with swept(house) if number == 0 else nullcontext():
                run(app, connections, sock, trusted)
            postman.stop()
        finally:
            house.close()


def say_news(lang: str, news: News) -> None:
    say(news_of(news, lang))


@contextmanager
def swept(house: House) -> Iterator[None]:
    """What nobody will miss is thrown away meanwhile: by one process of the house."""
    broom = Broom(house.store)
    broom.start()
    try:
        yield
    finally:
        broom.stop()


def run(app: Door, connections: Connections, sock: socket.socket, trusted: Sequence[str]) -> None:
    """Until interrupted, or told to end."""
    circles = Circles(lambda: app.traffic.answered, lambda: streams.ENDED.number)
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
    # Whoever writes to the disk gives way, and is to have its turn again at once, however busy the loop is with others.
    sys.setswitchinterval(TURN)
    if threading.current_thread() is threading.main_thread():
        circles.start()
        # uvicorn stops at SIGTERM and then sends it once more, to whoever was there before: the house is still to be closed.
        signal.signal(signal.SIGTERM, lambda *_: None)
    with suppress(KeyboardInterrupt):
        asyncio.run(Server(config, circles).serve(sockets=[connections.at(sock)]))
