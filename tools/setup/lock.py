"""`make lock`: pins the packages of requirements/*.in with hashes; each list contains the ones that it builds on."""

from __future__ import annotations

import subprocess
import sys

from install import ROOT, find_uv, home

LISTS = {
    "uv": ["uv"],
    "runtime": ["runtime"],
    "house": ["runtime", "house"],
    "build": ["runtime", "build"],
    "dev": ["runtime", "build", "dev"],
    "fonts": ["fonts"],
}
# For every Python and system that we know of, and without a word about where the packages came from.
OPTIONS = "--quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate"


def main() -> int:
    uv = find_uv(home())
    if uv is None:
        print("This needs uv: `pip install uv`.")
        return 1
    for name, parts in LISTS.items():
        inputs = [f"requirements/{part}.in" for part in parts]
        command = [uv, "pip", "compile", *OPTIONS.split(), *sys.argv[1:], *inputs, "-o", f"requirements/{name}.txt"]
        subprocess.run(command, cwd=ROOT, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
