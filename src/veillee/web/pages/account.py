"""The page /me: name, tables, devices, recovery link, personal data, and deleting the account."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date
from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from veillee.house.accounts import personal_data
from veillee.house.community.moderation import is_operator
from veillee.house.errors import BadRequest, NoTable, NotFound, NotSignedIn, NotYours, outcome
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import back_address, field, read_form
from veillee.web.http.preferences import GUEST_COOKIE, SECURE_GUEST_COOKIE, cookie, device_of, guest_token
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_in_flight import hold
from veillee.web.http.work_pools import EXPORTS, to_thread
from veillee.web.logs import security
from veillee.web.pages import chat as chat_page
from veillee.web.pages import identities as identities_page
from veillee.web.pages import passkeys as passkeys_page
from veillee.web.pages import shield as shield_page
from veillee.web.rendering.table_list import my_lines
from veillee.web.rendering.templates import t


@get("/me")
async def me(request: AnyRequest) -> Response[str]:
    return await my_page(await request_context(request))


async def my_page(v: RequestContext, error: VeilleeError | None = None, recovery: str = "") -> Response[str]:
    tables = await to_thread(my_lines, v.house, v.guest, v.lang) if v.guest else []
    return v.page(
        "account.html",
        status=outcome(error).status if error else 200,
        guest=v.guest,
        tables=[one for one in tables if not one.away],
        away=[one for one in tables if one.away],
        oops=error.say(v.lang) if error else "",
        recovery=recovery,
        **await devices_context(v),
        **await chat_page.chat_settings_context(v),
        **shield_page.shield_context(v),
        **await passkeys_page.passkeys_context(v),
        **await identities_page.identities_context(v),
        is_operator=v.guest is not None and await to_thread(is_operator, v.house.store, v.guest.id),
    )


@post("/me", status_code=200)
async def rename(request: AnyRequest) -> Response[Any]:
    v = await request_context(request)
    fields = await read_form(request)
    name = field(fields, "name")
    rate_limit(request, "changes")
    try:
        if v.guest is None:
            await v.get_or_create_named_guest(name)
        else:
            v.guest = await to_thread(v.house.accounts.rename, v.guest, name)
    except BadRequest as error:
        return await my_page(v, error)
    return v.redirect(back_address(fields, "/me"))


@post("/me/tables/{table_id:str}/{deed:str}", status_code=200)
async def tidy(request: AnyRequest, table_id: FromPath[str], deed: FromPath[str]) -> Response[Any]:
    """Archives a table, restores it, or deletes it."""
    v = await request_context(request)
    deeds = {"away": v.house.archive.hide, "out": v.house.archive.unhide, "clear": v.house.archive.delete}
    if v.guest is None or deed not in deeds:
        raise NotFound(t("There is nothing at this address."))
    try:
        await to_thread(deeds[deed], v.guest, table_id)
    except (NotYours, NoTable) as error:
        return await my_page(v, error)
    return v.redirect("/me")


@post("/me/recovery", status_code=200)
async def recovery(request: AnyRequest) -> Response[Any]:
    """Makes a recovery link; it replaces the one made before."""
    v = await request_context(request)
    token = await to_thread(v.house.guests.make_recovery_link, await v.get_or_create_guest())
    return await my_page(v, recovery=f"{v.origin}/back/{token}")


@get("/back/{token:str}")
async def back(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Shows a confirmation button: a GET request must not change anything, as link previews follow links too."""
    return (await request_context(request)).page("recovery.html", token=token, oops="")


@post("/back/{token:str}", status_code=200)
async def come_back(request: AnyRequest, token: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    try:
        guest = await to_thread(v.house.guests.use_recovery_link, token, device_of(request))
    except BadRequest as error:
        security(request.scope, "A recovery link that is none")
        return v.page("recovery.html", None, outcome(error).status, token=token, oops=error.say(v.lang))
    await v.come_back(guest, "a recovery link")
    return v.redirect("/me")


# -- devices -----------------------------------------------------------------------------------------------------------
async def devices_context(v: RequestContext) -> dict[str, Any]:
    """Returns the devices for the page /me."""
    if v.guest is None:
        return {"devices": [], "has_recovery": False}
    known = await to_thread(v.house.guests.devices, v.guest, v.new_cookie_token or guest_token(v.request))
    devices = [
        (device, format_date(datetime.fromtimestamp(device.used, UTC), "long", locale=v.lang)) for device in known
    ]
    return {"devices": devices, "has_recovery": await to_thread(v.house.guests.has_recovery, v.guest)}


@post("/me/sign-out", status_code=200)
async def sign_out(request: AnyRequest) -> Response[Any]:
    """Signs out this device, or another one, or all others together with the recovery link."""
    v = await request_context(request)
    if v.guest is None:
        return v.redirect("/me")
    wanted = next((value for name, value in await read_form(request) if name == "device"), "")
    here = guest_token(request)
    known = await to_thread(v.house.guests.devices, v.guest, here)
    security(request.scope, "Signed out", guest=v.guest.id, device=wanted if wanted in ("here", "elsewhere") else "one")
    if wanted == "elsewhere":
        await to_thread(v.house.guests.sign_out_elsewhere, v.guest, here)
    for device in known:
        if wanted == device.id or (wanted == "here" and device.is_current):
            await to_thread(v.house.guests.sign_out, v.guest, device.id)
            if device.is_current:
                return signed_out_page(v)
    return v.redirect("/me")


@post("/me/recovery/revoke", status_code=200)
async def revoke(request: AnyRequest) -> Response[Any]:
    """Revokes the recovery link."""
    v = await request_context(request)
    if v.guest is not None:
        await to_thread(v.house.guests.revoke_recovery, v.guest)
    return v.redirect("/me")


def signed_out_page(v: RequestContext) -> Response[Any]:
    """Returns a response that deletes the guest's cookies and the browser's cache of this site."""
    response = v.redirect("/")
    for name in (GUEST_COOKIE, SECURE_GUEST_COOKIE):
        response.set_cookie(cookie(name, "", secure=v.is_secure or name == SECURE_GUEST_COOKIE, age=0))
    response.headers["Clear-Site-Data"] = '"cache"'  # a cached page may show a hand
    return response


# -- personal data -----------------------------------------------------------------------------------------------------
@get("/me/data.json")
async def data(request: AnyRequest) -> Stream:
    """Exports all data that the server has about the guest, piece by piece."""
    v = await request_context(request)
    if v.guest is None:
        raise NotSignedIn(t("The house knows nothing of you: you are no guest yet."))
    rate_limit(request, "tables")
    hold(request.scope, "exports")
    here = asdict(v.settings)
    pieces = personal_data.export_json(v.house.store, v.guest, in_this_browser=here)
    headers = {"Content-Disposition": 'attachment; filename="veillee-my-data.json"', "Cache-Control": "no-store"}
    return Stream(EXPORTS.iterate(pieces), media_type=MediaType.JSON, headers=headers)


@post("/me/leave", status_code=200)
async def leave(request: AnyRequest) -> Response[Any]:
    """Deletes the guest's account, if the form confirms it."""
    v = await request_context(request)
    sure = dict(await read_form(request)).get("sure") == "yes"
    if v.guest is None:
        return v.redirect("/me")
    if not sure:
        raise BadRequest(t("Nothing was deleted: say first that you are sure."))
    await to_thread(v.house.accounts.delete, v.guest)
    return signed_out_page(v)


ROUTES = [me, rename, tidy, recovery, back, come_back, sign_out, revoke, data, leave]
