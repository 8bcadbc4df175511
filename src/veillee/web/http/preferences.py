"""What a reader prefers: the language, the light, how fast things are shown, and whether they sound. Kept in cookies; chosen by plain links, so without JavaScript too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie

from veillee.games.scene import SPEEDS
from veillee.words import LANGUAGES

THEMES = ("auto", "light", "dark")
YEAR = 365 * 24 * 3600


GUEST = "guest"
SURE = "__Host-guest"  # its name under https: no other host, and nobody on a plain connection, can have set it

# The first that is found: many browsers say that they are others, too.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad")),
    *(("Windows", "Windows"), ("Mac OS", "macOS"), ("Linux", "Linux")),
)
PROGRAM = re.compile(r"[A-Za-z][\w.-]{0,30}")


@dataclass(frozen=True)
class Prefs:
    lang: str
    theme: str
    speed: str
    sound: bool


def prefs(request: Request[Any, Any, Any]) -> Prefs:
    """The cookies' word, else the browser's language; French if it names none of ours."""
    lang = request.cookies.get("lang", "")
    if lang not in LANGUAGES:
        lang = spoken(request.headers.get("accept-language", ""))
    theme, speed = request.cookies.get("theme", ""), request.cookies.get("speed", "")
    sound = request.cookies.get("sound", "") == "on"
    return Prefs(lang, theme if theme in THEMES else "auto", speed if speed in SPEEDS else "normal", sound)


def spoken(header: str) -> str:
    """The first of our languages that an Accept-Language header asks for, by weight."""
    asked = []
    for place, item in enumerate(header.split(",")[:20]):
        tag, _, weight = item.strip().partition(";q=")
        try:
            asked.append((-float(weight or 1), place, tag[:2].lower()))
        except ValueError:
            continue
    return next((tag for _, _, tag in sorted(asked) if tag in LANGUAGES), LANGUAGES[0])


def guest_token(request: Request[Any, Any, Any]) -> str:
    """Of a guest's cookie, under either name."""
    return request.cookies.get(SURE) or request.cookies.get(GUEST, "")


def guest_cookie(token: str, *, secure: bool) -> Cookie:
    return cookie(SURE if secure else GUEST, token, secure=secure)


def cookie(name: str, value: str, *, secure: bool, age: int = YEAR) -> Cookie:
    return Cookie(key=name, value=value, max_age=age, httponly=True, samesite="lax", secure=secure)


def device_of(request: Request[Any, Any, Any]) -> str:
    """What a guest's list calls the device: "Firefox, Android"; a program by its own name.

    Enough to know one's own telephone again, and nothing that anybody could be followed by.
    """
    agent = request.headers.get("user-agent", "")
    found = [next((name for sign, name in signs if sign in agent), "") for signs in (BROWSERS, SYSTEMS)]
    if any(found):
        return ", ".join(filter(None, found))
    program = PROGRAM.match(agent)
    return program[0] if program else ""
