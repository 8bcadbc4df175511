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
import sysconfig
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TABLE_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
MODULE = re.compile(r"`(veillee(?:\.[a-z][a-z_]*)*)`")
COMMAND = ("basedpyright", "--verifytypes", "veillee", "--ignoreexternal", "--outputjson")
STUBS = Path(__file__).parent / "stubs"  # of base classes from packages that publish no types
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
        yield f"{symbol['name']}: {reasons[0] if reasons else 'one of its members has no clear type'}"


def run() -> dict[str, Any]:
    """Runs basedpyright over the sources. It would look for other packages beside the Python that the environment was
    made with: PYTHONPATH names the environment's own."""
    programs = Path(sys.executable).parent
    paths = [str(ROOT / "src"), str(STUBS), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}
    command = [str(programs / COMMAND[0]), *COMMAND[1:]]
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
