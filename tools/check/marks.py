"""Extracts the marks that each rule must have from a specification, and writes them beside the rulebooks.

FOLDER has one file for each box, named after it (ghost-knights.md). A rule begins with its number in bold and goes on
until the next number or heading. Its marks are the words "ruling", "fact", "reconstruction" and "departure" that stand
in brackets in it; a mark in the brackets of a heading is the first rule's below it, and a chapter that calls itself
": a reconstruction" is one throughout. What the rulebooks mark beyond that stands in [marks] of rulebook/sources.toml.

usage: python tools/check/marks.py FOLDER      writes src/veillee/games/*/rulebook/marks.toml
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))  # the sources as they are, not the installed product

from veillee.conformance.sources import sources_of
from veillee.games.catalogue import BOXES
from veillee.games.rulebook import ID, MARKS

PIECE = re.compile(rf"^(?P<heading>#+) .*$|\*\*(?P<rule>{ID})\*\*", re.MULTILINE)
WORD = re.compile(rf"[()]|\b(?:{'|'.join(MARKS)})\b")
HEAD = "# The rules of this box, and whose words the rulebook must say they are. Made by tools/check/marks.py; do not edit.\n"


def in_brackets(text: str) -> set[str]:
    """Returns the marks in brackets: `The data say "reconstruction"` is no mark."""
    found: set[str] = set()
    depth = 0
    for word in WORD.findall(text):
        if word in MARKS:
            found |= {word} if depth > 0 else set()
        else:
            depth += 1 if word == "(" else -1
    return found


def marks_of(specification: str) -> dict[str, list[str]]:
    """Returns the rules of a specification in order, each with its marks."""
    rules: dict[str, set[str]] = {}
    waiting: set[str] = set()  # a heading's, for the first rule below it
    chapter: set[str] = set()  # a chapter's, for all of its rules
    pieces = list(PIECE.finditer(specification))
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if heading := piece["heading"]:
            waiting = in_brackets(piece[0])
            if len(heading) < 3:
                chapter = {"reconstruction"} if piece[0].endswith(": a reconstruction") else set()
            continue
        text = specification[piece.end() : following.start() if following else None]
        rules.setdefault(piece["rule"], set()).update(in_brackets(text), waiting, chapter)
        waiting = set()
    return {rule: [mark for mark in MARKS if mark in marks] for rule, marks in rules.items()}


def table(marks: dict[str, list[str]]) -> str:
    lines = (f'"{rule}" = {json.dumps(found)}\n' for rule, found in marks.items())
    return HEAD + "".join(lines)


def main() -> int:
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        print(__doc__)
        return 2
    for box in BOXES.values():
        specification = Path(sys.argv[1]) / f"{box.id}.md"
        if specification.exists():
            marks = marks_of(specification.read_text(encoding="utf-8"))
            for rule, more in (sources_of(box.folder) or {}).get("marks", {}).items():
                marks[rule] = [mark for mark in MARKS if mark in (*marks[rule], *more)]
            (box.folder / "rulebook" / "marks.toml").write_text(table(marks), encoding="utf-8")
            print(f"{box.id}: {len(marks)} rules, {sum(map(bool, marks.values()))} of them marked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
