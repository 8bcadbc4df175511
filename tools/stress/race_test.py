"""Tests two server processes on one database: one of them is killed repeatedly during play, and clients race for answers.

usage: python tools/stress/race_test.py [--kills 100] [--races 100000] [--tables 4] [--game takara-island] [--seed 1] [--within 3]
       [--minutes 25]: of races, at most

`veillee serve --processes 2` runs on a separate PostgreSQL. At each table a program plays two seats against a bot, every
request through a new connection, which may reach either process; failed requests are repeated until answered. Then the
store is read: what was acknowledged must be there, once, in order. The longest waits are printed: until an answer was
acknowledged, and until a bot answered after it was asked. No wait may exceed --within seconds.
In a race the same question is answered by eight clients at once, half of them differently: one answer must be stored.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
from postgres import running
from unlimited import UNLIMITED

from veillee.house.storage.store import Store
from veillee.house.tables.repository import TableRepository
from veillee.web.serving.processes import DOOR

SOURCES = Path(__file__).parents[2] / "src"
PATIENCE = 60.0  # seconds: who waits longer waits in vain
RACERS = 8
BOT = 2  # its seat
INODE = re.compile(r"ino:\s*([0-9a-f]+)")
ALIVE = "SELECT count(*) FROM processes WHERE until > clock_timestamp()"


class Failed(Exception):
    """Raised for a missing response, or one that does not tell the result of the request."""


@dataclass
class House:
    """A running server."""

    parent: int
    port: int
    data: str

    def ask(self, path: str, token: str = "", body: Any = None, to: http.client.HTTPConnection | None = None) -> Any:
        """Returns the status and the body. Raises Failed."""
        door = to or http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        try:
            door.request(method, f"/api/{path}", sent, headers if token else {"Content-Type": "application/json"})
            answer = door.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            door.close()
            raise Failed(repr(error)) from error
        finally:
            if to is None:
                door.close()
        if answer.status >= 500:
            raise Failed(f"{answer.status} {text!r}")
        return answer.status, json.loads(text)

    def surely(self, path: str, token: str = "", body: Any = None) -> tuple[Any, float]:
        """Repeats the request until it is answered. Returns the response and the seconds."""
        began, pause = time.monotonic(), 0.01
        while True:
            try:
                status, answer = self.ask(path, token, body)
            except Failed:
                if time.monotonic() - began > PATIENCE:
                    raise
                time.sleep(pause)
                pause = min(0.1, pause * 2)
            else:
                assert status < 300, f"{path}: {status} {answer}"
                return answer, time.monotonic() - began

    def serving(self) -> list[int]:
        found = subprocess.run(["pgrep", "-P", str(self.parent)], capture_output=True, text=True, check=False)
        return [int(number) for number in found.stdout.split()]

    def everybody(self) -> list[int]:
        """Returns its processes, and their parent."""
        return [self.parent, *self.serving()]

    def is_complete(self) -> bool:
        """Returns whether both processes accept connections."""
        with psycopg.connect(self.data) as db:
            alive = db.execute(ALIVE).fetchone()
        serving = self.serving()
        return alive == (2,) and len(serving) == 2 and all(map(stands_at_the_door, serving))


def stands_at_the_door(process: int) -> bool:
    """Returns whether it accepts connections; known on Linux only."""
    if not Path("/proc/self").exists():
        return True
    place = Path(f"/proc/{process}")
    try:
        environment = dict(line.split("=", 1) for line in (place / "environ").read_text().split("\0") if "=" in line)
        door = (place / "fd" / environment[DOOR].split()[0]).stat().st_ino
        awaited = [line for file in (place / "fdinfo").iterdir() for line in lines(file, "tfd:")]
    except (OSError, KeyError):
        return False
    return any(int(found[1], 16) == door for line in awaited if (found := INODE.search(line)))


def lines(file: Path, beginning: str) -> list[str]:
    with contextlib.suppress(OSError):
        return [line for line in file.read_text().splitlines() if line.startswith(beginning)]
    return []


@contextlib.contextmanager
def open_house(data: str, processes: int = 2) -> Iterator[House]:
    command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", data, "--processes", str(processes)]
    env = {**os.environ, **UNLIMITED, "VEILLEE_LANG": "en", "PYTHONPATH": str(SOURCES)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, encoding="utf-8") as parent:
        assert parent.stdout is not None
        said = parent.stdout.readline()
        threading.Thread(target=parent.stdout.read, daemon=True).start()
        try:
            house = House(parent.pid, int(said.split("localhost:")[1].split("/")[0]), data)
            house.surely("games")
            yield house
        finally:
            parent.send_signal(signal.SIGTERM)
            parent.wait(PATIENCE)


def wait_for(holds: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "that takes too long"
        time.sleep(0.05)


# -- killed during play ---------------------------------------------------------------------------------------------
@dataclass
class Player:
    """Plays one game after the other against a bot, until told to stop."""

    house: House
    game: str
    chance: random.Random
    stop: threading.Event
    said: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # what was acknowledged, at each table
    unsure: dict[str, tuple[int, int]] = field(default_factory=dict)  # what was sent last, and is not acknowledged
    answered: float = 0.0  # seconds: the longest until an answer was acknowledged

    def play(self) -> None:
        guest, _ = self.house.surely("guests", body={"name": "Ada"})
        token = guest["token"]
        while not self.stop.is_set():
            seats = [{"kind": "me"}, {"kind": "hotseat"}, {"kind": "bot", "level": "novice"}]
            table, _ = self.house.surely("tables", token, {"game": self.game, "seats": seats})
            self.play_at(table["id"], token)

    def play_at(self, table: str, token: str) -> None:
        said = self.said[table] = []
        since = time.monotonic()
        while not self.stop.is_set():
            seat, now, choices = self.asked(table, token)
            if not choices:
                state, _ = self.house.surely(f"tables/{table}", token)
                if state["status"] == "over":
                    return
                assert time.monotonic() - since < PATIENCE, f"table {table}: the bot does not go on"
                time.sleep(0.05)
                continue
            self.unsure[table] = (seat, self.chance.choice(choices))
            body = {"stamp": now["stamp"], "answers": [self.unsure[table][1]]}
            _, took = self.house.surely(f"tables/{table}/seats/{seat}/answers", token, body)
            said.append(self.unsure.pop(table))
            self.answered = max(self.answered, took)
            since = time.monotonic()

    def asked(self, table: str, token: str) -> tuple[int, Any, list[int]]:
        """Returns which of the two seats is asked, and its choices; nothing if neither is."""
        for seat in (0, 1):
            now, _ = self.house.surely(f"tables/{table}/seats/{seat}", token)
            if choices := [choice["id"] for choice in now["choices"]]:
                return seat, now, choices
        return 0, None, []


def kill(house: House, kills: int, tables: int, game: str, seed: int, within: float) -> int:
    """Plays while processes are killed. Returns the number of acknowledged answers that are missing, duplicated or late."""
    stop = threading.Event()
    players = [Player(house, game, random.Random(seed + n), stop) for n in range(tables)]
    chance = random.Random(seed)
    wait_for(house.is_complete)
    with ThreadPoolExecutor(tables) as at_tables:
        playing = [at_tables.submit(player.play) for player in players]
        try:
            for number in range(kills):
                time.sleep(0.3 + chance.random())
                os.kill(chance.choice(house.serving()), signal.SIGKILL)
                wait_for(house.is_complete)
                if sys.stderr.isatty():
                    print(f"\r{number + 1}/{kills} kills", end="", file=sys.stderr, flush=True)
            time.sleep(1)
        finally:
            stop.set()
    for one in playing:
        one.result()
    wrong, acknowledged = compare(house, players)
    answered, waits = max(p.answered for p in players), bots_waits(house, players)
    print(
        f"\r{kills} kills, {acknowledged} acknowledged answers, {len(wrong)} lost or doubled; the longest until one was "
    )
    print(f"acknowledged {answered:.2f} s; {len(waits)} answers of bots, the slowest after {told(waits[-5:])} s")
    late = [wait for wait in (answered, *waits) if wait > within]
    if late:
        print(f"{len(late)} times somebody waited longer than {within} s")
    for line in wrong:
        print(line)
    return len(wrong) + len(late)


def told(waits: list[float]) -> str:
    return ", ".join(f"{wait:.2f}" for wait in waits)


def bots_waits(house: House, players: list[Player]) -> list[float]:
    """Returns the seconds of each answer of a bot, from the answer before it."""
    tables = [table for player in players for table in player.said]
    query = "SELECT table_id, seat, created FROM answers WHERE table_id = ANY(%s) ORDER BY table_id, seq"
    with psycopg.connect(house.data) as db:
        rows = db.execute(query, [tables]).fetchall()
    return sorted(after[2] - before[2] for before, after in pairwise(rows) if before[0] == after[0] and after[1] == BOT)


def compare(house: House, players: list[Player]) -> tuple[list[str], int]:
    store = Store.open(house.data)
    wrong, acknowledged = [], 0
    for player in players:
        for table, said in player.said.items():
            found = TableRepository(store).find(table)
            assert found is not None, f"table {table} is lost"
            there = [(request.seat, *request.actions) for request in found[1] if request.seat < 2]
            acknowledged += len(said)
            if there not in (said, [*said, player.unsure.get(table)]):
                wrong.append(f"table {table}: {said} was acknowledged, {there} is there")
    store.close()
    return wrong, acknowledged


# -- races --------------------------------------------------------------------------------------------------------------
def race(house: House, races: int, game: str, seed: int, minutes: float) -> int:
    """Submits that many answers, eight at once. Returns the number of questions answered twice, or not as acknowledged."""
    end = time.monotonic() + minutes * 60
    chance = random.Random(seed)
    wait_for(house.is_complete)
    guest, _ = house.surely("guests", body={"name": "Ada"})
    token = guest["token"]
    doors = [http.client.HTTPConnection("127.0.0.1", house.port, timeout=PATIENCE) for _ in range(RACERS)]
    wrong, sent, questions = list[str](), 0, 0
    store = Store.open(house.data)
    with ThreadPoolExecutor(RACERS) as racers:
        while sent < races and time.monotonic() < end:
            seats = [{"kind": "me"}, {"kind": "hotseat"}]
            table = house.surely("tables", token, {"game": game, "seats": seats})[0]["id"]
            said: list[tuple[int, int]] = []
            while sent < races and time.monotonic() < end:
                asked = [(seat, house.surely(f"tables/{table}/seats/{seat}", token)[0]) for seat in (0, 1)]
                able = [(s, now, [c["id"] for c in now["choices"]]) for s, now in asked]
                able = [one for one in able if one[2]]
                if not able:
                    break
                seat, now, choices = able[0]
                ideas = chance.sample(choices, min(2, len(choices)))
                together = threading.Barrier(RACERS)

                def submit(n: int) -> tuple[int, int]:
                    idea = ideas[n % len(ideas)]  # noqa: B023
                    together.wait()  # noqa: B023
                    body = {"stamp": now["stamp"], "answers": [idea]}  # noqa: B023
                    return idea, house.ask(f"tables/{table}/seats/{seat}/answers", token, body, doors[n])[0]  # noqa: B023

                came = list(racers.map(submit, range(RACERS)))
                sent += RACERS
                questions += 1
                won = {idea for idea, status in came if status == 200}
                if len(won) != 1 or {status for _, status in came} - {200, 409}:
                    wrong.append(f"table {table}: {came}")
                said += [(seat, idea) for idea in won]
            found = TableRepository(store).find(table)
            assert found is not None
            there = [(request.seat, *request.actions) for request in found[1]]
            if there != said:
                wrong.append(f"table {table}: {said} was acknowledged, {there} is there")
            if sys.stderr.isatty():
                print(f"\r{sent}/{races} submissions", end="", file=sys.stderr, flush=True)
    store.close()
    print(f"\r{sent} racing submissions to {questions} questions, {len(wrong)} lost or doubled")
    for line in wrong:
        print(line)
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--races", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--game", default="takara-island")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="of races, at most")
    parser.add_argument("--within", type=float, default=3.0, metavar="SECONDS", help="in which every seat must go on")
    parser.add_argument("--data", help="the address of an empty database (by default one of a server of its own)")
    args = parser.parse_args()
    with contextlib.ExitStack() as until_the_end:
        data = args.data or until_the_end.enter_context(running(careful=True)).database()
        house = until_the_end.enter_context(open_house(data))
        wrong = kill(house, args.kills, args.tables, args.game, args.seed, args.within) if args.kills else 0
        wrong += race(house, args.races, args.game, args.seed, args.minutes) if args.races else 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
