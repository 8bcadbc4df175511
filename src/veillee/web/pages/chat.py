"""Table chat: the panel beside the chronicle, its forms, and its messages on the stream.

Messages are an event of their own on the table's stream, without a number, as they do not change the board. A page says
which message it has last; a stream that asks for no chat gets none.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from markupsafe import Markup

from veillee.games.box import Box
from veillee.house.accounts.people import Guest
from veillee.house.accounts.shields import shield_or_default
from veillee.house.community.chat import Conversation, Message, Muted, Rule, TableAudience, host_of, visible_messages
from veillee.house.errors import BadRequest, NotFound, outcome
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError
from veillee.web.http.error_pages import is_live, log_error, on_error, visitor_sentence
from veillee.web.http.request import AnyRequest, RequestContext, read_form, request_context, table_of
from veillee.web.http.same_origin import client_key, rate_limit
from veillee.web.rendering.seat_names import former_guest
from veillee.web.rendering.templates import environment, html, t

HEARD = "heard"  # cookie of a table's page: number of the message read last
MOST_DIGITS = 8


@dataclass(frozen=True)
class Panel:
    """What the page shows of a table's chat."""

    lines: Markup
    rule: Rule
    host: bool  # the reader may set the chat rule
    hidden: bool  # the reader plays in a running match: what spectators say is hidden
    muted: bool  # the reader has muted this table
    muted_all: bool  # or all tables
    unread: int
    newest: int  # the number of the last message
    open: bool
    oops: str


def audience_of(now: Moment) -> TableAudience:
    return TableAudience(now.id, now.status, now.seats)


def last_heard(v: RequestContext) -> int:
    return parse_number(v.request.cookies.get(HEARD, ""))


def parse_number(text: str | None) -> int:
    """Parses a number of an address or a cookie; 0 if it is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else 0


def panel(v: RequestContext, now: Moment, oops: str = "") -> Panel | None:
    """Returns the panel for the reader; None if there is no other guest to talk to."""
    talk, guest = v.house.chat, v.guest
    muted = talk.muted(guest)
    said = visible_messages(talk.load_latest(now.id), audience_of(now), guest, muted)
    opened = bool(oops) or "talk" in v.request.query_params
    before, mine = last_heard(v), guest.id if guest else ""
    if not (said or opened or now.status == "waiting" or any(seat.guest not in ("", mine) for seat in now.seats)):
        return None
    newest = said[-1].number if said else 0
    return Panel(
        Markup("").join([render_message(one, now.box, now.id, guest, v.lang) for one in said]),
        talk.load_rule(now.id, now.box),
        guest is not None and host_of(now.seats) == guest.id,
        now.status == "playing" and bool(now.seats_of(guest)),
        muted.is_muted_at(now.id),
        muted.is_everything_muted,
        0 if opened else sum(one.number > before and one.guest != mine for one in said),
        newest,
        opened,
        oops,
    )


def render_message(
    one: Message, box: Box, table_id: str, guest: Guest | None, lang: str, *, alone: bool = False
) -> Markup:
    """Renders one message, cached for readers who see the same (web/rendering/part_cache.py). `alone`: on the page
    about it."""
    when = datetime.fromtimestamp(one.when, UTC)
    values = {
        "table_id": table_id,
        "number": one.number,
        "colour": box.colours[one.seat] if one.seat != NO_SEAT else "",
        "name": one.name or former_guest(lang),
        "shield": shield_or_default(one.shield, one.guest),
        "words": one.words,
        "gesture": one.gesture,
        "when": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "clock": when.strftime("%H:%M UTC"),
        "mine": alone or (guest is not None and one.guest == guest.id),
    }
    return Markup(environment(lang, box).sheet("table/chat_message.html").draw(values))  # noqa: S704 - escaped by its template


# -- the stream ---------------------------------------------------------------------------------------------------------
class ChatStream:
    """The chat as one stream sends it. Made by `hearing`."""

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
        return ChatStream(v, conversation, muted, parse_number(known)), stop

    return await to_thread(begin)


# -- forms --------------------------------------------------------------------------------------------------------------
async def respond(v: RequestContext, table: Table, doing: Callable[[], Any]) -> Response[Any]:
    """Runs the action and shows the panel again; live.js gets an error sentence or an empty response."""
    try:
        await to_thread(doing)
    except VeilleeError as error:
        return await refusal_page(v, table, error)
    if is_live(v.request):
        return v.set_cookies(Response(None, status_code=204))
    return v.redirect(f"/t/{table.id}?talk#talk")


async def refusal_page(v: RequestContext, table: Table, error: VeilleeError) -> Response[Any]:
    if is_live(v.request):
        return v.set_cookies(on_error(v.request, error))
    log_error(v.request, error, outcome(error).status)
    from veillee.web.pages.table import table_page  # noqa: PLC0415 - the page shows the panel

    return await table_page(v, table, None, said=visitor_sentence(error))


@post("/t/{table_id:str}/talk", status_code=200)
async def say(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Posts words or a gesture. live.js gets the line in the response at once; the stream sends it to the others."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = dict(await read_form(request))
    try:
        rate_limit(request, "talk")
        guest = await v.get_or_create_guest()
        words, gesture = fields.get("words", ""), fields.get("gesture", "")
        here = audience_of(table.moment)
        speak = partial(v.house.chat.say, guest, here, table.box, words, gesture, client_key(request)[0])
        said = await to_thread(speak)
    except VeilleeError as error:
        return await refusal_page(v, table, error)
    if is_live(request):
        return v.set_cookies(html(render_message(said, table.box, table.id, guest, v.lang)))
    return v.redirect(f"/t/{table.id}?talk#talk")


@post("/t/{table_id:str}/talk/rule", status_code=200)
async def decide(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Sets what the host allows: words, gestures, or silence."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    rule = dict(await read_form(request)).get("rule", "")
    guest = await v.get_or_create_guest()
    return await respond(v, table, lambda: v.house.chat.set_rule(guest, audience_of(table.moment), rule))


@post("/t/{table_id:str}/talk/mute", status_code=200)
async def mute_table(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Mutes this table, or unmutes it."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    on = dict(await read_form(request)).get("on") == "yes"
    guest = await v.get_or_create_guest()
    return await respond(v, table, lambda: v.house.chat.mute(guest, table_id=table.id, on=on))


@get("/t/{table_id:str}/talk/{number:str}")
async def about(request: AnyRequest, table_id: FromPath[str], number: FromPath[str]) -> Response[Any]:
    """Shows what can be done about a message of another guest."""
    v = await request_context(request)
    return await about_page(v, await table_of(v.house, table_id), parse_number(number))


async def about_page(v: RequestContext, table: Table, number: int, done: str = "") -> Response[Any]:
    said = await to_thread(find_message, v, table, number)
    muted = await to_thread(v.house.chat.muted, v.guest)
    return v.page(
        "chat_message_page.html",
        table.box,
        table_id=table.id,
        number=number,
        line=render_message(said, table.box, table.id, None, v.lang, alone=True),
        who=said.name or former_guest(v.lang),
        muted=said.guest in muted.people,
        known=bool(said.guest),
        done=done,
    )


def find_message(v: RequestContext, table: Table, number: int) -> Message:
    """Returns a message of another guest that the reader may see. Raises NotHere."""
    said = v.house.chat.find(table.id, number)
    mine = v.guest is not None and said.guest == v.guest.id
    if mine or not visible_messages([said], audience_of(table.moment), v.guest, Muted()):
        raise NotFound(t("There is nothing at this address."))
    return said


@post("/t/{table_id:str}/talk/{number:str}", status_code=200)
async def do_about(request: AnyRequest, table_id: FromPath[str], number: FromPath[str]) -> Response[Any]:
    """Reports the message, or mutes or unmutes its author."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    deed = dict(await read_form(request)).get("deed", "")
    said = await to_thread(find_message, v, table, parse_number(number))
    guest = await v.get_or_create_guest()
    if deed == "report":
        rate_limit(request, "talk")
        await to_thread(v.house.chat.report, guest, table.id, said.number)
    elif deed in ("mute", "hear") and said.guest:
        await to_thread(partial(v.house.chat.mute, guest, whom=said.guest, on=deed == "mute"))
    else:
        raise BadRequest(t("Nothing was chosen: choose first."))
    return await about_page(v, table, said.number, deed)


# -- on the page /me ----------------------------------------------------------------------------------------------------
async def chat_settings_context(v: RequestContext) -> dict[str, Any]:
    """Returns the chat settings for the page /me."""
    if v.guest is None:
        return {"muted_all": False, "muted_people": []}
    muted = await to_thread(v.house.chat.muted, v.guest)
    people = await to_thread(v.house.chat.muted_names, v.guest) if muted.people else []
    return {"muted_all": muted.is_everything_muted, "muted_people": people}


@post("/me/talk", status_code=200)
async def quiet(request: AnyRequest) -> Response[Any]:
    """Mutes or unmutes all tables, or unmutes a guest."""
    v = await request_context(request)
    fields = dict(await read_form(request))
    guest = await v.get_or_create_guest()
    with suppress(VeilleeError):
        if whom := fields.get("hear", ""):
            await to_thread(partial(v.house.chat.mute, guest, whom=whom[:64], on=False))
        else:
            await to_thread(partial(v.house.chat.mute, guest, on=fields.get("on") == "yes"))
    return v.redirect("/me#talk")


ROUTES = [say, decide, mute_table, about, do_about, quiet]
