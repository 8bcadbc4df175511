"""The table on a big screen: the public parts alone, large, with happenings and sounds; each phone shows its own hand."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.work_in_flight import become_stream
from veillee.web.pages.table import stream_response, table_page


async def screen_context(request: AnyRequest) -> RequestContext:
    """Returns the context of a spectator, also in the browser of a player: nothing of a hand comes to the screen."""
    v = await request_context(request)
    v.guest = None
    return v


@get("/t/{table_id:str}/screen")
async def show_screen(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    v = await screen_context(request)
    return await table_page(v, await table_of(v.house, table_id), None, is_screen=True)


@get("/t/{table_id:str}/screen/stream")
async def stream_screen(request: AnyRequest, table_id: FromPath[str]) -> Stream:
    become_stream(request.scope)
    v = await screen_context(request)
    return stream_response(v, await table_of(v.house, table_id), None, None)


ROUTES = [show_screen, stream_screen]
