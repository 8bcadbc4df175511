"""Detects games that were compiled separately from this package: loading one would crash the process.

mypyc lays out a class after its base class: a separately compiled extension does not know the layout of ours, and the
first instance of a subclass overwrites other memory (ADR 10). Interpreted subclasses are safe.
"""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path

from veillee.kernel import state

MARK = b"__mypyc"  # in every module that mypyc has made


def built_apart(module: str, *, compiled: bool = not state.__file__.endswith(".py")) -> str | None:
    """Returns the name of a module of the package that mypyc has compiled, if this package is `compiled` too. Imports
    nothing."""
    package = find_spec(module.partition(".")[0]) if compiled else None
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        for path in sorted(Path(folder).rglob("*")):
            if path.name.endswith(tuple(EXTENSION_SUFFIXES)) and made_by_mypyc(path):
                return path.name
    return None


def made_by_mypyc(path: Path) -> bool:
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(MARK) >= 0
