"""`make lock`: pins the packages of requirements/*.in with hashes; each list contains the ones that it builds on."""

from __future__ import annotations

import re
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
# Packages of runtime.txt that the house in a page needs: pinned there to the same versions.
PAGE_LIST = ROOT / "src/veillee/page/packages.txt"
PAGE_PACKAGES = frozenset(
    [
        "alembic",
        "anyio",
        "babel",
        "cachetools",
        "click",
        "confusable-homoglyphs",
        "jinja2",
        "librt",
        "litestar",
        "litestar-htmx",
        "mako",
        "markdown-it-py",
        "markupsafe",
        "mdurl",
        "msgspec",
        "multidict",
        "multipart",
        "mypy-extensions",
        "openskill",
        "pygments",
        "pyyaml",
        "rich",
        "segno",
        "sniffio",
        "sqlalchemy",
        "typing-extensions",
    ]
)
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
    PAGE_LIST.write_text(select_packages((ROOT / "requirements/runtime.txt").read_text("utf-8")), "utf-8")
    return 0


def select_packages(pinned: str) -> str:
    """Returns the entries of the packages that a page needs, without conditions on the system."""
    entries = re.split(r"\n(?=[a-z])", pinned.strip())
    chosen = [entry for entry in entries if entry.split("==")[0] in PAGE_PACKAGES]
    return "".join(re.sub(r" ;[^\\\n]*", "", entry) + "\n" for entry in chosen)


if __name__ == "__main__":
    sys.exit(main())
