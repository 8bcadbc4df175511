"""`make dist`: builds an sdist, a pure Python wheel and, where there is a C compiler, a compiled wheel for this Python and
machine into dist/. Then installs each into an empty environment and plays a game with it.

usage: python tools/setup/dist.py [--pure]       --pure: leave the compiled wheel out, it takes two minutes
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from install import ROOT, compiler, copy_sources, home, install, program, python, say

DIST = ROOT / "dist"
BUILD = "import sys; sys.path.insert(0, 'tools/setup'); import backend; print(backend.build_{kind}(sys.argv[1]))"


def built(kind: str, folder: Path, *, compiled: bool = False) -> Path:
    """Builds an sdist or a wheel of the present sources."""
    with tempfile.TemporaryDirectory() as copy:
        copy_sources(Path(copy))
        env = {**os.environ, "VEILLEE_COMPILE": "1" if compiled else "0", "VEILLEE_ENGINES": "off"}
        command = [sys.executable, "-c", BUILD.format(kind=kind), str(folder.resolve())]
        ran = subprocess.run(command, cwd=copy, env=env, check=False, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"No {kind} was built:\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
    return folder / ran.stdout.split()[-1]


def try_out(file: Path, *, compiled: bool) -> None:
    """Tests it in an empty environment, in a folder without sources."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "empty"
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        if not install(place, file):
            sys.exit(f"{file.name} cannot be installed into an empty environment.")
        command = program(place, "veillee")
        assert command is not None, f"{file.name} brings no command"
        bench = [command, "bench", "ghost-knights", "--seconds", "0", "--json"]
        told = json.loads(subprocess.run(bench, cwd=folder, check=True, capture_output=True).stdout)
        assert told["compiled"] is compiled, f"{file.name}: compiled is {told['compiled']}"
        games = "import veillee; print(len(veillee.games()))"
        subprocess.run([str(python(place)), "-c", games], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        say(f"{file.name}: installed into an empty environment, {'compiled' if compiled else 'pure Python'}, plays.")
        uv = shutil.which("uv") or program(home(), "uv")
        runners = [[uv, "tool", "run", "--from", str(file), "veillee", "games"]] if uv else []
        if pipx := shutil.which("pipx") or program(home(), "pipx"):
            runners.append([pipx, "run", "--spec", str(file), "veillee", "games"])
        for runner in runners:
            env = {**os.environ, "UV_CACHE_DIR": str(Path(folder) / "cache"), "PIPX_HOME": str(Path(folder) / "pipx")}
            subprocess.run(runner, cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
            say(f"{file.name}: runs by {Path(runner[0]).name}.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pure", action="store_true")
    given = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    files = [(built("sdist", DIST), False), (built("wheel", DIST), False)]
    if compiler() is not None and not given.pure:
        say("Compiling the wheel for this machine (two minutes) …")
        files.append((built("wheel", DIST, compiled=True), True))
    for file, compiled in files:
        try_out(file, compiled=compiled)
    return 0


if __name__ == "__main__":
    sys.exit(main())
