"""Page about the JSON API."""

from __future__ import annotations

from litestar import Response, get

from veillee.web.http.request import AnyRequest, request_context


@get("/api")
async def show(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    return v.page("api.html", game=next(iter(v.house.profile.shelf())))


ROUTES = [show]
