"""The line about the bots' engine."""

from __future__ import annotations

from litestar import Response, get

from veillee.web.http.request import AnyRequest, request_context
from veillee.web.rendering.templates import html, render


@get("/engine")
async def engine(request: AnyRequest) -> Response[str]:
    """Returns the line about the bots' engine, polled while it is being compiled."""
    v = await request_context(request)
    return html(render(v.lang, "engine_banner.html", news=v.house.engine_upgrade.status))


ROUTES = [engine]
