"""Preferences: language, theme, animation speed and sound, kept in cookies."""

from __future__ import annotations

from typing import Any

from litestar import Response, post

from veillee.games.scene import SPEEDS
from veillee.web.http.forms import back_address, field, read_form
from veillee.web.http.preferences import THEMES, cookie
from veillee.web.http.request import AnyRequest, request_context
from veillee.words import LANGUAGES


@post("/prefs", status_code=200)
async def choose(request: AnyRequest) -> Response[Any]:
    """Sets language, theme, animation speed and sound."""
    v = await request_context(request)
    fields = await read_form(request)
    response = v.redirect(back_address(fields, "/"))
    lang, theme, speed = field(fields, "lang"), field(fields, "theme"), field(fields, "speed")
    if lang in LANGUAGES:
        response.set_cookie(cookie("lang", lang, secure=v.is_secure))
    if theme in THEMES:
        response.set_cookie(cookie("theme", theme, secure=v.is_secure))
    if speed in SPEEDS:
        response.set_cookie(cookie("speed", speed, secure=v.is_secure))
    if (sound := field(fields, "sound")) in ("on", "off"):
        response.set_cookie(cookie("sound", sound, secure=v.is_secure))
    return response


ROUTES = [choose]
