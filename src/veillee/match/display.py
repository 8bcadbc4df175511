"""A match on a terminal and in a notebook: the board as text, and as the pages draw it. Always one seat's view, never more."""

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

WIDTH = 100
BOARDS = "veillee.web.rendering.notebook"  # a room above this one, which draws: it is loaded when somebody looks, and not before
PAGE = '<pre style="line-height:1.3;white-space:pre;overflow-x:auto">{code}</pre>'


def board(match: Match, seat: int, lang: str, names: Sequence[str]) -> str:
    """In rich's markup."""
    who = [escape(name) for name in names] or [f"{number + 1}" for number in range(match.seats)]
    return match.box.draw(match.view(seat), who, match.words(lang))


def text(match: Match, seat: int, lang: str, names: Sequence[str]) -> str:
    console = Console(width=WIDTH, no_color=True, highlight=False)
    with console.capture() as got:
        console.print(board(match, seat, lang, names))
    return "\n".join(line.rstrip() for line in got.get().rstrip().splitlines())


def panel(match: Match) -> Panel:
    """With what there is to know about the match around it."""
    t = match.words("")
    return Panel(
        board(match, NO_SEAT, "", ()),
        title=escape(t.name(match.box.title)),
        subtitle=escape(state(match)),
        title_align="left",
        subtitle_align="left",
        width=WIDTH,
    )


def html(match: Match) -> str:
    """The board as the pages draw it, in a frame, and under it the text; a box that has none shows the text alone."""
    drawn = import_module(BOARDS).frame(match)
    if not drawn:
        return written(match)
    line = escape_html(f"{match.words('').name(match.box.title)} · {state(match)}")
    return f"{drawn}<details><summary>{line}</summary>{written(match)}</details>"


def written(match: Match) -> str:
    """The text with its colours, in one <pre>: no style sheet, no script, nothing from elsewhere."""
    console = Console(width=WIDTH, record=True, file=StringIO(), highlight=False)
    console.print(panel(match))
    return console.export_html(inline_styles=True, code_format=PAGE)


def state(match: Match) -> str:
    """The scores of a finished match, or who is asked what: what everybody knows."""
    if match.over:
        return " · ".join(f"{seat + 1}: {score}" for seat, score in enumerate(match.scores))
    return ", ".join(f"{seat + 1}" for seat in match.view()["to_act"]) + " …"
