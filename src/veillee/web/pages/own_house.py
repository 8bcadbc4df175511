"""Page that tells a reader of a browser page what a house with a server adds, and how to open one."""

from __future__ import annotations

from litestar import Response, get

from veillee.web.http.request import AnyRequest, request_context


@get("/own-house")
async def own_house(request: AnyRequest) -> Response[str]:
    return (await request_context(request)).page("own_house.html")


ROUTES = [own_house]
