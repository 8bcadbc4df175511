"""Builds the folder of plain files that is the whole house in a browser page (`make page`, `veillee page --to DIR`).

Pyodide comes from npm, pinned by its integrity hash; Python packages come as wheels, pinned in packages.txt. Modules are
compiled by Pyodide's own Python, run by Node. Nothing of them is kept in the repository.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from email import message_from_string
from pathlib import Path
from typing import Any

from veillee import __version__
from veillee.games.catalogue import BOXES
from veillee.house.errors import CannotBuild
from veillee.house.profile import DEFAULT_NAME
from veillee.page.house_in_page import PageHouse, PageRequest
from veillee.page.texts import t
from veillee.page.tools import run_tool
from veillee.page.webassembly import SUFFIX, compile_engine
from veillee.web.pages.pwa import manifest_of
from veillee.web.rendering.images import ico, icon
from veillee.web.rendering.templates import STATIC, board_folder, palette_sheet
from veillee.words import LANGUAGES

HERE = Path(__file__).parent
SOURCES = HERE.parent
PYODIDE = "pyodide@314.0.7"
PYODIDE_INTEGRITY = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
PLATFORM = ["--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314"]
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
PURE_SOURCES = {"markupsafe": "src/markupsafe", "pyyaml": "lib/yaml"}  # no wheels for Pyodide: their pure halves
SOURCE_LICENCES = {"MarkupSafe": "BSD-3-Clause", "PyYAML": "MIT"}
# Not in the page: what rich and mako colour sources with, and databases other than SQLite.
OTHER_DATABASES = ("mssql", "mysql", "oracle", "postgresql")
NOT_LAID = (
    "pygments/",
    "sqlalchemy/dialects/type_migration_guidelines.txt",
    *(f"{place}/{name}" for place in ("alembic/ddl", "sqlalchemy/dialects") for name in OTHER_DATABASES),
)
LEFT_OUT = ("cli", "conformance", "skeleton", "lab", "page/shell", "page/building", "web/static", "web/serving")
PINS = ("page/packages.txt", "page/compiler.txt")
DATA = {".toml", ".json", ".html", ".css", ".svg", ".po", ".md", ".dat", ".mako", ".so", ".txt"}
OF_ENGINE = ("kernel/", "games/", "bots/", "match/")
ASSETS = ("icons.svg", "favicon.svg", "tokens.css", "gestures.svg")  # static files that templates read
PACKED = (".bundle", ".wasm", ".zip")  # compressed by us: static hosts do not compress these


def build(target: Path, cache: Path, say: Callable[[str], None] = print, *, is_compiled: bool = False) -> str:
    """Builds the folder. cache: where downloads are kept. is_compiled: with the engine as WebAssembly. Returns the version
    of the page. Raises CannotBuild."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise CannotBuild(t("Node and npm are needed to build the page: they compile its Python modules."))
    cache.mkdir(parents=True, exist_ok=True)
    say("Downloads")
    pyodide, packages = fetch_pyodide(cache), fetch_packages(cache)
    lay = cache / "lay"
    shutil.rmtree(lay, ignore_errors=True)
    lay_out(packages, lay / "py")
    run = [node, str(HERE / "building/run_pyodide.mjs"), str(pyodide), str(lay)]
    if is_compiled:
        say("Compiles the engine (a minute or two, once)")
        lay_engine(compile_engine(pyodide, cache), lay / "py")
    say("Plays games")
    for box in BOXES.values():
        for record in (board_folder(box).parent / "conformance/golden").glob("*.json"):
            copy(record, lay / "golden" / box.id / record.name)
    run_tool([*run, str(HERE / "building/play_games.py")])
    compare_games(json.loads((lay / "games.json").read_text("utf-8")), is_compiled=is_compiled)
    say("Tries every page")
    run_tool([*run, str(HERE / "building/trace_modules.py")])
    found = json.loads((lay / "used.json").read_text("utf-8"))
    if found["broken"]:
        raise CannotBuild(t("Pages of the house fail in the page: {what}", what=str(found["broken"])))
    say("Packs")
    split(lay, set(found["used"]), set(found["engine"]))
    shutil.copyfile(pyodide / "python_stdlib.zip", lay / "stdlib_sources.zip")
    run_tool([*run, str(HERE / "building/pack.py")])
    shutil.rmtree(target, ignore_errors=True)
    (target / "pyodide").mkdir(parents=True)
    for name in RUNTIME:
        shutil.copyfile(pyodide / name, target / "pyodide" / name)
    lock = json.loads((target / "pyodide/pyodide-lock.json").read_text("utf-8"))
    (target / "pyodide/pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), "utf-8")
    shutil.copyfile(lay / "python_stdlib.zip", target / "pyodide/python_stdlib.zip")
    for name in ("engine", "house", "rest"):
        shutil.copyfile(lay / f"{name}.bundle", target / f"{name}.bundle")
    write_plain_files(target)
    write_licences(target, packages)
    for file in (HERE / "shell").iterdir():
        shutil.copyfile(file, target / file.name)
    return seal(target)


# -- downloads ----------------------------------------------------------------------------------------------------------
def fetch_pyodide(cache: Path) -> Path:
    """Returns the folder of Pyodide's npm package."""
    file, folder = cache / (PYODIDE.replace("@", "-") + ".tgz"), cache / "pyodide"
    if not file.exists():
        run_tool([str(shutil.which("npm")), "pack", "--silent", PYODIDE], cwd=cache)
    found = "sha512-" + base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    if found != PYODIDE_INTEGRITY:
        file.unlink()
        raise CannotBuild(t("{what} is not the file that was pinned.", what=PYODIDE))
    if not folder.exists():
        with tarfile.open(file) as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


def fetch_packages(cache: Path) -> Path:
    """Returns a folder with the unpacked packages of packages.txt."""
    pinned = (HERE / "packages.txt").read_text("utf-8")
    key = hashlib.sha256(pinned.encode()).hexdigest()[:12]
    got, folder = cache / f"wheels-{key}", cache / f"packages-{key}"
    if folder.exists():
        return folder
    entries = [entry for entry in pinned.replace("\\\n", " ").split("\n") if entry and not entry.startswith("#")]
    for name, wanted, options in (
        (
            "wheels",
            [one for one in entries if one.split("==")[0] not in PURE_SOURCES],
            ["--only-binary=:all:", *PLATFORM],
        ),
        ("sources", [one for one in entries if one.split("==")[0] in PURE_SOURCES], ["--no-binary=:all:"]),
    ):
        lines = cache / f"{name}.txt"
        lines.write_text("\n".join(wanted), "utf-8")
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", *options]
        run_tool([*command, "-r", str(lines), "-d", str(got)])
    making = cache / "packages.new"
    shutil.rmtree(making, ignore_errors=True)
    for wheel in sorted(got.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(making)  # noqa: S202 (its hash is pinned)
    for sdist in sorted(got.glob("*.tar.gz")):
        with tarfile.open(sdist) as archive:
            archive.extractall(cache / "sdists", filter="data")
        inside = PURE_SOURCES[sdist.name.rpartition("-")[0].lower()]
        source = cache / "sdists" / sdist.name.removesuffix(".tar.gz") / inside
        shutil.copytree(source, making / source.name)
    making.rename(folder)
    return folder


# -- Python modules -----------------------------------------------------------------------------------------------------
def lay_out(packages: Path, target: Path) -> None:
    """Writes all modules and data files that the page may need into one folder."""
    for file in sorted(packages.rglob("*")):
        name = file.relative_to(packages).as_posix()
        is_locale = name.startswith("babel/locale-data/") and not file.name.startswith(("en.", "fr.", "root.", "en_00"))
        is_metadata = ".dist-info/" in name and not name.endswith("/METADATA")
        if name.startswith(NOT_LAID):
            continue
        if file.is_file() and (file.suffix == ".py" or file.suffix in DATA or name.endswith("/METADATA")):
            if not is_locale and not is_metadata:
                copy(file, target / name)
        if file.name == "METADATA":  # versions are asked for; what a package says of itself is long
            (target / name).write_text(file.read_text("utf-8").partition("\n\n")[0], "utf-8")
    of_alembic = target / "alembic/ddl/__init__.py"
    imports = rf"^from \. import ({'|'.join(OTHER_DATABASES)})\n"
    of_alembic.write_text(re.sub(imports, "", of_alembic.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    for file in sorted(SOURCES.rglob("*")):
        name = file.relative_to(SOURCES).as_posix()
        if not file.is_file() or "__pycache__" in name or "/conformance/" in name or name in PINS:
            continue
        if any(name.startswith(f"{part}/") for part in LEFT_OUT) and name.removeprefix("web/static/") not in ASSETS:
            continue
        is_asset = "/board/" in name and file.suffix in (".css", ".js") and file.name != "palette.css"
        if is_asset:  # a template asks whether it is there; the browser has it from boards/
            (target / "veillee" / name).parent.mkdir(parents=True, exist_ok=True)
            (target / "veillee" / name).write_bytes(b"")
        elif file.suffix == ".py" or file.suffix in DATA - {".so"}:
            copy(file, target / "veillee" / name)


def lay_engine(engine: Path, target: Path) -> None:
    """Replaces the modules of the engine by the compiled ones."""
    for file in sorted(engine.rglob(f"*{SUFFIX}")):
        name = file.relative_to(engine).as_posix()
        copy(file, target / name)
        (target / name.removesuffix(SUFFIX)).with_suffix(".py").unlink(missing_ok=True)


def compare_games(played: dict[str, Any], *, is_compiled: bool) -> None:
    """Raises CannotBuild if the games that Pyodide has played differ from those of the interpreted engine here."""
    environment = {name: value for name, value in os.environ.items() if name != "VEILLEE_ENGINES"}
    environment |= {"VEILLEE_ENGINES": "off", "PYTHONPATH": str(SOURCES.parent)}
    here = json.loads(run_tool([sys.executable, str(HERE / "building/play_games.py")], env=environment))
    if played != {"compiled": is_compiled, "games": here, "broken": []}:
        raise CannotBuild(t("The engine of the page plays other games than the engine here: it is not used."))


def split(lay: Path, used: set[str], engine: set[str]) -> None:
    """Moves the files of lay/py to lay/engine, lay/house and lay/rest, by the modules that were imported."""
    late = []
    for file in sorted((lay / "py").rglob("*")):
        if not file.is_file():
            continue
        name = file.relative_to(lay / "py").as_posix()
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".").split(".cpython-")[0]
        if file.suffix in (".py", ".so") and "/migrations/" not in name:
            part = "engine" if module in engine else "house" if module in used else "rest"
        else:
            own = name.removeprefix("veillee/")
            is_board = any(f"/{part}/" in name for part in ("board", "rulebook"))
            part = "engine" if own != name and own.startswith(OF_ENGINE) and not is_board else "house"
            part = "engine" if name.startswith("babel/") else part
        if part == "rest":
            late.append(module)
        copy(file, lay / part / name)
    with zipfile.ZipFile(lay.parent / "pyodide/package/python_stdlib.zip") as library:
        late += [
            name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for name in library.namelist()
            if name.endswith(".py")
        ]
    (lay / "engine/late.txt").write_text("\n".join(sorted(set(late) - used)), "utf-8")


def copy(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)


# -- files that the browser loads ---------------------------------------------------------------------------------------
def write_plain_files(target: Path) -> None:
    """Writes what the pages load by themselves: styles, scripts, pictures, icons, and the shelf as it is first shown."""
    shutil.copytree(STATIC, target / "static", ignore=shutil.ignore_patterns("sw.js", "*.otf"))
    for box in BOXES.values():
        (target / "boards" / box.code).mkdir(parents=True)
        for file in board_folder(box).iterdir():
            if file.suffix in (".css", ".js", ".svg", ".png", ".webp"):
                shutil.copyfile(file, target / "boards" / box.code / file.name)
    (target / "boards/palettes.css").write_text(palette_sheet(), "utf-8")
    (target / "icons").mkdir()
    for size in (192, 512):
        (target / f"icons/fire-{size}.png").write_bytes(icon(size, ground=False))
        (target / f"icons/ground-{size}.png").write_bytes(icon(size, ground=True))
    (target / "apple-touch-icon.png").write_bytes(icon(180, ground=True))
    (target / "favicon.ico").write_bytes(ico())
    (target / "manifest.webmanifest").write_text(
        relative(json.dumps(manifest_of(DEFAULT_NAME, "fr"), ensure_ascii=False)), "utf-8"
    )
    for lang in LANGUAGES:
        (target / f"shelf.{lang}.html").write_text(render_shelf(lang), "utf-8")
    shutil.copyfile(target / "shelf.fr.html", target / "shelf.html")


def render_shelf(lang: str) -> str:
    """Returns the shelf as HTML, with addresses relative to the folder: it is shown before Python is there."""

    async def nothing(*_: object) -> str:
        return ""

    async def render(folder: str) -> str:
        house = PageHouse(
            folder, base=".", think=nothing, analyse=nothing, save=nothing, on_unsaved=print, on_replaced=print
        )
        parts: list[tuple[Any, ...]] = []
        over = asyncio.Event()

        def send(*part: Any) -> None:
            parts.append(part)
            if part[0] == "end":
                over.set()

        house.start(PageRequest("GET", "/", "", [("accept-language", lang)], b""), send)
        await over.wait()
        house.close()
        return b"".join(part[1] for part in parts if part[0] == "body").decode()

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(render(folder))


def write_licences(target: Path, packages: Path) -> None:
    """Writes what the page is made of, and under which licences."""
    lines = [
        f"Veillée {__version__} · MIT",
        f"{PYODIDE.replace('@', ' ')} · MPL-2.0",
        "Python and its library · PSF-2.0",
    ]
    for metadata in sorted(packages.glob("*.dist-info/METADATA")):
        told = message_from_string(metadata.read_text("utf-8"))
        licence = (
            told["License-Expression"]
            or told["License"]
            or "; ".join(
                one.rpartition(" :: ")[2] for one in told.get_all("Classifier", []) if one.startswith("License ::")
            )
        )
        lines.append(f"{told['Name']} {told['Version']} · {licence.splitlines()[0] if licence else '?'}")
    lines += [f"{name} · {licence}" for name, licence in SOURCE_LICENCES.items()]
    (target / "licences.txt").write_text("\n".join(lines) + "\n", "utf-8")


def relative(text: str) -> str:
    """Returns a web app manifest with addresses relative to itself."""
    return text.replace('"/', '"./')


def seal(target: Path) -> str:
    """Compresses what static hosts do not, writes the list of files with their sizes and hashes, and returns the version."""
    for file in [file for file in target.rglob("*") if file.suffix in PACKED and file.name != "rest.bundle"]:
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        file.unlink()
    files = {
        name: [len(data), integrity(data)] for name, data in contents(target) if name != "rest.bundle"
    }  # nearly never needed
    version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:12]
    (target / "files.js").write_text(
        f"export const VERSION = {version!r};\nexport const FILES = {json.dumps(files)};\n"
    )
    listed: dict[str, Any] = files | {"files.js": [0, integrity((target / "files.js").read_bytes())]}
    worker = (target / "sw.js").read_text("utf-8")
    (target / "sw.js").write_text(f"const VERSION = {version!r}, FILES = {json.dumps(listed)};\n{worker}", "utf-8")
    return version


def contents(folder: Path) -> Iterable[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name != "sw.js":
            yield file.relative_to(folder).as_posix(), file.read_bytes()


def integrity(data: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()
