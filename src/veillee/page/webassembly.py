"""Compiles the engine to WebAssembly for Pyodide (`veillee page --compiled`), without emscripten's own compiler.

mypyc writes C for the Python that runs it; building/translate.py tells it that it runs on Pyodide's. clang and wasm-ld come
from the package `ziglang`, the headers of Python and of emscripten's C library from Debian, whose mirror apt knows. Nothing
of them is kept in the repository or in the page: Pyodide has the libraries.

The headers are of a later patch release than Pyodide's Python, and mypyc uses internal ones: therefore the engine is taken
only if it plays the same games as the interpreted one (building/play_games.py).
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

from veillee.house.errors import CannotBuild
from veillee.page.texts import t
from veillee.page.tools import run_tool

HERE = Path(__file__).parent
SOURCES = HERE.parent
SUFFIX = ".cpython-314-wasm32-emscripten.so"
UNIT = "veillee"  # name of the one unit of C that all modules are compiled as
DEBIAN_SUITE = "sid"  # the one that has this Python and a recent emscripten
DEBIAN_PACKAGES = ("libpython3.14-dev", "emscripten")
HEADERS_OF_PYTHON = ("python3.14", "x86_64-linux-gnu/python3.14/pyconfig.h")
# Features of WebAssembly that Pyodide itself uses; without a list, clang uses one that Node 20 does not know.
FEATURES = "mvp+bulk_memory+mutable_globals+nontrapping_fptoint+sign_ext+multivalue+reference_types"
LINKING = (
    *("-shared", "--experimental-pic", "-Bdynamic", "--import-memory", "--unresolved-symbols=import-dynamic"),
    *("--no-export-dynamic", "--strip-all", "--export-if-defined=__wasm_call_ctors"),
    "--export-if-defined=__wasm_apply_data_relocs",
)
# Definitions of pyconfig.h that sysconfig does not tell.
MORE_DEFINITIONS = ("_GNU_SOURCE 1", "_Py_STACK_GROWS_DOWN 1", "_PYTHREAD_NAME_MAXLEN 15")


def compile_engine(pyodide: Path, cache: Path) -> Path:
    """Returns a folder with the compiled modules, built again if a source has changed. Raises CannotBuild."""
    key = sha256()
    for file in [HERE / "building/translate.py", HERE / "compiler.txt", Path(__file__), *engine_files()]:
        key.update(file.name.encode() + file.read_bytes())
    made = cache / f"engine-{key.hexdigest()[:12]}"
    if made.exists():
        return made
    work = cache / "engine-work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    zig, headers = fetch_compiler(cache), fetch_headers(cache)
    write_headers_of_python(headers, pyodide, work / "include")
    shutil.copytree(SOURCES, work / "src/veillee", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    run_tool([sys.executable, str(HERE / "building/translate.py"), str(work / "src"), str(work / "c")])
    compile_c(zig, headers, work)
    (work / "out").rename(made)
    return made


def engine_files() -> list[Path]:
    """Returns the sources that the engine is compiled from."""
    from veillee import engine  # noqa: PLC0415 (loads the compiled engine of this machine)

    return [*engine.sources(), *(file for pattern in engine.READ for file in sorted(SOURCES.glob(pattern)))]


# -- tools --------------------------------------------------------------------------------------------------------------
def fetch_compiler(cache: Path) -> Path:
    """Returns the program zig of the package that compiler.txt pins."""
    folder = cache / "ziglang"
    if not folder.exists():
        wheels = cache / "ziglang-wheel"
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--require-hashes"]
        run_tool([*pip, "-r", str(HERE / "compiler.txt"), "-d", str(wheels)])
        with zipfile.ZipFile(next(wheels.glob("ziglang-*.whl"))) as archive:
            archive.extractall(cache / "ziglang.new")
        (cache / "ziglang.new/ziglang").rename(folder)
    program = folder / "zig"
    program.chmod(0o755)
    return program


def fetch_headers(cache: Path) -> Path:
    """Returns a folder with the headers of Debian's packages, fetched by apt into a state of its own: nothing is installed.
    Raises CannotBuild where there is no apt or no mirror of Debian."""
    folder = cache / "headers"
    if folder.exists():
        return folder
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise CannotBuild(t("The compiled engine needs headers from Debian's packages, and apt is not here."))
    state = cache / "apt"
    shutil.rmtree(state, ignore_errors=True)
    for name in ("state/lists/partial", "cache/archives/partial", "got"):
        (state / name).mkdir(parents=True)
    (state / "status").touch()
    (state / "debian.sources").write_text(debian_source(), "utf-8")
    settings = {
        "Dir::State": state / "state",
        "Dir::State::status": state / "status",
        "Dir::Cache": state / "cache",
        "Dir::Etc::sourcelist": state / "debian.sources",
        "Dir::Etc::sourceparts": "-",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", "-q", *(f"-o{name}={value}" for name, value in settings.items())]
    run_tool([*apt, "update"])
    run_tool([*apt, "download", *DEBIAN_PACKAGES], cwd=state / "got")
    for package in (state / "got").glob("*.deb"):
        run_tool(["dpkg-deb", "-x", str(package), str(cache / "headers.new")])
    (cache / "headers.new").rename(folder)
    return folder


def debian_source() -> str:
    """Returns an apt source for DEBIAN_SUITE, of the mirror that this machine uses. Raises CannotBuild."""
    asked = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"]
    told = subprocess.run(asked, check=False, capture_output=True, text=True).stdout  # noqa: S603 (fixed words)
    mirrors = {line.split()[1] for line in told.splitlines() if line.startswith("Debian ")}
    for mirror in sorted(mirrors):
        if not re.search(r"-security|-ports|-debug", mirror):
            keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
            return f"Types: deb\nURIs: {mirror}\nSuites: {DEBIAN_SUITE}\nComponents: main\nSigned-By: {keys}\n"
    raise CannotBuild(t("The compiled engine needs headers from Debian's packages, and apt knows no mirror of Debian."))


def write_headers_of_python(headers: Path, pyodide: Path, target: Path) -> None:
    """Writes Debian's headers of Python with Pyodide's own pyconfig.h, as its sysconfig tells it."""
    python = headers / "usr/include"
    shutil.copytree(python / HEADERS_OF_PYTHON[0], target)
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as library:
        name = next(name for name in library.namelist() if name.startswith("_sysconfigdata"))
        told = target / "sysconfigdata.py"
        told.write_bytes(library.read(name))
    known = runpy.run_path(str(told))["build_time_vars"]
    told.unlink()
    template = (python / HEADERS_OF_PYTHON[1]).read_text("utf-8")
    names = set(re.findall(r"^#\s*define\s+([A-Za-z_]\w*)", template, re.MULTILINE))
    names |= set(re.findall(r"^/\* #undef (\w+) \*/", template, re.MULTILINE))
    lines = ["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H"]
    for name in sorted(names - {"Py_PYCONFIG_H"}):
        value = known.get(name)
        if value is None or (value == 0 and not name.startswith("HAVE_DECL")):
            lines.append(f"/* #undef {name} */")
        else:
            lines += [f"#ifndef {name}", f"#define {name} {value}", "#endif"]
    lines += [f"#define {definition}" for definition in MORE_DEFINITIONS]
    (target / "pyconfig.h").write_text("\n".join([*lines, "#endif", ""]), "utf-8")


# -- C to WebAssembly ---------------------------------------------------------------------------------------------------
def compile_c(zig: Path, headers: Path, work: Path) -> None:
    """Compiles the C files of work/c into work/out: one large module, and a small one for each of Python's, which hands on
    a module of the large one."""
    import mypyc  # noqa: PLC0415 (a tool of the build)

    library = headers / "usr/share/emscripten/system"
    includes = [
        *(zig.parent / "lib/include", library / "include", library / "lib/libc/musl/include"),
        *(library / "lib/libc/musl/arch/emscripten", library / "lib/libc/musl/arch/generic"),
    ]
    compiling = [str(zig), "cc", "-target", "wasm32-emscripten", f"-mcpu={FEATURES}", "-nostdinc"]
    compiling += [word for folder in includes for word in ("-isystem", str(folder))]
    compiling += [f"-I{folder}" for folder in (work / "include", Path(mypyc.__path__[0]) / "lib-rt", work / "c")]
    compiling += ["-fPIC", "-DNDEBUG", "-fno-sanitize=all", "-g0", "-fno-strict-overflow", "-w"]
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(work / "zig-cache")}

    def module(source: Path, name: str, target: Path, *options: str) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        compiled = work / "one.o"
        run_tool([*compiling, *options, "-c", str(source), "-o", str(compiled)], cwd=work / "c", env=environment)
        linking = [str(zig), "wasm-ld", *LINKING, f"--export=PyInit_{name}", str(compiled), "-o", str(target)]
        run_tool(linking, env=environment)

    fix = work / "src/veillee/kernel/mypyc_fix.h"
    unit = f"{UNIT}__mypyc"
    module(work / f"c/__native_{UNIT}.c", unit, work / f"out/{unit}{SUFFIX}", "-O2", "-include", str(fix))
    for source in sorted((work / "c/veillee").rglob("*.c")):
        place = work / "out" / source.relative_to(work / "c").with_suffix(SUFFIX)
        module(source, source.stem, place, "-O1")
