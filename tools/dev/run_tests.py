"""Runs every test: the engine's on the sources, browser tests on the installed product.

The conformance suite, the examples and the lab play many whole games: where the engine is compiled, these tests run once, on
it (tools/dev/test_compiled.py; `make soak` runs them on the sources, too).

A failed browser test is repeated once, alone, with a message: a busy machine may exceed a page's timeouts. Every other
failure is final.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "setup"))

from install import compiler

FAILED = Path(__file__).parents[2] / ".pytest_cache" / "v" / "cache" / "lastfailed"
BROWSER = "tests/web"
COMPILED = ["tests/examples", "tests/lab"]  # and the conformance suite
INSTALLED = ["-o", "pythonpath=tests"]  # not src
BOTH_CORES = ["-n", "2", "--dist", "worksteal"]


def pytest(*arguments: str) -> int:
    # The installed product has the compiled engine, where there is a compiler; the sources are interpreted.
    env = {**os.environ, "VEILLEE_ENGINES": "" if INSTALLED[1] in arguments else "off"}
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=env, check=False).returncode


def main() -> int:
    later = [BROWSER, *(COMPILED if compiler() else [])]
    now = ["tests", "examples/liars_dice/tests"] if compiler() else []  # else all there are
    code = pytest(*BOTH_CORES, *(f"--ignore={folder}" for folder in later), *now)
    if code:
        return code
    FAILED.unlink(missing_ok=True)
    code = pytest(*BOTH_CORES, *INSTALLED, BROWSER)
    failed = list(json.loads(FAILED.read_text())) if code == 1 and FAILED.exists() else []
    if not failed:
        return code
    print(f"Once more, alone: {', '.join(failed)}", flush=True)
    return pytest(*INSTALLED, *failed)


if __name__ == "__main__":
    sys.exit(main())
