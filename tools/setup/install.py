"""Installs what is requested into the environment of this checkout; skips what is up to date.

usage: python3 tools/setup/install.py play | install | build | dev | fonts      prints nothing if all is up to date

play     what is needed to play: the packages of requirements/runtime.txt, and Veillée itself as a pure Python wheel
install  the same, and the compiled engine beside it where there is a C compiler (tools/setup/build_engine.py)
build, dev, fonts  the packages of that list, too

Runs on any Python that has what Veillée needs, with nothing installed. Uses uv where available (on the PATH,
or installed by pip into a private folder), pip otherwise; both check the hashes. A lock file makes a second run wait.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (3, 11)
LISTS = {"play": ["runtime"], "install": ["runtime", "build"]}
BUSY = "Somebody else is installing here: waiting until they are done …"


class Impossible(Exception):
    """The installation is impossible; the message says why."""


# -- the environment ------------------------------------------------------------------------------------------------
def home() -> Path:
    """Returns the folder of the environment: .venv of the checkout, or the user's cache if the checkout is read-only."""
    if named := os.environ.get("VEILLEE_HOME"):
        return Path(named).resolve()
    here = ROOT / ".venv"
    if os.access(here if here.exists() else ROOT, os.W_OK):
        return here
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "veillee" / sha256(str(ROOT).encode()).hexdigest()[:12]


def python(place: Path) -> Path:
    return place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def program(place: Path, name: str) -> str | None:
    """Returns the path of a program of the environment."""
    return shutil.which(name, path=str(python(place).parent))


def run(*command: object, quiet: bool = False, **more: str) -> bool:
    """Runs a command. Returns whether it succeeded; prints its errors unless told otherwise."""
    out = subprocess.DEVNULL if quiet else None
    words = [str(word) for word in command]
    return subprocess.run(words, check=False, env={**os.environ, **more}, stdout=out, stderr=out).returncode == 0


def say(sentence: str) -> None:
    print(sentence, flush=True)


@contextlib.contextmanager
def locked(file: Path, sentence: str) -> Iterator[None]:
    """Holds the lock file; prints a message if it has to wait."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+b") as handle:
        if not take(handle.fileno(), wait=False):
            say(sentence)
            take(handle.fileno(), wait=True)
        yield  # closing the file, or dying, gives it back


if sys.platform == "win32":
    import msvcrt

    def take(handle: int, *, wait: bool) -> bool:
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:
                if not wait:
                    return False
            else:
                return True
else:
    import fcntl

    def take(handle: int, *, wait: bool) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True


def environment(place: Path) -> None:
    """Creates the environment if there is none, or none that works."""
    if python(place).exists() and run(python(place), "-c", "import sys, encodings", quiet=True):
        return
    for left in place.iterdir():  # of one that runs no longer; the lock is held
        if left.name == "lock":
            continue
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left)
        else:
            left.unlink()
    if uv := find_uv(place) or fetch_uv(place, sys.executable):  # without a pip of its own, which takes seconds to make
        made = run(uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, place)
    else:
        made = run(sys.executable, "-m", "venv", place, quiet=True)
    if not made:
        told = "on Debian and Ubuntu, `apt install python3-venv` brings what is missing; uv would do, too"
        raise Impossible(f"Python cannot make an environment in {place}: {told}.")


# -- packages -------------------------------------------------------------------------------------------------------
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet", "install")


def find_uv(place: Path) -> str | None:
    ours = place / "uv" / "bin"
    return shutil.which("uv") or shutil.which("uv", path=str(ours)) or program(place, "uv")


def fetch_uv(place: Path, by: str | Path) -> str | None:
    """Installs uv by the pip of that Python, if it has one, into a private folder."""
    command = [by, *PIP, "--target", place / "uv", "--require-hashes", "-r", ROOT / "requirements" / "uv.txt"]
    return find_uv(place) if run(*command, quiet=True) else None


def installer(place: Path) -> list[str]:
    """Returns the command that installs packages into the environment."""
    uv = find_uv(place) or fetch_uv(place, python(place))
    return [uv, "pip", "install", "--quiet", "--python", str(python(place))] if uv else [str(python(place)), *PIP]


def install(place: Path, *what: object) -> bool:
    """Installs by uv; on failure by pip, which may be configured differently."""
    command = installer(place)
    cache = {} if shutil.which("uv") else {"UV_CACHE_DIR": str(place / "cache")}  # nothing outside our folder
    by_uv = command[1:2] == ["pip"]
    if run(*command, *what, quiet=by_uv, **cache):
        return True
    if not by_uv:
        return False
    say("uv cannot get what is needed: pip tries.")
    if not run(python(place), "-m", "pip", "--version", quiet=True):
        run(python(place), "-m", "ensurepip", quiet=True)
    return run(python(place), *PIP, *(w for w in what if w != "--reinstall"))


def once(place: Path, name: str, digest: str) -> bool:
    """Returns whether this was already done with the same files."""
    mark = place / "installed" / name
    return mark.exists() and mark.read_text(encoding="utf-8") == digest


def done(place: Path, name: str, digest: str) -> None:
    mark = place / "installed" / name
    if mark.parent.is_file():  # the mark of an earlier Makefile
        mark.parent.unlink()
    mark.parent.mkdir(exist_ok=True)
    mark.write_text(digest, encoding="utf-8")


def packages(place: Path, name: str, tell: Callable[[str], None] = say) -> None:
    """Installs the packages of requirements/NAME.txt."""
    file = ROOT / "requirements" / f"{name}.txt"
    digest = sha256(file.read_bytes()).hexdigest()
    if once(place, name, digest):
        return
    tell(f"Installing the packages of requirements/{name}.txt …")
    if not install(place, "--require-hashes", "-r", file):
        raise Impossible("The packages cannot be installed (see above): is there a network?")
    done(place, name, digest)


def sources() -> list[Path]:
    """Returns all files that a wheel is built from."""
    files = [ROOT / name for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in")]
    files += [path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    files = [path for path in files if path.suffix not in (".so", ".pyd") and ".egg-info" not in str(path)]
    return [*sorted(files), ROOT / "tools" / "setup" / "backend.py"]


def copy_sources(to: Path) -> None:
    """Copies the sources, because a build writes into them."""
    for file in sources():
        copy = to / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)


def house(place: Path) -> None:
    """Installs Veillée itself, as a wheel of its sources."""
    digest = sha256()
    for file in sources():
        digest.update(f"{file.relative_to(ROOT).as_posix()}\n".encode() + file.read_bytes())
    if once(place, "house", digest.hexdigest()):
        return
    say("Installing Veillée …")
    with tempfile.TemporaryDirectory() as folder:
        copy_sources(Path(folder))
        if not install(place, "--no-deps", "--no-build-isolation", "--reinstall", folder):
            raise Impossible("Veillée cannot be installed: see above.")
    done(place, "house", digest.hexdigest())


# -- the engine and its compiler ---------------------------------------------------------------------------------------------------
def compiler() -> str | None:
    """Returns the C compiler, if Python's headers are there, too: mypyc needs both."""
    named = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(named) if (Path(sysconfig.get_path("include")) / "Python.h").exists() else None


def _engine() -> Any:
    """Loads src/veillee/engine.py alone: the package has dependencies that may not be installed yet."""
    spec = importlib.util.spec_from_file_location("veillee_engine", ROOT / "src" / "veillee" / "engine.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


engine = _engine()


def prepare(what: str) -> Path:
    """Installs all that `what` needs. Returns the folder of the environment. Raises Impossible."""
    if sys.version_info < OLDEST:
        raise Impossible(f"Veillée needs Python 3.11 or newer; this is Python {platform.python_version()}.")
    place = home()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with locked(place / "lock", BUSY):
            environment(place)
            for name in LISTS.get(what, ["runtime", "build", what]):
                packages(place, name)
            if what in LISTS or what == "dev":
                house(place)
    except OSError as error:
        raise Impossible(f"{place} cannot be used: {error.strerror or error}.") from None
    return place


def main() -> int:
    what = sys.argv[1] if len(sys.argv) > 1 else "install"
    try:
        place = prepare(what)
    except Impossible as problem:
        say(str(problem))
        return 1
    if what == "install":
        return subprocess.run(
            [str(python(place)), str(ROOT / "tools" / "setup" / "build_engine.py")], check=False
        ).returncode
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
