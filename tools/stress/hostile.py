"""Attacks a server as one guest, and measures the effect on other players.

usage: python tools/stress/hostile.py [--moves 1500] [--players 6] [--tables 60] [--half 1000] [--guests 10000] [--streams 2000]

Starts a server on this machine with its default limits and a JSON log. A few players, each with an address of their own (as
forwarded by a proxy), play against a regular bot each: first undisturbed, then while an attacker opens tables of experts,
half-sent requests, guests and streams as fast as possible, from an address without a trusted proxy. The attacker is a
separate process and reopens at once what is closed. Reported are, for both phases, the times of the players' moves, the
times from a move until the bot's answer, and the size of the log. The number of moves is fixed in advance: of 1,500 the
slowest hundredth are fifteen, so that one hiccup of the machine decides nothing. The exit code is 1 if the 99th percentile
of either grows threefold, or the log by more than 1 MB. No other machine is contacted.
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
from pathlib import Path
from typing import Any

SRC = str(Path(__file__).resolve().parents[2] / "src")
GAME = "sourire-du-dragon"
HARD = "ghost-knights"  # its experts think for longest
HOSTILE = "127.0.0.2"  # this machine, too (Linux), and not one of the proxies that are believed
SLOWER = 3.0
MOST_LOG = 1_000_000  # bytes
HALF = b"POST /prefs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"


class Program:
    """A client of the JSON API, with its own or a forwarded address."""

    def __init__(self, port: int, address: str) -> None:
        direct = address.startswith("127.")
        self.wire = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=120, source_address=(address, 0) if direct else None
        )
        self.headers = {"Host": "localhost", "Content-Type": "application/json"}
        self.headers |= {} if direct else {"X-Forwarded-For": address}
        self.status = 0

    def ask(self, method: str, path: str, data: Any = None) -> Any:
        try:
            self.wire.request(method, f"/api{path}", None if data is None else json.dumps(data), self.headers)
            answer = self.wire.getresponse()
            self.status = answer.status
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.wire.close()
            self.status = 0
            return {}
        return json.loads(text) if text.startswith(b"{") else {}

    def guest(self) -> bool:
        told = self.ask("POST", "/guests", {"name": "Guest"})
        if self.status == 201:
            self.headers["Authorization"] = f"Bearer {told['token']}"
        return self.status == 201

    def table(self, level: str, bots: int = 1, game: str = GAME) -> str:
        seats = [{"kind": "me"}, *[{"kind": "bot", "level": level}] * bots]
        told = self.ask("POST", "/tables", {"game": game, "seats": seats})
        return str(told["id"]) if self.status == 201 else ""


# -- people -----------------------------------------------------------------------------------------------------------
class Player:
    """A player that records the time of each move, and the time until it is asked again (the bot has answered)."""

    def __init__(self, port: int, number: int) -> None:
        self.program = Program(port, f"192.0.2.{number}")
        assert self.program.guest()
        self.where = ""
        self.moves: list[float] = []
        self.rounds: list[float] = []
        self.failed = 0

    def play(self, number: int) -> None:
        """So many moves."""
        ask, began = self.program.ask, 0.0
        while len(self.moves) < number:
            if not self.where:
                self.where, began = self.program.table("regular"), 0.0
                if not self.where:
                    time.sleep(1)
                continue
            now = ask("GET", f"/tables/{self.where}/seats/0")
            allowed = [choice["id"] for choice in now.get("choices", ())]
            if not allowed:
                if ask("GET", f"/tables/{self.where}").get("status") == "over":
                    self.where = ""
                time.sleep(0.1)  # within the share of a guest
                continue
            if began:
                self.rounds.append(time.monotonic() - began)
            sent = time.monotonic()
            after = ask(
                "POST", f"/tables/{self.where}/seats/0/answers", {"stamp": now["stamp"], "answers": allowed[:1]}
            )
            self.moves.append(time.monotonic() - sent)
            self.failed += self.program.status != 200
            began = 0.0 if self.program.status != 200 or after["choices"] else time.monotonic()
            time.sleep(0.05)


def played(players: list[Player], number: int) -> tuple[list[float], list[float], int]:
    """Plays that many moves in all. Returns the times of all rounds, and the number of refusals."""
    for player in players:
        player.moves, player.rounds, player.failed = [], [], 0
    threads = [threading.Thread(target=player.play, args=(number // len(players),)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    moves = [move for player in players for move in player.moves]
    return moves, [one for player in players for one in player.rounds], sum(player.failed for player in players)


# -- the guest who wants everything -----------------------------------------------------------------------------------
class Hostile:
    """Tables of experts, guests, half-sent requests and streams, until its process is told to stop."""

    def __init__(self, port: int, wanted: argparse.Namespace) -> None:
        self.port = port
        self.wanted = wanted
        self.got = dict.fromkeys(("tables", "guests", "half", "streams", "requests"), 0)
        for do in (self.tables, self.guests, self.half, self.streams):
            threading.Thread(target=do, daemon=True).start()

    def tables(self) -> None:
        program = self.somebody()
        while self.got["tables"] < self.wanted.tables:
            self.got["tables"] += bool(program.table("expert", 4, HARD))
            self.got["requests"] += 1

    def guests(self) -> None:
        program = Program(self.port, HOSTILE)
        while self.got["requests"] < self.wanted.guests or self.got["guests"] < self.wanted.guests:
            self.got["guests"] += program.guest()
            self.got["requests"] += 1
            program.headers.pop("Authorization", None)

    def half(self) -> None:
        self.hold("half", self.wanted.half, HALF)

    def streams(self) -> None:
        table = self.somebody().table("novice")
        head = f"GET /t/{table}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
        self.hold("streams", self.wanted.streams, head.encode())

    def somebody(self) -> Program:
        program = Program(self.port, HOSTILE)
        while not program.guest():
            time.sleep(0.1)
        return program

    def hold(self, kind: str, number: int, words: bytes) -> None:
        """Keeps that many connections open; reopens closed ones."""
        with selectors.DefaultSelector() as held:
            while True:
                while len(held.get_map()) < number:
                    try:
                        wire = socket.create_connection(("127.0.0.1", self.port), 5, (HOSTILE, 0))
                        wire.sendall(words)
                    except OSError:
                        time.sleep(0.05)
                        break
                    wire.setblocking(False)
                    held.register(wire, selectors.EVENT_READ)
                    self.got[kind] += 1
                for key, _ in held.select(0.05):
                    wire = key.fileobj  # type: ignore[assignment]
                    try:
                        gone = not wire.recv(65_536)
                    except BlockingIOError:
                        continue
                    except OSError:
                        gone = True
                    if gone:
                        held.unregister(wire)
                        wire.close()


def be_hostile(wanted: argparse.Namespace) -> int:
    """Runs until the parent process sends a line."""
    os.setsid()  # its own work is not the house's: where Linux weighs sessions it takes no more than its share
    os.nice(10)
    hostile = Hostile(wanted.port, wanted)
    sys.stdin.readline()
    print(json.dumps(hostile.got), flush=True)
    os._exit(0)


# -- both -------------------------------------------------------------------------------------------------------------
def late(times: list[float], of_all: float = 0.99) -> float:
    """Returns the 99th percentile in milliseconds."""
    return round(sorted(times)[int(len(times) * of_all)] * 1000, 1) if times else float("nan")


def measured(port: int, wanted: argparse.Namespace, written: Path) -> int:
    players = [Player(port, number + 1) for number in range(wanted.players)]
    played(players, 20 * len(players))
    quiet = played(players, wanted.moves)
    size = written.stat().st_size
    command = [sys.executable, __file__, "--port", str(port)]
    for name in ("tables", "half", "guests", "streams"):
        command += [f"--{name}", str(getattr(wanted, name))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hostile:
        time.sleep(5)
        loud = played(players, wanted.moves)
        got, _ = hostile.communicate("enough\n", timeout=30)
    grown = written.stat().st_size - size
    slow = False
    for what, before, after in (("moves", quiet[0], loud[0]), ("bots", quiet[1], loud[1])):
        ratio = late(after) / late(before)
        slow |= not ratio < SLOWER
        told = [f"p50 {late(times, 0.5)}, p99 {late(times)} ms ({len(times)})" for times in (before, after)]
        print(f"{what}: {told[0]} quiet; {told[1]} then: × {ratio:.2f}")
    print(f"refused to the players: {quiet[2]} quiet, {loud[2]} then")
    print(f"the hostile guest got {got.strip()}; the log grew by {grown} bytes")
    return 1 if slow or grown > MOST_LOG or loud[2] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = {"moves": 1500, "players": 6, "tables": 60, "half": 1000, "guests": 10_000, "streams": 2000, "port": 0}
    for name, value in usual.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    wanted = parser.parse_args()
    if wanted.port:
        return be_hostile(wanted)
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
            code = measured(port, wanted, log)
        finally:
            house.terminate()
            print(f"exit code of the house: {house.wait(30)}")
    return code


if __name__ == "__main__":
    sys.exit(main())
