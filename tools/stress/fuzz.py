"""Fuzzes requests and saves: no status 500, no exception other than our own, no growing memory.

usage: python tools/stress/fuzz.py [--requests 200000] [--saves 5000] [--seed 1] [--clients 4]

Starts a server on this machine (no other address is contacted), without effective rate limits. Requests are drawn from
real ones (pages, forms with valid stamps, JSON of the API, files, streams) and then mutated: bytes changed, fields
duplicated, dropped and made long, deep or of another type, headers and methods swapped; some are not HTTP at all. A
request that is answered with 500 or more is printed, so that it can be sent again. Saves are the golden records of
every box, mutated in the same ways, and passed to `load` and `verify`.

The bounded caches (tables, rendered parts, beats, and SQLite's pages, 2 MB a connection; some 200 MB in all when full) are
made small here, so that they do not hide unbounded growth. Bots think in a separate process, as usual: compiled code leaks
2 KB with every position that a bot reads (house/workers/pool.py says why, and how it is bounded). Reported are the megabytes
of the process after free memory was returned to the system, and the memory in use: by SQLite (mostly prepared statements,
128 a connection), by other users of the C library, and the number of small blocks allocated by Python. Memory in use counts
as growing when the second half of a long run has cost more than 64 bytes a request, or one block in twenty. The process
itself may grow a little longer by fragmentation.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import http.client
import json
import logging
import random
import resource
import socket
import sys
import tempfile
import threading
import urllib.parse
from collections import Counter
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
import uvicorn

import veillee
from veillee.games.catalogue import BOXES
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.tables.cache import TableCache
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError
from veillee.web.app import create_app
from veillee.web.http.gate import RequestGate, own_host_names
from veillee.web.http.rate_limits import Limits, Rate, RateLimiter
from veillee.web.rendering import beats, part_cache
from veillee.web.serving.connections import Connections
from veillee.web.serving.server import open_socket

SMALL = 1 << 20  # bytes, of each kind that is kept at hand
GROWING, MORE_BLOCKS = 64, 0.05  # bytes, and blocks of Python, a request
LONG_ENOUGH = 100_000  # requests, for what fills up to be full
LIMITS = Limits.parse(
    {one.name: "999999, 999999/second" if isinstance(one.default, Rate) else "999999" for one in fields(Limits)}
)
NASTY = [
    *("", "0", "-1", "1" * 400, "9" * 19, "1e9", "NaN", "null", "true", "\x00", "\ud800", "\u202e", "é", "💥" * 50),
    *("'", '"', "<script>", "../../etc/passwd", "%00", "%ff", "{{7*7}}", "${x}", "a" * 5000, "\r\nX: y", "[]", "{}"),
]
VALUES: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x" * 5000,
    [],
    {},
    [[]],
    {"a": {}},
    "\x00",
    "\ud800",
    float("inf"),
]
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW")
GARBAGE = [
    b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
]  # fmt: skip


class Complaints(logging.Handler):
    """Collects logged errors: a traceback is a bug, whatever the response was."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard = Counter[str]()

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.heard[f"{type(record.exc_info[1]).__name__}: {str(record.exc_info[1])[:200]}"] += 1


class Fuzzer:
    """One client that sends mutated requests."""

    def __init__(self, house: House, port: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.house = house
        self.port = port
        self.guest: Guest = house.guests.new(f"Fuzzer {seed}")
        self.tables: list[Table] = [self.table() for _ in range(3)]
        self.statuses = Counter[int]()
        self.broken: list[str] = []
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def table(self) -> Table:
        game = self.chance.choice(sorted(BOXES))
        box = BOXES[game]
        plans = [SeatPlan("me"), *[SeatPlan("bot", level="novice")] * (box.players[0] - 1)]
        if self.chance.random() < 0.2:
            plans[-1] = SeatPlan("open")
        return self.house.tables.create(self.guest, game, plans)

    def run(self, requests: int) -> None:
        for _ in range(requests):
            if self.chance.random() < 0.01:
                self.garble()
            else:
                self.ask()
            if self.chance.random() < 0.002:
                self.tables[self.chance.randrange(3)] = self.table()

    # -- one request ----------------------------------------------------------------------------------------------
    def drawn(self) -> tuple[str, str, list[tuple[str, str]] | Any]:
        """Returns a valid request of a page or a program."""
        c, table = self.chance, self.chance.choice(self.tables)
        now = table.moment
        stamp = now.stamp(0)
        choice = c.choice(now.game.choices(0)).id if now.game is not None and 0 in now.game.to_act else c.randrange(99)
        t, game = f"/t/{table.id}", c.choice(sorted(BOXES))
        form = [("seat", "0"), ("stamp", stamp), ("a", str(choice))]
        api = f"/api/tables/{table.id}"
        seats = [{"kind": "me"}, *[{"kind": "bot", "level": "novice"}] * (BOXES[game].players[0] - 1)]
        plan = [(f"seat.{n}", "me" if not n else "bot:novice") for n in range(BOXES[game].players[0])]
        return c.choice(
            [
                *[("GET", path, None) for path in ("/", "/me", "/fair", "/api", "/engine", "/healthz", "/readyz", t)],
                *[("GET", f"{t}{end}", None) for end in ("?as=0", "?now", "/record.json", "/replay", "/replay?at=3")],
                ("GET", f"/games/{game}", None),
                ("GET", f"/rules/{game}", None),
                ("GET", f"/rules/{game}/GK-2.1", None),
                ("GET", f"/boards/{game}/icons.svg", None),
                ("GET", "/static/base.css", None),
                ("GET", "/back/xyz", None),
                *[("POST", f"{t}/act", form)] * 4,
                ("POST", f"{t}/act", [*form[:2], ("a.1", str(choice)), ("a.2?", "3|4")]),
                *[
                    ("POST", f"{t}/{deed}", form)
                    for deed in ("undo", "sit", "stand", "bot", "leave", "back", "rematch")
                ],
                ("POST", "/me", [("name", "Ada")]),
                ("POST", "/me/recovery", []),
                ("POST", "/me/recovery/revoke", []),
                ("POST", "/me/sign-out", [("device", "0123456789abcdef")]),
                ("POST", "/back/xyz", []),
                ("POST", "/prefs", [("lang", "fr"), ("theme", "dark"), ("speed", "calm"), ("back", "/me")]),
                ("POST", f"/games/{game}/tables", [*plan, ("public", "yes"), ("luck", "brume")]),
                ("GET", "/api/games", None),
                ("GET", api, None),
                ("GET", f"{api}/watch", None),
                ("GET", f"{api}/seats/0", None),
                ("GET", f"{api}/record", None),
                ("POST", "/api/guests", {"name": "Robot"}),
                ("POST", "/api/tables", {"game": game, "seats": seats, "options": {}, "luck": "", "public": False}),
                *[("POST", f"{api}/seats/0/answers", {"stamp": stamp, "answers": [choice]})] * 4,
                ("POST", f"{api}/seats/0/undo", {"stamp": stamp}),
                ("POST", f"{api}/seats/1", {}),
            ]
        )

    def ask(self) -> None:
        c = self.chance
        method, path, body = self.drawn()
        headers = {"Host": "localhost", "Origin": "http://localhost", "Cookie": f"guest={self.guest.token}"}
        data = b""
        if body is not None and path.startswith("/api"):
            headers |= {"Authorization": f"Bearer {self.guest.token}", "Content-Type": "application/json"}
            spoilt = spoil(c, body) if c.random() < 0.5 else body
            data = json.dumps(spoilt).encode(errors="surrogatepass")
        elif body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            fields = spoil_fields(c, body) if c.random() < 0.5 else body
            data = urllib.parse.urlencode(fields, errors="surrogatepass").encode()
        if c.random() < 0.15:
            data = spoil_bytes(c, data)
        if c.random() < 0.2:
            path = spoil_path(c, path)
        if c.random() < 0.1:
            method = c.choice(METHODS)
        if c.random() < 0.2:
            name = c.choice(["Host", "Origin", "Cookie", "Content-Type", "Accept-Language", "Last-Event-ID", "X-Live"])
            headers[name] = c.choice([*NASTY, "1", "multipart/form-data; boundary=x", "text/plain; charset=nonsense"])
        try:
            self.send(method, path, data, headers)
        except (OSError, http.client.HTTPException):  # it hung up on us: it may
            self.connection.close()

    def send(self, method: str, path: str, data: bytes, headers: dict[str, str]) -> None:
        self.connection.putrequest(method, ascii_path(path), skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            self.connection.putheader(name, value.encode("utf-8", "replace").replace(b"\r", b"").replace(b"\n", b" "))
        self.connection.putheader("Content-Length", str(len(data)))
        self.connection.endheaders(data)
        answer = self.connection.getresponse()
        self.statuses[answer.status] += 1
        text = answer.read()
        if answer.status >= 500:
            self.broken.append(f"{answer.status} {method} {path!r} {headers} {data[:300]!r}: {text[:200]!r}")

    def garble(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as wire:
            try:
                wire.sendall(spoil_bytes(self.chance, self.chance.choice(GARBAGE)))
                wire.shutdown(socket.SHUT_WR)
                head = wire.recv(100)
            except OSError:
                return
            status = int(head[9:12]) if head[9:12].isdigit() else 0
            self.statuses[status] += 1
            if status >= 500:
                self.broken.append(f"{status} to no HTTP at all")


# -- spoiling -------------------------------------------------------------------------------------------------------
def spoil(c: random.Random, value: Any, depth: int = 0) -> Any:
    """Returns the JSON with one random mutation."""
    roll = c.random()
    if roll < 0.05:
        deep: Any = c.choice(VALUES)
        for _ in range(c.choice([3, 200])):
            deep = [deep] if c.random() < 0.5 else {"a": deep}
        return deep
    if roll < 0.25 or depth > 4:
        return c.choice(VALUES)
    if isinstance(value, dict) and value:
        key = c.choice(sorted(value))
        if c.random() < 0.2:
            return {k: v for k, v in value.items() if k != key}
        if c.random() < 0.2:
            return value | {c.choice(NASTY): c.choice(VALUES)}
        return value | {key: spoil(c, value[key], depth + 1)}
    if isinstance(value, list) and value:
        place = c.randrange(len(value))
        if c.random() < 0.3:
            return value * c.choice([0, 2, 30])
        return [*value[:place], spoil(c, value[place], depth + 1), *value[place + 1 :]]
    if isinstance(value, str):
        return c.choice([*NASTY, value[:-1], value + "x"])
    if isinstance(value, int):
        return c.choice([value + 1, -value, value * 10**12, str(value), c.randrange(200)])
    return c.choice(VALUES)


def spoil_fields(c: random.Random, fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    spoilt = list(fields)
    for _ in range(c.randrange(1, 4)):
        if not spoilt or c.random() < 0.3:
            spoilt.append((c.choice(["a", "a.1", "a.2?", "seat", "stamp", "sure", "name", *NASTY]), c.choice(NASTY)))
            continue
        place = c.randrange(len(spoilt))
        name, value = spoilt[place]
        spoilt[place] = c.choice([(name, c.choice(NASTY)), (c.choice(NASTY), value), (name, value + "1"), (name, "7")])
        if c.random() < 0.2:
            del spoilt[place]
    return spoilt


def spoil_bytes(c: random.Random, data: bytes) -> bytes:
    raw = bytearray(data or b"x")
    for _ in range(c.randrange(1, 6)):
        raw[c.randrange(len(raw))] = c.randrange(256)
    return bytes(raw[: c.randrange(len(raw))]) if c.random() < 0.2 else bytes(raw) * (50 if c.random() < 0.05 else 1)


def spoil_path(c: random.Random, path: str) -> str:
    steps = path.split("/")
    place = c.randrange(len(steps))
    steps[place] = c.choice([*NASTY, "..", ".", steps[place] + "x", steps[place][:-1], "x" * 300])
    return (
        "/" + "/".join(steps).lstrip("/") + c.choice(["", "", "?as=x", "?at=99999999999", "?%00", "?as=1&as=2", "#x"])
    )


def ascii_path(path: str) -> str:
    return urllib.parse.quote(path.encode("utf-8", "surrogatepass"), safe="/?&=%#:@!$'()*+,;")


# -- saves ----------------------------------------------------------------------------------------------------------
def spoil_saves(number: int, seed: int) -> list[str]:
    """Returns the unexpected exceptions of `load` and `verify`."""
    c = random.Random(seed)
    goldens = [path for box in BOXES.values() for path in sorted(box.folder.glob("conformance/golden/*.json"))]
    records = {path: json.loads(path.read_text(encoding="utf-8")) for path in goldens}
    broken = []
    for n in range(number):
        record: Any = records[c.choice(goldens)]
        for _ in range(c.randrange(1, 4)):
            record = spoil(c, record)
        for read in (veillee.load, veillee.verify):
            try:
                read(record)
            except VeilleeError:
                pass
            except Exception as error:  # noqa: BLE001 (that is what we look for)
                broken.append(f"save {n} of seed {seed}: {read.__name__}: {type(error).__name__}: {str(error)[:200]}")
    return broken


# -- all of it ------------------------------------------------------------------------------------------------------
class Size(NamedTuple):
    """Memory of this process when idle: megabytes, and blocks."""

    all: float
    sqlite: float
    others: float
    blocks: int

    @classmethod
    def now(cls) -> Size:
        gc.collect()
        sqlite, c = of_sqlite(), ctypes.CDLL(None)
        with suppress(AttributeError):  # another system's C library
            c.malloc_trim(0)
            c.mallinfo2.restype = InUse
            used = c.mallinfo2()
            others = (used.uordblks + used.hblkhd) / 2**20 - sqlite
            return cls(round(resident(), 1), round(sqlite, 1), round(others, 2), sys.getallocatedblocks())
        return cls(round(resident(), 1), round(sqlite, 1), 0.0, sys.getallocatedblocks())


class InUse(ctypes.Structure):
    """Memory statistics of glibc (mallinfo2)."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    ]  # fmt: skip


def resident() -> float:
    """Returns the resident megabytes of this process."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def of_sqlite() -> float:
    """Returns the megabytes that SQLite has in use; 0 if unknown."""
    maps = Path("/proc/self/maps")
    library = (
        next((line.split()[-1] for line in maps.read_text().splitlines() if "libsqlite3" in line), "")
        if maps.exists()
        else ""
    )
    if not library:
        return 0.0
    used = ctypes.CDLL(library).sqlite3_memory_used
    used.restype = ctypes.c_int64
    return float(used()) / 2**20


def spoil_requests(folder: str, requests: int, seed: int, clients: int) -> tuple[Counter[int], list[str], list[Size]]:
    """Returns the statuses, the failures, and the memory after each tenth."""
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    house = House.open(folder, workers=1, pause=0.0)
    sa.event.listen(house.store.engine, "connect", lambda db, _: db.execute(f"PRAGMA cache_size = -{SMALL // 2**14}"))
    house.store.engine.dispose()  # those that are open have the usual size
    house.tables.cache = TableCache(SMALL)
    part_cache.SHEETS.half = part_cache.PIECES.half = SMALL // 2
    beats.MAX_CACHED_BEATS = SMALL // 4096
    sock = open_socket("127.0.0.1", 0)
    meter, connections = RateLimiter(LIMITS), Connections(LIMITS)
    app = RequestGate(create_app(house, meter=meter), meter, own_host_names())
    config = uvicorn.Config(app, http=connections.protocol(), log_config=None, lifespan="off", access_log=False)
    server = uvicorn.Server(config)
    serving = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    serving.start()
    fuzzers = [Fuzzer(house, sock.getsockname()[1], seed + n) for n in range(clients)]
    sizes = []
    try:
        for part in range(10):
            threads = [threading.Thread(target=fuzzer.run, args=(requests // clients // 10,)) for fuzzer in fuzzers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            sizes.append(Size.now())
            if sys.stderr.isatty():
                print(f"\r{part + 1}0 % of the requests", end="", file=sys.stderr, flush=True)
    finally:
        for fuzzer in fuzzers:
            fuzzer.connection.close()
        server.should_exit = True
        serving.join()
        house.close()
        sock.close()
        logging.getLogger().removeHandler(complaints)
    statuses = sum((fuzzer.statuses for fuzzer in fuzzers), Counter[int]())
    broken = [line for fuzzer in fuzzers for line in fuzzer.broken]
    return statuses, broken + [f"logged {n} times: {line}" for line, n in complaints.heard.items()], sizes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--saves", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=4)
    args = parser.parse_args()
    broken = spoil_saves(args.saves, args.seed)
    print(f"{args.saves} spoilt saves: {len(broken)} broke something")
    if args.requests:
        with tempfile.TemporaryDirectory() as folder:
            statuses, more, sizes = spoil_requests(folder, args.requests, args.seed, args.clients)
        told = ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items()))
        print(f"{statuses.total()} spoilt requests, by status: {told}")
        print(f"{len(more)} broke something")
        for name, column in zip(Size._fields, zip(*sizes, strict=True), strict=True):
            print(f"{name} after each tenth: {list(column)}")
        broken += more
        half, end = sizes[4], sizes[-1]
        each = (end.others - half.others) * 2**20 / (args.requests / 2)
        blocks = (end.blocks - half.blocks) / (args.requests / 2)
        print(f"the second half has cost {each:.0f} bytes a request, and {blocks:.3f} blocks")
        if args.requests >= LONG_ENOUGH and (each > GROWING or blocks > MORE_BLOCKS):
            broken.append("the memory grows")
    for line in broken[:50]:
        print(line)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
