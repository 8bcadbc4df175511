"""Writes the measured strength of the levels, for bots of matching strength (bots/strength_scale.py, ADR 31).

python -m veillee.lab.strength_scale [docs/insight/GAME.md …]     writes measure.json beside the rules of each game

`veillee lab insight` measures, and writes the pages; no figure is typed by hand.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from veillee.bots.levels import STRENGTH_MARKS
from veillee.bots.strength_scale import SCALE_FILE
from veillee.games.catalogue import BOXES
from veillee.lab.analysis_validation import TITLES

PAGES = Path("docs") / "insight"
SKILL = TITLES[2]
LADDER_ROW = re.compile(r"^\| (\w+) \|.*?\| ([\d.]+) ± [\d.]+ \|", re.MULTILINE)
MADE_BY_LINE = re.compile(r"^Made by .*$", re.MULTILINE)


def figures(page: str) -> dict[str, Any] | None:
    """Parses a page: the ratio of every level, and the command that measured it. None: not measured."""
    chapter = next((text for text in page.split("\n## ") if text.startswith(SKILL)), "")
    ratios = {name: float(ratio) for name, ratio in LADDER_ROW.findall(chapter) if name in STRENGTH_MARKS}
    made = MADE_BY_LINE.search(chapter)
    return {"levels": ratios, "made": made[0]} if made and ratios.keys() == STRENGTH_MARKS.keys() else None


def to_json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m veillee.lab.strength_scale", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, help="by default all of docs/insight")
    for page in parser.parse_args().pages or sorted(PAGES.glob("*.md")):
        found = figures(page.read_text(encoding="utf-8"))
        if found is None:
            print(f"{page}: the levels have not been measured.", file=sys.stderr)  # noqa: T201
            continue
        path = BOXES[page.stem].folder / SCALE_FILE
        path.write_text(to_json(found), encoding="utf-8")
        print(path)  # noqa: T201


if __name__ == "__main__":
    main()
