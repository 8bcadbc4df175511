"""Starting and leaving a guided first game."""

from __future__ import annotations

from asyncio import to_thread
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from veillee.web.http.request import AnyRequest, form, the_box, visit
from veillee.web.pages.table import change, field, number, seated


@post("/games/{game:str}/first", status_code=200)
async def begin(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Opens a guided table with one click."""
    v = await visit(request)
    box = the_box(game)
    table = await to_thread(v.house.first_game, await v.sure_guest(), box.id)
    return v.go(f"/t/{table.id}")


@post("/t/{table_id:str}/unguide", status_code=200)
async def leave(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Turns the guide off; the game goes on as any other."""
    v = await visit(request)
    table = await to_thread(v.house.table, table_id)
    seat = number(field(await form(request), "seat"))

    def do() -> None:
        guest, place = seated(v, table, seat)
        table.leave_guide(guest, place)

    return await change(v, table, seat, to_thread(do))
