"""The process behind `veillee serve --dev` that watches the sources and starts the house anew when Python has changed.

It imports nothing of ours, which is about to change, but all that ours stands on, once: a house is a copy (fork) of it
and opens in half the time. Its door (a socket) stays open: whoever knocks while the house is started anew waits for it.
Where processes cannot be copied, each house is a process of its own. Run as a program, by web/serving/dev_reload.py.
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

LOOK = 0.25  # seconds between two looks
AGAIN = (".py", ".toml")  # a process has read these once and for all
BROKEN = 1  # the exit code of Python when the code has an error
WATCHED = "VEILLEE_WATCHED"  # the number of the open door (a socket), for the house; -1: it opens its own
WITH = "VEILLEE_WITH"  # see games/catalogue.py
STANDS_ON = (
    *("alembic.command", "babel.messages.pofile", "jinja2", "litestar", "litestar.openapi.plugins"),
    *("litestar.static_files", "markdown_it", "msgspec", "openskill.models", "rich.console", "sqlalchemy", "typer"),
    *("uvicorn", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto"),
)

Stamps = dict[Path, int]


def stamps(package: Path, suffixes: Sequence[str]) -> Stamps:
    """When each file was changed, of the package and of the games that are read from folders of their own."""
    found: Stamps = {}
    games = filter(None, os.environ.get(WITH, "").split(os.pathsep))
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


class Copy:
    """A house in a copy of this process."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.code: int | None = None
        self.number = os.fork()
        if self.number == 0:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            sys.argv = ["veillee", *arguments]
            code = BROKEN
            try:
                importlib.invalidate_caches()
                runpy.run_module("veillee", run_name="__main__", alter_sys=True)
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:  # noqa: BLE001 (an error in the code that is being written: it is said)
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


def house(arguments: Sequence[str]) -> Copy | subprocess.Popen[bytes]:
    if hasattr(os, "fork"):
        return Copy(arguments)
    return subprocess.Popen([sys.executable, "-m", "veillee", *arguments])  # noqa: S603 (ourselves)


def watch(package: Path, again: str, broken: str, arguments: Sequence[str]) -> int:
    """Until interrupted, or until the house cannot be opened at all. `again` and `broken` are what is said."""
    for name in STANDS_ON:
        with contextlib.suppress(ImportError):  # the house says better what is missing
            importlib.import_module(name)
    while True:
        seen = stamps(package, AGAIN)
        serving = house(arguments)
        told = False
        try:
            while stamps(package, AGAIN) == seen:
                time.sleep(LOOK)
                code = serving.poll()
                if code is not None and code != BROKEN:
                    return code
                if code == BROKEN and not told:
                    print(broken, flush=True)  # noqa: T201
                    told = True
        except KeyboardInterrupt:
            return 0
        finally:
            serving.kill()  # nothing that was played is lost by it
        print(again, flush=True)  # noqa: T201
        arguments = [word for word in arguments if word != "--open"]  # the browser is there already


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and takes the house along
    sys.exit(watch(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]))
