"""HEAD: what GET would answer, without its body. Chats, monitors and browsers ask so before they fetch a page."""

from __future__ import annotations

from typing import cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """Round the whole application: a HEAD goes through the same door as its GET, and the body stays inside."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "HEAD":
            await self.app(scope, receive, send)
            return

        async def head_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send(
                    {"type": "http.response.body", "body": b"", "more_body": False}
                )  # a stream ends by this, too

        await self.app(cast(Scope, {**scope, "method": "GET"}), receive, head_only)
