"""Page about the JSON API."""

from __future__ import annotations

from litestar import Response, get

from veillee.games.catalogue import BOXES
from veillee.web.http.request import AnyRequest, request_context


@get("/api")
async def show(request: AnyRequest) -> Response[str]:
    return (await request_context(request)).page("api.html", game=next(iter(BOXES)))


ROUTES = [show]
