"""Compiles the present sources into a separate folder, to measure them without installing.

usage: python tools/setup/compile_to.py OUT      then, elsewhere: PYTHONPATH=OUT python -m veillee …
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    work = out / "work"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(ROOT / "src", work / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info"))
    for name in ("setup.py", "pyproject.toml"):
        shutil.copy(ROOT / name, work / name)
    (work / "README.md").touch()
    (work / "LICENSE").touch()
    env = {**os.environ, "VEILLEE_COMPILE": "1"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=work, env=env, check=True)
    shutil.rmtree(out / "veillee", ignore_errors=True)
    shutil.move(work / "src" / "veillee", out / "veillee")
    for library in (work / "src").glob("*.so"):
        shutil.move(library, out / library.name)
    for library in work.glob("*.so"):
        shutil.move(library, out / library.name)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
