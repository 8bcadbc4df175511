"""The board of a match in a notebook, as a spectator sees it: one self-contained document.

It is in an iframe, so that its styles and the notebook's do not mix. It has no script and makes no request: style
sheets and the icons used are inlined, fonts are the system's.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from markupsafe import Markup

from veillee.games.box import Box
from veillee.house.tables.moment import detached_moment
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import check_language
from veillee.match.match import Match
from veillee.web.rendering.rulebook_positions import RenderedPosition
from veillee.web.rendering.table_parts import HOUSE_PRIVATE, Audience, has_board, replay_parts
from veillee.web.rendering.templates import STATIC, board_folder, environment

SHEETS = ("tokens.css", "base.css", "table.css")
FONT = re.compile(r"@font-face\s*{[^}]*}\s*")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
USE = re.compile(r'href="/(?:static|boards/(?P<box>[\w-]+))/icons\.svg\?[0-9a-f]+#(?P<name>[\w-]+)"')
ELSEWHERE = re.compile(r' (?:href|action)="/[^"]*"')  # links and forms lead nowhere in the iframe
EXCLUSIVE_DETAILS = re.compile(
    r'<details([^>]*\sdata-part[^>]*?) name="[^"]*"'
)  # exclusive on a page: here all are open
NAMESPACE = re.compile(r' xmlns="[^"]*"')  # HTML does not need it
SYMBOL = re.compile(r'<symbol id="([\w-]+)".*?</symbol>', re.DOTALL)
FRAME = (
    '<iframe sandbox title="{title}" srcdoc="{page}" '
    'style="display:block;width:100%;height:min(44rem, 90vh);border:0;border-radius:.5rem"></iframe>'
)


def frame(match: Match, lang: str = "") -> str:
    """Returns the board in its iframe; empty if the box has none."""
    if not has_board(match.box):
        return ""
    lang = check_language(lang)
    title = escape(match.words(lang).name(match.box.title))
    return FRAME.format(title=title, page=escape(page(match, lang)))


def page(match: Match, lang: str) -> str:
    """Returns the document in the iframe."""
    box = match.box
    table = detached_moment(match, [f"{seat + 1}" for seat in range(match.seats)])
    parts = replay_parts(table, match, Audience(NO_SEAT), lang)
    shown = RenderedPosition({name: Markup(part) for name, part in parts.items() if name not in HOUSE_PRIVATE})  # noqa: S704 - ours
    board = environment(lang, box).get_template("board/table.html").render(p=shown, table_id="")
    used: dict[str, str] = {}
    body = f'{shown["final"]}<div class="middle">{board}</div>{shown["players"]}'
    body = USE.sub(lambda link: f'href="#{_embed_icon(link, box, used)}"', body)
    body = NAMESPACE.sub("", ELSEWHERE.sub("", EXCLUSIVE_DETAILS.sub(r"<details open\1", body)))
    return (
        environment(lang, box)
        .get_template("notebook.html")
        .render(
            style=Markup(style(box)),  # noqa: S704 - our own sheets
            symbols=Markup("".join(used.values())),  # noqa: S704 - our own drawings
            body=Markup(body),  # noqa: S704 - rendered by our own templates
        )
    )


def _embed_icon(link: re.Match[str], box: Box, used: dict[str, str]) -> str:
    """Returns the icon's name in this document, and adds the icon to those used."""
    file = board_folder(box) / "icons.svg" if link["box"] else STATIC / "icons.svg"
    name = f"{'box' if link['box'] else 'house'}-{link['name']}"
    if name not in used and link["name"] in (known := symbols(file)):
        used[name] = known[link["name"]].replace(f'id="{link["name"]}"', f'id="{name}"', 1)
    return name


@cache
def symbols(file: Path) -> dict[str, str]:
    """Returns the icons of a file, by name."""
    return {found[1]: found[0] for found in SYMBOL.finditer(file.read_text("utf-8"))}


@cache
def style(box: Box) -> str:
    """Returns the board's style sheets as one text, without fonts and comments."""
    boards = sorted(file for file in board_folder(box).glob("*.css") if file.name not in ("palette.css", "show.css"))
    files = [STATIC / SHEETS[0], board_folder(box) / "palette.css", *(STATIC / name for name in SHEETS[1:]), *boards]
    text = "".join(file.read_text("utf-8") for file in [*files, STATIC / "notebook.css"] if file.exists())
    return re.sub(r"\s+", " ", COMMENT.sub("", FONT.sub("", text)))
