"""Page that explains how chance is drawn, and how to check it."""

from __future__ import annotations

from litestar import Response, get

from veillee.web.http.request import AnyRequest, request_context


@get("/fair")
async def fair(request: AnyRequest) -> Response[str]:
    return (await request_context(request)).page("fairness.html")


ROUTES = [fair]
