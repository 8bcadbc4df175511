"""Runs in Pyodide at build time, so that modules are compiled by the Python that will run them: packs /lay/engine, /lay/house
and /lay/rest into bundles, and the standard library into /lay/python_stdlib.zip.

A bundle is the length of its index (4 bytes, little-endian), the index [[path, size], …] as JSON, and the files.
"""

# ruff: noqa: E402, T201

import ast
import json
import marshal
import struct
import sys
import zipfile
from importlib.util import MAGIC_NUMBER
from pathlib import Path

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # of a bytecode file that is not compared with its source
SOURCES = ("/migrations/", "anyio/")  # alembic reads its revisions, and anyio its own modules, as sources
LAY = Path("/lay")
sys.path.insert(0, "/lay/py/veillee/page")  # this module alone, without its package

from bytecode import without_lines  # type: ignore[import-not-found]


def compiled(source: bytes, name: str, *, is_ours: bool) -> bytes:
    """Returns the bytecode file of a module, without docstrings. Modules of other packages have no line numbers either, and
    assert nothing."""
    if is_ours:
        return HEADER + marshal.dumps(
            compile(without_docstrings(ast.parse(source)), name, "exec", dont_inherit=True, optimize=0)
        )
    return HEADER + marshal.dumps(without_lines(compile(source, name, "exec", dont_inherit=True, optimize=2)))


def without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]
    return tree


def pack(name: str) -> None:
    index, parts = [], []
    for file in sorted((LAY / name).rglob("*")):
        if not file.is_file():
            continue
        path, data = file.relative_to(LAY / name).as_posix(), file.read_bytes()
        if path.endswith(".py") and not any(part in f"/{path}" for part in SOURCES):
            data = compiled(data, f"/py/{path}", is_ours=path.startswith("veillee/"))
            path += "c"
        index.append([path, len(data)])
        parts.append(data)
    head = json.dumps(index, separators=(",", ":")).encode()
    (LAY / f"{name}.bundle").write_bytes(struct.pack("<I", len(head)) + head + b"".join(parts))
    print(name, len(index), "files")


def pack_library(used: set[str]) -> None:
    """Compiles the modules of the standard library that are used; the others go into the rest."""
    with (
        zipfile.ZipFile(LAY / "stdlib_sources.zip") as sources,
        zipfile.ZipFile(LAY / "python_stdlib.zip", "w", zipfile.ZIP_STORED) as made,
    ):
        for name in sorted(sources.namelist()):
            if name.endswith("/"):
                continue
            data = sources.read(name)
            module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            is_needed = module in used or name.startswith(
                ("encodings/", "_sysconfigdata", "importlib/", "collections/")
            )
            if name.endswith(".py") and "_sysconfigdata" not in name:
                if not is_needed:
                    target = LAY / "rest" / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
                    continue
                data = compiled(data, f"/lib/python314.zip/{name}", is_ours=False)
                name += "c"
            made.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)


async def main() -> None:
    pack_library(set(json.loads((LAY / "used.json").read_text())["used"]))
    for one in ("engine", "house", "rest"):
        pack(one)
