"""Tables that two browsers play by sending each other links (house/tables/by_link.py): the page that shows the link to
send, and the page that opens one. Only in a house inside a browser page.

The link stays in the part of the address behind #, which no server is sent; a script posts it from there to the house.
"""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotYours, outcome
from veillee.house.tables.by_link import Invitation, decode, kind_of, link_seat, link_state
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, SeatPlan
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import field, read_form
from veillee.web.http.request import AnyRequest, RequestContext, find_box_on_shelf, request_context, table_of
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.lobby import agreed_options, qr_code
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.templates import STANDALONE, t

MAX_QR_LENGTH = 1200  # characters: a denser code is hard to read for a phone, though there are codes of 2953


@post("/games/{game:str}/by-link", status_code=200)
async def play_by_link(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Opens a table with a friend who plays in another browser; bots take the seats that the game needs besides."""
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    rate_limit(request, "tables")
    bots = [SeatPlan("bot", level=SUBSTITUTE_LEVEL)] * (max(2, box.players[0]) - 2)
    plans = [SeatPlan("me"), SeatPlan("link"), *bots]
    table = await to_thread(v.house.tables.create, await v.get_or_create_guest(), box.id, plans)
    return v.redirect(f"/t/{table.id}")


# -- the link to send -------------------------------------------------------------------------------------------------
@post("/t/{table_id:str}/send", status_code=200)
async def send(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Makes the link; what it holds stands from now on."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    await written(v, table)
    return v.redirect(f"/t/{table.id}/link")


@get("/t/{table_id:str}/link")
async def show_link(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    now = table.moment
    if now.game is not None and link_state(now) != "sent":
        return v.redirect(f"/t/{table.id}")  # nothing is sent by looking at an address
    values = await link_values(v, table)
    return v.page("table_link.html", table.box, table_id=table.id, **values)


async def link_values(v: RequestContext, table: Table) -> dict[str, Any]:
    """Returns the link that the friend needs now, and how to hand it over. Raises NotYours, NotNow."""
    address = f"{page_address(v)}#/link/{await written(v, table)}"
    now = table.moment
    return {
        "link": address,
        "link_qr": qr_code(address, "l") if len(address) <= MAX_QR_LENGTH else "",
        "link_kind": kind_of(now, v.guest) if v.guest is not None else "match",
        "friend": names_at(now, v.lang)[link_seat(now)],
        "is_nameless": v.guest is not None and not v.guest.has_chosen_name,
    }


async def written(v: RequestContext, table: Table) -> str:
    if v.guest is None:
        raise NotYours(t("Only players of this table can send it."))
    return await to_thread(v.house.table_links.write, v.guest, table)


def page_address(v: RequestContext) -> str:
    """Returns the address of the page that this house is in."""
    host = v.request.headers.get("host", "localhost")
    return f"{v.request.scope['scheme']}://{host}{STANDALONE.base}/"


def is_unanswered(now: Moment, guest: Guest | None) -> bool:
    """Returns whether the guest's table waits for the first link of the friend."""
    return now.game is None and link_seat(now) != NO_SEAT and bool(now.seats_of(guest))


# -- a link that has come ---------------------------------------------------------------------------------------------
@get("/link")
async def show_opening(request: AnyRequest) -> Response[str]:
    """Shows the page whose script posts the link in its address; without one, a field for it."""
    v = await request_context(request)
    return v.page("open_link.html", oops="", invitation=None, link="")


@post("/link", status_code=200)
async def open_link(request: AnyRequest) -> Response[Any]:
    """Takes over what a link holds, and shows the table; or whose invitation it is, and sits down when asked to."""
    v = await request_context(request)
    try:
        fields = await read_form(request)
        text = field(fields, "link")
        data = decode(text)
        if data.get("is") == "match":
            await v.get_or_create_guest()
        found = await to_thread(v.house.table_links.read, v.guest, text)
        if isinstance(found, Invitation):
            if field(fields, "sit") != "yes":
                agreed = agreed_options(found.box, found.options, v.lang)
                return v.page("open_link.html", found.box, oops="", invitation=found, link=text, agreed=agreed)
            name = field(fields, "name")
            guest = await (v.get_or_create_named_guest(name) if name.strip() else v.get_or_create_guest())
            table = await to_thread(v.house.table_links.accept, guest, found)
            return v.redirect(f"/t/{table.id}")
    except VeilleeError as error:
        return v.page("open_link.html", None, outcome(error).status, oops=error.say(v.lang), invitation=None, link="")
    return v.redirect(f"/t/{found.id}")


ROUTES = [play_by_link, send, show_link, show_opening, open_link]
