"""Runs the engine's tests a second time, against the installed, compiled package (the first time they ran on src/)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "setup"))

from install import compiler

EXAMPLE = "examples/liars_dice"
ROOMS = [
    "tests/kernel",
    "tests/games",
    "tests/match",
    "tests/bots",
    "tests/lab",
    "tests/examples",
    f"{EXAMPLE}/tests",
]
SUITE = ["--pyargs", "veillee.conformance"]  # the installed one
COMPILED = "import veillee; raise SystemExit(not veillee.engine.is_compiled())"


def main() -> int:
    env = {**os.environ, "VEILLEE_ENGINES": ""}  # the engine of this environment
    if subprocess.run([sys.executable, "-c", COMPILED], env=env, check=False).returncode:
        if compiler():
            print("There is a C compiler, but Veillée has no compiled engine: its build is broken.")
            return 1
        print("There is no C compiler here: Veillée is pure Python, and there is no compiled engine to test.")
        return 0
    print("The same tests on the compiled engine:", flush=True)
    paths = f"pythonpath=tests {EXAMPLE}"
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "-o", paths, *ROOMS, *SUITE]
    return subprocess.run(command, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
