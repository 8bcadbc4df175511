"""Plays whole evenings of a championship over HTTP while the house is killed: eight players, one late, one who leaves.

usage: python tools/stress/evening_test.py [--form duplicate --form rounds] [--postgresql] [--kills 2] [--runs 1]
       [--seed 1]

Every player is a client with a connection of its own. With --postgresql there are two servers on one database, each with
an address of its own: the first kill is of one of them, whose clients go on at the other; the next one of both. In the
middle SIGKILL ends what serves, and it is started again on the same database. Only the clock is not the real one: it is
set forward when all have to wait (the break between two rounds, the end of the evening).

At the end: every acknowledged answer is in the records of the games, and none besides but what was interrupted; the
standings are those that follow from these records, computed here; they are the same at every server; the seeds are those
that were sealed, and `veillee verify` proves the file of all games. Then the house is killed once more, and says the same.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from evening_standings import Result, outcome, standings
from killable_server import SRC, GuestClient, KillableServer, ServerKilled
from postgres import running

from veillee.house.storage.store import Store
from veillee.house.tables.repository import TableRepository

T = TypeVar("T")

NAMES = ("Arthur", "Bohort", "Calogrenant", "Dinadan", "Enide", "Fergus", "Gauvain", "Hector")
LEAVER, STOPS, LATE = 3, 6, 8  # entrants: one leaves, one does not finish the last deal, one comes late
FORMER = "A former guest"
DEALS = {"duplicate": 2, "rounds": 3}
GAMES = {"duplicate": "sourire-du-dragon", "rounds": "tales-of-glory"}
HOURS = {"duplicate": 4, "rounds": 2}
BREAK = 61.0  # seconds between two rounds
PATIENCE = 120.0  # seconds that anything may take
ANALYSES_PATIENCE = 1200.0  # seconds for the analyses, which take long on the interpreted engine
ANSWERS_BETWEEN = {"duplicate": 100, "rounds": 200}  # acknowledged answers between two kills
FEW = 3  # answers of those who do not finish
# The clock is ahead by what a file says, and bots do not wait for people to see.
AHEAD = """
import time
from pathlib import Path
from veillee.house import house
ahead = Path({0!r})
house.SteadyClock = lambda: lambda: time.time() + float(ahead.read_text())
house.House.open.__func__.__kwdefaults__["pause"] = 0.0
"""
ROW = re.compile(
    r'<tr class="[^"]*">\s*<td>(\d+)</td>\s*<th scope="row">(.*?)</th>\s*'
    r"<td>(.*?)</td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>",
    re.DOTALL,
)
SKILL = re.compile(r"(−?)(\d+) %")
SEAL = re.compile(r'class="seal-code">([0-9a-f]+)<')
OWN_RESULT = re.compile(r"(won|not won) ·\s*(\d+) points?")
OWN_TABLE = re.compile(r'class="answer"\s+href="/t/([^"/]+)"')


class Servers:
    """The servers of one house, which can be killed and started again, and its clock."""

    def __init__(self, data: str, number: int, folder: Path) -> None:
        self._ahead = folder / "ahead"
        self.clock = 0.0
        self.pass_by(0.0)
        self._server = KillableServer(data, change=AHEAD.format(str(self._ahead)))
        self.running = [self._server.opened() for _ in range(number)]

    def pass_by(self, seconds: float) -> None:
        self.clock += seconds
        new = self._ahead.with_suffix(".new")
        new.write_text(str(self.clock))
        new.replace(self._ahead)

    def port(self, number: int) -> int:
        return self.running[number % len(self.running)][1]

    def kill(self, *numbers: int) -> None:
        """Kills these servers at once, and starts them again at their addresses."""
        for number in numbers:
            self.running[number][0].send_signal(signal.SIGKILL)
        for number in numbers:
            self.running[number][0].communicate()
        for number in numbers:
            _, port = self.running[number]
            while (process := self._server.tried(port)) is None:
                time.sleep(0.01)
            self.running[number] = process, port

    def close(self) -> None:
        for process, _ in self.running:
            process.kill()
            _, log = process.communicate()
            print(log, end="", file=sys.stderr)


@dataclass
class Seat:
    """What was acknowledged to a client at its seat of a table."""

    number: int
    answers: list[int] = field(default_factory=list)
    interrupted: int = 0  # requests whose answer never came: their answers may be there or not
    is_finished: bool = False


class Entrant(GuestClient):
    """A player of the championship. Every method that asks the house raises ServerKilled if the house is killed meanwhile, and
    be called again."""

    def __init__(self, evening: Evening, number: int, seed: int) -> None:
        super().__init__()
        self.evening = evening
        self.number = number
        self.chance = random.Random(seed)
        self.seats: dict[str, Seat] = {}  # by table
        self.failed = ""
        self.result: tuple[bool, int] | None = None  # of one who leaves the house: whether they have won, and points
        self.server = number  # at which they are

    def surely(self, what: Callable[[], T]) -> T:
        """Returns what the house says, also if it is killed meanwhile."""
        while not self.evening.over.is_set():
            self.connect(self.evening.servers.port(self.server))
            try:
                return what()
            except ServerKilled:
                self.server += 1
                self.evening.over.wait(0.02)
            finally:
                self.disconnect()
        raise Over

    def arrive(self) -> None:
        self.token = self.surely(lambda: self.api("POST", "/guests", {"name": NAMES[self.number - 1]}))["token"]

    def join(self) -> None:
        self.send("join")

    def send(self, what: str) -> str:
        """Sends a form of the championship. Returns where it leads."""
        status, where = self.surely(lambda: self.form(f"{self.evening.address}/{what}", {}))
        if status != 303:
            raise AssertionError(f"{what}: {status} {where[:300]}")
        return where

    def look(self) -> str:
        return self.surely(lambda: self.page(self.evening.address))

    def run(self) -> None:
        """Plays the evening, in a thread."""
        try:
            (self.play_duplicate if self.evening.form == "duplicate" else self.play_rounds)()
        except Over:
            pass
        except Exception as error:  # noqa: BLE001 (said by the parent)
            self.failed = f"{NAMES[self.number - 1]}: {type(error).__name__}: {error}"

    def play_duplicate(self) -> None:
        if self.number == LATE:
            self.wait_for(self.evening.is_half_over)
            self.join()
        for deal in range(1, DEALS["duplicate"] + 1):
            table = self.send(f"deals/{deal}").rsplit("/", 1)[1]
            is_last = deal == DEALS["duplicate"]
            if not (self.number == LEAVER and is_last):
                self.play(table, FEW if self.number == LATE and is_last else None)
        if self.number == LEAVER:
            ((won, points),) = OWN_RESULT.findall(self.look())
            self.result = won == "won", int(points)
            self.surely(lambda: self.form("/me/leave", {"sure": "yes"}))

    def play_rounds(self) -> None:
        if self.number == LATE:
            self.wait_for(self.evening.is_half_over)
            self.join()
        while "This championship is over" not in (page := self.look()):
            table = next((one for one in OWN_TABLE.findall(page) if not self.has_done_with(one)), "")
            if not table:
                self.evening.over.wait(0.1)
            elif self.number == LEAVER and self.evening.is_half_over():
                self.play(table, FEW)
                self.send("withdraw")
                return
            else:
                self.play(table, FEW if self.number == STOPS and len(self.seats) == DEALS["rounds"] - 1 else None)

    def has_done_with(self, table: str) -> bool:
        return table in self.seats and self.seats[table].is_finished

    def wait_for(self, what: Callable[[], bool]) -> None:
        while not what():
            if self.evening.over.wait(0.02):
                raise Over

    def play(self, table: str, answers: int | None = None) -> None:
        """Plays at a table to the end of the game, or that many answers."""
        (seat,) = self.surely(lambda: self.api("GET", f"/tables/{table}"))["mine"]
        mine = self.seats.setdefault(table, Seat(seat))
        address = f"/tables/{table}/seats/{seat}"
        while answers is None or len(mine.answers) < answers:
            now = self.surely(lambda: self.api("GET", f"{address}/turn?wait=2"))
            if now["choices"]:
                self.answer(address, mine, now)
            elif self.surely(lambda: self.api("GET", f"/tables/{table}"))["status"] == "over":
                break
        mine.is_finished = True

    def answer(self, address: str, mine: Seat, now: Mapping[str, Any]) -> None:
        action = self.chance.choice(now["choices"])["id"]
        told = {"stamp": now["stamp"], "answers": [action]}
        self.connect(self.evening.servers.port(self.server))
        try:
            if self.api("POST", f"{address}/answers", told, (409,)) is not None:
                mine.answers.append(action)
        except ServerKilled:
            mine.interrupted += 1
        finally:
            self.disconnect()


class Over(Exception):
    """The evening was broken off."""


class Evening:
    """A championship of eight players, from the first who comes to the standings."""

    def __init__(self, servers: Servers, form: str, seed: int) -> None:
        self.servers = servers
        self.form = form
        self.over = threading.Event()
        self.address = ""
        self.entrants = [Entrant(self, number, 100 * seed + number) for number in range(1, len(NAMES) + 1)]
        self.organiser = self.entrants[0]
        self.watcher = Entrant(self, 0, seed)  # the organiser on another device
        self.killed = 0
        self.kills = 0
        self.sealed: list[str] = []

    @property
    def is_by_skill(self) -> bool:
        """Whether the order goes by victories less luck."""
        return self.form == "duplicate"

    @property
    def shown_names(self) -> list[str]:
        """The names of the entrants in the end."""
        return [
            FORMER if self.form == "duplicate" and number == LEAVER else name for number, name in enumerate(NAMES, 1)
        ]

    def acknowledged(self) -> int:
        return sum(len(seat.answers) for one in self.entrants for seat in list(one.seats.values()))

    def is_half_over(self) -> bool:
        """Returns whether the first kill is behind us, and in rounds the first round."""
        return bool(self.killed) and (self.form == "duplicate" or len(self.organiser.seats) > 1)

    def play(self, kills: int) -> None:
        """Plays the whole evening. Raises AssertionError for a client that failed."""
        self.kills = kills
        for one in self.entrants:
            one.arrive()
        self.watcher.token = self.organiser.token
        terms = {"name": "Evening", "form": self.form, "deals": str(DEALS[self.form]), "level": "novice"}
        terms |= {"lasts": "evening", "scoring": "skill" if self.is_by_skill else "victories"}
        _, self.address = self.organiser.surely(
            lambda: self.organiser.form(f"/games/{GAMES[self.form]}/championship", terms)
        )
        for one in self.entrants[1:]:
            if one.number != LATE:
                one.join()
        self.sealed = SEAL.findall(self.organiser.look())
        if self.form == "rounds":
            self.organiser.send("start")
        threads = [threading.Thread(target=one.run) for one in self.entrants]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                self.check()
                self.go_on()
                time.sleep(0.05)
            self.check()
        finally:
            self.over.set()
            for thread in threads:
                thread.join()
        self.over.clear()
        if self.form == "duplicate":
            self.servers.pass_by(HOURS[self.form] * 3600)
        assert self.killed == self.kills, f"the evening was over after {self.killed} kills"

    def check(self) -> None:
        failed = [one.failed for one in self.entrants if one.failed]
        assert not failed, "; ".join(failed)

    def go_on(self) -> None:
        """Kills servers when it is time, and sets the clock forward when all are waiting."""
        if self.killed < self.kills and self.acknowledged() >= ANSWERS_BETWEEN[self.form] * (self.killed + 1):
            everybody = range(len(self.servers.running))
            self.servers.kill(*(everybody if self.killed else everybody[:1]))
            self.killed += 1
        if self.form == "duplicate":
            return
        page = self.watcher.look()
        if "the next one begins in a minute" in page:
            self.servers.pass_by(BREAK)
            while "the next one begins in a minute" in self.watcher.look():
                self.check()
                time.sleep(0.05)
        elif self.is_stopped() and page.count("<p>playing</p>") == 1:
            self.servers.pass_by(HOURS[self.form] * 3600 + 1)
            while "This championship is over" not in self.watcher.look():
                self.check()
                time.sleep(0.05)

    def is_stopped(self) -> bool:
        """Returns whether the one who does not finish the last round has stopped."""
        seats = list(self.entrants[STOPS - 1].seats.values())
        return len(seats) == DEALS["rounds"] and seats[-1].is_finished


# -- what is left -----------------------------------------------------------------------------------------------------
@dataclass
class Told:
    """What a server says of a championship that is over."""

    lines: list[tuple[Any, ...]]
    results: list[Result]
    games: str


def told(evening: Evening, server: int) -> Told:
    """Returns what a server says, when all games are analysed."""
    asks = evening.watcher
    asks.server = server
    end = time.monotonic() + ANALYSES_PATIENCE
    while True:
        rows = list(csv.DictReader(io.StringIO(asks.surely(lambda: asks.page(f"{evening.address}/standings.csv")))))
        waiting = [row for row in rows if evening.is_by_skill and not row["luck"] and row["table"]]
        if not waiting:
            break
        assert time.monotonic() < end, f"not analysed in time: {waiting}"
        time.sleep(0.2)
    results = [
        Result(
            int(row["entrant"]),
            int(row["deal"]),
            float(row["victory"]),
            int(row["points"]),
            float(row["luck"]) if evening.is_by_skill and row["luck"] else None,
            row["table"],
            row["substituted"] == "1",
        )
        for row in rows
    ]
    games = asks.surely(lambda: asks.page(f"{evening.address}/games.jsonl"))
    return Told([shown_line(evening, one) for one in ROW.findall(asks.look())], results, games)


def wrong_in(evening: Evening, said: Told, requests: Mapping[str, Sequence[tuple[int, int]]]) -> list[str]:
    """Returns what is lost, or does not follow from the records. requests: answers in the database, of tables whose game
    did not end."""
    header, *rows = map(json.loads, said.games.splitlines())
    wrong = []
    if [one["commitment"] for one in header["deals"]] != evening.sealed:
        wrong.append("the deals are not those that were sealed")
    records = {(entrant, row["deal"]): row for row in rows for entrant in row.get("entrants", [row.get("entrant")])}
    results = {(one.entrant, one.deal): one for one in said.results}
    expected: dict[tuple[int, int], tuple[float, int]] = {}
    for one in evening.entrants:
        if one.result is not None:  # their table is deleted with them
            left = results.pop((one.number, 1), None)
            if left is None or (left.share > 0, left.points) != one.result:
                wrong.append(f"{NAMES[one.number - 1]} had {one.result}, kept is {left}")
            expected[one.number, 2] = 0.0, 0  # begun, and not finished
            continue
        for table, seat in one.seats.items():
            result = next((it for it in said.results if (it.entrant, it.table) == (one.number, table)), None)
            if result is None:
                wrong.append(f"{NAMES[one.number - 1]} has no result at table {table}")
                continue
            record = records.get((one.number, result.deal), {})
            expected[one.number, result.deal] = outcome(record, seat.number)
            answers = record["answers"] if record else requests.get(table, ())
            kept = [action for who, action in answers if who == seat.number]
            more = len(kept) - len(seat.answers)
            if not follows(kept, seat.answers) or (more > seat.interrupted and not result.is_substituted):
                wrong.append(f"{NAMES[one.number - 1]} at table {table} was told {seat.answers}, kept are {kept}")
    if {place: (one.share, one.points) for place, one in results.items()} != expected:
        wrong.append(f"results {results} do not follow from the records: {expected}")
    if said.lines != (lines := standings(evening.shown_names, said.results, is_by_skill=evening.is_by_skill)):
        wrong.append(f"the standings {said.lines} are not those of the results: {lines}")
    return wrong


def follows(kept: Sequence[int], acknowledged: Sequence[int]) -> bool:
    """Returns whether everything acknowledged is there, in order."""
    there = iter(kept)
    return all(action in there for action in acknowledged)


def shown_line(evening: Evening, line: Sequence[str]) -> tuple[Any, ...]:
    rank, name, skill, victories, points = line
    found = SKILL.findall(skill)
    less = "".join(found[-1]).replace("−", "-") if evening.is_by_skill and found else ""
    return int(rank), name, less, victories, points


def unfinished(data: str, evening: Evening) -> dict[str, list[tuple[int, int]]]:
    """Returns the answers in the database at the tables of those who did not finish."""
    store = Store.open(data)
    try:
        found = {}
        for one in evening.entrants:
            for table in one.seats:
                if (kept := TableRepository(store).find(table)) is not None:
                    found[table] = [(row.seat, action) for row in kept[1] for action in row.actions]
        return found
    finally:
        store.close()


def proven(games: str, folder: Path) -> list[str]:
    """Returns what `veillee verify` objects to."""
    file = folder / "games.jsonl"
    file.write_text(games)
    command = [sys.executable, "-m", "veillee", "verify", str(file)]
    env = {**os.environ, "PYTHONPATH": SRC, "VEILLEE_LANG": "en"}
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    return [] if run.returncode == 0 else [f"veillee verify: {run.stdout}{run.stderr}"]


def one_evening(data: str, number: int, form: str, args: argparse.Namespace, seed: int) -> list[str]:
    """Plays an evening. Returns what is wrong."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name, served(data, number, Path(name)) as servers:
        evening = Evening(servers, form, seed)
        evening.play(args.kills)
        played = time.monotonic()
        said = [told(evening, server) for server in range(number)]
        servers.kill(*range(number))
        said += [told(evening, server) for server in range(number)]
        wrong = ["the servers say different things"] if any(one != said[0] for one in said) else []
        wrong += proven(said[0].games, Path(name))
        kept = unfinished(data, evening) if number > 1 else None
    wrong += wrong_in(evening, said[0], unfinished(data, evening) if kept is None else kept)
    interrupted = sum(seat.interrupted for one in evening.entrants for seat in one.seats.values())
    games = len(said[0].games.splitlines()) - 1
    print(
        f"{form}, {'PostgreSQL, 2 processes' if number > 1 else 'SQLite'}: {evening.acknowledged()} acknowledged answers, "
        f"{interrupted} interrupted, {games} games, {args.kills} kills and one at the end, {len(wrong)} wrong; "
        f"{played - began:.0f} s to play, {time.monotonic() - began:.0f} s in all",
        *wrong,
        sep="\n",
        flush=True,
    )
    return wrong


@contextmanager
def served(data: str, number: int, folder: Path) -> Iterator[Servers]:
    servers = Servers(data, number, folder)
    try:
        yield servers
    finally:
        servers.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--form", action="append", choices=sorted(DEALS), help="both by default")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1, help="evenings of each form")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong: list[str] = []
    with ExitStack() as leaving:
        server = leaving.enter_context(running(careful=True)) if args.postgresql else None
        for form in args.form or sorted(DEALS):
            for seed in range(args.seed, args.seed + args.runs):
                data = server.database() if server is not None else leaving.enter_context(tempfile.TemporaryDirectory())
                wrong += one_evening(data, 2 if server is not None else 1, form, args, seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
