"""Sheets to print: read back from the PDF, every face once per copy in its real size, and every text inside its face."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from pypdf import PdfReader

from veillee.games.catalogue import BOXES
from veillee.games.content import Content
from veillee.games.owners import check_text
from veillee.games.print_faces import Area, PrintSet, Text, Unit, back_with, flow
from veillee.house.errors import BadRequest
from veillee.web.rendering import print_sheets
from veillee.web.rendering.print_sheets import (
    BLEED,
    MARK_GAP,
    MARK_LENGTH,
    PAPERS,
    Writer,
    lay_out,
    make_sheets,
    make_truetype,
)

MM = 72 / 25.4
CLOSE = 0.5  # mm
SIZES = {"tales-of-glory": {(50, 50)}, "sourire-du-dragon": {(63, 88), (40, 40)}}


class Cut(NamedTuple):
    """A face that was read back, in mm from the upper left corner of its page."""

    x: float
    y: float
    width: float
    height: float
    text: str


class Page(NamedTuple):
    title: str
    cuts: list[Cut]
    marks: list[tuple[float, float, float, float]]  # straight lines
    letters_outside: str
    grounds: list[tuple[float, float, float, float]]  # of backs


@pytest.fixture(scope="module", autouse=True)
def fonts(tmp_path_factory):
    """Converts the fonts once."""
    folder, keep = tmp_path_factory.mktemp("fonts"), pytest.MonkeyPatch()
    keep.setattr(print_sheets, "make_truetype", cache(lambda name, _: make_truetype(name, folder)))
    yield
    keep.undo()


@pytest.fixture
def no_pictures(monkeypatch):
    """Most of what is written and read would be their curves."""
    monkeypatch.setattr(Writer, "_picture", lambda *_: None)


def built_in(game: str) -> Content:
    kind = BOXES[game].contents
    assert kind is not None
    return kind.offered[0]


def read_back(pdf: bytes, sizes: set[tuple[int, int]]) -> list[Page]:
    return [_read_page(page, sizes) for page in PdfReader(BytesIO(pdf)).pages]


def _read_page(page, sizes) -> Page:
    high = float(page.mediabox.height) / MM
    cuts, grounds, lines, texts, start = {}, [], [], [], (0.0, 0.0)

    def operand(operator, args, _matrix, _text_matrix):
        nonlocal start
        figures = [float(one) / MM for one in args] if operator in (b"re", b"m", b"l") else []
        if operator == b"re":
            x, y, width, height = figures
            y, height = (y + height, -height) if height < 0 else (y, height)
            for wide, tall in sizes:
                if abs(width - wide) < CLOSE and abs(height - tall) < CLOSE:
                    cuts[round(x, 2), round(high - y - height, 2)] = (width, height)
                elif abs(width - wide - 2 * BLEED) < CLOSE and abs(height - tall - 2 * BLEED) < CLOSE:
                    grounds.append((x, high - y - height, width, height))
        elif operator == b"m":
            start = figures[0], high - figures[1]
        elif operator == b"l":
            lines.append((*start, figures[0], high - figures[1]))

    def text(said, _matrix, place, _font, _size):
        if said.strip():
            texts.append((place[4] / MM, high - place[5] / MM, said.strip()))

    page.extract_text(visitor_operand_before=operand, visitor_text=text)
    found, outside = [], list(texts)
    for (x, y), (width, height) in sorted(cuts.items(), key=lambda cut: (cut[0][1], cut[0][0])):
        inside = [one for one in texts if x < one[0] < x + width and y < one[1] < y + height]
        outside = [one for one in outside if one not in inside]
        found.append(Cut(x, y, width, height, " ".join(one[2] for one in inside)))
    top = min((y for _, y in cuts), default=high)
    title = " ".join(one[2] for one in outside if one[1] < top)
    return Page(title, found, lines, " ".join(one[2] for one in outside if one[1] >= top), grounds)


def expected(content: Content, game: str, lang: str) -> list[str]:
    """The names of all entries in their order, once for each copy."""
    if game == "tales-of-glory":
        return [tile.names[lang] for tile in content.body.tiles]
    body = content.body
    cards = [card.name[lang] for card in body.cards for _ in range(card.copies)]
    return [names[lang] for names in body.characters] + cards + [square.name[lang] for square in body.squares]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("game", "lang", "paper"), [("tales-of-glory", "fr", "a4"), ("sourire-du-dragon", "en", "letter")]
)
def test_every_entry_once_per_copy_in_its_size(game, lang, paper, no_pictures):
    content = built_in(game)
    sheets = make_sheets(BOXES[game], content, lang=lang, paper=paper)
    both = read_back(sheets.pdf, SIZES[game])
    pages = [page for page in both if page.cuts]
    check_backs(both, PAPERS[paper][0])
    cuts = [cut for page in pages for cut in page.cuts]
    names = expected(content, game, lang)
    assert len(both) == sheets.pages
    assert len(cuts) == sheets.faces == len(names)
    for cut, name in zip(cuts, names, strict=True):
        assert squeezed(name) in squeezed(cut.text)
    width, height = PAPERS[paper]
    for page in pages:
        assert BOXES[game].title[lang] in page.title
        assert squeezed(content.names[lang]) in squeezed(page.title)
        assert page.letters_outside == ""
        check_cut_marks(page)
        assert all(x >= 4 and x + w <= width - 4 and y >= 4 and y + h <= height - 4 for x, y, w, h, _ in page.cuts)
    assert sheets.missing_letters == ""


def check_backs(pages: list[Page], width: float) -> None:
    """Behind each face lies a back, when the sheet is turned over its long edge."""
    backs = [page for page in pages if page.grounds]
    assert backs
    for back in backs:
        front = pages[pages.index(back) - 1]
        assert front.cuts
        assert not back.cuts
        behind = sorted((width - x - w, y, w, h) for x, y, w, h in back.grounds)
        faces = sorted((x - BLEED, y - BLEED, w + 2 * BLEED, h + 2 * BLEED) for x, y, w, h, _ in front.cuts)
        assert np.abs(np.subtract(behind, faces)).max() < CLOSE


def check_cut_marks(page: Page) -> None:
    """Every edge of a face has marks in its line, outside the faces, and the ruler above is true."""
    left, top = min(cut.x for cut in page.cuts), min(cut.y for cut in page.cuts)
    above = {
        x for x, y, x2, y2 in page.marks if x == x2 and y2 < y < top and y - y2 == pytest.approx(MARK_LENGTH, abs=0.05)
    }
    beside = {
        y for x, y, x2, y2 in page.marks if y == y2 and x2 < x < left and x - x2 == pytest.approx(MARK_LENGTH, abs=0.05)
    }
    assert all(any(abs(edge - x) < 0.1 for x in above) for cut in page.cuts for edge in (cut.x, cut.x + cut.width))
    assert all(any(abs(edge - y) < 0.1 for y in beside) for cut in page.cuts for edge in (cut.y, cut.y + cut.height))
    ruler = max(abs(x2 - x) for x, y, x2, y2 in page.marks if y < top and y == y2)
    assert ruler == pytest.approx(50, abs=0.1)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("size", "columns", "rows"), [((50, 50), 3, 5), ((63, 88), 3, 3), ((40, 40), 4, 6)])
def test_a_page_holds_as_many_as_printers_reach(paper, size, columns, rows):
    grid = lay_out(PrintSet("", *size, []), PAPERS[paper])
    assert (grid.columns, grid.rows) == (columns, rows + (paper == "a4" and size == (40, 40)))
    assert grid.top > MARK_GAP + MARK_LENGTH + 4, "the title is above"


def test_a_back_is_symmetric_but_for_its_medallion():
    back = back_with(63, 88, "#2f5e93", symbol="key")
    pattern = [mark.area for mark in back.marks[1:-2]]
    assert len(pattern) == 8 * 11
    for turned in (
        {(round(63 - a.x - a.width, 6), round(a.y, 6)) for a in pattern},
        {(round(a.x, 6), round(88 - a.y - a.height, 6)) for a in pattern},
    ):
        assert turned == {(round(a.x, 6), round(a.y, 6)) for a in pattern}


def test_pictures_are_drawn(monkeypatch):
    drawn = []
    with closing(Writer(BOXES["tales-of-glory"], "a4", None)) as writer:
        monkeypatch.setattr(writer.pdf, "image", lambda *of: drawn.append(of[1:]))
        one = BOXES["tales-of-glory"].faces(built_in("tales-of-glory").body, BOXES["tales-of-glory"].words("en"))[-1]
        writer.page(one, one.faces[:1], "Heroes", "en")
        on_the_face = len(drawn)
        writer.backs(one, one.back, 1, "Heroes")
    assert on_the_face > 1
    assert len(drawn) == on_the_face + 1
    assert all(figure > 0 for figures in drawn for figure in figures)


def test_long_names_stay_inside_their_faces_and_unknown_letters_are_named(no_pictures, monkeypatch):
    monkeypatch.setattr(Writer, "backs", lambda *_: None)
    names = {"Entrée du train de la mort": "W" * 80, "Gobelin": ("Un nom qui " * 7).strip(), "Rivière": "Λ"}
    text = built_in("sourire-du-dragon").text
    for entry, name in names.items():
        text = text.replace(f'"{entry}"', f'"{name}"')
    content = check_text("mine.toml", text).content
    assert content is not None
    sheets = make_sheets(BOXES["sourire-du-dragon"], content, lang="fr", paper="a4")
    pages = read_back(sheets.pdf, SIZES["sourire-du-dragon"])
    assert all(page.letters_outside == "" for page in pages)
    for name in list(names.values())[:2]:
        assert any(squeezed(name) in squeezed(cut.text) for page in pages for cut in page.cuts)
    assert sheets.missing_letters == "Λ"


def test_a_text_fits_its_area_and_words_stay_whole_while_it_can(tmp_path, monkeypatch):
    with closing(Writer(BOXES["tales-of-glory"], "a4", tmp_path)) as writer:
        check_texts(writer, monkeypatch)


def check_texts(writer: Writer, monkeypatch) -> None:
    writer.pdf.add_page()
    lines = []
    monkeypatch.setattr(
        writer.pdf, "text", lambda x, y, said: lines.append((x, y, said, writer.pdf.get_string_width(said)))
    )
    for text, height in (
        ("Le Phare", 4),
        ("L’Anticonstitutionnellement vôtre", 12),
        ("Un nom qui " * 7, 4),
        ("W" * 80, 4),
    ):
        area = Area(10, 20, 30, height)
        lines.clear()
        writer.draw(Text(area, text.strip(), 9, is_heading=True))
        assert all(area.x <= x and x + width <= area.x + area.width for x, _, _, width in lines)
        high = writer.pdf.font_size * 0.68  # of a capital
        assert all(area.y <= y - high and y <= area.y + area.height for _, y, _, _ in lines)
        assert squeezed("".join(said for _, _, said, _ in lines)) == squeezed(text)
        if " " in text:
            assert {word for _, _, said, _ in lines for word in said.split()} == set(text.split())


def test_many_gains_are_made_smaller_until_they_fit():
    area = Area(2, 3, 20, 8)
    groups = [[Unit("99", "coins"), Unit("99", "potions"), Unit("×", "key")]] * 6
    marks = flow(groups, area, 5)
    assert len(marks) == 36
    assert all(area.x - 0.01 <= mark.area.x <= area.x + area.width - mark.area.width + 0.01 for mark in marks)
    assert all(area.y - 0.01 <= mark.area.y <= area.y + area.height - mark.area.height + 0.01 for mark in marks)
    starts = [mark.area.x for mark in marks if isinstance(mark, Text) and mark.area.y == marks[0].area.y]
    assert all(a < b for a, b in pairwise(starts)), "side by side, in their order"


def test_what_cannot_be_printed_is_said(monkeypatch):
    with pytest.raises(BadRequest, match="has nothing to print"):
        make_sheets(BOXES["takara-island"], built_in("tales-of-glory"), lang="en", paper="a4")
    monkeypatch.setattr(print_sheets, "find_spec", lambda _: None)
    with pytest.raises(BadRequest, match=r"pip install veillee\[print\]"):
        make_sheets(BOXES["tales-of-glory"], built_in("tales-of-glory"), lang="en", paper="a4")
