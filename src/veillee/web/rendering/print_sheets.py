"""Sheets to print and cut out, as PDF: the faces of a box (games/print_faces.py) in their real size, with cut marks.

Everything is drawn as vectors by fpdf2 (the extra `print`): the symbols of the board, and texts in the house's fonts.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from veillee.games.box import Box
from veillee.games.content import Content
from veillee.games.print_faces import Area, Back, Face, Mark, Patch, Picture, Polygon, PrintSet, Text, placed
from veillee.house.errors import BadRequest
from veillee.web.rendering.fitted_text import base_lines, fit_text
from veillee.web.rendering.templates import STATIC, board_folder
from veillee.words import sentences

if TYPE_CHECKING:
    from fpdf import FPDF

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # mm
TOP, SIDES, BOTTOM = 9.0, 8.0, 6.0  # least margins, which hold the title and the cut marks
MARK_GAP, MARK_LENGTH = 0.8, 2.2  # of a cut mark, from the faces
RULER = 50.0  # mm: shows whether a printer has kept the size
RULER_NOTE = 20.0  # mm, left of it
TITLE_POINTS = 8.0
FONTS = {"heading": "source-serif-900.otf", "text": "source-sans-600.otf"}
SYMBOL = re.compile(r'<symbol id="([^"]+)" viewBox="([^"]+)">(.*?)</symbol>', re.DOTALL)
UNKNOWN_LETTER = "?"
ROUNDEST = 0.499  # of the shorter side: fpdf2 draws rounder corners not at all
BLEED = 1.5  # mm of a back's ground around it: as much as duplex printers are usually off
OUTLINE_ERROR = 0.5  # font units that a curve may be off

t = sentences(Path(__file__).parents[1] / "locale")


class Sheets(NamedTuple):
    """A PDF, and what is worth knowing about it."""

    pdf: bytes
    pages: int
    faces: int  # with copies
    missing_letters: str  # that the fonts do not have; "?" is printed in their places


class Grid(NamedTuple):
    """Where the faces of a set lie on a page."""

    left: float
    top: float
    columns: int
    rows: int


def make_sheets(box: Box, content: Content, *, lang: str, paper: str) -> Sheets:
    """Returns the PDF of a content. Raises BadRequest if the box has nothing to print, or fpdf2 is not installed."""
    if box.faces is None:
        raise BadRequest(t("{title} has nothing to print.", title=box.title))
    if find_spec("fpdf") is None:
        raise BadRequest(t("Printing needs one more package: pip install veillee[print]."))
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it reports each table of a font that is cut
    sets = box.faces(content.body, box.words(lang))
    fronts = [(one, some) for one in sets for some in _pages(one, PAPERS[paper])]
    pages = sum(2 if one.back else 1 for one, _ in fronts)
    with TemporaryDirectory() as fonts, closing(Writer(box, paper, Path(fonts), pages)) as writer:
        writer.pdf.set_title(f"{box.title[lang]}: {content.names[lang]}")
        subject = t("A game by {authors}. Unofficial: words and pictures are Veillée's.", authors=box.authors)
        writer.pdf.set_subject(subject.say(lang))
        writer.pdf.set_lang(lang)
        for one, some in fronts:
            title = f"{box.title[lang]} ({box.authors}) · {one.title} · {content.names[lang]}"
            writer.page(one, some, title, lang)
            if one.back:
                writer.backs(one, one.back, len(some), f"{title} · {t('backs').say(lang)}")
        pdf = bytes(writer.pdf.output())
    count = sum(face.copies for one in sets for face in one.faces)
    return Sheets(pdf, pages, count, "".join(sorted(writer.missing_letters)))


def _pages(one: PrintSet, size: tuple[float, float]) -> Iterator[Sequence[Face]]:
    """Yields the faces of each page, every copy."""
    grid = lay_out(one, size)
    every = [face for face in one.faces for _ in range(face.copies)]
    each = grid.columns * grid.rows
    for first in range(0, len(every), each):
        yield every[first : first + each]


def lay_out(one: PrintSet, size: tuple[float, float]) -> Grid:
    """Returns the grid with as many faces as a page holds, in its middle."""
    width, height = size
    columns = int((width - 2 * SIDES) // one.width)
    rows = int((height - TOP - BOTTOM) // one.height)
    spare = height - TOP - BOTTOM - rows * one.height
    return Grid((width - columns * one.width) / 2, TOP + spare / 2, columns, rows)


class Writer:
    """A PDF being written."""

    def __init__(self, box: Box, paper: str, fonts: Path, pages: int = 1) -> None:
        """fonts: a folder for them, until the document is made."""
        self.paper = PAPERS[paper]
        self.pages = pages
        self.symbols = read_symbols(board_folder(box) / "icons.svg")
        self.missing_letters: set[str] = set()
        self.pdf = open_pdf(self.paper, fonts)

    def close(self) -> None:
        """Closes the fonts' files, which fpdf2 keeps open."""
        from fpdf.fonts import TTFFont  # noqa: PLC0415  an extra

        for font in self.pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()

    def page(self, one: PrintSet, faces: Sequence[Face], title: str, lang: str) -> None:
        grid = lay_out(one, self.paper)
        self.pdf.add_page()
        self._head(grid, one, title, lang)
        self._cut_marks(grid, one)
        for place, face in enumerate(faces):
            row, column = divmod(place, grid.columns)
            x, y = grid.left + column * one.width, grid.top + row * one.height
            for mark in placed(face.marks, x, y):
                self.draw(mark)
            self._rectangle(Area(x, y, one.width, one.height), outline="#b9ab98")

    def backs(self, one: PrintSet, back: Back, count: int, title: str) -> None:
        """Draws the other side of a sheet that is turned over its long edge: columns from right to left."""
        grid = lay_out(one, self.paper)
        self.pdf.add_page()
        y = grid.top - MARK_GAP - MARK_LENGTH - 3.4
        self._title(Area(grid.left, y, grid.columns * one.width, 3.2), title)
        places = [divmod(place, grid.columns) for place in range(count)]
        areas = [
            Area(
                self.paper[0] - grid.left - (column + 1) * one.width,
                grid.top + row * one.height,
                one.width,
                one.height,
            )
            for row, column in places
        ]
        for area in areas:
            self._rectangle(area.inset(-BLEED), fill=back.ground)
        for area in areas:
            for mark in placed(back.marks, area.x, area.y):
                self.draw(mark)

    def _title(self, area: Area, title: str) -> None:
        self.draw(Text(area, f"{title} · {self.pdf.page_no()}/{self.pages}", TITLE_POINTS))

    def _head(self, grid: Grid, one: PrintSet, title: str, lang: str) -> None:
        """The title, and a line of known length."""
        right = grid.left + grid.columns * one.width
        y = grid.top - MARK_GAP - MARK_LENGTH - 3.4
        note = t("at 100 %: {n} mm", n=int(RULER)).say(lang)
        self._title(Area(grid.left, y, right - grid.left - RULER - RULER_NOTE - 2, 3.2), title)
        self.draw(Text(Area(right - RULER - RULER_NOTE, y, RULER_NOTE - 1, 3.2), note, TITLE_POINTS))
        self.pdf.set_draw_color("#000000")
        self.pdf.set_line_width(0.2)
        self.pdf.line(right - RULER, y + 1.8, right, y + 1.8)
        for end in (right - RULER, right):
            self.pdf.line(end, y + 1, end, y + 2.6)

    def _cut_marks(self, grid: Grid, one: PrintSet) -> None:
        """Marks outside the faces, at every column and row of the whole grid."""
        right, bottom = grid.left + grid.columns * one.width, grid.top + grid.rows * one.height
        self.pdf.set_draw_color("#000000")
        self.pdf.set_line_width(0.1)
        for column in range(grid.columns + 1):
            x = grid.left + column * one.width
            for edge, way in ((grid.top, -1), (bottom, 1)):
                self.pdf.line(x, edge + way * MARK_GAP, x, edge + way * (MARK_GAP + MARK_LENGTH))
        for row in range(grid.rows + 1):
            y = grid.top + row * one.height
            for edge, way in ((grid.left, -1), (right, 1)):
                self.pdf.line(edge + way * MARK_GAP, y, edge + way * (MARK_GAP + MARK_LENGTH), y)

    # -- marks --------------------------------------------------------------------------------------------------------
    def draw(self, mark: Mark) -> None:
        if isinstance(mark, Patch):
            self._rectangle(mark.area, fill=mark.fill, outline=mark.outline, radius=mark.radius)
        elif isinstance(mark, Polygon):
            self.pdf.set_fill_color(mark.fill)
            self.pdf.polygon(mark.points, style="F")
        elif isinstance(mark, Picture):
            self._picture(mark)
        else:
            self._text(mark)

    def _rectangle(self, area: Area, *, fill: str = "", outline: str = "", radius: float = 0.0) -> None:
        if fill:
            self.pdf.set_fill_color(fill)
        if outline:
            self.pdf.set_draw_color(outline)
            self.pdf.set_line_width(0.15)
        self.pdf.rect(
            area.x,
            area.y,
            area.width,
            area.height,
            style="F" * bool(fill) + "D" * bool(outline),
            round_corners=radius > 0,
            corner_radius=min(radius, ROUNDEST * min(area.width, area.height)),
        )

    def _picture(self, mark: Picture) -> None:
        name = next((name for name in mark.symbols if name in self.symbols), "")
        if not name:
            return
        (width, height), drawing = self.symbols[name]
        scale = min(mark.area.width / width, mark.area.height / height)
        x = mark.area.x + (mark.area.width - width * scale) / 2
        y = mark.area.y + (mark.area.height - height * scale) / 2
        svg = drawing.replace("currentColor", mark.colour).encode()
        self.pdf.image(BytesIO(svg), x, y, width * scale, height * scale)

    def _text(self, mark: Text) -> None:
        family = "heading" if mark.is_heading else "text"

        def measure(text: str, size: float) -> float:
            self.pdf.set_font(family, size=size)
            return self.pdf.get_string_width(text)

        size, lines = fit_text(self._printable(mark.text), mark, measure)
        self.pdf.set_font(family, size=size)
        self.pdf.set_text_color(mark.colour)
        for line, y in zip(lines, base_lines(mark.area, len(lines), size), strict=True):
            self.pdf.text(mark.area.x + (mark.area.width - self.pdf.get_string_width(line)) / 2, y, line)

    def _printable(self, text: str) -> str:
        """Replaces what the fonts do not have."""
        text = text.replace("\u202f", "\u00a0").replace("\u2011", "-")
        lacking = {letter for letter in text if letter not in letters()}
        self.missing_letters |= lacking
        return "".join(UNKNOWN_LETTER if letter in lacking else letter for letter in text)


# -- what is drawn with ---------------------------------------------------------------------------------------------------
def open_pdf(paper: tuple[float, float], folder: Path) -> FPDF:
    """Returns an empty document with our fonts, which are kept in the folder."""
    from fpdf import FPDF  # noqa: PLC0415  an extra

    pdf = FPDF(unit="mm", format=paper)
    pdf.set_auto_page_break(auto=False)
    pdf.set_margin(0)
    pdf.set_creator("Veillée")
    for family, name in FONTS.items():
        pdf.add_font(family, fname=make_truetype(name, folder))
    return pdf


def make_truetype(name: str, folder: Path) -> Path:
    """Writes one of our fonts with TrueType outlines: fpdf2 embeds others in a way that PDF readers complain about."""
    from fontTools.fontBuilder import FontBuilder  # noqa: PLC0415  an extra
    from fontTools.pens.cu2quPen import Cu2QuPen  # noqa: PLC0415
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    with TTFont(STATIC / "fonts" / name) as font:
        drawn, outlines = font.getGlyphSet(), {}
        for glyph in font.getGlyphOrder():
            pen = TTGlyphPen(None)
            drawn[glyph].draw(Cu2QuPen(pen, OUTLINE_ERROR, reverse_direction=True))
            outlines[glyph] = pen.glyph()
        made = FontBuilder(font["head"].unitsPerEm, isTTF=True)
        made.setupGlyphOrder(font.getGlyphOrder())
        made.setupCharacterMap(font.getBestCmap())
        made.setupGlyf(outlines)
        made.setupHorizontalMetrics(dict(font["hmtx"].metrics))
        made.setupHorizontalHeader(ascent=font["hhea"].ascent, descent=font["hhea"].descent)
        names = font["name"]
        made.setupNameTable(
            {"familyName": names.getDebugName(1), "styleName": names.getDebugName(2), "psName": names.getDebugName(6)}
        )
        made.setupOS2(sTypoAscender=font["OS/2"].sTypoAscender, sTypoDescender=font["OS/2"].sTypoDescender)
        made.setupPost()
        path = folder / Path(name).with_suffix(".ttf")
        made.save(path)
    return path


@cache
def letters() -> frozenset[str]:
    """Returns the characters that all our fonts have."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415  an extra

    found = []
    for name in FONTS.values():
        with TTFont(STATIC / "fonts" / name) as font:
            found.append(set(map(chr, font.getBestCmap())))
    return frozenset(set.intersection(*found))


@cache
def read_symbols(file: Path) -> dict[str, tuple[tuple[float, float], str]]:
    """Returns the size of each symbol, and the symbol as an SVG file."""
    found = {}
    for name, view, inner in SYMBOL.findall(file.read_text("utf-8")):
        _, _, width, height = map(float, view.split())
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{width}" height="{height}">{inner}</svg>'
        )
        found[name] = ((width, height), svg)
    return found
