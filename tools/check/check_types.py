"""Checks that type checkers agree on the type of every public name (docs/api.md), by `basedpyright --verifytypes`.

usage: python tools/check/check_types.py [REPORT]      REPORT: its JSON output, instead of a run

Prints the public names whose type is unknown, or could be inferred differently; exit code 1 if there are any.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TABLE_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
MODULE = re.compile(r"`(veillee(?:\.[a-z][a-z_]*)*)`")
COMMAND = ("basedpyright", "--verifytypes", "veillee", "--ignoreexternal", "--outputjson")
# Their base classes come from packages without complete types, so these, and what names them, are never wholly known.
ADAPTERS = ("veillee.lab.gym", "veillee.lab.spiel", "veillee.lab.zoo")
FROM_THE_BASE_CLASS = re.compile(r"Type of (metaclass|base class) unknown|.* is partially unknown")
FOLLOWS = re.compile(r"partially unknown|one of its members")
NO_TYPE_IS_MEANT = re.compile(r"No docstring found")


def public_modules(page: str) -> frozenset[str]:
    """Returns the modules in the table of docs/api.md."""
    return frozenset(name for row in TABLE_ROW.findall(page) for name in MODULE.findall(row))


def module_of(name: str, modules: Collection[str]) -> str | None:
    """Returns the public module of a name, or None. Of the package itself only its names are public, not its parts."""
    found = max((module for module in modules if f"{name}.".startswith(f"{module}.")), key=len, default=None)
    return None if found == "veillee" and name.count(".") != 1 else found


def unclear_in(report: dict[str, Any], modules: Collection[str]) -> Iterator[str]:
    """Yields the public names without a clear type, each with the reason."""
    for symbol in report["typeCompleteness"]["symbols"]:
        module = module_of(symbol["name"], modules)
        if module is None or (symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]):
            continue
        reasons = [found["message"] for found in symbol["diagnostics"]]
        reasons = [" ".join(reason.split()) for reason in reasons if not NO_TYPE_IS_MEANT.match(reason)]
        if module in ADAPTERS:
            reasons = [reason for reason in reasons if not FROM_THE_BASE_CLASS.match(reason)]
        elif not reasons:
            reasons = ["one of its members has no clear type"]
        yield from (f"{symbol['name']}: {reason}" for reason in reasons[:1])


def run() -> dict[str, Any]:
    """Runs basedpyright over the sources."""
    programs = Path(sys.executable).parent
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [str(programs / COMMAND[0]), *COMMAND[1:], "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    report: dict[str, Any] = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    if not report.get("typeCompleteness"):
        sys.exit(f"basedpyright did not run: {done.stderr or done.stdout}")
    return report


def main() -> int:
    modules = public_modules((ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")) if len(sys.argv) > 1 else run()
    symbols = report["typeCompleteness"]["symbols"]
    count = sum(module_of(symbol["name"], modules) is not None for symbol in symbols)
    absent = modules - {"veillee"} - {module_of(symbol["name"], modules) for symbol in symbols}
    wrong = [f"{module}: no such module" for module in sorted(absent)] + list(unclear_in(report, modules))
    for line in sorted(wrong, key=lambda line: bool(FOLLOWS.search(line))):  # causes before what follows from them
        print(line)
    print(f"{count} public names, {len(wrong)} without a clear type." if wrong else f"Types: {count} public names.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
