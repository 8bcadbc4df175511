"""A server in processes of its own that can be killed, and guests who ask it over HTTP: for stress tests."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from power_cut import PowerCut
from unlimited import UNLIMITED

SRC = str(Path(__file__).resolve().parents[2] / "src")
OPEN = 60.0  # seconds for a house to open
LATER = 0.4  # seconds that the other process plays on
ALIVE = "SELECT count(*) FROM processes WHERE until > clock_timestamp()"
# `veillee`, after a change of what it imports.
CHANGED = """
import sys
{0}
from veillee.cli import main
sys.argv[0] = "veillee"
main()
"""


class ServerKilled(Exception):
    """The server was killed."""


class GuestClient:
    """A guest, by the token of one device, and a connection to a server."""

    def __init__(self) -> None:
        self.token = ""
        self.wire: http.client.HTTPConnection | None = None

    def connect(self, port: int) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def disconnect(self) -> None:
        if self.wire is not None:
            self.wire.close()

    def api(self, method: str, path: str, data: Any = None, refused: tuple[int, ...] = ()) -> Any:
        """Returns the response; None if it was refused for an expected reason."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = None if data is None else json.dumps(data)
        status, text, _ = self.ask(method, f"/api{path}", body, headers | {"Content-Type": "application/json"})
        if status in refused:
            return None
        if status >= 400:
            raise AssertionError(f"{method} {path}: {status} {text[:300]}")
        return json.loads(text)

    def form(self, path: str, fields: dict[str, str]) -> tuple[int, str]:
        """Returns the status, and the page or its redirect."""
        headers = {"Cookie": f"guest={self.token}", "Origin": "http://localhost"}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"}
        status, text, answer = self.ask("POST", path, urllib.parse.urlencode(fields), headers)
        if status >= 500:
            raise AssertionError(f"POST {path}: {status} {text[:300]}")
        return status, answer.get("Location") or text

    def page(self, path: str) -> str:
        """Returns a page, or a file."""
        status, text, _ = self.ask("GET", path, None, {"Cookie": f"guest={self.token}"})
        if status >= 400:
            raise AssertionError(f"GET {path}: {status} {text[:300]}")
        return text

    def ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, str, Any]:
        """Returns the status, the text, and the headers of the response."""
        assert self.wire is not None, "not connected"
        try:
            self.wire.request(method, path, body, headers | {"Host": "localhost", "Accept-Language": "en"})
            answer = self.wire.getresponse()
            status, text = answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise ServerKilled from error
        if status >= 500 and "just now" in text:  # the house closes: it keeps nothing any more, and says so
            raise ServerKilled
        return status, text, answer.headers


@dataclass
class KillableServer:
    """The database of the server, and how the server is started."""

    data: str
    processes: int = 1
    change: str = ""  # Python that is run in the server before anything else
    power: PowerCut | None = None

    @property
    def folder(self) -> Path | None:
        """Folder of the database file; None on PostgreSQL."""
        return None if "://" in self.data else Path(self.data)

    def opened(self) -> tuple[subprocess.Popen[str], int]:
        """Returns a running server and its address. Tries another port if a free one was taken meanwhile."""
        while True:
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            if (house := self.tried(port)) is not None:
                return house, port

    def tried(self, port: int) -> subprocess.Popen[str] | None:
        """Returns the server; None if the port is taken."""
        way = ["-c", CHANGED.format(self.change)] if self.change else ["-m", "veillee"]
        command = [sys.executable, *way, "serve", "--port", str(port), "--data", self.data, "--workers", "1"]
        command += ["--processes", str(self.processes)] if self.processes > 1 else []
        env = {**os.environ, **UNLIMITED, "PYTHONPATH": SRC, "VEILLEE_LANG": "en"}
        env |= self.power.environment if self.power is not None else {}
        house = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + OPEN
        while time.monotonic() < deadline:
            if house.poll() is not None:
                story = house.stderr.read() if house.stderr else ""
                assert "Cannot listen" in story, f"the house did not open: {story}"
                return None
            if self.is_ready(port):
                return house
            time.sleep(0.01)
        raise AssertionError("the house did not open in time")

    def is_ready(self, port: int) -> bool:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as wire:
                wire.request("GET", "/readyz")
                ready = wire.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        if self.processes == 1 or not ready:
            return ready
        with psycopg.connect(self.data) as db:
            return db.execute(ALIVE).fetchone() == (self.processes,)


def children(process: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


def killed(house: subprocess.Popen[str], chance: random.Random) -> None:
    """Kills all processes at once; of two, half of the time one is killed first and the other continues."""
    serving = children(house.pid)
    if serving and chance.random() < 0.5:
        os.kill(chance.choice(serving), signal.SIGKILL)
        time.sleep(LATER)
    house.send_signal(signal.SIGSTOP)  # dead processes are not replaced any more
    for process in (*children(house.pid), house.pid):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
