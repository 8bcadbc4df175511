"""One house, several processes: python benchmarks/processes.py [--seconds 10] [--tables 40] [--stored 5000] [--json]

On a PostgreSQL of its own, which flushes to the disk as any:
- a move made at one process, and when it is on the streams of another: the time between, from the click on;
- answers a second of one process and of two, from as many programs, each at its own table; and what an answer costs of
  the processors' time in either case, without that of the programs (on few cores they take their share of them);
- a house with so many stored tables of bots: from the command to its first page, beside an empty house, in SQLite and in
  PostgreSQL.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "src")]

import sqlalchemy as sa  # noqa: E402
from postgres import running  # noqa: E402
from race_test import House, open_house  # noqa: E402

from veillee.tables.house import LETTERS  # noqa: E402
from veillee.tables.house import House as Tables  # noqa: E402
from veillee.tables.people import SeatPlan  # noqa: E402
from veillee.tables.schema import seats, tables  # noqa: E402

GAME = "takara-island"
SEATS = [{"kind": "me"}, {"kind": "hotseat"}]
CLOCK = os.sysconf("SC_CLK_TCK")
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
        """The connection; another one where it has waited for long."""
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
        """False: the game is over, and another one has begun."""
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
            if not program.answer():  # another table: nobody follows it
                programs.remove(program)
            time.sleep(0.02)
        time.sleep(1)
        for door in doors:
            door.close()
    took.sort()
    return {"moves": len(took), "p50_ms": 1000 * took[len(took) // 2], "p99_ms": 1000 * took[int(len(took) * 0.99)]}


def follow(house: House, table: str, clicked: dict[str, float], took: list[float]) -> http.client.HTTPConnection:
    """Read a table's stream, as a spectator, and note how long each message took."""
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
def throughput(data: str, processes: int, tables: int, seconds: float) -> dict[str, float]:
    with open_house(data, processes) as house:
        programs = [Program(house, n) for n in range(tables)]
        for program in programs:  # everything is warm
            for _ in range(3):
                program.answer()
        until = time.monotonic() + seconds
        before, began = spent(house), time.monotonic()

        def play(program: Program) -> int:
            answers = 0
            while time.monotonic() < until:
                answers += program.answer()
            return answers

        with ThreadPoolExecutor(tables) as together:
            answers = sum(together.map(play, programs))
        took, busy = time.monotonic() - began, spent(house) - before
    return {"answers_per_second": answers / took, "ms_of_processor_per_answer": 1000 * busy / answers}


def spent(house: House) -> float:
    """Seconds of the processors' time that its processes have taken."""
    total = 0.0
    for process in (house.parent, *house.serving()):
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
        took = time.monotonic() - began, spent(house)
        door.close()
    return took


def fill(data: str, stored: int) -> None:
    """Running tables of bots: one, and so many copies of it."""
    house = Tables.open(data, workers=0)
    house._thinkers.submit = lambda job, done: None  # type: ignore[method-assign] # noqa: SLF001
    one = house.new_table(house.new_guest("Ada"), GAME, [SeatPlan("bot"), SeatPlan("bot")]).id
    chance = Random(1)
    names = [
        {"new": "-".join("".join(chance.choices(LETTERS, k=4)) for _ in range(3)), "old": one} for _ in range(stored)
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
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--stored", type=int, default=5000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found: dict[str, Any] = {}
    with running(careful=True) as server, tempfile.TemporaryDirectory() as folder:
        found["to another process's streams"] = latency(server.database(), args.tables, args.seconds)
        one, two = [throughput(server.database(), n, args.tables, args.seconds) for n in (1, 2)]
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
