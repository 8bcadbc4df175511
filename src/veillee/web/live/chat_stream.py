"""The chat on a table's stream.

Messages are an event of their own, without a number, as they do not change the board. A page says which message it has
last; a stream that asks for no chat gets none.
"""

from __future__ import annotations

from collections.abc import Callable

from veillee.house.community.chat import Conversation, Muted, visible_messages
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.web.http.forms import parse_number
from veillee.web.http.request import RequestContext
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.chat_messages import audience_of, render_message


class ChatStream:
    """The chat as one stream sends it. Made by open_chat_stream."""

    def __init__(self, v: RequestContext, conversation: Conversation, muted: Muted, known: int) -> None:
        self.v = v
        self.conversation = conversation
        self.muted = muted
        self.sent = tuple([one for one in conversation.messages if one.number <= known])
        self.turn = -1
        self.status = ""

    def next_update(self, now: Moment) -> bytes:
        """Returns what was said or removed since the last call; at the end of a match, what was hidden, too."""
        if (self.turn, self.status) == (self.conversation.version, now.status):
            return b""
        before = set(self.sent) if self.status in ("", now.status) else set()
        self.turn, self.status, said = self.conversation.version, now.status, self.conversation.messages
        self.sent = said
        fresh = [one for one in visible_messages(said, audience_of(now), self.v.guest, self.muted) if one not in before]
        text = "".join([render_message(one, now.box, now.id, self.v.guest, self.v.lang) for one in fresh])
        body = text.replace("\r", "").replace("\n", "\ndata: ")
        return f"event: talk\ndata: {body}\n\n".encode() if body else b""


NO_CHAT: tuple[ChatStream | None, Callable[[], None]] = None, lambda: None  # for a stream without chat


async def open_chat_stream(
    v: RequestContext, table: Table, known: str | None, wake: Callable[[], None]
) -> tuple[ChatStream | None, Callable[[], None]]:
    """Returns the chat of a stream, for a page that has the message of that number, and a function to stop it. None: it
    asks for no chat."""
    if known is None:
        return NO_CHAT

    def begin() -> tuple[ChatStream, Callable[[], None]]:
        muted = v.house.chat.muted(v.guest)
        conversation, stop = v.house.chat.follow(table.id, wake)
        return ChatStream(v, conversation, muted, parse_number(known) or 0), stop

    return await to_thread(begin)
