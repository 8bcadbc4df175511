"""Measures the server's processor time for an answer: python benchmarks/server.py [--before COMMIT] [--json] [--write]

Starts a server. At many tables clients answer as browsers do: a form is posted, and every seat and spectator has its stream
open and gets all changes. Figures are the processor time of the server's process, all its threads, divided by the answers;
the clients' time is counted separately. Nothing here depends on the clock.

    two seats          50 tables of Takara Island, both seats' streams open
    many spectators    6 tables of Tales of Glory, five seats and twenty spectators each
    programs           the first again, through the API: each seat's program follows its positions, as JSON

--before COMMIT: the same with the sources of that commit. --write: docs/server.md. Exit code 1: a target is missed.

    python benchmarks/server.py --tables 2000 --every 10 --minutes 10

is a load test of that duration: that many tables of two seats, both listening, one answer in that many seconds each. It
measures the latency from the answer to the other seat's screen, the memory of a table and of a stream, and the cost of an
answer relative to the same rate at fifty tables (measured first, for a tenth of the time).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from boardgame_io import VERSION, Match, rival
from stream import ROOT, sources

sys.path.insert(0, str(ROOT / "tools/stress"))
from unlimited import UNLIMITED

PATIENCE = 60.0  # seconds for anything that is waited for
FEW = 50  # tables
WARM = 6  # answers at every table before it is counted
IDLE = 3.0  # seconds after which a connection is not trusted any more: the server closes those that say nothing
TICKS = os.sysconf("SC_CLK_TCK")
PARTS = re.compile(r'(?=<\w+ id="(?:part-[\w-]+|act)" data-part)')
NAME = re.compile(r'<\w+ id="([\w-]+)"')
PRESS = re.compile(r'<button form="act" name="a" value="(\d+)" id="[^"]*" class="[^"]*" formnovalidate\s*>')
TIPPED = re.compile(
    r'<button form="act" name="a" value="(\d+)" id="[^"]*" class="[^"]*" formnovalidate\s+title="[^"]*"\s*>'
)
SHOWN = re.compile(r'data-at="([\w.-]+)"')
STAMP = re.compile(r'name="stamp" value="(\w*)"')


# -- the server -------------------------------------------------------------------------------------------------------
class Server:
    """A separate server process; its cost is read from the system."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process = process
        self.port = port

    def seconds(self) -> float:
        """Returns the seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def kilobytes(self) -> int:
        """Returns the present memory in kilobytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


BESIDE = (
    "- boardgame.io: its own server, 50 tables of two who listen, and a game with the fields of Takara Island and simpler rules",
    "  (benchmarks/boardgame_io.js: 5.5 KB of JSON for a seat, what is hidden from it counted). Clients are sent the position and draw it,",
    "  as our programs are; our pages are sent what to show, what may be answered, and what has happened, in their language. Nothing of",
    "  it is flushed to the disk before it is told, and ours always is; in memory, nothing is kept at all.",
)  # what the rows of the other server mean


@contextmanager
def server(source: Path) -> Iterator[Server]:
    env = {**os.environ, **known_limits(source), "PYTHONPATH": str(source), "VEILLEE_LANG": "en"}
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", f"{folder}/data"]
        with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, cwd=folder, env=env) as process:
            try:
                yield Server(process, port(log, process))
            finally:
                process.terminate()
                process.wait(30)


def known_limits(source: Path) -> dict[str, str]:
    """Returns the limits to lift that those sources know: an earlier commit refuses a setting that it does not have."""
    texts = (file.read_text("utf-8") for file in (source / "veillee" / "web").rglob("*.py"))
    fields = next(text.partition("class Limits")[2] for text in texts if "class Limits" in text)
    return {
        name: value
        for name, value in UNLIMITED.items()
        if f"\n    {name.removeprefix('VEILLEE_LIMITS_').lower()}:" in fields
    }


def port(log: Path, process: subprocess.Popen[bytes]) -> int:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"http://[\w.]+:(\d+)", log.read_text("utf-8")):
            return int(found[1])
        time.sleep(0.1)
    sys.exit(f"The server did not start:\n{log.read_text('utf-8')}")


# -- clients ----------------------------------------------------------------------------------------------------------
class Wire:
    """One connection: requests one after the other, or a stream."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.used = 0.0

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> tuple[int, bytes]:
        await self.send(method, path, headers, body)
        assert self.reader is not None
        status, told = await self.head()
        return status, await self.reader.readexactly(int(told.get("content-length", 0)))

    async def send(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> None:
        if self.writer is None or time.monotonic() > self.used + IDLE:
            self.close()
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        head = {"host": f"127.0.0.1:{self.port}", "content-length": str(len(body)), **headers}
        lines = [f"{method} {path} HTTP/1.1", *[f"{name}: {value}" for name, value in head.items()], "", ""]
        self.writer.write("\r\n".join(lines).encode() + body)
        await self.writer.drain()
        self.used = time.monotonic()

    async def head(self) -> tuple[int, dict[str, str]]:
        assert self.reader is not None
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = [line.partition(": ") for line in lines if line]
        return int(first.split()[1]), {name.lower(): value for name, _, value in headers}

    async def chunks(self) -> Any:
        """Yields the chunks of an endless response."""
        assert self.reader is not None
        while size := int(await self.reader.readline(), 16):
            yield (await self.reader.readexactly(size + 2))[:-2]

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


class Page:
    """A reader's page of a table: its stream, and the answers it offers."""

    def __init__(self, port: int, token: str, seat: int, lang: str = "fr") -> None:
        self.headers = {"accept-language": lang, **({"cookie": f"guest={token}"} if token else {})}
        self.token, self.seat, self.stamp = token, seat, ""
        self.wire, self.listening = Wire(port), Wire(port)
        self.offers: dict[str, list[int]] = {}  # by the name of the part that shows them
        self.over = False
        self.news = asyncio.Event()
        self.messages = self.bytes = 0
        self.at = 0.0  # when the last message came
        self.task: asyncio.Task[None] | None = None

    async def open(self, table: str) -> None:
        """Loads the page, then opens its stream from that version."""
        status, text = await self.wire.ask("GET", f"/t/{table}", self.headers)
        shown = SHOWN.search(page := text.decode())
        if status != 200 or shown is None:
            raise RuntimeError(f"Seat {self.seat} is not shown the table: {status}")
        self.read(page)
        await self.listening.send("GET", f"/t/{table}/stream?at={shown[1]}&talk=0&seen=1", self.headers)
        status, _ = await self.listening.head()
        assert status == 200, status
        self.task = asyncio.create_task(self.listen())

    async def listen(self) -> None:
        async for chunk in self.listening.chunks():
            self.bytes += len(chunk)
            if b"event: parts" in chunk:
                self.at = time.perf_counter()
                if self.seat >= 0:
                    self.read(chunk.decode())
                self.messages += 1
                self.news.set()

    def read(self, message: str) -> None:
        for part in PARTS.split(message)[1:]:
            name = NAME.match(part)
            assert name is not None
            self.offers[name[1]] = [int(offer) for kind in (PRESS, TIPPED) for offer in kind.findall(part)]
            self.over = self.over or 'id="again"' in part
            if name[1] == "act" and (stamp := STAMP.search(part)):
                self.stamp = stamp[1]

    @property
    def choices(self) -> list[int]:
        return [offer for offers in self.offers.values() for offer in offers]

    async def answer(self, table: str, choice: int) -> bool:
        """Posts the form, and confirms if asked. False: the table has changed, and the stream will update."""
        fields = {"seat": self.seat, "stamp": self.stamp, "a": choice}
        headers = {
            **self.headers,
            "x-live": "1",
            "sec-fetch-site": "same-origin",
            "content-type": "application/x-www-form-urlencoded",
        }
        for more in ({}, {"sure": self.stamp}):
            status, text = await self.wire.ask("POST", f"/t/{table}/act", headers, urlencode(fields | more).encode())
            if status in (204, 409):
                return status == 204
            if status != 200:
                break
        raise RuntimeError(f"Seat {self.seat} is refused {choice}: {status} {text.decode()}")

    async def api(self, method: str, path: str, data: Any = None) -> Any:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        status, text = await self.wire.ask(method, f"/api{path}", headers, json.dumps(data).encode() if data else b"")
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {text.decode()}")
        return json.loads(text)

    def close(self) -> None:
        self.wire.close()
        self.listening.close()
        if self.task is not None:
            self.task.cancel()


class Program(Page):
    """A program at a table: it follows its seat's positions, as JSON."""

    async def open(self, table: str) -> None:
        headers = {"authorization": f"Bearer {self.token}"}
        await self.listening.send("GET", f"/api/tables/{table}/seats/{self.seat}/stream", headers)
        status, _ = await self.listening.head()
        assert status == 200, status
        self.task = asyncio.create_task(self.listen())
        await asyncio.wait_for(self.news.wait(), PATIENCE)

    async def listen(self) -> None:
        async for chunk in self.listening.chunks():
            self.bytes += len(chunk)
            if b"event: position" in chunk:
                self.at = time.perf_counter()
                told = json.loads(chunk.partition(b"data: ")[2])
                self.offers = {"": [choice["id"] for choice in told["choices"]]}
                self.stamp, self.over = told["stamp"], told["view"]["over"]
                self.messages += 1
                self.news.set()

    async def answer(self, table: str, choice: int) -> bool:
        headers = {
            "authorization": f"Bearer {self.token}",
            "content-type": "application/json",
            "prefer": "return=minimal",
        }
        body = json.dumps({"stamp": self.stamp, "answers": [choice]}).encode()
        path = f"/api/tables/{table}/seats/{self.seat}/answers"
        status, text = await self.wire.ask("POST", path, headers, body)
        if status in (204, 409):
            return status == 204
        raise RuntimeError(f"Seat {self.seat} is refused {choice}: {status} {text.decode()}")


class Table:
    """Clients at one table. They answer at random, one answer at a time."""

    def __init__(self, table: str, seats: list[Page], spectators: list[Page], pick: Random) -> None:
        self.id, self.seats, self.spectators, self.pick = table, seats, spectators, pick
        self.over = False

    @classmethod
    async def open(
        cls, port: int, game: str, seats: int, spectators: int, number: int, kind: type[Page] = Page
    ) -> Table:
        people = []
        for seat in range(seats):
            told = await (stranger := Page(port, "", seat)).api("POST", "/guests", {"name": f"Guest {seat}"})
            stranger.close()
            people.append(kind(port, told["token"], seat))
        plans = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        made = await people[0].api("POST", "/tables", {"game": game, "seats": plans, "public": False})
        for page in people[1:]:
            await page.api("POST", f"/tables/{made['id']}/seats/{page.seat}")
        watching = [Page(port, "", -1) for _ in range(spectators)]
        return cls(made["id"], people, watching, Random(number))

    async def listen(self) -> None:
        for page in (*self.seats, *self.spectators):
            await page.open(self.id)

    async def answer(self) -> Page | None:
        """Gives one answer of a seat that is asked, and waits for its own update. Returns the seat; None: the game is over."""
        while True:
            asked = [page for page in self.seats if page.choices]
            if not asked and any(page.over for page in self.seats):
                self.over = True
                return None
            if asked:
                page = self.pick.choice(asked)
                page.news.clear()
                if await page.answer(self.id, self.pick.choice(page.choices)):
                    await asyncio.wait_for(page.news.wait(), PATIENCE)
                    return page
            await asyncio.sleep(0.001)  # what has changed is on its way

    def close(self) -> None:
        for page in (*self.seats, *self.spectators):
            page.close()


# -- what is measured -------------------------------------------------------------------------------------------------
@dataclass
class Question:
    """A load, and the target for the cost of an answer under it."""

    name: str
    game: str
    tables: int
    seats: int
    spectators: int
    target: float  # milliseconds; 0: there is none
    kind: type[Page] = Page


QUESTIONS = (
    Question("two seats", "takara-island", 50, 2, 0, 5.0),
    Question("many spectators", "tales-of-glory", 6, 5, 20, 10.0),
    Question("programs", "takara-island", 50, 2, 0, 0.0, Program),
)


@dataclass
class Cost:
    question: str
    answers: int
    server_ms: float  # of processor time for an answer
    clients_ms: float
    messages: float  # of the streams, for an answer
    kilobytes: float
    target: float

    @property
    def fits(self) -> bool:
        return not self.target or self.server_ms <= self.target


def used() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime


async def cost(house: Server, asked: Question, answers: int) -> Cost:
    """Gives that many answers at every table, all tables at once."""
    tables = [
        await Table.open(house.port, asked.game, asked.seats, asked.spectators, number, asked.kind)
        for number in range(asked.tables)
    ]
    pages = [page for table in tables for page in (*table.seats, *table.spectators)]
    for table in tables:
        await table.listen()

    async def play(table: Table, number: int) -> int:
        given = 0
        while given < number and await table.answer() is not None:
            given += 1
        return given

    await asyncio.gather(*[play(table, WARM) for table in tables])
    before = house.seconds(), used(), sum(page.messages for page in pages), sum(page.bytes for page in pages)
    given = sum(await asyncio.gather(*[play(table, answers) for table in tables]))
    await asyncio.sleep(1)  # what is still on its way belongs to it
    after = house.seconds(), used(), sum(page.messages for page in pages), sum(page.bytes for page in pages)
    for table in tables:
        table.close()
    server_s, clients_s, messages, size = (now - then for now, then in zip(after, before, strict=True))
    return Cost(
        asked.name,
        given,
        server_s * 1000 / given,
        clients_s * 1000 / given,
        messages / given,
        size / 1024 / given,
        asked.target,
    )


def measured(source: Path, asked: Sequence[Question], answers: int) -> list[Cost]:
    found = []
    for question in asked:
        with server(source) as house:
            found.append(asyncio.run(cost(house, question, answers)))
    return found


async def beside(house: Server, asked: Question, answers: int, *, on_disk: bool) -> Cost:
    """Measures the first load on boardgame.io's own server."""
    matches = [Match(number) for number in range(asked.tables)]
    players = [player for match in matches for player in match.players]
    for player in players:
        await player.open(house.port)

    async def play(match: Match, number: int) -> None:
        for _ in range(number):
            await match.move()

    await asyncio.gather(*[play(match, WARM) for match in matches])
    before = (
        house.seconds(),
        used(),
        sum(player.messages for player in players),
        sum(player.bytes for player in players),
    )
    await asyncio.gather(*[play(match, answers) for match in matches])
    after = house.seconds(), used(), sum(player.messages for player in players), sum(player.bytes for player in players)
    for player in players:
        player.close()
    given = answers * asked.tables
    server_s, clients_s, messages, size = (now - then for now, then in zip(after, before, strict=True))
    figures = (server_s * 1000 / given, clients_s * 1000 / given, messages / given, size / 1024 / given)
    return Cost(f"boardgame.io {VERSION}{', on disk' if on_disk else ', in memory'}", given, *figures, 0.0)


@dataclass
class Load:
    """Result of a load test."""

    tables: int
    streams: int
    answers: int
    errors: int
    p50_ms: float
    p99_ms: float
    longest_ms: float
    server_ms: float  # of processor time for an answer
    times_few: float  # as much as at a few tables
    busy: float  # of one core
    table_kb: float
    stream_kb: float
    memory_mb: list[float] = field(default_factory=list)  # while it lasted: ten looks


async def crowded(house: Server, game: str, tables: int, every: float, minutes: float, few: float = 0.0) -> Load:
    """Runs the load test. few: the cost of an answer at a few tables, in milliseconds."""
    await cost(house, Question("", game, WARM, 2, 0, 0.0), WARM)  # warm up: one-time memory, independent of the load
    start = house.kilobytes()
    crowd = [await Table.open(house.port, game, 2, 0, number) for number in range(tables)]
    seated = house.kilobytes()
    for first in range(0, tables, 50):
        await asyncio.gather(*[table.listen() for table in crowd[first : first + 50]])
    listening = house.kilobytes()
    gc.collect()
    gc.freeze()  # excludes the clients from garbage collection: their pauses would count as the server's
    late: list[float] = []
    memory: list[float] = []
    errors = given = 0
    begin, cpu = time.monotonic(), house.seconds()
    end = begin + minutes * 60

    async def play(number: int) -> None:
        nonlocal errors, given
        table, pick = crowd[number], Random(number)
        await asyncio.sleep(pick.uniform(0, every))
        while time.monotonic() < end and not table.over:
            due = time.monotonic() + every
            heard = [page.messages for page in table.seats]
            asked = time.perf_counter()
            try:
                page = await table.answer()
            except (OSError, RuntimeError, TimeoutError, asyncio.IncompleteReadError) as error:
                errors += 1
                print(f"table {number}: {error!r}", file=sys.stderr)
                return
            given += page is not None
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            for other, before in zip(table.seats, heard, strict=True):
                if other is not page and other.messages > before:
                    late.append(other.at - asked)

    async def look() -> None:
        for _ in range(10):
            await asyncio.sleep(minutes * 6)
            memory.append(round(house.kilobytes() / 1024, 1))

    await asyncio.gather(look(), *[play(number) for number in range(tables)])
    spent, lasted = house.seconds() - cpu, time.monotonic() - begin
    for table in crowd:
        table.close()
    late.sort()
    return Load(
        tables,
        2 * tables,
        given,
        errors,
        late[len(late) // 2] * 1000,
        late[int(len(late) * 0.99)] * 1000,
        late[-1] * 1000,
        spent * 1000 / given,
        spent * 1000 / given / few if few else 1.0,
        spent / lasted,
        (seated - start) / tables,
        (listening - seated) / 2 / tables,
        memory,
    )


# -- what is said of it -----------------------------------------------------------------------------------------------
def lines(costs: Sequence[Cost]) -> list[str]:
    """Returns the results as a Markdown table."""
    head = "| | answers | server, ms of processor an answer | target | clients, ms | messages | KB an answer |"
    rows = [head, "|---|--:|--:|--:|--:|--:|--:|"]
    for one in costs:
        figures = [
            f"{one.answers:,}",
            f"{one.server_ms:.1f}",
            f"{one.target:.0f}" if one.target else "",
            f"{one.clients_ms:.1f}",
        ]
        figures += [f"{one.messages:.2f}", f"{one.kilobytes:.1f}"]
        rows.append("| " + " | ".join([one.question, *figures]) + " |")
    return rows


def written(rows: Sequence[str], arguments: str, load: float) -> str:
    machine = (
        f"{platform.machine()}, {os.cpu_count()} processors,\n{platform.system()}, Python {platform.python_version()}"
    )
    return "\n".join(
        [
            "# What an answer costs the server",
            "",
            f"Written by `python benchmarks/server.py {arguments}` on {datetime.now(UTC):%Y-%m-%d}: {machine}.",
            "Processor time of the server's process for one answer, every stream's parts included; what the clients need is theirs.",
            f"The load of others before it began: {load:.1f}. Only the ratios of one run mean something.",
            "",
            *rows,
            "",
            *[f"- {one.name}: {about(one)}." for one in QUESTIONS],
            *(BESIDE if any("boardgame.io" in row for row in rows) else ()),
            "",
        ]
    )


def about(asked: Question) -> str:
    watching = f" and {asked.spectators} spectators" if asked.spectators else ""
    how = "through the API, positions as JSON" if asked.kind is Program else "by the form, as browsers do"
    return (
        f"{asked.tables} tables of {asked.game}, {asked.seats} seats{watching} with their streams open, answers {how}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="COMMIT", default="")
    parser.add_argument("--answers", type=int, default=30, help="at every table; %(default)s by default")
    parser.add_argument("--only", choices=[question.name for question in QUESTIONS])
    parser.add_argument("--beside", action="store_true", help="boardgame.io's own server, too (npm fetches it)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="docs/server.md")
    parser.add_argument("--tables", type=int, help="the other question: so many tables")
    parser.add_argument("--every", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--minutes", type=float, default=10.0)
    given = parser.parse_args()
    say: Callable[[Any], None] = print
    if given.tables:
        game, pace = "takara-island", given.every * FEW / given.tables
        with server(ROOT / "src") as house:
            few = asyncio.run(crowded(house, game, FEW, pace, given.minutes / 10)).server_ms
        with server(ROOT / "src") as house:
            found = asyncio.run(crowded(house, game, given.tables, given.every, given.minutes, few))
        say(json.dumps(asdict(found)) if given.json else "\n".join(f"{k}: {v}" for k, v in asdict(found).items()))
        return 1 if found.errors else 0
    load = os.getloadavg()[0]  # a busy machine takes longer for the same
    asked = [question for question in QUESTIONS if given.only in (None, question.name)]
    now = measured(ROOT / "src", asked, given.answers)
    pages = [question for question in asked if question.kind is Page]  # which every house has had
    then = measured(sources(given.before), pages, given.answers) if given.before else []
    for one in then:
        one.question += f", {given.before}"
    if given.beside:
        with tempfile.TemporaryDirectory() as folder:
            for place in (folder, ""):
                with rival(place) as (process, door):
                    then.append(
                        asyncio.run(beside(Server(process, door), QUESTIONS[0], given.answers, on_disk=bool(place)))
                    )
    if given.json:
        say(json.dumps({"now": [asdict(one) for one in now], "before": [asdict(one) for one in then]}))
    else:
        say("\n".join(lines([*now, *then])))
    if given.write:
        text = written(lines([*now, *then]), " ".join(sys.argv[1:]), load)
        (ROOT / "docs" / "server.md").write_text(text, "utf-8")
    return 0 if all(one.fits for one in now) else 1


if __name__ == "__main__":
    sys.exit(main())
