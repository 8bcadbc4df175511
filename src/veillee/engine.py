"""The engine: the modules that mypyc compiles, and their compiled form where it does not lie beside them.

`make play` starts on the modules as they are written and has them compiled meanwhile (tools/build_engine.py), into a folder
named after Python and the very sources that it was made from. A process that starts when there is one that fits takes
all of it; one that is already running keeps what it has, for interpreted and compiled modules cannot be mixed.

VEILLEE_ENGINES names the folder of such folders (by default `veillee-engines` of the environment); "off": use none.
Needs nothing but Python: the build reads it, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parent
COMPILED = (
    "kernel/*.py",
    "bots/compiled/*.py",
    "lab/compiled/*.py",
    "games/*/rules.py",
    "games/*/rules/*.py",
    "games/*/bot.py",
    "games/*/planes.py",
    "games/*/signs.py",
)
INTERPRETED = ("__init__.py", "plain.py")  # kernel/plain.py looks at classes, which C does not know
READ = ("kernel/*.h", "games/*/content.py")  # their constants and types go into the compiled code
SUFFIX = EXTENSION_SUFFIXES[0]  # ".cpython-311-x86_64-linux-gnu.so": this Python on this machine


def sources(package: Path = PACKAGE) -> list[Path]:
    """The modules that are compiled."""
    found = (path for pattern in COMPILED for path in package.glob(pattern))
    return sorted(path for path in found if path.name not in INTERPRETED)


def modules(package: Path = PACKAGE) -> list[str]:
    """Their names: "veillee.kernel.state"."""
    return [".".join(("veillee", *path.relative_to(package).with_suffix("").parts)) for path in sources(package)]


def key(package: Path = PACKAGE) -> str:
    """Two engines of the same key are the same: this Python, and every byte of the sources."""
    digest = sha256()
    for path in [*sources(package), *sorted(path for pattern in READ for path in package.glob(pattern))]:
        text = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(text)}\n".encode() + text)
    return f"{SUFFIX.strip('.').removesuffix('.so').removesuffix('.pyd')}-{digest.hexdigest()[:16]}"


def shelf() -> Path | None:
    """The folder of the engines; None: they are not wanted."""
    named = os.environ.get("VEILLEE_ENGINES")
    if named == "off":
        return None
    return Path(named) if named else Path(sys.prefix) / "veillee-engines"


def fitting() -> Path | None:
    """The engine that was built from the modules as they are; None if there is none."""
    place = shelf()
    if place is None or not place.is_dir():
        return None
    folder = place / key()
    return folder if folder.is_dir() else None


class Compiled(MetaPathFinder):
    """Finds the modules of an engine in its folder."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.rglob(f"*{SUFFIX}"))
        self.files = {".".join(file.relative_to(folder).parts).removesuffix(SUFFIX): file for file in files}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self.files.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(fullname, file, loader=ExtensionFileLoader(fullname, str(file)))


def use() -> None:
    """Have the modules of the engine that fits imported, if there is one. Called before any of them is."""
    if not beside() and (folder := fitting()) is not None:
        sys.meta_path.insert(0, Compiled(folder))


def beside() -> bool:
    """Were the modules compiled when this package was installed?"""
    return (PACKAGE / "kernel" / f"state{SUFFIX}").exists()


def is_compiled(module: str = "veillee.kernel.state") -> bool:
    """Does that module run as C in this process? It is imported, if nobody has needed it yet."""
    return not str(import_module(module).__file__).endswith(".py")
