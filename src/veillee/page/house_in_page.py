"""House in a Web Worker of a browser page (Pyodide): no threads, processes, sockets or server. Called by
shell/house_worker.js.

The application is the one that `veillee serve` runs. What differs is handed in: background work runs in the event loop,
bots and analyses are computed by other workers, and every commit is saved by the browser before anything that depends on
it is sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from litestar import Litestar

from veillee.house.analysis.loop_queue import LoopAnalysisQueue, SendJob
from veillee.house.background import LoopBackground
from veillee.house.house import House
from veillee.house.storage import uptime
from veillee.house.storage.database import FILE
from veillee.house.storage.store import Store
from veillee.house.tables.clocks.timeouts import POLL_SECONDS
from veillee.house.workers.jobs import Advised, Done, ThinkJob, read_advice, read_answers
from veillee.match.errors import VeilleeError
from veillee.page.compiled_templates import FOLDER, CompiledTemplates
from veillee.page.saved_file import read_upload, replace_database
from veillee.page.texts import t
from veillee.web.app import make_app, serve_house
from veillee.web.http import work_pools
from veillee.web.http.preferences import GUEST_COOKIE, SECURE_GUEST_COOKIE
from veillee.web.rendering.templates import STANDALONE

log = logging.getLogger(__name__)

COOKIES = "cookies.json"  # beside the database
KEEP = "/keep"  # address of the file with everything: GET saves it, POST brings it back
SQLITE_TYPE = "application/vnd.sqlite3"
# Addresses inside HTML and inside JSON that holds HTML. Templates escape quotes in every value, so that a text of a guest
# cannot look like an attribute.
ROOT_ADDRESS = re.compile(rb'(\b(?:href|src|action|formaction|poster|data-[a-z-]+)=\\?")/(?!/)')
TEXT_TYPES = ("text/html", "text/event-stream", "application/json")

SendQuestion = Callable[[str], Awaitable[str]]  # sends a question to a worker as a line of JSON, and returns its answer
SaveFiles = Callable[[], Awaitable[object]]  # saves the files of the house's folder in the browser's storage
SendPart = Callable[..., None]  # sends a part of a response to the service worker: ("head", status, headers) …


class WorkerThinkers:
    """Thinkers (house/workers/jobs.py) in other Web Workers. on_cut: called when the time limit has cut an answer short."""

    def __init__(self, send: SendQuestion, on_cut: Callable[[], None]) -> None:
        self._send = send
        self._on_cut = on_cut
        self._waiting = {"bots": 0, "advice": 0}
        self._tasks: set[asyncio.Task[None]] = set()

    def submit(self, job: ThinkJob, done: Done) -> bool:
        self._start(self._think("plan", "bots", job, done, read_answers, []))
        return True

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        back()

    def advise(self, job: ThinkJob, done: Advised) -> None:
        self._start(self._think("advise", "advice", job, done, read_advice, None))

    def count_waiting(self) -> dict[str, int]:
        return self._waiting

    def switch_engine(self) -> bool:
        return False

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(
        self, wanted: str, queue: str, job: ThinkJob, done: Callable[[Any], None], read: Callable[[Any], Any], no: Any
    ) -> None:
        self._waiting[queue] += 1
        try:
            told = json.loads(await self._send(json.dumps({"wanted": wanted} | job.to_json())))
            if told["cut"]:
                self._on_cut()
            answer = read(told["answer"])
        except Exception:
            log.exception("No worker could answer a question of %s.", job.box_id)
            answer = no
        finally:
            self._waiting[queue] -= 1
        done(answer)


def prepare(*, is_building: bool = False) -> Litestar:
    """Prepares all that needs no database. is_building: templates that are compiled are kept, for the pages of readers."""
    STANDALONE.is_on = True
    STANDALONE.compiled_templates = STANDALONE.names_read = None
    if FOLDER.exists():
        STANDALONE.compiled_templates = templates = CompiledTemplates(is_building=is_building)
        STANDALONE.names_read = templates.names_read
    for pool in work_pools.POOLS:
        pool.run_in_caller()
    return make_app()


_prepared: list[Litestar] = []  # for the next house


def prepare_next() -> None:
    """Prepares for the next house that is opened, before Python's memory is kept (shell/python.js)."""
    _prepared.append(prepare())


@dataclass(frozen=True)
class PageRequest:
    """A request of a page, as the service worker describes it. Its path is that of the house, without the folder."""

    method: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    body: bytes
    scheme: str = "https"
    host: str = "localhost"
    cookies: Mapping[str, str] | None = None  # those that scripts have set; the house keeps its own itself


class PageHouse:
    """The house and its application. Must be made and used in one event loop."""

    def __init__(
        self,
        folder: str | Path,
        *,
        base: str,
        think: SendQuestion,
        analyse: SendJob,
        save: SaveFiles,
        on_unsaved: Callable[[str], None],
        on_replaced: Callable[[], None],
        pause: float = 0.6,
        is_building: bool = False,
    ) -> None:
        """folder: of the database, in memory. base: path of the folder that the page is served from, without the last
        slash. save: saves that folder. on_unsaved: called when the browser refuses to. on_replaced: called when the
        database was replaced by a file, and the house closed: it must be opened again. is_building: as for prepare().
        Raises StoreError.
        """
        STANDALONE.base = base.rstrip("/")
        app = _prepared.pop() if _prepared else prepare(is_building=is_building)
        self._folder = Path(folder)
        self._base = base.rstrip("/")
        self._save = save
        self._on_unsaved = on_unsaved
        self._on_replaced = on_replaced
        self._is_changed = True  # since the last save
        self._saving: asyncio.Future[object] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        store = Store.open(self._folder, threads=False)  # a browser has no clock that counts while the machine sleeps
        store.on_commit = self._mark_changed
        self._background = LoopBackground(asyncio.get_running_loop())
        thinkers = WorkerThinkers(think, self._report_slow)
        self.house = House(store, thinkers, pause, self._background, LoopAnalysisQueue(store, analyse))
        uptime.record_opening(store, others=False)
        self.house.puzzles.is_shown = False
        self._background.run_every(POLL_SECONDS, self.house.timeouts.poll)
        self._cookies: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            self._cookies = json.loads((self._folder / COOKIES).read_text(encoding="utf-8"))
        self.app = app
        serve_house(app, self.house)

    def close(self) -> None:
        self.house.close()

    def start(self, request: PageRequest, send: SendPart) -> Callable[[], None]:
        """Starts to serve a request; its response goes to `send` part by part: ("head", status, headers), ("body",
        bytes) …, ("end"). Returns what to call when the page has gone."""
        gone = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._serve(request, send, gone))
        self._tasks.add(task)  # the loop itself keeps no reference
        task.add_done_callback(self._tasks.discard)
        return gone.set

    async def wait_until_saved(self) -> None:
        """Waits until everything that is committed is in the browser's storage, or the browser has refused it."""
        while self._is_changed:
            if self._saving is None:
                self._is_changed = False
                self._saving = asyncio.ensure_future(self._save())
            saving = self._saving
            try:
                await saving
            except Exception as error:  # noqa: BLE001 (whatever the browser says: the game goes on, unsaved)
                log.warning("The browser does not save the house: %s", error)
                self._on_unsaved(str(error))
                return
            finally:
                if self._saving is saving:
                    self._saving = None
        if self._saving is not None:
            with contextlib.suppress(Exception):
                await self._saving

    def _report_slow(self) -> None:
        self.house.engine_upgrade.report_slow()

    def _mark_changed(self) -> None:
        self._is_changed = True

    async def _serve(self, request: PageRequest, send: SendPart, gone: asyncio.Event) -> None:
        body: bytes | None = request.body

        async def receive() -> dict[str, Any]:
            nonlocal body
            if body is not None:
                whole, body = body, None
                return {"type": "http.request", "body": whole, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        is_text = False

        async def send_message(message: Any) -> None:
            nonlocal is_text
            if message["type"] == "http.response.start":
                headers = self._take_cookies(message["headers"])
                await self.wait_until_saved()
                is_text = any(name == "content-type" and value.startswith(TEXT_TYPES) for name, value in headers)
                send("head", message["status"], headers)
            elif message["type"] == "http.response.body":
                if part := message.get("body"):
                    await self.wait_until_saved()
                    send("body", self._with_base(bytes(part)) if is_text else bytes(part))
                if not message.get("more_body"):
                    send("end")

        try:
            if request.path.startswith(KEEP):
                await self._keep(request, send)
            else:
                await self.app(self._scope(request), receive, send_message)  # type: ignore[arg-type]
        except Exception:
            log.exception("%s %s", request.method, request.path)
            send("end")

    async def _keep(self, request: PageRequest, send: SendPart) -> None:
        """Sends the database as a file, or replaces it by a file: what `veillee backup` writes and `veillee restore`
        reads. The guest of the file who was here last is the one who plays on."""
        if request.method == "GET":
            send(
                "head",
                200,
                [("content-type", SQLITE_TYPE), ("content-disposition", "attachment; filename=veillee.sqlite3")],
            )
            send("body", (self._folder / FILE).read_bytes())
        else:
            try:
                token = replace_database(read_upload(request.headers, request.body), self._folder)
            except (VeilleeError, ValueError, OSError) as error:
                log.warning("A file cannot be brought back: %s", error)
                lang = self._cookies.get("lang", "fr")
                said = t("This file holds no games of Veillée, or it is damaged. Nothing was changed.").say(lang)
                send("head", 400, [("content-type", "text/plain; charset=utf-8")])
                send("body", said.encode())
            else:
                for name in (GUEST_COOKIE, SECURE_GUEST_COOKIE):
                    self._cookies[name] = token
                (self._folder / COOKIES).write_text(json.dumps(self._cookies), encoding="utf-8")
                self._mark_changed()
                await self.wait_until_saved()
                self.house.close()
                send("head", 303, [("location", f"{self._base}/me")])
                self._on_replaced()
        send("end")

    def _scope(self, request: PageRequest) -> dict[str, Any]:
        known = {**(request.cookies or {}), **self._cookies}
        headers = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in request.headers]
        headers += [
            (b"host", request.host.encode()),
            (b"sec-fetch-site", b"same-origin"),  # the service worker answers pages of its own scope alone
            (b"cookie", "; ".join(f"{name}={value}" for name, value in known.items()).encode()),
        ]
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": request.scheme,
            "path": request.path,
            "raw_path": request.path.encode(),
            "query_string": request.query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }

    def _take_cookies(self, headers: Any) -> list[tuple[str, str]]:
        """Keeps the cookies that a response sets, which a service worker cannot, and returns its other headers, adapted
        to the page: it is shown in a frame, and lies in a folder."""
        others = []
        for raw_name, raw_value in headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name == "set-cookie":
                for key, morsel in SimpleCookie(value).items():
                    if morsel["max-age"] == "0":
                        self._cookies.pop(key, None)
                    else:
                        self._cookies[key] = morsel.value
                (self._folder / COOKIES).write_text(json.dumps(self._cookies), encoding="utf-8")
                self._mark_changed()
                continue
            if name == "content-security-policy":
                value = value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
            elif name == "location" and value.startswith("/") and not value.startswith("//"):
                value = self._base + value
            elif name in ("content-length", "cross-origin-opener-policy"):
                continue  # the length changes with the base
            others.append((name, value))
        return others

    def _with_base(self, text: bytes) -> bytes:
        """Returns the text with the folder of the page before every address that begins at the root."""
        return ROOT_ADDRESS.sub(rb"\g<1>" + self._base.encode() + b"/", text) if self._base else text
