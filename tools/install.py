"""Install Veillée into the environment that runs this: compiled to C where there is a compiler, pure Python otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def has_compiler() -> bool:
    """A C compiler and Python's own headers: mypyc needs both."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(compiler) is not None and (Path(sysconfig.get_path("include")) / "Python.h").exists()


def install(*, compiled: bool) -> bool:
    for stale in (ROOT / "build").glob("lib*"):
        shutil.rmtree(stale)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--no-build-isolation", "--force-reinstall", str(ROOT)]
    env = {**os.environ, "VEILLEE_COMPILE": "1" if compiled else "0"}
    return subprocess.run(command, env=env, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    if has_compiler():
        print("Compiling the rules and the search (a minute or so, once) …", flush=True)
        if install(compiled=True):
            print("Veillée is installed, compiled.")
            return 0
        print("The compiler failed (see above): installing the pure Python version instead.")
    else:
        print(
            "No C compiler found: installing the pure Python version. Everything works; bots think about ten times slower."
        )
    if install(compiled=False):
        print("Veillée is installed, pure Python.")
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
