"""Kills the server with SIGKILL during play, repeatedly: everything acknowledged must be stored.

usage: python tools/stress/kill_test.py [--kills 200] [--terms 0] [--backups 0] [--power] [--postgresql] [--clients 6] [--game …] [--seed 1]

Several clients play on a local server at once, over HTTP, as programs and browsers do: they become guests, make recovery
links, use them on another device, sign devices out, open tables, sit down at each other's, answer, undo, leave and return,
and ask for rematches. During that the server is killed. Then the database is opened: every acknowledged guest, device,
link, seat, table, rematch and request must be there, in order, with nothing between them, and no device that was signed
out; the database is sound, and every changed table replays. The next server continues with the same tables. (An
interrupted request may be there or not, once.)

--terms: that many times SIGTERM instead, after which the database file alone, copied elsewhere, must contain everything.
--backups: that many rounds in which a backup is taken and restored elsewhere: it must contain everything acknowledged before.
--postgresql: two server processes on a separate PostgreSQL that flushes; half of the time one of them is killed first, and
  the other continues.
--power: each kill is a power cut, after which files are as they were last flushed (power_cut.py; SQLite, Linux).
--synchronous OFF or NORMAL: overrides our setting. With --power something must be lost then.
"""

from __future__ import annotations

import argparse
import copy
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from killable_server import GuestClient, KillableServer, ServerKilled, killed
from postgres import Postgres, running
from power_cut import PowerCut

from veillee.games import catalogue
from veillee.house.house import House
from veillee.house.maintenance import backup
from veillee.house.storage.database import FILE
from veillee.house.storage.schema import tokens
from veillee.house.storage.store import Store
from veillee.house.workers.inline import InlineThinkers
from veillee.match.errors import VeilleeError

GAPS = "SELECT table_id FROM answers GROUP BY table_id HAVING count(*) <> max(seq) OR min(seq) <> 1"
# Another setting of the database.
CARELESS = """
from veillee.house.storage import database
usual = database._set_up_sqlite
def less(connection, record):
    usual(connection, record)
    connection.execute("PRAGMA synchronous = {0}")
database._set_up_sqlite = less
"""

Place = tuple[str, int]  # a seat of a table


@dataclass
class Ledger:
    """What was acknowledged to the clients."""

    guests: dict[str, str] = field(default_factory=dict)  # token of a device that is signed in: guest
    gone: set[str] = field(default_factory=set)  # tokens of devices that were signed out
    links: dict[str, str] = field(
        default_factory=dict
    )  # guest: their latest recovery link, unless an interrupted request may have changed it
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

    def doubted(self, guest: str, *tokens: str) -> None:
        """Marks what is about to be changed: if the request is interrupted, its state is unknown."""
        with self.lock:
            self.links.pop(guest, None)
            for token in tokens:
                self.guests.pop(token, None)

    def picture(self) -> Ledger:
        """Returns a copy of the present state."""
        with self.lock:
            there = copy.deepcopy({name: value for name, value in vars(self).items() if name != "lock"})
        return Ledger(**there)

    def still(self, later: Ledger) -> None:
        """Removes what has changed, or is uncertain, in a later copy."""
        self.guests = {token: guest for token, guest in self.guests.items() if token in later.guests}
        self.links = {guest: link for guest, link in self.links.items() if later.links.get(guest) == link}


class Client(GuestClient):
    """A guest who plays at every open seat until the server is gone."""

    def __init__(self, ledger: Ledger, games: list[str], seed: int) -> None:
        super().__init__()
        self.ledger = ledger
        self.games = games
        self.chance = random.Random(seed)
        self.id = ""
        self.devices: list[str] = []  # tokens of others, on which this guest has come back
        self.mine: list[str] = []  # tables
        self.failed = ""

    def play(self, port: int, invitations: list[str], over: threading.Event) -> None:
        """Plays until the server is gone; repeats a request that was cut off because one of two processes was killed."""
        while not over.is_set() and not self.failed:
            self.connect(port)
            try:
                while not over.is_set():
                    self.something(invitations)
            except ServerKilled:
                over.wait(0.02)
            except Exception as error:  # noqa: BLE001 (said by the parent)
                self.failed = "" if over.is_set() else f"{type(error).__name__}: {error}"
            finally:
                self.disconnect()

    # -- what it does ---------------------------------------------------------------------------------------------
    def something(self, invitations: list[str]) -> None:
        roll = self.chance.random()
        if not self.token or roll < 0.01:
            self.become_a_guest()
        elif roll < 0.03:
            self.make_a_link()
        elif roll < 0.04 and self.id in self.ledger.links:
            self.come_back_elsewhere(self.ledger.links[self.id])
        elif roll < 0.045 and self.devices:
            self.sign_out_elsewhere()
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
        """Makes a recovery link by the form of the page, and reads it from the page."""
        self.ledger.doubted(self.id)
        _, text = self.form("/me/recovery", {})
        link = text.split('id="recovery" readonly value="')[1].split('"')[0].rsplit("/", 1)[1]
        self.ledger.told(lambda: self.ledger.links.update({self.id: link}))

    def come_back_elsewhere(self, link: str) -> None:
        self.ledger.doubted(self.id)
        headers = {"Origin": "http://localhost", "Content-Type": "application/x-www-form-urlencoded"}
        status, text, answer = self.ask("POST", f"/back/{link}", "", headers)
        if status != 303:
            raise AssertionError(f"a recovery link that was acknowledged does not work: {status} {text[:200]}")
        token = answer["Set-Cookie"].split("=", 1)[1].split(";")[0]
        self.devices.append(token)
        self.ledger.told(lambda: self.ledger.guests.update({token: self.id}))

    def sign_out_elsewhere(self) -> None:
        tokens, self.devices = self.devices, []
        self.ledger.doubted(self.id, *tokens)
        self.form("/me/sign-out", {"device": "elsewhere"})
        self.ledger.told(lambda: self.ledger.gone.update(tokens))

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
        allowed = [choice["id"] for choice in now["choices"]]
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


# -- the house --------------------------------------------------------------------------------------------------------
def one_evening(
    house: KillableServer,
    clients: list[Client],
    chance: random.Random,
    word: signal.Signals,
    meanwhile: Callable[[], list[str]],
) -> list[str]:
    """Plays until the server is killed at a random time. Returns the errors before that."""
    process, port = house.opened()
    invitations: list[str] = []
    over = threading.Event()
    threads = [threading.Thread(target=client.play, args=(port, invitations, over)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        time.sleep(0.2 + chance.random())
        wrong = meanwhile()
        if word == signal.SIGKILL:
            killed(process, chance)
        else:
            process.send_signal(word)
        over.set()
        _, story = process.communicate(timeout=60)
    finally:  # without a server, or the wish to go on, clients end
        over.set()
        process.kill()
        for thread in threads:
            thread.join()
    wrong += [client.failed for client in clients if client.failed]
    if word == signal.SIGTERM:
        files = [file.name for file in house.folder.iterdir() if file.suffix != ".lock"] if house.folder else [FILE]
        if process.returncode or story or files != [FILE]:
            wrong.append(f"a plain kill: exit code {process.returncode}, {files}, {story[-300:]!r}")
    if house.power is not None:
        house.power.cut(chance)
    return wrong


# -- what is left -----------------------------------------------------------------------------------------------------
def lost(place: str | Path, ledger: Ledger, tables: set[str]) -> list[str]:
    """Returns what was acknowledged and is missing or different."""
    try:
        store = Store.open(place)
    except VeilleeError as error:
        return [f"the database cannot be opened: {error}"]
    house = House(store, InlineThinkers(), 0.0)
    try:
        with store.reading() as db:
            missing = [f"answers of {table} are missing in between" for (table,) in db.exec_driver_sql(GAPS)]
            if db.dialect.name == "sqlite":
                sound = [str(row[0]) for row in db.exec_driver_sql("PRAGMA integrity_check")]
                loose = list(db.exec_driver_sql("PRAGMA foreign_key_check"))
                missing += [f"the database is damaged: {sound} {loose}"] if sound != ["ok"] or loose else []
            kept = {row.hash: row.guest for row in db.execute(sa.select(tokens.c.hash, tokens.c.guest))}
        missing += [f"guest {guest}" for token, guest in ledger.guests.items() if kept.get(hashed(token)) != guest]
        missing += ["a device that was signed out" for token in ledger.gone if hashed(token) in kept]
        missing += [f"link of {guest}" for guest, link in ledger.links.items() if kept.get(hashed(link)) != guest]
        for table in sorted(tables):
            missing += lost_of(house, ledger, table)
        return missing
    finally:
        store.close()


def hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def lost_of(house: House, ledger: Ledger, table: str) -> list[str]:
    found = house.tables.repository.find(table)
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
        house.tables.replay(table)
    except VeilleeError as error:
        missing.append(f"table {table} does not replay: {error}")
    return missing


def follows(kept: list[tuple[int, ...]], told: list[tuple[int, ...]]) -> bool:
    """Returns whether everything acknowledged is there, in order. Interrupted requests and bots' answers may be in between."""
    there = iter(kept)
    return all(actions in there for actions in told)


def places(server: Postgres | None) -> Iterator[str]:
    """Yields where backups are restored: in files and, if there is a server, in its databases."""
    while True:
        yield tempfile.mkdtemp()
        if server is not None:
            yield server.database()


def restored(house: KillableServer, ledger: Ledger, elsewhere: Iterator[str]) -> list[str]:
    """Takes a backup, restores it elsewhere, and checks that it contains everything acknowledged before."""
    before, place = ledger.picture(), next(elsewhere)
    with tempfile.TemporaryDirectory() as folder:
        backup.backup(house.data, Path(folder) / "backup")
        before.still(ledger.picture())
        backup.restore(Path(folder) / "backup", place)
    missing = [f"after a restore: {line}" for line in lost(place, before, {table for table, _ in before.sitting})]
    if "://" not in place:
        shutil.rmtree(place)
    return missing


def run(house: KillableServer, args: argparse.Namespace, server: Postgres | None) -> int:
    chance = random.Random(args.seed)
    ledger = Ledger()
    people = [Client(ledger, args.game or sorted(catalogue.BOXES), args.seed + n) for n in range(args.clients)]
    words = [signal.SIGKILL] * args.kills + [signal.SIGTERM] * args.terms
    chance.shuffle(words)
    saved = set(chance.sample(range(len(words)), min(args.backups, len(words))))
    elsewhere = places(server)
    missing: list[str] = []
    for number, word in enumerate(words):
        ledger.touched.clear()
        for client in people:
            client.failed = ""

        def meanwhile(now: bool = number in saved) -> list[str]:
            return restored(house, ledger, elsewhere) if now else []

        missing += one_evening(house, people, chance, word, meanwhile)
        if word == signal.SIGTERM and house.folder is not None:
            with tempfile.TemporaryDirectory() as alone:
                shutil.copy(house.folder / FILE, Path(alone) / FILE)
                missing += lost(alone, ledger, ledger.touched)
        missing += lost(house.data, ledger, ledger.touched)
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{len(words)}, {ledger.acknowledged} changes", end="", file=sys.stderr, flush=True)
        if missing and args.synchronous:
            break  # what is lost once cannot be played on with
    tables = {table for table, _ in ledger.sitting}
    missing += lost(house.data, ledger, tables) if not args.synchronous else []
    moves = sum(map(len, ledger.requests.values()))
    told = f"{moves} moves, {len(ledger.sitting)} seats at {len(tables)} tables, {len(ledger.rematches)} rematches, "
    told += f"{len(ledger.guests)} devices signed in, {len(ledger.gone)} out, {len(ledger.links)} links"
    print(
        f"\r{args.kills} kills, {args.terms} plain ones, {len(saved)} backups, {args.clients} clients, "
        f"{'PostgreSQL, 2 processes' if server else 'SQLite'}{', power cuts' if house.power else ''}: "
        f"{ledger.acknowledged} acknowledged changes ({told}), {len(missing)} lost"
    )
    for line in missing[:50]:
        print(line)
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--terms", type=int, default=0)
    parser.add_argument("--backups", type=int, default=0)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--power", action="store_true")
    parser.add_argument("--synchronous", choices=["OFF", "NORMAL"], default="")
    parser.add_argument("--game", action="append", choices=sorted(catalogue.BOXES), help="all of them by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where the house is kept (by default a new folder, removed afterwards)")
    args = parser.parse_args()
    change = CARELESS.format(args.synchronous) if args.synchronous else ""
    with ExitStack() as leaving:
        if args.postgresql:
            server = leaving.enter_context(running(careful=True))
            return run(KillableServer(server.database(), 2, change), args, server)
        folder = args.folder or leaving.enter_context(tempfile.TemporaryDirectory())
        power = leaving.enter_context(PowerCut(folder)) if args.power else None
        return run(KillableServer(folder, 1, change, power), args, None)


if __name__ == "__main__":
    sys.exit(main())
