"""One guest who wants everything, and what the others notice of it.

usage: python tools/hostile.py [--seconds 20] [--tables 60] [--half 1000] [--guests 10000] [--streams 2000]

A house is served on this machine with its usual limits, and nobody else there. A player (by another
address, as a proxy would tell) plays with three regular bots, first alone, then while somebody opens tables of experts,
half-sent requests, guests and streams as fast as they are let. Told are the times of the player's moves and of the bots'
answers to them, both times, and what the house wrote to its log. No other machine is ever asked.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

SRC = str(Path(__file__).resolve().parent.parent / "src")
GAME = "ghost-knights"
BOTS = 3


class Program:
    """Somebody who asks by JSON, from the address that they are said to come from."""

    def __init__(self, port: int, address: str) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = {"Host": "localhost", "Content-Type": "application/json", "X-Forwarded-For": address}
        self.status = 0

    def ask(self, method: str, path: str, data: Any = None) -> Any:
        self.wire.request(method, f"/api{path}", None if data is None else json.dumps(data), self.headers)
        answer = self.wire.getresponse()
        self.status = answer.status
        return json.loads(answer.read())

    def guest(self) -> bool:
        told = self.ask("POST", "/guests", {"name": "Guest"})
        if self.status < 400:
            self.headers["Authorization"] = f"Bearer {told['token']}"
        return self.status < 400

    def table(self, level: str) -> str:
        seats = [{"kind": "me"}, *[{"kind": "bot", "level": level}] * BOTS]
        told = self.ask("POST", "/tables", {"game": GAME, "seats": seats})
        return str(told["id"]) if self.status < 400 else ""


def played(player: Program, seconds: float) -> tuple[list[float], list[float]]:
    """The times of the moves, and from a move until the player is asked again: the bots have answered."""
    moves, rounds = [], []
    until = time.monotonic() + seconds
    table = player.table("regular")
    asked = 0.0
    while time.monotonic() < until:
        now = player.ask("GET", f"/tables/{table}/seats/0")
        allowed = [choice["id"] for choice in now["choices"] if choice["allowed"]]
        if not allowed:
            if player.ask("GET", f"/tables/{table}")["status"] == "over":
                table, asked = player.table("regular"), 0.0
            time.sleep(0.1)  # within the share of a guest
            continue
        if asked:
            rounds.append(time.monotonic() - asked)
        began = time.monotonic()
        after = player.ask("POST", f"/tables/{table}/seats/0/answers", {"stamp": now["stamp"], "answers": allowed[:1]})
        moves.append(time.monotonic() - began)
        asked = 0.0 if player.status >= 400 or after["choices"] else time.monotonic()
    return moves, rounds


class Hostile:
    """Tables of experts, guests, half-sent requests and streams, until it is told to stop."""

    def __init__(self, port: int, wanted: argparse.Namespace) -> None:
        self.port = port
        self.wanted = wanted
        self.stop = threading.Event()
        self.got = dict.fromkeys(("tables", "guests", "half", "streams"), 0)
        self.threads = [threading.Thread(target=do) for do in (self.tables, self.guests, self.half, self.streams)]

    def tables(self) -> None:
        program = Program(self.port, "192.0.2.66")
        program.guest()
        while not self.stop.is_set():
            table = program.table("expert") if self.got["tables"] < self.wanted.tables else ""
            self.got["tables"] += bool(table)
            if not table:
                time.sleep(0.05)

    def guests(self) -> None:
        program = Program(self.port, "192.0.2.66")
        for _ in range(self.wanted.guests):
            if self.stop.is_set():
                return
            self.got["guests"] += program.guest()
            program.headers.pop("Authorization", None)

    def half(self) -> None:
        self.hold("half", self.wanted.half, b"POST /prefs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx")

    def streams(self) -> None:
        program = Program(self.port, "192.0.2.66")
        program.guest()
        table = program.table("novice")
        head = f"GET /t/{table}/stream HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.66\r\n\r\n"
        self.hold("streams", self.wanted.streams, head.encode())

    def hold(self, kind: str, number: int, words: bytes) -> None:
        held: list[socket.socket] = []
        while not self.stop.is_set():
            if len(held) >= number:
                time.sleep(0.1)
                continue
            try:
                wire = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                wire.sendall(words)
                held.append(wire)
                self.got[kind] += 1
            except OSError:
                time.sleep(0.05)
        for wire in held:
            wire.close()


def late(times: list[float]) -> float:
    """What 99 of 100 are faster than, in milliseconds."""
    return round(sorted(times)[int(len(times) * 0.99)] * 1000, 1) if times else float("nan")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("seconds", 20), ("tables", 60), ("half", 1000), ("guests", 10_000), ("streams", 2000)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    wanted = parser.parse_args()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "veillee", "serve", "--port", str(port), "--data", folder]
        env = {**os.environ, "PYTHONPATH": SRC, "VEILLEE_LANG": "en"}
        house = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert house.stdout is not None
            house.stdout.readline()
            player = Program(port, "192.0.2.1")
            assert player.guest()
            played(player, 3)
            quiet = played(player, wanted.seconds)
            hostile = Hostile(port, wanted)
            for thread in hostile.threads:
                thread.start()
            time.sleep(3)
            loud = played(player, wanted.seconds)
            hostile.stop.set()
            for thread in hostile.threads:
                thread.join()
        finally:
            house.terminate()
            house.wait(30)
        size = log.seek(0, os.SEEK_END)
    for what, before, after in zip(("moves", "bots"), quiet, loud, strict=True):
        ratio = late(after) / late(before)
        print(
            f"{what}: p99 {late(before)} ms ({len(before)}) quiet, {late(after)} ms ({len(after)}) then: × {ratio:.1f}"
        )
    print(f"the hostile guest got {hostile.got}; the log has {size} bytes; exit code {house.returncode}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
