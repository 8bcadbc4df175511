"""Counts the boilerplate in each game's rules: lines that copy, register and decorate.

usage: python tools/check/mechanical.py [--most PERCENT]      a line for each game; exit code 1 if one has more
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

GAMES = Path(__file__).resolve().parents[2] / "src" / "veillee" / "games"
MOST = 5.0  # per cent
MECHANICAL = {"clone", "dump", "load", "args"}  # functions that only say again what a thing consists of
REGISTERS = {"shape", "STEPS"}


def lines_of(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def mechanical(tree: ast.Module) -> int:
    """Returns the lines of functions, registrations and decorators that contain no rules."""
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            count += sum((d.end_lineno or d.lineno) - d.lineno + 1 for d in node.decorator_list)
        if isinstance(node, ast.FunctionDef) and node.name in MECHANICAL:
            count += lines_of(node)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id in REGISTERS for target in targets):
                count += lines_of(node)
    return count


def rules_of(folder: Path) -> list[Path]:
    """Returns the file with a game's rules, or the files of its folder of rules."""
    package = sorted((folder / "rules").glob("*.py"))
    return package or [folder / "rules.py"]


def share(folder: Path) -> tuple[int, int]:
    """Returns the number of mechanical lines and of all lines, without blank ones."""
    some = every = 0
    for path in rules_of(folder):
        text = path.read_text(encoding="utf-8")
        some += mechanical(ast.parse(text))
        every += sum(bool(line.strip()) for line in text.splitlines())
    return some, every


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float, default=MOST, metavar="PERCENT")
    most = parser.parse_args().most
    over = 0
    for folder in sorted(path for path in GAMES.iterdir() if (path / "view.py").exists()):
        some, every = share(folder)
        percent = 100 * some / every
        over += percent > most
        print(f"{folder.name}: {some} of {every} lines of rules are mechanical ({percent:.1f} %)")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
