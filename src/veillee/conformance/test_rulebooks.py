"""Every game: both rulebooks explain each rule of its specification once, and mark the origin of their sentences."""

from __future__ import annotations

import re

import pytest

from veillee.conformance.books import book, marks, wrong
from veillee.conformance.sources import sources_of, wrong_sources
from veillee.games.box import Box
from veillee.web.rendering.rulebook_positions import BOX_PAGE_POSITION, render_position
from veillee.words import LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_rule_is_explained_once_and_says_whose_words_are_whose(box: Box, lang: str) -> None:
    assert wrong(book(box, lang), lang, marks(box)) == []


def test_what_is_not_marked_rests_on_the_publishers_rulebook(box: Box) -> None:
    """A box without rulebook/sources.toml passes: its rulebook is its own."""
    table = sources_of(box.folder)
    if table is not None:
        assert wrong_sources(box.folder, table) == []


def test_its_pictures_are_there_in_every_language_and_the_board_draws_them(box: Box) -> None:
    """A paragraph ![What one sees.](position:name) and rulebook/positions/name.toml belong together
    (web/rendering/rulebook_positions.py). One position is for the page of the box, and in no book."""
    shown = {
        lang: re.findall(r"^!\[(.+)\]\(position:(\S+?)(?: .*)?\)$", book(box, lang), re.MULTILINE) for lang in LANGUAGES
    }
    names = [sorted(name for _, name in pictures) for pictures in shown.values()]
    files = sorted(file.stem for file in (box.folder / "rulebook" / "positions").glob("*.toml"))
    in_books = [name for name in files if name != BOX_PAGE_POSITION]
    assert all(found == in_books for found in names), f"files: {files}; in the books: {names}"
    for name in files:
        for lang in LANGUAGES:
            assert all("<" in part for part in render_position(box, name, lang).values()), (
                f"{name} shows nothing in {lang!r}"
            )


def test_the_code_cites_rules_that_are_explained(box: Box) -> None:
    cited = set()
    for path in box.folder.rglob("*.py"):
        cited |= set(re.findall(rf'"({box.code.upper()}-\d+(?:\.\d+)+)"', path.read_text(encoding="utf-8")))
    assert cited, "the code cites no rule"
    assert cited <= set(marks(box)), f"cited and not explained: {sorted(cited - set(marks(box)))}"
