"""Rulebook pages: the book, its panel beside the board, and the positions in it."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from litestar import Response, get
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.house.errors import NotFound
from veillee.house.tables.creation import TABLE_ID
from veillee.web.http.request import AnyRequest, find_box, request_context
from veillee.web.http.same_origin import CSP_FRAMEABLE, split_header_url
from veillee.web.http.work_pools import to_thread
from veillee.web.pages import link_previews
from veillee.web.rendering.rulebook import Rulebook, rulebook
from veillee.web.rendering.rulebook_positions import NoPicture, render_position
from veillee.web.rendering.templates import board_folder, html, render, t, translator

WHERE = r"(as|at|from)=[0-9a-z]{1,8}"  # the seat on a shared screen; the moment and the seat of a replay
TABLE = re.compile(rf"/t/{TABLE_ID.pattern}(/replay)?(\?{WHERE}(&{WHERE})*)?")


def load_rulebook(box: Box, lang: str) -> Rulebook | None:
    t = translator(lang)
    badges = (
        ("ruling", t("our ruling")),
        ("departure", t("our departure")),
        ("reconstruction", t("our reconstruction")),
        ("fact", t("published fact")),
    )
    return rulebook(box.folder, lang, badges, f"/rules/{box.id}/positions")


@get("/rules/{game:str}")
async def rules(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Shows the rulebook. A visitor who comes from a table gets a link back to the question there."""
    v = await request_context(request)
    box = find_box(game)
    back = table_address(request.query_params.get("back", ""))
    came = split_header_url(request, "referer")
    table = table_address(f"{came.path}?{came.query}") or table_address(came.path)
    if (
        not back and table and came.netloc == request.headers.get("host")
    ):  # came by a link: its #rule survives the redirect
        return v.redirect(f"{request.url.path}?back={quote(table)}")
    preview = link_previews.of_box(box, v.lang)
    return v.page("rulebook.html", box, preview=preview, book=rulebook_context(box, v.lang), back=back)


@get("/rules/{game:str}/sheet")
async def rules_beside(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """Returns the rulebook for the panel beside the board."""
    v = await request_context(request)
    box = find_box(game)
    return html(render(v.lang, "rulebook_panel.html", box, book=rulebook_context(box, v.lang)))


@get("/rules/{game:str}/positions/{name:str}")
async def picture(request: AnyRequest, game: FromPath[str], name: FromPath[str]) -> Response[str]:
    """Returns a position of the rulebook, as a page for an iframe in it."""
    v = await request_context(request)
    box = find_box(game)
    try:
        parts = await to_thread(render_position, box, name, v.lang)
    except NoPicture:
        raise NotFound(t("There is nothing at this address.")) from None
    sheets = sorted(file.name for file in board_folder(box).glob("*.css") if file.name != "palette.css")
    page = html(render(v.lang, "picture.html", box, p=parts, sheets=sheets, theme=v.theme, table_id=""))
    page.headers["Content-Security-Policy"] = CSP_FRAMEABLE
    return page


def rulebook_context(box: Box, lang: str) -> Rulebook:
    book = load_rulebook(box, lang)
    if book is None:
        raise NotFound(t("This rulebook is not written in this language."))
    return book


def table_address(address: str) -> str:
    """Returns the address if it is a table's or its replay's; empty for any other."""
    return address if TABLE.fullmatch(address) else ""


ROUTES = [rules, rules_beside, picture]
