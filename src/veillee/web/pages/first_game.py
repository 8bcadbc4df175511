"""Starting and leaving a guided first game."""

from __future__ import annotations

from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from veillee.web.http.forms import field, parse_number, read_form
from veillee.web.http.request import AnyRequest, find_box_on_shelf, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.table import require_seat, respond_after


@post("/games/{game:str}/first", status_code=200)
async def begin(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Opens a guided table with one click."""
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    rate_limit(request, "tables")
    table = await to_thread(v.house.tables.create_first_game, await v.get_or_create_guest(), box.id)
    return v.redirect(f"/t/{table.id}")


@post("/t/{table_id:str}/unguide", status_code=200)
async def leave(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Turns the guide off; the game goes on as any other."""
    v = await request_context(request)
    table = await to_thread(v.house.tables.find, table_id)
    seat = parse_number(field(await read_form(request), "seat"))

    def do() -> None:
        guest, place = require_seat(v, table, seat)
        table.leave_guide(guest, place)

    return await respond_after(v, table, seat, to_thread(do))


ROUTES = [begin, leave]
