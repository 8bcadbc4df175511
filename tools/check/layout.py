"""Counts what makes the code hard to find one's way in: shared names, participles, vague pronouns, tests without a module.

usage: python tools/check/layout.py [--before COMMIT] [--names]

--before: also of an earlier commit, beside the present one. --names: lists what was counted.
The way of an answer through the modules is counted by tools/dev/trace_click.py.
Run by `make check` without options: exit code 1 if a limit of LIMITS is exceeded.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bots", "cli", "house", "lab", "match", "tables", "web")  # tables: the name of house/ in earlier commits
FROZEN_PACKAGES = (
    "conformance",
    "games",
    "kernel",
    "skeleton",
)  # other packages import them; their words are the games'
VAGUE = re.compile(r"\b(whoever|somebody|nobody|those who)\b", re.IGNORECASE)
IRREGULAR = [
    "asked",
    "begun",
    "bought",
    "broken",
    "brought",
    "built",
    "called",
    "chosen",
    "come",
    "cut",
    "dealt",
    "done",
    "drawn",
    "fed",
    "felt",
    "found",
    "given",
    "gone",
    "got",
    "heard",
    "held",
    "kept",
    "known",
    "laid",
    "left",
    "lived",
    "lost",
    "made",
    "met",
    "paid",
    "placed",
    "put",
    "read",
    "sat",
    "said",
    "seen",
    "sent",
    "set",
    "shown",
    "shut",
    "sold",
    "spent",
    "spoken",
    "stood",
    "taken",
    "thought",
    "told",
    "understood",
    "won",
    "worn",
    "written",
]
NO_PARTICIPLE = {
    "embed",
    "exceed",
    "feed",
    "need",
    "proceed",
    "read",
    "seed",
    "set",
    "speed",
    "succeed",
    "cut",
    "put",
    "left",
    "shed",
}
LIMITS = {"vague pronouns in docstrings and comments": 60, "test files without a module": 0}
UNBOUND_TESTS = (
    "scenarios",
    "browser",
    "games",
    "tools",
    "examples",
    "conformance",
)  # named by what they test otherwise

Counts = dict[str, list[str]]


def sources(root: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted((root / "src" / "veillee").rglob("*.py")):
        package = path.relative_to(root / "src" / "veillee").parts[0]
        if "versions" not in path.parts:  # migrations
            yield package, path


def shared_names(root: Path) -> Counts:
    """Classes and constants that stand under one name in several modules."""
    classes: dict[str, list[str]] = defaultdict(list)
    constants: dict[str, list[str]] = defaultdict(list)
    for package, path in sources(root):
        if package not in PACKAGES:
            continue
        module = str(path.relative_to(root / "src" / "veillee"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(module)
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            for target in targets:
                if isinstance(target, ast.Name) and target.id.isupper():
                    constants[target.id].append(module)
    return {
        "classes in several modules": [
            f"{name}: {', '.join(of)}" for name, of in sorted(classes.items()) if len(of) > 1
        ],
        "constants in several modules": [
            f"{name}: {', '.join(of)}" for name, of in sorted(constants.items()) if len(of) > 1
        ],
    }


def is_participle(name: str) -> bool:
    word = name.strip("_")
    return (
        "_" not in word
        and word not in NO_PARTICIPLE
        and (word in IRREGULAR or bool(re.fullmatch(r"[a-z]{2,}ed", word)))
    )


def participles(root: Path) -> Counts:
    """Functions and methods outside the games that are named by a participle alone."""
    found = []
    for package, path in sources(root):
        if package in PACKAGES:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_participle(node.name):
                    found.append(f"{path.relative_to(root)}:{node.lineno}: {node.name}")
    return {"functions named by a participle": found}


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a file, with their lines."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if (doc := ast.get_docstring(node, clean=False)) is not None:
                yield getattr(node, "lineno", 1), doc
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def vague(root: Path) -> Counts:
    found = [
        f"{path.relative_to(root)}:{line}: {match[0]}"
        for _, path in sources(root)
        for line, text in prose(path)
        for match in VAGUE.finditer(text)
    ]
    return {"vague pronouns in docstrings and comments": found}


def lost_tests(root: Path) -> Counts:
    """Test files whose module cannot be found by name: test_<module>.py, or test_<module>_<aspect>.py."""
    modules = {name for _, path in sources(root) for name in (path.stem, path.parent.name)}
    found = []
    for path in sorted((root / "tests").rglob("test_*.py")):
        name = path.stem.removeprefix("test_")
        if not set(UNBOUND_TESTS) & set(path.relative_to(root / "tests").parts) and not any(
            name == module or name.startswith(module + "_") for module in modules
        ):
            found.append(str(path.relative_to(root)))
    return {"test files without a module": found}


def count(root: Path) -> Counts:
    sizes = [len(list(folder.glob("*.py"))) for folder in (root / "src" / "veillee").rglob("*") if folder.is_dir()]
    return {
        **shared_names(root),
        **participles(root),
        **vague(root),
        **lost_tests(root),
        "modules in the largest folder": [""] * max(sizes),
    }


def checked_out(commit: str, into: Path) -> Path:
    archive = subprocess.run(
        ["git", "archive", commit, "src", "tests"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(into, filter="data")
    return into


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", default="")
    parser.add_argument("--names", action="store_true")
    given = parser.parse_args()
    now = count(ROOT)
    before: Counts = {}
    if given.before:
        with tempfile.TemporaryDirectory() as folder:
            before = count(checked_out(given.before, Path(folder)))
    for name, found in now.items():
        was = f" (was {len(before[name])})" if before else ""
        print(f"{len(found):5} {name}{was}")
        if given.names and any(found):
            print("".join(f"        {one}\n" for one in found), end="")
    over = [name for name, limit in LIMITS.items() if len(now[name]) > limit]
    for name in over:
        print(
            f"Too many {name}: {len(now[name])}, at most {LIMITS[name]}. `python tools/check/layout.py --names` lists them."
        )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
