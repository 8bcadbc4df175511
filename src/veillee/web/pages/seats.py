"""Seats of a table: sitting down, standing up, seating a bot, leaving, coming back, agreeing to a substitute, and the
rematch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from veillee.house.accounts.guest import Guest
from veillee.house.errors import BadRequest, NotFound, NotInvited
from veillee.house.house import House
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, check_seal
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError
from veillee.web.http.error_pages import is_live
from veillee.web.http.forms import Fields, field, parse_number, read_form
from veillee.web.http.request import AnyRequest, request_context, table_of
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.table import refusal_page, wait_for_shuffle
from veillee.web.rendering.templates import t

NO_SUCH_ACTION = t("That cannot be done at this address.")


@dataclass(frozen=True)
class SeatRequest:
    """A guest's request about one seat of a table."""

    house: House
    table: Table
    guest: Guest
    seat: int
    fields: Fields
    is_seated: bool  # the guest sat at this table before the request


async def seat_action(
    request: AnyRequest, table_id: str, do: Callable[[SeatRequest], None], *, sits_down: bool = False
) -> Response[Any]:
    """Changes a seat and shows the table again, or why it was refused. `sits_down`: a guest who has no seat here yet
    takes one, under the name in the form."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    seat = parse_number(field(fields, "seat"))
    if seat is None:
        raise NotFound(NO_SUCH_ACTION)
    seated = bool(table.seats_of(v.guest))
    named = sits_down and not seated
    try:
        name, is_invited = field(fields, "name"), table.invites(seat)
        guest = await (v.get_or_create_named_guest(name, is_invited=is_invited) if named else v.get_or_create_guest())
    except (BadRequest, NotInvited) as error:
        return await refusal_page(v, table, seat, error)
    try:
        await to_thread(do, SeatRequest(v.house, table, guest, seat, fields, seated))
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    if is_live(request):
        return v.set_cookies(Response(None, status_code=204))
    if sits_down:
        await wait_for_shuffle(v, table)
    return v.redirect(f"/t/{table.id}")


@post("/t/{table_id:str}/sit", status_code=200)
async def sit(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Sits down. A guest who sits here already seats a friend at the same screen, under another name."""

    def do(r: SeatRequest) -> None:
        name = field(r.fields, "name") if r.is_seated else ""
        r.table.sit(r.guest, r.seat, name, field(r.fields, "luck"), field(r.fields, "sealed"))

    return await seat_action(request, table_id, do, sits_down=True)


@post("/t/{table_id:str}/stand", status_code=200)
async def stand(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    return await seat_action(request, table_id, lambda r: r.table.stand(r.guest, r.seat))


@post("/t/{table_id:str}/seal", status_code=200)
async def seal(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Keeps the hash of what a seated guest's page adds to the shuffle (static/contribution.js)."""
    return await seat_action(request, table_id, lambda r: r.table.seal(r.guest, r.seat, field(r.fields, "sealed")))


@post("/t/{table_id:str}/open", status_code=200)
async def open_seal(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Opens what the page has sealed, when all seats are taken."""

    def do(r: SeatRequest) -> None:
        r.table.open_seal(r.guest, r.seat, field(r.fields, "contribution"))

    return await seat_action(request, table_id, do)


@post("/t/{table_id:str}/bot", status_code=200)
async def seat_bot(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    def do(r: SeatRequest) -> None:
        r.house.tables.seat_bot(r.guest, r.table, r.seat, field(r.fields, "level") or SUBSTITUTE_LEVEL)

    return await seat_action(request, table_id, do)


@post("/t/{table_id:str}/leave", status_code=200)
async def leave(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Leaves the match: a bot takes the seat."""
    return await seat_action(request, table_id, lambda r: r.table.leave(r.guest, r.seat))


@post("/t/{table_id:str}/back", status_code=200)
async def come_back(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    return await seat_action(request, table_id, lambda r: r.table.come_back(r.guest, r.seat))


@post("/t/{table_id:str}/agree", status_code=200)
async def agree(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Agrees that a bot takes the seat of an absent player."""

    def do(r: SeatRequest) -> None:
        r.house.presence.record_visit(r.guest.id, r.table.id)
        r.house.substitutes.vote(r.guest, r.table, r.seat)

    return await seat_action(request, table_id, do)


@post("/t/{table_id:str}/rematch", status_code=200)
async def rematch(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Opens a table for the same players."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    rate_limit(request, "tables")
    sealed = check_seal(field(await read_form(request), "sealed"))
    other = await to_thread(v.house.tables.rematch, await v.get_or_create_guest(), table, sealed)
    return v.redirect(f"/t/{other.id}")


@post("/t/{table_id:str}/{action:str}", status_code=200)
async def no_such_action(request: AnyRequest, table_id: FromPath[str], action: FromPath[str]) -> Response[Any]:
    """Refuses any other action."""
    v = await request_context(request)
    await table_of(v.house, table_id)
    raise NotFound(NO_SUCH_ACTION)


ROUTES = [sit, stand, seal, open_seal, seat_bot, leave, come_back, agree, rematch, no_such_action]
