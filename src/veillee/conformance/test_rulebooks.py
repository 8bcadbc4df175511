"""Every game: both rulebooks explain each rule of its specification once, and say whose words are whose."""

from __future__ import annotations

import re

import pytest

from veillee.conformance.books import book, marks, wrong
from veillee.games.box import Box
from veillee.words import LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_rule_is_explained_once_and_says_whose_words_are_whose(box: Box, lang: str) -> None:
    assert wrong(book(box, lang), lang, marks(box)) == []


def test_the_code_cites_rules_that_are_explained(box: Box) -> None:
    cited = set()
    for path in box.folder.rglob("*.py"):
        cited |= set(re.findall(rf'"({box.code.upper()}-\d+(?:\.\d+)+)"', path.read_text(encoding="utf-8")))
    assert cited, "the code cites no rule"
    assert cited <= set(marks(box)), f"cited and not explained: {sorted(cited - set(marks(box)))}"
