"""Kill -9 during play, again and again: whatever was acknowledged must be there afterwards.

usage: python tools/kill_test.py [--kills 200] [--terms 0] [--clients 6] [--game takara-island …] [--seed 1] [--folder DIR]

A house is served on this machine, and several clients play there at once, over HTTP, as programs and browsers do: they
become guests, make recovery links, set tables, sit down at each other's, answer, take back, leave and come back, and ask for
rematches. In the middle of that the house is killed. Then the file is opened: every guest, link, seat, table, rematch and
request that was acknowledged must be there, in order, with nothing between them; the database is sound, and every table
that was touched replays. The next house goes on with the same tables. (A request that was cut short may be there or not,
once.)

--terms: so many times a plain kill instead, after which the file alone, carried elsewhere, must be all that.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unlimited import UNLIMITED

from veillee.games import catalogue
from veillee.match.errors import VeilleeError
from veillee.tables.database import FILE
from veillee.tables.house import House
from veillee.tables.people import Guest
from veillee.tables.store import Store
from veillee.tables.workers import AtOnce

SRC = str(Path(__file__).resolve().parent.parent / "src")
OPEN = 60.0  # seconds for a house to open

Place = tuple[str, int]  # a seat of a table


@dataclass
class Ledger:
    """What the clients were told."""

    guests: dict[str, str] = field(default_factory=dict)  # token: id
    links: dict[str, str] = field(default_factory=dict)  # guest: their latest recovery link
    sitting: dict[Place, str] = field(default_factory=dict)  # guest
    requests: defaultdict[Place, list[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(list))
    rematches: dict[str, str] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)  # tables, since the house was last opened
    acknowledged: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def told(self, note: Any) -> None:
        with self.lock:
            note()
            self.acknowledged += 1


class Gone(Exception):
    """The house was killed."""


class Client:
    """A guest who plays wherever there is a seat, until the house is gone."""

    def __init__(self, ledger: Ledger, games: list[str], seed: int) -> None:
        self.ledger = ledger
        self.games = games
        self.chance = random.Random(seed)
        self.token = ""
        self.id = ""
        self.mine: list[str] = []  # tables
        self.wire: http.client.HTTPConnection | None = None
        self.failed = ""

    def play(self, port: int, invitations: list[str]) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            while True:
                self.something(invitations)
        except Gone:
            pass
        except Exception as error:  # noqa: BLE001 (said by the parent)
            self.failed = f"{type(error).__name__}: {error}"
        finally:
            self.wire.close()

    # -- what it does ---------------------------------------------------------------------------------------------
    def something(self, invitations: list[str]) -> None:
        roll = self.chance.random()
        if not self.token or roll < 0.01:
            self.become_a_guest()
        elif roll < 0.03:
            self.make_a_link()
        elif len(self.mine) < 2 or roll < 0.05:
            self.find_a_table(invitations)
        else:
            self.move(self.chance.choice(self.mine[-4:]))

    def become_a_guest(self) -> None:
        told = self.api("POST", "/guests", {"name": f"Guest {self.chance.randrange(99)}"})
        self.ledger.told(lambda: self.ledger.guests.update({told["token"]: told["id"]}))
        if not self.token:
            self.token, self.id = told["token"], told["id"]

    def make_a_link(self) -> None:
        """A browser's form; the link stands on the page."""
        _, text = self.form("/me/recovery", {})
        link = text.split('id="recovery" readonly value="')[1].split('"')[0].rsplit("/", 1)[1]
        self.ledger.told(lambda: self.ledger.links.update({self.id: link}))

    def find_a_table(self, invitations: list[str]) -> None:
        while invitations:
            try:
                table = invitations.pop()
            except IndexError:
                break
            seats = self.api("GET", f"/tables/{table}")["seats"]
            free = [number for number, seat in enumerate(seats) if seat["kind"] == "open"]
            if free and table not in self.mine and self.api("POST", f"/tables/{table}/seats/{free[0]}", {}, (409,)):
                self.sat_down(table, free[0])
                return
        game = self.chance.choice(self.games)
        others = catalogue.BOXES[game].players[0] - 2
        seats = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot", "level": "novice"}] * others]
        table = self.api("POST", "/tables", {"game": game, "seats": seats, "public": True})["id"]
        self.sat_down(table, 0)
        invitations.append(table)

    def sat_down(self, table: str, seat: int) -> None:
        self.mine.append(table)

        def note() -> None:
            self.ledger.sitting[table, seat] = self.id
            self.ledger.touched.add(table)

        self.ledger.told(note)

    def move(self, table: str) -> None:
        info = self.api("GET", f"/tables/{table}")
        if info["status"] == "waiting":
            return
        if info["status"] == "over":
            self.play_again(table)
            return
        (seat,) = info["mine"]
        if info["seats"][seat]["away"]:
            self.form(f"/t/{table}/back", {"seat": str(seat)})
            return
        if self.chance.random() < 0.02:
            self.form(f"/t/{table}/leave", {"seat": str(seat)})
            return
        now = self.api("GET", f"/tables/{table}/seats/{seat}")
        allowed = [choice["id"] for choice in now["choices"] if choice["allowed"]]
        address = f"/tables/{table}/seats/{seat}"
        if now["can_undo"] and self.chance.random() < 0.1:
            if self.api("POST", f"{address}/undo", {"stamp": now["stamp"]}, (409,)):
                self.answered(table, seat, ())
        elif allowed:
            action = self.chance.choice(allowed)
            if self.api("POST", f"{address}/answers", {"stamp": now["stamp"], "answers": [action]}, (409,)):
                self.answered(table, seat, (action,))

    def answered(self, table: str, seat: int, actions: tuple[int, ...]) -> None:
        def note() -> None:
            self.ledger.requests[table, seat].append(actions)
            self.ledger.touched.add(table)

        self.ledger.told(note)

    def play_again(self, table: str) -> None:
        self.mine.remove(table)
        status, where = self.form(f"/t/{table}/rematch", {})
        if status != 303:
            return
        again = where.rsplit("/", 1)[1]
        self.ledger.told(lambda: self.ledger.rematches.update({table: again}))
        for seat in self.api("GET", f"/tables/{again}")["mine"]:
            self.sat_down(again, seat)

    # -- how it asks ----------------------------------------------------------------------------------------------
    def api(self, method: str, path: str, data: Any = None, refused: tuple[int, ...] = ()) -> Any:
        """The answer; None if it was refused as it may be."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = None if data is None else json.dumps(data)
        status, text, _ = self.ask(method, f"/api{path}", body, headers | {"Content-Type": "application/json"})
        if status in refused:
            return None
        if status >= 400:
            raise AssertionError(f"{method} {path}: {status} {text[:300]}")
        return json.loads(text)

    def form(self, path: str, fields: dict[str, str]) -> tuple[int, str]:
        """The status, and the page or where it leads to."""
        headers = {"Cookie": f"guest={self.token}", "Origin": "http://localhost"}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"}
        status, text, where = self.ask("POST", path, urllib.parse.urlencode(fields), headers)
        if status >= 500:
            raise AssertionError(f"POST {path}: {status} {text[:300]}")
        return status, where or text

    def ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, str, str]:
        assert self.wire is not None
        try:
            self.wire.request(method, path, body, headers | {"Host": "localhost", "Accept-Language": "en"})
            answer = self.wire.getresponse()
            return answer.status, answer.read().decode(), answer.headers.get("Location") or ""
        except (OSError, http.client.HTTPException) as error:
            raise Gone from error


# -- the house --------------------------------------------------------------------------------------------------------
def opened(folder: str, port: int) -> subprocess.Popen[str]:
    """A house that answers."""
    command = [sys.executable, "-m", "veillee", "serve", "--port", str(port), "--data", folder, "--workers", "0"]
    env = {**os.environ, **UNLIMITED, "PYTHONPATH": SRC}
    house = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + OPEN
    while time.monotonic() < deadline:
        assert house.poll() is None, f"the house did not open: {house.stderr.read() if house.stderr else ''}"
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as wire:
                wire.request("GET", "/readyz")
                if wire.getresponse().status == 200:
                    return house
        except (OSError, http.client.HTTPException):
            time.sleep(0.01)
    raise AssertionError("the house did not open in time")


def one_evening(folder: str, clients: list[Client], chance: random.Random, word: signal.Signals) -> list[str]:
    """Play until the house is killed, at a moment drawn by chance. What went wrong before."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    house = opened(folder, port)
    invitations: list[str] = []
    threads = [threading.Thread(target=client.play, args=(port, invitations)) for client in clients]
    for thread in threads:
        thread.start()
    time.sleep(0.2 + chance.random())
    house.send_signal(word)
    _, story = house.communicate(timeout=60)
    for thread in threads:
        thread.join()
    wrong = [client.failed for client in clients if client.failed]
    files = [file.name for file in Path(folder).iterdir() if file.suffix != ".lock"]
    if word == signal.SIGTERM and (house.returncode or story or files != [FILE]):
        wrong.append(f"a plain kill: exit code {house.returncode}, {files}, {story[-300:]!r}")
    return wrong


# -- what is left -----------------------------------------------------------------------------------------------------
def lost(folder: str, ledger: Ledger, tables: set[str]) -> list[str]:
    """What was acknowledged and is not on disk, or not as it was."""
    store = Store.open(folder)
    house = House(store, AtOnce(), 0.0)
    try:
        with store.reading() as db:
            sound = [str(row[0]) for row in db.exec_driver_sql("PRAGMA integrity_check")]
            loose = list(db.exec_driver_sql("PRAGMA foreign_key_check"))
        missing = [f"the database is damaged: {sound} {loose}"] if sound != ["ok"] or loose else []
        for token, guest in ledger.guests.items():
            found = house.guest(token)
            if found is None or found.id != guest:
                missing.append(f"guest {guest}")
        missing += [f"link of {guest}" for guest in ledger.links if not linked(house, guest)]
        for table in sorted(tables):
            missing += lost_of(house, ledger, table)
        return missing
    finally:
        store.close()


def linked(house: House, guest: str) -> bool:
    return house.has_recovery(Guest(guest, ""))


def lost_of(house: House, ledger: Ledger, table: str) -> list[str]:
    found = house.store.find_table(table)
    if found is None:
        return [f"table {table}"]
    row, requests = found
    missing = []
    for (there, seat), guest in ledger.sitting.items():
        if there == table and row.seats[seat].guest != guest:
            missing.append(f"table {table}: seat {seat}")
    for seat in range(len(row.seats)):
        told = ledger.requests[table, seat]
        kept = [request.actions for request in requests if request.seat == seat]
        bots = not row.seats[seat].guest
        if not bots and not follows(kept, told):
            missing.append(f"table {table}: seat {seat} was told {told[-3:]}, kept {kept[-3:]}")
    if table in ledger.rematches and row.rematch != ledger.rematches[table]:
        missing.append(f"rematch of {table}")
    try:
        house.replayed(table)
    except VeilleeError as error:
        missing.append(f"table {table} does not replay: {error}")
    return missing


def follows(kept: list[tuple[int, ...]], told: list[tuple[int, ...]]) -> bool:
    """Is all that was told there, in order? In between may stand what was cut short, or a bot's who played meanwhile."""
    there = iter(kept)
    return all(actions in there for actions in told)


def run(folder: str, kills: int, terms: int, clients: int, games: list[str], seed: int) -> int:
    chance = random.Random(seed)
    ledger = Ledger()
    people = [Client(ledger, games, seed + n) for n in range(clients)]
    words = [signal.SIGKILL] * kills + [signal.SIGTERM] * terms
    chance.shuffle(words)
    missing: list[str] = []
    for number, word in enumerate(words):
        ledger.touched.clear()
        for client in people:
            client.failed = ""
        missing += one_evening(folder, people, chance, word)
        if word == signal.SIGTERM:
            with tempfile.TemporaryDirectory() as elsewhere:
                shutil.copy(Path(folder) / FILE, Path(elsewhere) / FILE)
                missing += lost(elsewhere, ledger, ledger.touched)
        missing += lost(folder, ledger, ledger.touched)
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{len(words)}, {ledger.acknowledged} changes", end="", file=sys.stderr, flush=True)
    tables = {table for table, _ in ledger.sitting}
    missing += lost(folder, ledger, tables)
    told = f"{len(ledger.guests)} guests, {len(ledger.links)} links, {len(tables)} tables, {len(ledger.rematches)} rematches"
    print(
        f"\r{kills} kills and {terms} plain ones, {clients} clients: {ledger.acknowledged} acknowledged changes ({told}), {len(missing)} lost"
    )
    for line in missing[:50]:
        print(line)
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--terms", type=int, default=0)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--game", action="append", choices=sorted(catalogue.BOXES), help="all of them by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where the house is kept (by default a new folder, removed afterwards)")
    args = parser.parse_args()
    games = args.game or sorted(catalogue.BOXES)
    if args.folder:
        return run(args.folder, args.kills, args.terms, args.clients, games, args.seed)
    with tempfile.TemporaryDirectory() as folder:
        return run(folder, args.kills, args.terms, args.clients, games, args.seed)


if __name__ == "__main__":
    sys.exit(main())
