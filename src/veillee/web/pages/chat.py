"""Table chat: its forms, the page about a message, and its settings on the page /me."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.house.community.chat import Message, Muted, visible_messages
from veillee.house.errors import BadRequest, NotFound, outcome
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError
from veillee.web.http.error_pages import is_live, log_error, on_error, visitor_sentence
from veillee.web.http.forms import parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.same_origin import client_key, rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.table import table_page
from veillee.web.rendering.chat_messages import audience_of, render_message
from veillee.web.rendering.seat_names import former_guest
from veillee.web.rendering.templates import html, t


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
    return await about_page(v, await table_of(v.house, table_id), parse_number(number) or 0)


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
    said = await to_thread(find_message, v, table, parse_number(number) or 0)
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
