"""Attacks a server as one client, and measures the effect on other players.

usage: python tools/stress/hostile.py [--only NAME ...] [--moves 216] [--players 24] [--runs 1] [--write] [--list]

For each attack (all of them, or --only those named) a server of its own is started on this machine with its default limits and a
JSON log. A few players, each with an address of their own (as forwarded by a proxy), play against a regular bot each and
load their table's page before each move, after a random while: first undisturbed, then while one address attacks from a
separate process. That process has a lower priority: what it computes for itself would be computed on another machine.
Most attacks come through the trusted proxy, where no limit of connections helps; `half`, `guests` and `connections` come
directly.
Reported are, for both phases, the times of the players' moves and pages and the processor time of the server, then what
the attacker was answered and how much the log grew. The number of moves is fixed in advance. The exit code is 1 if in
any run the 99th percentile of moves or pages grows threefold, a page takes more than a second, a player is refused, the
attacker gets a status 500, or the log grows by more than 1 MB. --write puts one row for each attack into
docs/security.md, in place of the former one. No other machine is contacted.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
SRC = str(ROOT / "src")
DOCUMENT = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- attacks: written by tools/stress/hostile.py -->", "<!-- end of attacks -->"
HEAD = [
    "| attack | others' moves: p99 without → with, ms | others' pages: p99, ms | longest page | processor | the attacker was answered | log | |",
    "|---|---|---|---|---|---|---|---|",
]
GAME = "sourire-du-dragon"
HARD = "ghost-knights"  # its experts think for longest
DIRECT = "127.0.0.2"  # this machine, too (Linux), and not one of the proxies that are believed
FORWARDED = "198.51.100.66"  # the attacker's address as the trusted proxy tells it
REQUESTS_PER_SECOND = 200  # the default limit of an address
SLOWER = 3.0
LONGEST_PAGE_SECONDS = 1.0
MOST_LOG = 1_000_000  # bytes
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
ATTACKER_NICENESS = 10
THINK_SECONDS = (
    1.0  # of a player before a move, at most: without it all move at once, as their bots have the same pause
)
WARM_UP = 3  # moves of each player before the first measurement


class Program:
    """A client of the JSON API and the pages, with its own or a forwarded address."""

    def __init__(self, port: int, address: str) -> None:
        direct = address.startswith("127.")
        self.wire = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=120, source_address=(address, 0) if direct else None
        )
        self.headers = {"Host": "localhost", "Origin": "http://localhost"}
        self.headers |= {} if direct else {"X-Forwarded-For": address}
        self.token = ""
        self.status = 0

    def send(self, method: str, path: str, body: str | bytes | None = None, kind: str = "", **headers: str) -> bytes:
        """Returns the body of the answer; `status` is 0 if there was none."""
        more = {"Content-Type": kind} if kind else {}
        try:
            self.wire.request(method, path, body, self.headers | more | headers)
            answer = self.wire.getresponse()
            self.status = answer.status
            return answer.read()
        except (OSError, http.client.HTTPException):
            self.wire.close()
            self.status = 0
            return b""

    def ask(self, method: str, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data)
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        text = self.send(method, f"/api{path}", body, JSON, **bearer)
        return json.loads(text) if text.startswith(b"{") else {}

    def guest(self) -> bool:
        self.token = ""
        told = self.ask("POST", "/guests", {"name": "Guest"})
        if self.status == 201:
            self.token = told["token"]
            self.headers["Cookie"] = f"guest={self.token}"
        return self.status == 201

    def table(self, level: str, bots: int = 1, game: str = GAME) -> str:
        return self.table_with([{"kind": "bot", "level": level}] * bots, game)

    def table_with(self, others: Sequence[Any], game: str = GAME) -> str:
        told = self.ask("POST", "/tables", {"game": game, "seats": [{"kind": "me"}, *others]})
        return str(told["id"]) if self.status == 201 else ""


# -- people -----------------------------------------------------------------------------------------------------------
class Player:
    """A player that records the time of each move and of each page."""

    def __init__(self, port: int, number: int) -> None:
        self.program = Program(port, f"192.0.2.{number}")
        assert self.program.guest()
        self.where = ""
        self.moves: list[float] = []
        self.pages: list[float] = []
        self.failed = Counter[str]()
        self.chance = Random(number)

    def play(self, number: int) -> None:
        """So many moves."""
        ask = self.program.ask
        while len(self.moves) < number:
            if not self.where:
                self.where = self.program.table("regular")
                if not self.where:
                    time.sleep(1)
                continue
            now = ask("GET", f"/tables/{self.where}/seats/0/turn")
            allowed = [choice["id"] for choice in now.get("choices", ())]
            if not allowed:
                if ask("GET", f"/tables/{self.where}").get("status") == "over":
                    self.where = ""
                continue
            self.look()
            sent = time.monotonic()
            ask("POST", f"/tables/{self.where}/seats/0/answers", {"stamp": now["stamp"], "answers": allowed[:1]})
            self.moves.append(time.monotonic() - sent)
            self.count("move", 200)
            time.sleep(self.chance.uniform(0.0, THINK_SECONDS))

    def look(self) -> None:
        sent = time.monotonic()
        self.program.send("GET", f"/t/{self.where}")
        self.pages.append(time.monotonic() - sent)
        self.count("page", 200)

    def count(self, what: str, right: int) -> None:
        if self.program.status != right:
            self.failed[f"{what} {self.program.status}"] += 1


class Times(NamedTuple):
    moves: list[float]
    pages: list[float]
    failed: Counter[str]


def played(players: list[Player], number: int) -> Times:
    """Plays that many moves in all."""
    for player in players:
        player.moves, player.pages, player.failed = [], [], Counter()
        player.program.wire.close()  # the server closes idle connections
    threads = [threading.Thread(target=player.play, args=(number // len(players),)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = sum((player.failed for player in players), Counter[str]())
    return Times(
        [one for player in players for one in player.moves], [one for player in players for one in player.pages], failed
    )


# -- attacks ----------------------------------------------------------------------------------------------------------
class Attacker:
    """The process of one attack. `got`: the statuses of its answers, and what it holds open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.got = Counter[str]()

    def somebody(self, address: str = FORWARDED) -> Program:
        program = Program(self.port, address)
        while not program.guest():
            time.sleep(0.1)
        return program

    def repeat(self, threads: int, make: Callable[[int], Callable[[], Program]]) -> None:
        """Runs so many threads; each makes a function that sends one request, and calls it for ever."""

        def run(number: int) -> None:
            once = make(number)
            while True:
                status = once().status
                self.got[str(status)] += 1
                if status in (0, 429, 503):
                    time.sleep(threads / REQUESTS_PER_SECOND)

        for number in range(threads):
            threading.Thread(target=run, args=(number,), daemon=True).start()

    def flood(self, method: str, paths: Sequence[str], body: str | None = None, **headers: str) -> None:
        """Sends these requests by sixteen connections, as fast as they are answered."""

        def make(number: int) -> Callable[[], Program]:
            program, turn = Program(self.port, FORWARDED), number

            def once() -> Program:
                nonlocal turn
                turn += 1
                program.send(method, paths[turn % len(paths)], body, FORM if body else "", **headers)
                return program

            return once

        self.repeat(16, make)

    def hold(self, number: int, words: Sequence[bytes], address: str = "127.0.0.1") -> None:
        """Keeps that many connections open; reopens closed ones."""

        def run() -> None:
            with selectors.DefaultSelector() as held:
                while True:
                    self.fill(held, number, words, address)
                    for key, _ in held.select(0.05):
                        self.read(held, key.fileobj)

        threading.Thread(target=run, daemon=True).start()

    def fill(self, held: selectors.BaseSelector, number: int, words: Sequence[bytes], address: str) -> None:
        """Opens what is missing; behind the proxy no faster than an address may send requests."""
        while len(held.get_map()) < number:
            if address != DIRECT:
                time.sleep(1 / REQUESTS_PER_SECOND)
            try:
                wire = socket.create_connection(("127.0.0.1", self.port), 5, (address, 0))
                wire.sendall(words[self.got["opened"] % len(words)])
            except OSError:
                time.sleep(0.05)
                return
            wire.setblocking(False)
            held.register(wire, selectors.EVENT_READ)
            self.got["opened"] += 1

    def read(self, held: selectors.BaseSelector, wire: Any) -> None:
        try:
            text = wire.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            text = b""
        if text.startswith(b"HTTP/1.1 "):
            self.got[text[9:12].decode()] += 1
        if not text:
            held.unregister(wire)
            wire.close()


def lines(*words: str) -> bytes:
    return "\r\n".join(
        [*words, "Host: localhost", "Origin: http://localhost", f"X-Forwarded-For: {FORWARDED}"]
    ).encode()


def experts(attacker: Attacker) -> None:
    """Tables of four experts each."""

    def make(_: int) -> Callable[[], Program]:
        program = attacker.somebody()

        def once() -> Program:
            program.table("expert", 4, HARD)
            return program

        return once

    attacker.repeat(2, make)


def guests(attacker: Attacker) -> None:
    """New guests without end, directly."""

    def make(_: int) -> Callable[[], Program]:
        program = Program(attacker.port, DIRECT)

        def once() -> Program:
            program.guest()
            return program

        return once

    attacker.repeat(4, make)


def half(attacker: Attacker) -> None:
    """A thousand half-sent requests, directly."""
    head = lines("POST /prefs HTTP/1.1", f"Content-Type: {FORM}", "Content-Length: 9") + b"\r\n\r\nx"
    attacker.hold(1000, [head], DIRECT)


def bodies(attacker: Attacker) -> None:
    """A thousand bodies that never come, behind the proxy."""
    head = lines("POST /prefs HTTP/1.1", f"Content-Type: {FORM}", "Content-Length: 9") + b"\r\n\r\nx"
    attacker.hold(1000, [head])


def streams(attacker: Attacker) -> None:
    """Streams of one table in every spelling of their address."""
    program = attacker.somebody()
    table = program.table("novice")
    paths = [f"/t/{table}/stream", f"/t/{table}/stream/", f"/t/{table}%2fstream", f"/t/{table}/stream%2f"]
    paths.append(f"/api/tables/{table}/seats/0/turn/")
    heads = [lines(f"GET {path} HTTP/1.1", f"Cookie: guest={program.token}") + b"\r\n\r\n" for path in paths]
    attacker.hold(3000, heads)


def connections(attacker: Attacker) -> None:
    """Connections that say nothing, directly."""
    attacker.hold(2000, [b""], DIRECT)


def pages(attacker: Attacker) -> None:
    """Pages of a table and of the shelf."""
    attacker.flood("GET", [f"/t/{attacker.somebody().table('novice')}", "/", "/evening"])


def pictures(attacker: Attacker) -> None:
    """Pictures of tables with ever other names."""
    program = attacker.somebody()
    tables = [program.table_with([{"kind": "hotseat", "name": f"N{number}"}]) for number in range(20)]
    paths = [f"/t/{table}/picture.png?lang={lang}" for table in tables for lang in ("fr", "en")]
    attacker.flood("GET", paths)


def exports(attacker: Attacker) -> None:
    """Everything about a guest with many tables."""
    program = attacker.somebody()
    for _ in range(20):
        program.table("novice")
    attacker.flood("GET", ["/me/data.json", "/me/games.jsonl"], Cookie=f"guest={program.token}")


def names(attacker: Attacker) -> None:
    """Names of 99 kB."""
    attacker.flood("POST", ["/me", "/evening"], urlencode({"name": "x" * 49_000, "my-name": "é" * 8_000}))


def wishes(attacker: Attacker) -> None:
    """An answer of 49,000 alternatives."""
    program = attacker.somebody()
    table = program.table("novice")
    body = "seat=0&stamp=x&a=" + "|".join(["1"] * 49_000)
    attacker.flood("POST", [f"/t/{table}/act"], body, Cookie=f"guest={program.token}")


def json_bodies(attacker: Attacker) -> None:
    """JSON as long as may be, and longer: thousands of seats, options and answers, words and names without end."""
    program = attacker.somebody()
    table = program.table("novice")
    long = "x" * 15_000
    bodies: list[tuple[str, Any]] = [
        ("/tables", {"game": GAME, "seats": [{"kind": "me"}] * 900}),
        ("/tables", {"game": GAME, "seats": [{"kind": "me"}] * 6_000}),
        ("/tables", {"game": GAME, "seats": [{"kind": "me"}] * 2, "luck": long}),
        (
            "/tables",
            {"game": GAME, "seats": [{"kind": "me"}] * 2, "options": dict.fromkeys(map(str, range(1_300)), "")},
        ),
        (f"/tables/{table}/seats/0/answers", {"stamp": "x", "answers": [1] * 5_000}),
        (f"/tables/{table}/seats/0/hint", {"stamp": long}),
        ("/guests", {"name": long}),
    ]
    written = [(f"/api{path}", json.dumps(data)) for path, data in bodies]
    bearer = {"Authorization": f"Bearer {program.token}"}

    def make(number: int) -> Callable[[], Program]:
        other, turn = Program(attacker.port, FORWARDED), number

        def once() -> Program:
            nonlocal turn
            turn += 1
            path, body = written[turn % len(written)]
            other.send("POST", path, body, JSON, **bearer)
            return other

        return once

    attacker.repeat(16, make)


def take_backs(attacker: Attacker) -> None:
    """An answer and its undo over and over, at several tables."""

    def make(_: int) -> Callable[[], Program]:
        program = attacker.somebody()
        where, stamp, undoes = "", "", False

        def once() -> Program:
            nonlocal where, stamp, undoes
            where = where or program.table_with([{"kind": "hotseat", "name": "B"}])
            path = f"/tables/{where}/seats/0"
            if undoes:
                stamp = program.ask("POST", f"{path}/undo", {"stamp": stamp}).get("stamp", "")
            else:
                now = program.ask("GET", path)
                allowed = [choice["id"] for choice in now.get("choices", ())]
                now = program.ask("POST", f"{path}/answers", {"stamp": now.get("stamp", ""), "answers": allowed[:1]})
                stamp = now.get("stamp", "")
            if program.status == 422:  # this seat may take back no more, or another one is asked
                where = ""
            undoes = not undoes and program.status == 200
            return program

        return once

    attacker.repeat(8, make)


def analyses(attacker: Attacker) -> None:
    """Games played to their end at once, and their analyses asked for without end."""

    def make(_: int) -> Callable[[], Program]:
        program = attacker.somebody()
        table = program.table_with([{"kind": "hotseat", "name": "B"}])
        is_over = False

        def once() -> Program:
            nonlocal is_over
            if is_over:
                program.send("POST", f"/t/{table}/analysis", "seat=0", FORM)
                return program
            for seat in (0, 1):
                now = program.ask("GET", f"/tables/{table}/seats/{seat}")
                if allowed := [choice["id"] for choice in now.get("choices", ())]:
                    given = {"stamp": now["stamp"], "answers": allowed[:1]}
                    program.ask("POST", f"/tables/{table}/seats/{seat}/answers", given)
                    return program
            is_over = program.ask("GET", f"/tables/{table}").get("status") == "over"
            return program

        return once

    attacker.repeat(4, make)


def renames(attacker: Attacker) -> None:
    """Ever other names of a guest with many tables."""
    program = attacker.somebody()
    for _ in range(20):
        program.table_with([{"kind": "open"}])

    def make(number: int) -> Callable[[], Program]:
        other, count = Program(attacker.port, FORWARDED), 0

        def once() -> Program:
            nonlocal count
            count += 1
            other.send(
                "POST", "/me", urlencode({"name": f"N {number} {count}"}), FORM, Cookie=program.headers["Cookie"]
            )
            return other

        return once

    attacker.repeat(8, make)


def first_games(attacker: Attacker) -> None:
    """Guided first games, each as a new guest."""
    attacker.flood("POST", [f"/games/{GAME}/first"], "x=1")


def health(attacker: Attacker) -> None:
    """Health checks in a flood."""
    attacker.flood("GET", ["/readyz", "/healthz", "/readyz/"])


def hints(attacker: Attacker) -> None:
    """Hints for many guests of one address."""

    def make(_: int) -> Callable[[], Program]:
        program = attacker.somebody()

        def once() -> Program:
            table = program.table("novice", 3, HARD)
            if not table:
                return program
            now = program.ask("GET", f"/tables/{table}/seats/0")
            program.ask("POST", f"/tables/{table}/seats/0/hint", {"stamp": now.get("stamp", "")})
            return program

        return once

    attacker.repeat(16, make)


def headers(attacker: Attacker) -> None:
    """Headers that are no addresses."""
    odd = [{"Host": "x:99999"}, {"Host": "[::::]"}, {"Origin": "http://["}, {"Referer": "http://["}]

    def make(number: int) -> Callable[[], Program]:
        program = Program(attacker.port, FORWARDED)
        wrong = odd[number % len(odd)]

        def once() -> Program:
            method = "POST" if "Origin" in wrong else "GET"
            program.send(method, "/me" if method == "POST" else f"/rules/{GAME}", None, "", **wrong)
            return program

        return once

    attacker.repeat(8, make)


ATTACKS: dict[str, Callable[[Attacker], None]] = {
    attack.__name__.replace("_", "-"): attack
    for attack in (
        *(experts, guests, half, bodies, streams, connections, pages, pictures, exports, names, wishes, json_bodies),
        *(renames, take_backs, first_games, health, hints, analyses, headers),
    )
}


def be_hostile(port: int, name: str) -> int:
    """Runs until the parent process sends a line."""
    os.setsid()  # its own work is not the house's: where Linux weighs sessions it takes no more than its share
    os.nice(10)
    attacker = Attacker(port)
    ATTACKS[name](attacker)
    sys.stdin.readline()
    print(json.dumps(attacker.got), flush=True)
    os._exit(0)


# -- both -------------------------------------------------------------------------------------------------------------
def late(times: list[float], of_all: float = 0.99) -> float:
    """Returns the 99th percentile in milliseconds."""
    return round(sorted(times)[int(len(times) * of_all)] * 1000, 1) if times else float("nan")


class Phase(NamedTuple):
    """What the players met with, and the processor time of the server in a second."""

    times: Times
    processor: float
    seconds: float  # that it took: bots that answer late make it long


class Result(NamedTuple):
    """One run of one attack."""

    quiet: Phase
    loud: Phase
    answered: dict[str, int]  # the attacker, by status
    log: int  # bytes

    @property
    def ratios(self) -> tuple[float, float]:
        """By how much the 99th percentile of moves and of pages has grown."""
        before, after = self.quiet.times, self.loud.times
        return late(after.moves) / late(before.moves), late(after.pages) / late(before.pages)

    @property
    def is_harm(self) -> bool:
        times = self.loud.times
        is_slow = not max(self.ratios) < SLOWER or max(times.pages) > LONGEST_PAGE_SECONDS
        return is_slow or bool(times.failed) or self.log > MOST_LOG or "500" in self.answered


def report(name: str, result: Result) -> str:
    """Returns a line about one run."""
    told = [f"{name}:"]
    before, after = result.quiet.times, result.loud.times
    pairs = ("moves", before.moves, after.moves), ("pages", before.pages, after.pages)
    for (what, first, then), ratio in zip(pairs, result.ratios, strict=True):
        p50, p99 = f"p50 {late(first, 0.5)} → {late(then, 0.5)}", f"p99 {late(first)} → {late(then)} ms"
        told.append(f"{len(then)} {what}: {p50}, {p99} (× {ratio:.2f});")
    told.append(f"longest page {max(after.pages):.2f} s; refused to players {dict(after.failed)};")
    told.append(f"in {result.quiet.seconds:.0f} → {result.loud.seconds:.0f} s, with the waits for bots;")
    told.append(f"processor {result.quiet.processor:.0%} → {result.loud.processor:.0%};")
    told.append(f"the attacker got {dict(sorted(result.answered.items()))}; log {result.log} bytes")
    return " ".join(told) + ("; HARM" if result.is_harm else "")


def row(name: str, runs: Sequence[Result]) -> str:
    """Returns the row of the table about an attack: of all its runs."""

    def percentiles(times: Callable[[Times], list[float]]) -> str:
        pairs = [(late(times(run.quiet.times)), late(times(run.loud.times))) for run in runs]
        return "; ".join(f"{before} → {after} (× {after / before:.2f})" for before, after in pairs)

    failed = sum((run.loud.times.failed for run in runs), Counter[str]())
    answered = sum((Counter(run.answered) for run in runs), Counter[str]())
    processor = "; ".join(f"{run.quiet.processor:.0%} → {run.loud.processor:.0%}" for run in runs)
    is_harm = any(run.is_harm for run in runs)
    verdict = f"**harm**, refused to players: {dict(failed)}" if failed else "**harm**" if is_harm else "held"
    cells = [
        name,
        percentiles(lambda times: times.moves),
        percentiles(lambda times: times.pages),
        f"{max(max(run.loud.times.pages) for run in runs):.2f} s",
        processor,
        ", ".join(f"{status}: {answered[status]}" for status in sorted(answered)),
        f"{max(run.log for run in runs) // 1000} kB",
        verdict,
    ]
    return f"| {' | '.join(cells)} |"


def processor_seconds(process: int) -> float:
    """Returns the processor time that the process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(port: int, name: str, wanted: argparse.Namespace, written: Path, house: int) -> Result:
    """Measures one attack on the server with this process number."""
    players = [Player(port, number + 1) for number in range(wanted.players)]
    played(players, WARM_UP * len(players))

    def phase() -> Phase:
        used, begun = processor_seconds(house), time.monotonic()
        times = played(players, wanted.moves)
        seconds = time.monotonic() - begun
        return Phase(times, (processor_seconds(house) - used) / seconds, seconds)

    quiet = phase()
    size = written.stat().st_size
    command = ["nice", "-n", str(ATTACKER_NICENESS), sys.executable, __file__, name, "--port", str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hostile:
        time.sleep(5)
        loud = phase()
        got: dict[str, int] = json.loads(hostile.communicate("enough\n", timeout=30)[0])
    return Result(quiet, loud, got, written.stat().st_size - size)


def attacked(name: str, wanted: argparse.Namespace) -> Result:
    """Starts a server, measures one attack on it, and stops it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        data = str(Path(folder) / "data")
        command = [sys.executable, "-m", "veillee", "serve", "--port", str(port), "--data", data, "--log", "json"]
        env = {**os.environ, "PYTHONPATH": SRC, "VEILLEE_LANG": "en"}
        with log.open("wb") as writing:
            house = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=writing, text=True)
        try:
            assert house.stdout is not None
            house.stdout.readline()
            return measured(port, name, wanted, log, house.pid)
        finally:
            house.terminate()
            if (code := house.wait(30)) != 0:
                print(f"exit code of the house: {code}")


def write(rows: Sequence[str]) -> None:
    """Puts the rows into the document, in place of those of the same attacks, in the order of ATTACKS."""
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    named = {row.split("|")[1].strip() for row in rows}
    kept = [line for line in table.splitlines() if line.startswith("| ") and line not in HEAD]
    all_of_them = [row for row in kept if row.split("|")[1].strip() not in named] + list(rows)
    all_of_them.sort(key=lambda row: [*ATTACKS].index(row.split("|")[1].strip()))
    lines = "\n".join([*HEAD, *all_of_them])
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{lines}\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", choices=[*ATTACKS, []], metavar="NAME")
    parser.add_argument("--only", nargs="+", choices=[*ATTACKS], default=[], metavar="NAME")
    parser.add_argument("--write", action="store_true")
    for name, value in {"moves": 216, "players": 24, "runs": 1, "port": 0}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--list", action="store_true")
    wanted = parser.parse_args()
    if wanted.port:
        return be_hostile(wanted.port, wanted.attacks[0])
    if wanted.list:
        for name, attack in ATTACKS.items():
            print(f"{name}: {attack.__doc__}")
        return 0
    is_harm = False
    for name in [*wanted.attacks, *wanted.only] or ATTACKS:
        runs = []
        for _ in range(wanted.runs):
            runs.append(attacked(name, wanted))
            print(report(name, runs[-1]), flush=True)
        is_harm |= any(run.is_harm for run in runs)
        if wanted.write:
            write([row(name, runs)])
    return 1 if is_harm else 0


if __name__ == "__main__":
    sys.exit(main())
