"""Runs boardgame.io's own server under the same load, for benchmarks/server.py --beside. Needs node and npm.

Tables of two play a game as large as Takara Island (boardgame_io.js: the same fields, the same bytes for a seat); both
listen, one of them moves, and the next move follows when both have received the last one. Its matches are in memory, or
on disk as ours always are (but not flushed).
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from socket import socket
from typing import Any

from stream import ROOT

VERSION = "0.50.2"
DISK = "node-persist"  # which its FlatFile needs, and does not bring
GAME = "dig"
HERE = ROOT / "build" / "boardgame.io"
PATIENCE = 60.0
UPGRADE = (
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
    "sec-websocket-version: 13\r\nsec-websocket-key: dmVpbGxlZSB2ZWlsbGVlIQ==\r\n\r\n"
)


@contextmanager
def rival(folder: str = "") -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Starts the server. Yields its process and its port; `folder`: where its matches are stored."""
    if not shutil.which("node") or not shutil.which("npm"):
        sys.exit("node and npm are needed to measure boardgame.io.")
    HERE.mkdir(parents=True, exist_ok=True)
    if not all((HERE / "node_modules" / name).exists() for name in ("boardgame.io", DISK)):
        install = [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            f"boardgame.io@{VERSION}",
            f"{DISK}@3",
        ]
        subprocess.run(install, cwd=HERE, check=True)
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "NODE_PATH": str(HERE / "node_modules"), "NODE_ENV": "production"}
    command = ["node", str(Path(__file__).with_suffix(".js")), str(port), *([folder] if folder else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env) as process:
        try:
            assert process.stdout is not None
            if b"ready" not in process.stdout.readline():
                sys.exit(f"boardgame.io's server did not start: remove {HERE} and try again.")
            yield process, port
        finally:
            process.terminate()


class Player:
    """A client of a match: a socket, and the last state received."""

    def __init__(self, match: str, seat: int) -> None:
        self.match, self.seat = match, str(seat)
        self.state: dict[str, Any] = {}
        self.news = asyncio.Condition()
        self.messages = self.bytes = 0
        self.task: asyncio.Task[None] | None = None

    async def open(self, port: int) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        self.writer.write(UPGRADE.encode())
        await self.reader.readuntil(b"\r\n\r\n")
        await self.hear()  # "0{…}"
        self.say(f"40/{GAME},")
        await self.hear()
        self.say(f"42/{GAME},{json.dumps(['sync', self.match, self.seat, None, 2])}")
        self.task = asyncio.create_task(self.listen())
        await self.reaches(0)

    def say(self, text: str) -> None:
        """Sends one WebSocket frame, with a zero mask."""
        body = text.encode()
        size = bytes([0x80 | len(body)]) if len(body) < 126 else bytes([0x80 | 126]) + len(body).to_bytes(2, "big")
        self.writer.write(b"\x81" + size + b"\0\0\0\0" + body)

    async def hear(self) -> str:
        _, size = await self.reader.readexactly(2)
        if size >= 126:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        self.bytes += size
        return (await self.reader.readexactly(size)).decode()

    async def listen(self) -> None:
        while True:
            text = await self.hear()
            if text == "2":
                self.say("3")
            if not text.startswith("42"):
                continue
            kind, _, told, *_ = json.loads(text.partition(",")[2])
            if kind in ("sync", "update"):
                self.messages += 1
                self.state = told["state"] if kind == "sync" else told
                async with self.news:
                    self.news.notify_all()

    async def reaches(self, number: int) -> None:
        async with asyncio.timeout(PATIENCE), self.news:
            await self.news.wait_for(lambda: self.state.get("_stateID", -1) >= number)

    def move(self, site: int) -> None:
        action = {
            "type": "MAKE_MOVE",
            "payload": {"type": "dig", "args": [site], "playerID": self.seat, "credentials": None},
        }
        self.say(f"42/{GAME},{json.dumps(['update', action, self.state['_stateID'], self.match, self.seat])}")

    def close(self) -> None:
        if self.task is not None:
            self.task.cancel()
        self.writer.close()


class Match:
    """A match of two clients."""

    def __init__(self, number: int) -> None:
        self.players = [Player(f"match-{number}", seat) for seat in range(2)]
        self.pick = Random(number)

    async def move(self) -> None:
        state = self.players[0].state
        sites = [at for at, site in enumerate(state["G"]["sites"]) if site["tiles"]]
        self.players[int(state["ctx"]["currentPlayer"])].move(self.pick.choice(sites))
        for player in self.players:
            await player.reaches(state["_stateID"] + 1)
