"""Starts the container image as docs/run-a-house.md tells: unprivileged, read-only, with a volume; plays, stops, upgrades.

usage: python tools/stress/image_test.py [--image NAME] [--base IMAGE | --debian]

--image: one that was built before; otherwise it is built (tools/setup/image.py, which has --base and --debian).
Checks that the house answers /readyz, plays a game over the HTTP API to its end, is ended by SIGTERM within its grace
period with everything stored, and opens volumes written by every earlier version in tests/house/houses.
Needs docker or podman; exit code 1 with a sentence where there is neither. Part of `make soak`.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "setup"))
from image import build, find_engine  # noqa: E402

HOUSES = ROOT / "tests" / "house" / "houses"
READY_SECONDS = 60.0  # at most, from `run` to /readyz
GRACE_SECONDS = 10  # deploy/compose.yaml: stop_grace_period
MAX_ANSWERS = 2_000  # no game is longer
LOCKED_UP = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--security-opt", "no-new-privileges"]
WRITE_HOUSE = (
    "import sqlite3; db = sqlite3.connect('/data/veillee.sqlite3'); db.executescript(open('/house.sql').read());"
    " db.close()"
)


class Engine:
    """A container engine and the image in question."""

    def __init__(self, name: str, image: str) -> None:
        self.name = name
        self.image = image

    def run(self, *words: str, check: bool = True) -> str:
        ran = subprocess.run([self.name, *words], check=False, capture_output=True, text=True)
        if check and ran.returncode:
            sys.exit(f"{self.name} {' '.join(words)}: {ran.stderr.strip()}")
        return ran.stdout.strip()

    @contextmanager
    def volume(self, dump: Path | None = None) -> Iterator[str]:
        """Makes a volume; dump: of a database that is to be in it."""
        name = f"veillee-test-{uuid.uuid4().hex[:8]}"
        self.run("volume", "create", name)
        try:
            if dump is not None:
                mounts = ["--volume", f"{name}:/data", "--volume", f"{dump}:/house.sql:ro"]
                self.run("run", "--rm", *mounts, "--entrypoint", "python", self.image, "-c", WRITE_HOUSE)
            yield name
        finally:
            self.run("volume", "rm", "--force", name, check=False)

    @contextmanager
    def house(self, volume: str) -> Iterator[House]:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        name = f"veillee-test-{uuid.uuid4().hex[:8]}"
        settings = ["--env", f"VEILLEE_PORT={port}", "--env", "VEILLEE_HOST=127.0.0.1"]
        begin = time.monotonic()
        self.run(
            "run", "--detach", "--name", name, "--network", "host", *LOCKED_UP, "--volume", f"{volume}:/data", *settings,
            self.image,
        )  # fmt: skip
        try:
            yield House(self, name, port, begin)
        finally:
            self.run("rm", "--force", name, check=False)


class House:
    """A running container with a house in it."""

    def __init__(self, engine: Engine, name: str, port: int, begin: float) -> None:
        self.engine = engine
        self.name = name
        self.url = f"http://127.0.0.1:{port}"
        self.token = ""
        self.ready_seconds = self._wait_until_ready(begin)

    def _wait_until_ready(self, begin: float) -> float:
        while time.monotonic() - begin < READY_SECONDS:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5):
                    return time.monotonic() - begin
            except OSError:
                time.sleep(0.05)
        sys.exit(f"No /readyz within {READY_SECONDS:g} s:\n{self.engine.run('logs', self.name, check=False)}")

    def ask(self, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"{self.url}/api{path}", body, {"Content-Type": "application/json"})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=40) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            sys.exit(f"{path}: {error.code} {error.read().decode()}")

    def stop(self) -> float:
        """Sends SIGTERM and returns the seconds that the house took."""
        begin = time.monotonic()
        self.engine.run("stop", "--time", str(GRACE_SECONDS), self.name)
        took = time.monotonic() - begin
        code = self.engine.run("inspect", "--format", "{{.State.ExitCode}}", self.name)
        if code != "0":
            sys.exit(f"The house ended with {code} at SIGTERM:\n{self.engine.run('logs', self.name, check=False)}")
        return took


def play(house: House) -> tuple[str, int]:
    """Plays a game against a bot to its end. Returns its table, and the number of answers."""
    house.token = house.ask("/guests", {"name": "Ada"})["token"]
    seats = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]
    table: str = house.ask("/tables", {"game": "takara-island", "seats": seats})["id"]
    for answers in range(MAX_ANSWERS):
        position = house.ask(f"/tables/{table}/seats/0/turn")
        if not position["choices"]:
            assert house.ask(f"/tables/{table}")["status"] == "over"
            return table, answers
        choice = position["choices"][answers % len(position["choices"])]["id"]
        house.ask(f"/tables/{table}/seats/0/answers", {"stamp": position["stamp"], "answers": [choice]})
    sys.exit("The game has no end.")


def check_locks(engine: Engine, house: House) -> None:
    """Checks that the house is not root, cannot write to the image, and has no compiler."""
    script = "id -u; grep -c ' / [^ ]* ro,' /proc/mounts; command -v gcc cc; grep CapEff /proc/1/status"
    found = engine.run("exec", house.name, "sh", "-c", script).split()
    if found != ["10001", "1", "CapEff:", "0000000000000000"]:
        sys.exit(f"The container is not locked up: {' '.join(found)}")


def test_a_new_house(engine: Engine) -> None:
    with engine.volume() as volume:
        with engine.house(volume) as house:
            check_locks(engine, house)
            table, answers = play(house)
            print(f"ready after {house.ready_seconds:.1f} s; a game of {answers} answers", flush=True)
            print(f"stopped after {house.stop():.1f} s", flush=True)
        with engine.house(volume) as again:
            if again.ask(f"/tables/{table}")["status"] != "over":
                sys.exit("The finished game is not in the volume.")
            again.ask(f"/tables/{table}/record")
            again.stop()


def test_an_earlier_house(engine: Engine, dump: Path) -> None:
    with dump.open(encoding="utf-8") as lines:
        told = json.loads(lines.readline().removeprefix("-- "))
    with engine.volume(dump) as volume, engine.house(volume) as house:
        for table, before in told.items():
            now = house.ask(f"/tables/{table}")
            if now["status"] != before["status"]:
                sys.exit(f"{dump.name}: table {table} was {before['status']} and is {now['status']}.")
        house.stop()
        print(f"{dump.stem}: upgraded, ready after {house.ready_seconds:.1f} s, {len(told)} tables go on", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--image", default="")
    parser.add_argument("--base", default="")
    parser.add_argument("--debian", action="store_true")
    given = parser.parse_args()
    name = find_engine("docker") or find_engine("podman")
    if name is None:
        print("The image cannot be tested: there is neither docker (started) nor podman here.", file=sys.stderr)
        return 1
    if not given.image:
        build(name, "veillee-test", given.base, debian=given.debian)
    engine = Engine(name, given.image or "veillee-test")
    size = int(engine.run("image", "inspect", "--format", "{{.Size}}", engine.image))
    print(f"{engine.image}: {size / 1e6:.0f} MB, with its base", flush=True)
    test_a_new_house(engine)
    for dump in sorted(HOUSES.glob("*.sql")):
        test_an_earlier_house(engine, dump)
    return 0


if __name__ == "__main__":
    sys.exit(main())
