"""Every game: the rulebook explains each rule that the code cites, in both languages, once."""

from __future__ import annotations

import re

import pytest

from veillee.games.catalogue import BOXES
from veillee.words import LANGUAGES

PARAGRAPH = re.compile(r"^\[([A-Z]{2}-\d+(?:\.\d+)*)\](?:\{(ruling|fact|reconstruction)\})? \S", re.MULTILINE)


def explained(box, lang: str) -> list[tuple[str, str]]:
    return PARAGRAPH.findall((box.folder / "rulebook" / f"{lang}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_each_rule_is_explained_once_in_each_language(box):
    books = [explained(box, lang) for lang in LANGUAGES]
    assert books[0] == books[1], "the two rulebooks explain different rules, or mark them differently"
    ids = [rule for rule, _ in books[0]]
    assert len(set(ids)) == len(ids)
    cited = set()
    for path in box.folder.glob("*.py"):
        cited |= set(re.findall(rf'"({box.code.upper()}-\d+(?:\.\d+)+)"', path.read_text(encoding="utf-8")))
    assert cited, "the code cites no rule"
    assert cited <= set(ids), f"cited and not explained: {sorted(cited - set(ids))}"
