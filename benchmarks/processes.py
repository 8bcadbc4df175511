"""Measures several server processes on one PostgreSQL: python benchmarks/processes.py [--seconds 10] [--tables 80] [--stored 5000] [--json]

On a separate PostgreSQL that flushes to the disk:
- the latency from a click at one process to the streams of another;
- answers a second of one process and of two, from as many programs, each at its own table; and the processor time of an
  answer in either case: of the server, of PostgreSQL and of the programs, which share the cores;
- the start of a server with that many stored tables of bots, from the command to the first page, compared with an empty
  one, in SQLite and in PostgreSQL.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import selectors
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools/stress"), str(ROOT / "src")]

import msgspec  # noqa: E402
import sqlalchemy as sa  # noqa: E402
from postgres import Postgres, running  # noqa: E402
from race_test import House, open_house  # noqa: E402

from veillee.house.house import House as Tables  # noqa: E402
from veillee.house.storage.schema import seats, tables  # noqa: E402
from veillee.house.tables.creation import ID_ALPHABET  # noqa: E402
from veillee.house.tables.seats import SeatPlan  # noqa: E402

GAME = "takara-island"
SEATS = [{"kind": "me"}, {"kind": "hotseat"}]
CLOCK = os.sysconf("SC_CLK_TCK")
ROUNDS = 3  # in turn of one process and of two: a machine is not always as fast
KEPT = 3.0  # seconds for which a connection is used again: the house closes those that wait longer


class Program:
    """Plays both seats of a table at random, one answer after the other, through one connection."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.chance = Random(seed)
        self.token = house.surely("guests", body={"name": "Ada"})[0]["token"]
        self._door = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
        self._used = time.monotonic()
        self.open()

    @property
    def door(self) -> http.client.HTTPConnection:
        """Returns the connection; a new one if it was idle for long."""
        now = time.monotonic()
        if now - self._used > KEPT:
            self._door.close()
        self._used = now
        return self._door

    def open(self) -> None:
        body = {"game": GAME, "seats": SEATS}
        self.table = self.house.ask("tables", self.token, body, self.door)[1]["id"]
        self.seat, self.now = 0, self.look(0)

    def look(self, seat: int) -> Any:
        return self.house.ask(f"tables/{self.table}/seats/{seat}", self.token, to=self.door)[1]

    def answer(self) -> bool:
        """Gives one answer. False: the game is over, and another one has begun."""
        for _ in range(2):
            if choices := [choice["id"] for choice in self.now["choices"]]:
                body = {"stamp": self.now["stamp"], "answers": [self.chance.choice(choices)]}
                path = f"tables/{self.table}/seats/{self.seat}/answers"
                status, self.now = self.house.ask(path, self.token, body, self.door)
                assert status == 200, self.now
                return True
            self.seat = 1 - self.seat
            self.now = self.look(self.seat)
        self.open()
        return False


# -- from one process to the streams of another ---------------------------------------------------------------------------
def latency(data: str, tables: int, seconds: float) -> dict[str, float]:
    with open_house(data, 1) as here, open_house(data, 1) as there:
        programs = [Program(here, n) for n in range(tables)]
        clicked: dict[str, float] = {}
        took: list[float] = []
        doors = [follow(there, program.table, clicked, took) for program in programs]
        until, chance = time.monotonic() + seconds, Random(1)
        while time.monotonic() < until:
            program = chance.choice(programs)
            clicked[program.table] = time.perf_counter()
            if not program.answer():  # another table: no stream follows it
                programs.remove(program)
            time.sleep(0.02)
        time.sleep(1)
        for door in doors:
            door.close()
    took.sort()
    return {"moves": len(took), "p50_ms": 1000 * took[len(took) // 2], "p99_ms": 1000 * took[int(len(took) * 0.99)]}


def follow(house: House, table: str, clicked: dict[str, float], took: list[float]) -> http.client.HTTPConnection:
    """Reads a table's stream as a spectator, and records the latency of each message."""
    door = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
    door.request("GET", f"/t/{table}/stream")
    stream = door.getresponse()
    ready = threading.Event()

    def read() -> None:
        try:
            for line in stream:
                if line.startswith(b"id: "):
                    ready.set()
                    if (since := clicked.pop(table, None)) is not None:
                        took.append(time.perf_counter() - since)
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass  # the door was closed

    threading.Thread(target=read, daemon=True).start()
    ready.wait(60)
    return door


# -- answers a second -------------------------------------------------------------------------------------------------
class Choice(msgspec.Struct):
    id: int


class Asked(msgspec.Struct):
    """The fields of a response that a fast client reads."""

    stamp: str
    choices: list[Choice]


READ = msgspec.json.Decoder(Asked)
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Hurried:
    """Plays on where a program was, as fast as it is answered: one thread for all, so that little of the machine is theirs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.now = Asked("", [])
        self.answers = 0
        self._answering, self._turned = False, True
        self._heard = b""
        self.door = socket.create_connection(("127.0.0.1", program.house.port))
        self.door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sit_down()

    def _sit_down(self) -> None:
        """Takes the seats at the program's present table."""
        head = f"Host: localhost\r\nAuthorization: Bearer {self.program.token}\r\nContent-Type: application/json\r\n"
        places = [f"/api/tables/{self.program.table}/seats/{seat}" for seat in (0, 1)]
        self._looks = [f"GET {place} HTTP/1.1\r\n{head}\r\n".encode() for place in places]
        self._says = [f"POST {place}/answers HTTP/1.1\r\n{head}Content-Length: ".encode() for place in places]
        self.seat = self.program.seat
        self.door.sendall(self._looks[self.seat])

    def go_on(self) -> None:
        """Answers, or polls whether the other seat is asked, or starts another game."""
        self._answering = bool(self.now.choices)
        if self._answering:
            choice = self.program.chance.choice(self.now.choices).id
            body = b'{"stamp":"%s","answers":[%d]}' % (self.now.stamp.encode(), choice)
            self.door.sendall(self._says[self.seat] + b"%d\r\n\r\n%s" % (len(body), body))
        elif not self._turned:
            self.seat = 1 - self.seat
            self.door.sendall(self._looks[self.seat])
        else:
            self.program.open()
            self._sit_down()
        self._turned = not self._answering

    def hear(self) -> None:
        """Receives a piece of a response; continues when it is complete."""
        self._heard += self.door.recv(1 << 16)
        end = self._heard.find(b"\r\n\r\n") + 4
        length = LENGTH.search(self._heard)
        if end < 4 or length is None or len(self._heard) < end + int(length[1]):
            return
        assert self._heard.startswith(b"HTTP/1.1 200 "), self._heard
        self.now, self._heard = READ.decode(memoryview(self._heard)[end:]), b""
        self.answers += self._answering
        self.go_on()


def throughput(server: Postgres, processes: int, tables: int, seconds: float) -> dict[str, float]:
    with open_house(server.database(), processes) as house, selectors.DefaultSelector() as doors:
        programs = [Program(house, n) for n in range(tables)]
        for program in programs:  # everything is warm
            for _ in range(3):
                program.answer()
        hurried = [Hurried(program) for program in programs]
        for one in hurried:
            doors.register(one.door, selectors.EVENT_READ, one)
        began, own = time.monotonic(), time.process_time()
        before = [spent(some) for some in (house.everybody(), server.everybody())]
        while time.monotonic() < began + seconds:
            for key, _ in doors.select(1):
                key.data.hear()
        took, own = time.monotonic() - began, time.process_time() - own
        after = [spent(some) for some in (house.everybody(), server.everybody())]
        for one in hurried:
            one.door.close()
    answers = sum(one.answers for one in hurried)
    cost = [1000 * busy / answers for busy in (*(late - soon for soon, late in zip(before, after, strict=True)), own)]
    return {
        "answers_per_second": answers / took,
        **dict(zip(("house_ms", "postgresql_ms", "programs_ms"), cost, strict=True)),
    }


def spent(processes: Iterable[int]) -> float:
    """Seconds of the processors' time that they have taken."""
    total = 0.0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / CLOCK
    return total


# -- the first page ---------------------------------------------------------------------------------------------------
def first_page(data: str) -> tuple[float, float]:
    """Seconds from the command to the page, and of the processors' time."""
    began = time.monotonic()
    with open_house(data, 1) as house:
        door = http.client.HTTPConnection("127.0.0.1", house.port, timeout=60)
        door.request("GET", "/")
        assert door.getresponse().read()
        took = time.monotonic() - began, spent(house.everybody())
        door.close()
    return took


def fill(data: str, stored: int) -> None:
    """Stores running tables of bots: one, and that many copies of it."""
    house = Tables.open(data, workers=0)
    house.thinkers.submit = lambda job, done: None  # type: ignore[method-assign]
    one = house.tables.create(house.guests.new("Ada"), GAME, [SeatPlan("bot"), SeatPlan("bot")]).id
    chance = Random(1)
    names = [
        {"new": "-".join("".join(chance.choices(ID_ALPHABET, k=4)) for _ in range(3)), "old": one}
        for _ in range(stored)
    ]
    with house.store.engine.begin() as db:
        for table, key in ((tables, "id"), (seats, "table_id")):
            copy = sa.select(*[sa.bindparam("new") if c.name == key else c for c in table.c])
            copy = copy.where(table.c[key] == sa.bindparam("old"))
            db.execute(table.insert().from_select([c.name for c in table.c], copy), names)
    house.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--tables", type=int, default=80)
    parser.add_argument("--stored", type=int, default=5000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found: dict[str, Any] = {}
    with running(careful=True) as server, tempfile.TemporaryDirectory() as folder:
        found["to another process's streams"] = latency(server.database(), args.tables, args.seconds)
        rounds = [[throughput(server, n, args.tables, args.seconds) for n in (1, 2)] for _ in range(ROUNDS)]
        one, two = (
            {name: mean(figures[name] for figures in some) for name in some[0]} for some in zip(*rounds, strict=True)
        )
        found["one process"], found["two processes"] = one, two
        found["two : one"] = {name: two[name] / one[name] for name in one}
        for name, data in (("SQLite", folder), ("PostgreSQL", server.database())):
            for stored in (0, args.stored):
                if stored:
                    fill(data, stored)
                took, busy = first_page(data)
                found[f"first page, {name}, {stored} tables"] = {"seconds": took, "of_processor": busy}
    if args.json:
        print(json.dumps(found, indent=1))
    else:
        for name, figures in found.items():
            print(f"{name}: " + ", ".join(f"{key} {value:.2f}" for key, value in figures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
