"""Watcher process of `veillee serve --dev`: restarts the server when Python sources have changed.

It imports none of our modules, which are about to change, but once all libraries that they need: a server is a fork of
it and starts in half the time. The listening socket stays open: connections made during a restart wait. Without fork
(Windows) each server is a new process. Run as a program, by web/serving/dev_reload.py.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

POLL_SECONDS = 0.25  # seconds between two polls
RESTART_SUFFIXES = (".py", ".toml")  # read once per process: a change needs a restart
EXIT_BROKEN_CODE = 1  # the exit code of Python when the code has an error
WATCHED = "VEILLEE_WATCHED"  # descriptor of the listening socket, for the server; -1: it opens its own
BOX_PATH_VARIABLE = "VEILLEE_WITH"  # see games/catalogue.py
PRELOADED_MODULES = (
    *("alembic.command", "babel.messages.pofile", "jinja2", "litestar", "litestar.openapi.plugins"),
    *("litestar.static_files", "markdown_it", "msgspec", "openskill.models", "rich.console", "sqlalchemy", "typer"),
    *("uvicorn", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto"),
)

Stamps = dict[Path, int]


def modification_times(package: Path, suffixes: Sequence[str]) -> Stamps:
    """Returns the modification time of each file, of the package and of the games loaded from folders of their own."""
    found: Stamps = {}
    games = filter(None, os.environ.get(BOX_PATH_VARIABLE, "").split(os.pathsep))
    for folder, inside, names in chain.from_iterable(os.walk(place) for place in (str(package), *games)):
        inside[:] = [name for name in inside if name != "__pycache__" and not name.startswith(".")]
        for name in names:
            if name.endswith(tuple(suffixes)):
                path = Path(folder, name)
                try:
                    found[path] = path.stat().st_mtime_ns
                except OSError:  # it is just being replaced
                    found[path] = 0
    return found


class ForkedServer:
    """A server in a fork of this process."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.code: int | None = None
        self.number = os.fork()
        if self.number == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            sys.argv = ["veillee", *arguments]
            code = EXIT_BROKEN_CODE
            try:
                importlib.invalidate_caches()
                runpy.run_module("veillee", run_name="__main__", alter_sys=True)
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:  # noqa: BLE001 (an error in the edited code: it is printed)
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(code)

    def poll(self) -> int | None:
        if self.code is None:
            number, status = os.waitpid(self.number, os.WNOHANG)
            if number:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.number, signal.SIGKILL)
            os.waitpid(self.number, 0)
            self.code = -signal.SIGKILL


def house(arguments: Sequence[str]) -> ForkedServer | subprocess.Popen[bytes]:
    if hasattr(os, "fork"):
        return ForkedServer(arguments)
    return subprocess.Popen([sys.executable, "-m", "veillee", *arguments])  # noqa: S603 (ourselves)


def watch(package: Path, again: str, broken: str, arguments: Sequence[str]) -> int:
    """Runs the server and restarts it, until interrupted or until it exits by itself. `again` and `broken`: messages to
    print. Returns the exit code."""
    for name in PRELOADED_MODULES:
        with contextlib.suppress(ImportError):  # the server reports better what is missing
            importlib.import_module(name)
    while True:
        seen = modification_times(package, RESTART_SUFFIXES)
        serving = house(arguments)
        told = False
        try:
            while modification_times(package, RESTART_SUFFIXES) == seen:
                time.sleep(POLL_SECONDS)
                code = serving.poll()
                if code is not None and code != EXIT_BROKEN_CODE:
                    return code
                if code == EXIT_BROKEN_CODE and not told:
                    print(broken, flush=True)  # noqa: T201
                    told = True
        except KeyboardInterrupt:
            return 0
        finally:
            serving.kill()  # loses nothing: answers are in the database
        print(again, flush=True)  # noqa: T201
        arguments = [word for word in arguments if word != "--open"]  # the browser is open already


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # `finally` then kills the server
    sys.exit(watch(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]))
