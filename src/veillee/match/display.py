"""Displays a match in a terminal (board as text) and in a notebook (board as HTML). Always one seat's view, never
more.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape as escape_html
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from veillee.kernel.log import NO_SEAT

if TYPE_CHECKING:
    from veillee.match.match import Match

BOARD_WIDTH = 100
BOARDS = "veillee.web.rendering.notebook"  # of a higher layer: imported only when needed
PRE_ELEMENT = '<pre style="line-height:1.3;white-space:pre;overflow-x:auto">{code}</pre>'


def board(match: Match, seat: int, lang: str, names: Sequence[str]) -> str:
    """Returns the board as rich markup."""
    who = [escape(name) for name in names] or [f"{number + 1}" for number in range(match.seats)]
    return match.box.draw(match.view(seat), who, match.words(lang))


def text(match: Match, seat: int, lang: str, names: Sequence[str]) -> str:
    console = Console(width=BOARD_WIDTH, no_color=True, highlight=False, force_jupyter=False)
    with console.capture() as got:
        console.print(board(match, seat, lang, names))
    return "\n".join(line.rstrip() for line in got.get().rstrip().splitlines())


def panel(match: Match) -> Panel:
    """Returns the board in a frame with the title and the state of the match."""
    t = match.words("")
    return Panel(
        board(match, NO_SEAT, "", ()),
        title=escape(t.name(match.box.title)),
        subtitle=escape(state(match)),
        title_align="left",
        subtitle_align="left",
        width=BOARD_WIDTH,
    )


def html(match: Match) -> str:
    """Returns the board as the web pages draw it, in a frame, with the text below; the text alone for a box without
    a board.
    """
    drawn = import_module(BOARDS).frame(match)
    if not drawn:
        return to_html(match)
    line = escape_html(f"{match.words('').name(match.box.title)} · {state(match)}")
    return f"{drawn}<details><summary>{line}</summary>{to_html(match)}</details>"


def to_html(match: Match) -> str:
    """Returns the text with its colours in one <pre>: no style sheet, no script, no external resource."""
    console = Console(width=BOARD_WIDTH, record=True, file=StringIO(), highlight=False, force_jupyter=False)
    console.print(panel(match))
    return console.export_html(inline_styles=True, code_format=PRE_ELEMENT)


def state(match: Match) -> str:
    """Returns the scores of a finished match, or the seats that are asked: public data only."""
    if match.over:
        return " · ".join(f"{seat + 1}: {score}" for seat, score in enumerate(match.scores))
    return ", ".join(f"{seat + 1}" for seat in match.view()["to_act"]) + " …"
