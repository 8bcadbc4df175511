"""Compiles the engine from the present sources, for the running server (src/veillee/engine.py finds it).

usage: python tools/setup/build_engine.py [--apart] [--background] [--again]       run by the Python of the environment

By default the whole engine is one unit of C: the fastest code, two minutes of one processor. --apart: one unit for the
kernel and one for each game, in parallel, and only those that changed. --background: at the lowest priority, without
output. An existing engine is kept, unless --again is given or a whole one is requested where there is one in parts.

The engine is installed after it has played some games exactly as the interpreted one does.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from install import BUSY, ROOT, Impossible, compiler, engine, home, locked, packages, say

SOURCE = ROOT / "src" / "veillee"
KEPT = 3  # engines of other sources
# Random games of every box, with every number of players: the same seeds must give the same answers.
GAMES = """
import json
from hashlib import sha256
from veillee import engine
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match.setup import complete
print(engine.is_compiled())
for box in BOXES.values():
    for seats in box.players:
        rng = Rng(seats)
        state = box.new(seats, rng, complete(box, {}), None)
        while state.to_act:
            seat = state.to_act[-1]
            state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
        print(box.id, seats, sha256(json.dumps(state.dump(), sort_keys=True).encode()).hexdigest())
"""


def made_with(units: str) -> dict[str, str]:
    """Returns the versions of the tools, on which the result depends besides the sources and Python."""
    program = compiler()
    assert program is not None
    told = subprocess.run([program, "--version"], check=False, capture_output=True, text=True).stdout
    flags = " ".join(os.environ.get(name, "") for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS"))
    return {
        "units": units,
        "compiler": told.splitlines()[0] if told else program,
        "flags": f"{flags} {sha256((ROOT / 'setup.py').read_bytes()).hexdigest()[:12]}",
        "packages": sha256((ROOT / "requirements" / "build.txt").read_bytes()).hexdigest()[:12],
    }


def is_there(folder: Path, units: str) -> bool:
    """Returns whether this engine is equivalent to the one that would be built."""
    try:
        made = json.loads((folder / "made-with.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(made == made_with(units) or (units == "apart" and made == made_with("whole")))


@contextmanager
def told(shelf: Path) -> Iterator[None]:
    """Keeps a marker file during the build and touches it regularly, so that a dead build can be recognized."""
    sign, over = shelf / "building", threading.Event()

    def touch() -> None:
        while not over.is_set():
            sign.touch()
            over.wait(1.0)

    thread = threading.Thread(target=touch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        sign.unlink(missing_ok=True)


def copy_changed(source: Path, to: Path) -> None:
    """Copies changed files only: unchanged ones keep their modification time and are not compiled again."""
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.suffix in (".py", ".h", ".typed")}
    for name in wanted:
        text = (source / name).read_bytes()
        copy = to / name
        if not copy.exists() or copy.read_bytes() != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(text)
    for path in [path for path in to.rglob("*.py") if path.relative_to(to) not in wanted]:
        path.unlink()


def compile_in(work: Path, units: str, log: Path) -> bool:
    """Translates all modules (10 s), and compiles the units whose C code has changed.

    mypyc could translate only what changed, but 2.4 loses between two runs which fields of a class may be undefined
    (ClassIR.bitmap_attrs) and then fails: its cache is deleted.
    """
    shutil.rmtree(work / ".mypy_cache", ignore_errors=True)
    copy_changed(SOURCE, work / "src" / "veillee")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, work / name)
    env = {**os.environ, "VEILLEE_COMPILE": "1", "VEILLEE_UNITS": units, "VEILLEE_ENGINES": "off"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--parallel", str(os.cpu_count() or 1)]
    with log.open("w", encoding="utf-8") as story:
        return subprocess.run(command, cwd=work, env=env, check=False, stdout=story, stderr=story).returncode == 0


def gather(work: Path, folder: Path, units: str) -> None:
    """Returns the compiled modules and their shared libraries."""
    files = [Path(*name.split(".")).with_suffix(engine.SUFFIX) for name in engine.modules(SOURCE)]
    libraries = [path for place in (work, work / "src") for path in place.glob(f"*__mypyc{engine.SUFFIX}")]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(work / "src" / file, folder / file)
    for library in libraries:
        shutil.copyfile(library, folder / library.name)
    (folder / "made-with.json").write_text(json.dumps(made_with(units), indent=1), encoding="utf-8")


def games(shelf: str) -> list[str]:
    """Returns the course of test games with the engine of that folder."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "VEILLEE_ENGINES": shelf}
    ran = subprocess.run([sys.executable, "-c", GAMES], env=env, check=False, capture_output=True, text=True)
    if ran.returncode:
        raise Impossible(f"The compiled engine does not run:\n{ran.stderr[-2000:]}")
    return ran.stdout.splitlines()


def build(shelf: Path, units: str) -> None:
    """Raises Impossible."""
    key = engine.key(SOURCE)
    tools = sha256(json.dumps(made_with(units)).encode()).hexdigest()[:12]
    for left in [*shelf.glob("new-*"), *(path for path in shelf.glob("work-*") if tools not in path.name)]:
        shutil.rmtree(left, ignore_errors=True)  # of a build that was cut short, or of other tools
    work, fresh, log = shelf / f"work-{units}-{tools}", shelf / f"new-{os.getpid()}", shelf / "build.log"
    work.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(1) as meanwhile:
        interpreted = meanwhile.submit(games, "off")
        if not compile_in(work, units, log):
            raise Impossible(f"The compiler failed: {log} has its story.")
    (fresh / key).mkdir(parents=True)
    gather(work, fresh / key, units)
    if games(str(fresh)) != ["True", *interpreted.result()[1:]]:
        raise Impossible("The compiled engine plays other games than the interpreted one: it is not used.")
    if (shelf / key).exists():
        (shelf / key).rename(fresh / "before")
    (fresh / key).rename(shelf / key)
    shutil.rmtree(fresh, ignore_errors=True)
    old = sorted(shelf.glob("*/made-with.json"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in [file for file in old if file.parent.name != key][KEPT:]:
        shutil.rmtree(file.parent, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--background", action="store_true")
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    units = "apart" if given.apart else "whole"
    tell = (lambda _: None) if given.background else say
    if given.background and hasattr(os, "nice"):
        os.nice(19)
    shelf = engine.shelf() or Path(sys.prefix) / "veillee-engines"
    shelf.mkdir(parents=True, exist_ok=True)
    if compiler() is None:
        tell("There is no C compiler here: Veillée stays pure Python. Everything works; bots think ten times slower.")
        return 0
    failed = shelf / f"failed-{engine.key(SOURCE)}"
    with locked(shelf / "lock", "Somebody else is compiling the engine: waiting until they are done …"):
        if not given.again and is_there(shelf / engine.key(SOURCE), units):
            return 0
        if given.background and failed.exists():
            return 0  # it has been told
        try:
            with told(shelf):
                with locked(home() / "lock", BUSY):
                    packages(home(), "build", tell)
                tell("Compiling the engine (a minute or two, once) …")
                build(shelf, units)
        except (Impossible, OSError) as problem:
            failed.write_text(str(problem), encoding="utf-8")
            tell(f"{problem}\nVeillée stays pure Python: everything works, bots think ten times slower.")
            return 0 if given.background else 1
        failed.unlink(missing_ok=True)
        tell("Veillée is installed, compiled.")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and tidies up
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
