"""Server start-up (`veillee serve`): opens the house, runs uvicorn, and opens a browser."""

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
from veillee.house.maintenance.cleanup import DailyMaintenance
from veillee.house.maintenance.daily_backup import DailyBackups
from veillee.house.storage.database import is_shared
from veillee.house.storage.store import Store
from veillee.house.workers.engine_upgrade import EngineStatus
from veillee.web import logs
from veillee.web.app import create_app
from veillee.web.http import work_pools
from veillee.web.http.gate import RequestGate, own_host_names
from veillee.web.http.public_address import ListenAddress, addresses
from veillee.web.http.rate_limits import RateLimiter
from veillee.web.http.shared_counters import SharedCounters
from veillee.web.http.traffic import Traffic
from veillee.web.live import streams
from veillee.web.notifications.delivery import NotificationDelivery
from veillee.web.notifications.transports import Transports
from veillee.web.pages import inspector
from veillee.web.rendering.templates import t, translator
from veillee.web.serving.connections import Connections, open_more_files
from veillee.web.serving.dev_reload import WATCHED, DevReloader, inherited_socket, run_watcher
from veillee.web.serving.idle_gc import IdleGarbageCollector
from veillee.web.serving.metrics import PrometheusCollector, start_metrics_server
from veillee.web.serving.processes import ProcessSlot, supervise
from veillee.web.serving.watchdog import Watchdog
from veillee.web.settings import DEFAULT_PORT, Settings

THREAD_SWITCH_SECONDS = (
    0.0005  # seconds that a thread of this process goes on while another one waits: Python's usual is ten times that
)


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def open_socket(host: str, port: int) -> socket.socket:
    """Returns a listening socket on that address. Raises CannotListen."""
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
        open_socket(host, port).close()
    except CannotListen:
        return False
    return True


def address_of(host: str, sock: socket.socket) -> str:
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "localhost") else host  # noqa: S104
    return f"http://{shown}:{sock.getsockname()[1]}/"


def wider(port: int, data: str | Path) -> str:
    """Returns the command that opens this server, with the same data, to other machines."""
    python = Path(sys.executable)
    python = python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python
    words = ["veillee"] if shutil.which("veillee") else [str(python), "-m", "veillee"]
    words += ["serve", "--host", "0.0.0.0"]  # noqa: S104
    words += ["--port", str(port)] if port not in (0, DEFAULT_PORT) else []
    if "://" in str(data):
        words += ["--data", "…"]  # it may hold a password
    elif str(data) != "data":
        words += ["--data", str(data)]
    return shlex.join(words).replace("'…'", "…")


def engine_news(news: EngineStatus, lang: str) -> str:
    """Returns the terminal message about the compilation of the bots' engine."""
    t = translator(lang)
    if news == "building":
        return t("The bots will think faster in a minute: their engine is being compiled. Play on meanwhile.")
    if news == "changed":
        return t("The bots now think at full speed: their engine is compiled.")
    return t("The bots' engine could not be compiled here: they go on thinking as they do.")


class Server(uvicorn.Server):
    """uvicorn server that ends all streams before it closes, so that pages reconnect by themselves."""

    def __init__(self, config: uvicorn.Config, circles: IdleGarbageCollector, watchdog: Watchdog) -> None:
        super().__init__(config)
        self._idle_gc = circles
        self._watchdog = watchdog

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second by uvicorn; polls the garbage collector and the watchdog once a second."""
        if counter % 10 == 0:
            self._watchdog.tick()
            self._idle_gc.poll()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        streams.end_all()
        await super().shutdown(sockets)


def for_several(data: str | Path) -> None:
    """Checks that several processes can share the data, and migrates its schema for all of them. Raises StoreError,
    CannotListen."""
    if not is_shared(data):
        raise StoreError(t("Several processes need a PostgreSQL to share: --data postgresql://… names it."))
    if sys.platform == "win32":
        raise CannotListen(t("On Windows processes cannot share a door: leave --processes away."))
    Store.open(data).close()


def announce(host: str, sock: socket.socket, lang: str, *, open_browser: bool) -> None:
    t = translator(lang)
    address = address_of(host, sock)
    say(t("Veillée is at {address} (Ctrl+C to stop).", address=address))
    if others := addresses(ListenAddress(host, sock.getsockname()[1])):
        say(t("For others on your network: {address}", address=others[0]))
    if open_browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()


def serve(settings: Settings, *, lang: str = "en", open_browser: bool = False, dev: bool = False) -> None:
    """Serves until interrupted, and prints its address in the language `lang`. `dev`: live reload. Raises CannotListen,
    StoreError."""
    t = translator(lang)
    slot = ProcessSlot.mine()
    if slot is not None:
        sock = slot.inherit_socket()
    else:
        sock = inherited_socket() or open_socket(settings.host, settings.port)
    if dev and WATCHED not in os.environ:
        again = t("Something has changed: the house is opened anew.")
        broken = t("The house cannot be opened like this (see above): it is tried again after the next change.")
        run_watcher(sock, again, broken)
        return
    with sock:
        if settings.processes > 1 and slot is None and not dev:
            for_several(settings.data)
            announce(settings.host, sock, lang, open_browser=open_browser)
            supervise(sock, settings.processes, lambda: say(t("A process has ended: another one takes its place.")))
            return
        workers = settings.workers
        if workers is None and settings.processes > 1:
            workers = max(1, ((os.cpu_count() or 1) - 1) // settings.processes)
        house = House.open(settings.data, workers=workers)
        try:
            serve_house(house, settings, sock, slot, lang=lang, open_browser=open_browser, dev=dev)
        finally:
            house.close()


def serve_house(
    house: House,
    settings: Settings,
    sock: socket.socket,
    slot: ProcessSlot | None,
    *,
    lang: str,
    open_browser: bool,
    dev: bool,
) -> None:
    """Starts what runs beside the requests, and serves this house. `slot`: if this is one of several processes. Each has
    a port of its own for the metrics: the first one that of the settings, each other one the next."""
    number = slot.number if slot is not None else 0
    counters, traffic = slot.shared_counters() if slot is not None else SharedCounters(), Traffic()
    meter = RateLimiter(settings.limits, counters)
    connections = Connections(settings.limits, settings.trusted_proxies, ledger=counters)
    if settings.metrics_port:
        figures = PrometheusCollector(house, traffic, meter, connections)
        start_metrics_server(figures, settings.metrics_host, settings.metrics_port + number)
    if slot is None:
        announce(settings.host, sock, lang, open_browser=open_browser)
    # Printed by the first process only.
    house.engine_upgrade.start(partial(say_news, lang) if number == 0 else lambda _: None)
    house.timeouts.start()
    house.profile = settings.profile
    house.puzzles.is_shown = settings.puzzles
    if settings.puzzles:
        house.puzzle_collector.start()
    reloader = DevReloader() if dev else None
    if reloader is not None:
        reloader.start()
    doorway = ListenAddress(settings.host, sock.getsockname()[1], wider(settings.port, settings.data))
    origin = settings.public_url or next(iter(addresses(doorway)), address_of(settings.host, sock).rstrip("/"))
    transports = Transports(house.store, replace(settings.post, origin=origin))
    transports.prepare()
    delivery = NotificationDelivery(house, transports)
    delivery.start()
    dev_routes = [reloader.route, *inspector.DEV_ROUTES] if reloader is not None else []
    pages = create_app(house, meter, settings.public_url, doorway, transports, dev_routes, settings.identity_provider)
    app = RequestGate(pages, meter, own_host_names(settings.host, *settings.hosts), traffic)
    open_more_files()
    logs.set_up(as_json=settings.log == "json")
    logs.log_uncaught_errors()
    watchdog = Watchdog(slot.send_heartbeat if slot is not None else lambda: None)
    watchdog.start()
    with start_cleanup(house, settings) if number == 0 else nullcontext():
        run(app, connections, sock, settings.trusted_proxies, watchdog)
    watchdog.stop()
    delivery.stop()


def say_news(lang: str, news: EngineStatus) -> None:
    say(engine_news(news, lang))


@contextmanager
def start_cleanup(house: House, settings: Settings) -> Iterator[None]:
    """Runs the cleanup thread meanwhile; for one process of the server only."""
    folder = settings.backup_folder
    backups = DailyBackups(settings.data, Path(folder), settings.backup_days) if folder else None
    broom = DailyMaintenance(house.store, backups=backups)
    broom.start()
    try:
        yield
    finally:
        broom.stop()


def run(
    app: RequestGate, connections: Connections, sock: socket.socket, trusted: Sequence[str], watchdog: Watchdog
) -> None:
    """Runs the event loop until interrupted or terminated."""
    circles = IdleGarbageCollector(lambda: app.traffic.answered, lambda: streams.ENDED.number)
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
    # The disk thread releases the GIL and must get it back at once, however busy the event loop is.
    sys.setswitchinterval(THREAD_SWITCH_SECONDS)
    if threading.current_thread() is threading.main_thread():
        circles.start()
        # uvicorn stops at SIGTERM and then raises it again for the earlier handler: the house must still be closed.
        signal.signal(signal.SIGTERM, lambda *_: None)
    with suppress(KeyboardInterrupt):
        asyncio.run(Server(config, circles, watchdog).serve(sockets=[connections.at(sock)]))
    work_pools.wait_until_idle()
