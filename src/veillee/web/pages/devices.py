"""A guest's devices: the list on the page /me, and signing out."""

from __future__ import annotations

from asyncio import to_thread
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date
from litestar import Response, post

from veillee.web.http.forms import read_form
from veillee.web.http.preferences import GUEST_COOKIE, SECURE_GUEST_COOKIE, cookie, guest_token
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.logs import security


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


ROUTES = [sign_out, revoke]
