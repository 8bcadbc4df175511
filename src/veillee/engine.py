"""Engine: the modules that mypyc compiles, and their compiled form if it is not installed beside them.

`make play` starts on the interpreted modules and compiles them meanwhile (tools/setup/build_engine.py), into a folder named
after the Python version and a hash of the sources. A process that starts when a matching folder exists loads all of it;
a running one keeps what it has, because interpreted and compiled modules cannot be mixed.

VEILLEE_ENGINES names the parent folder (by default `veillee-engines` of the environment); "off": use none. Depends on
the standard library only: the build imports it, too.
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
INTERPRETED = ("__init__.py", "plain.py")  # kernel/plain.py uses introspection, which compiled classes do not support
READ = ("kernel/*.h", "games/*/content.py")  # their constants and types are compiled in
SUFFIX = EXTENSION_SUFFIXES[0]  # ".cpython-311-x86_64-linux-gnu.so": Python version and platform


def sources(package: Path = PACKAGE) -> list[Path]:
    """Returns the modules that are compiled."""
    found = (path for pattern in COMPILED for path in package.glob(pattern))
    return sorted(path for path in found if path.name not in INTERPRETED)


def modules(package: Path = PACKAGE) -> list[str]:
    """Returns their names: "veillee.kernel.state"."""
    return [".".join(("veillee", *path.relative_to(package).with_suffix("").parts)) for path in sources(package)]


def key(package: Path = PACKAGE) -> str:
    """Returns the engine's key: the Python version and a hash of all sources."""
    digest = sha256()
    for path in [*sources(package), *sorted(path for pattern in READ for path in package.glob(pattern))]:
        text = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(text)}\n".encode() + text)
    return f"{SUFFIX.strip('.').removesuffix('.so').removesuffix('.pyd')}-{digest.hexdigest()[:16]}"


def shelf() -> Path | None:
    """Returns the parent folder of the engines; None: disabled."""
    named = os.environ.get("VEILLEE_ENGINES")
    if named == "off":
        return None
    return Path(named) if named else Path(sys.prefix) / "veillee-engines"


def fitting() -> Path | None:
    """Returns the engine built from the present sources; None if there is none."""
    place = shelf()
    if place is None or not place.is_dir():
        return None
    folder = place / key()
    return folder if folder.is_dir() else None


class Compiled(MetaPathFinder):
    """Import finder for the modules of an engine."""

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
    """Installs the import finder of the matching engine, if there is one. Must be called before any of its modules is
    imported."""
    if not beside() and (folder := fitting()) is not None:
        sys.meta_path.insert(0, Compiled(folder))


def beside() -> bool:
    """Returns whether the modules were compiled when this package was installed."""
    return (PACKAGE / "kernel" / f"state{SUFFIX}").exists()


def is_compiled(module: str = "veillee.kernel.state") -> bool:
    """Returns whether that module runs as C in this process; imports it if necessary."""
    return not str(import_module(module).__file__).endswith((".py", ".pyc"))
