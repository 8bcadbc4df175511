"""The browser knows every selector, property and value of the style sheets: a browser ignores invalid ones silently."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import veillee

sys.path.insert(0, str(Path(__file__).parents[3] / "tools/check"))
from check_styles import Item, Sheet, parts, split

pytestmark = pytest.mark.browser
SHEETS = sorted(Path(veillee.__file__).parent.rglob("*.css"))
UNKNOWN = """asked => asked.filter(([line, kind, what, value]) => !(
    kind == "declaration" ? CSS.supports(what, value) : CSS.supports(`selector(${what})`)
))"""


def said(items: list[Item]) -> Iterator[tuple[int, str, str, str]]:
    """The selectors and declarations of a sheet, each with its line."""
    for item in items:
        if item.body is None:
            if not item.comment:
                name, value = split(item.text)
                yield item.line, "declaration", name, value.removesuffix("!important")
        elif item.text.startswith("@keyframes"):
            yield from (told for frame in item.body for told in said(frame.body or []))
        elif not item.text.startswith("@font-face"):  # has descriptors, not properties
            if not item.text.startswith("@"):
                yield from ((item.line, "selector", selector, "") for selector in parts(item.text, ","))
            yield from said(item.body)


def test_the_browser_knows_every_declaration(room):
    page = room.page(None, "/fair")
    assert len(SHEETS) > 10
    for path in SHEETS:
        asked = list(said(Sheet(path, path.read_text("utf-8")).items()))
        assert not page.evaluate(UNKNOWN, asked), path
