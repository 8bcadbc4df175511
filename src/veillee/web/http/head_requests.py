"""HEAD requests: answered as GET without the body. Chats, monitors and browsers send them before they fetch a page."""

from __future__ import annotations

from typing import cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send


class HeadRequests:
    """ASGI middleware that runs a HEAD request as GET, through the same checks, and drops the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "HEAD":
            await self.app(scope, receive, send)
            return

        async def head_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})  # ends a stream too

        await self.app(cast(Scope, {**scope, "method": "GET"}), receive, head_only)
