"""Settings: language, theme, pace, sounds, reading aloud, motion, confirmations and keys, kept in cookies."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post

from veillee.web.http.forms import back_address, field, read_form
from veillee.web.http.preferences import SWITCHES, VALUES, cookie
from veillee.web.http.request import AnyRequest, request_context


@get("/settings")
async def show_settings(request: AnyRequest) -> Response[str]:
    """Shows the settings as a page; with JavaScript they are a panel on every page (settings.js)."""
    v = await request_context(request)
    back = back_address(list(request.query_params.items()), "/")
    return v.page("settings.html", back=back)


@post("/prefs", status_code=200)
async def choose(request: AnyRequest) -> Response[Any]:
    """Sets the preferences that the form names. A switch that is off is not sent: `switches` says that they were shown."""
    v = await request_context(request)
    fields = await read_form(request)
    response = v.redirect(back_address(fields, "/"))
    absent = "off" if field(fields, "switches") else ""
    for name, values in VALUES.items():
        value = field(fields, name) or (absent if name in SWITCHES else "")
        if value in values:
            response.set_cookie(cookie(name, value, secure=v.is_secure))
    return response


ROUTES = [show_settings, choose]
