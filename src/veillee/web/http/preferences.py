"""Visitor preferences (the settings panel). Stored in cookies and set by plain forms, so without JavaScript too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie

from veillee.games.scene import SPEEDS
from veillee.words import LANGUAGES

THEMES = ("auto", "light", "dark")
SWITCH = ("on", "off")
# The values of each preference; a cookie of the same name keeps it.
VALUES: dict[str, tuple[str, ...]] = {
    "lang": tuple(LANGUAGES),
    "theme": THEMES,
    "speed": tuple(SPEEDS),
    "sound": SWITCH,
    "aloud": SWITCH,
    "still": SWITCH,
    "confirm": SWITCH,
    "keys": SWITCH,
}
SWITCHES = tuple(name for name, values in VALUES.items() if values == SWITCH)
YEAR = 365 * 24 * 3600


GUEST_COOKIE = "guest"
SECURE_GUEST_COOKIE = (
    "__Host-guest"  # its name under https: browsers accept this prefix from this very host over https only
)
BROWSER_COOKIE = "browser"  # random, and kept when the guest changes (house/accounts/browsers.py)

# The first match counts: many browsers also name others in their User-Agent.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad")),
    *(("Windows", "Windows"), ("Mac OS", "macOS"), ("Linux", "Linux")),
)
PROGRAM = re.compile(r"[A-Za-z][\w.-]{0,30}")


@dataclass(frozen=True)
class Preferences:
    lang: str
    theme: str
    speed: str
    sound: bool
    aloud: bool  # events and questions are read by the browser's voice
    still: bool  # less motion, whatever the system prefers
    confirm: bool  # asks before an answer gives something up
    keys: bool  # single-key shortcuts


def read_preferences(request: Request[Any, Any, Any]) -> Preferences:
    """Returns the preferences of the cookies. Without a language cookie: that of Accept-Language, French if it names
    none of ours."""
    lang = request.cookies.get("lang", "")
    if lang not in LANGUAGES:
        lang = negotiate_language(request.headers.get("accept-language", ""))
    theme, speed = request.cookies.get("theme", ""), request.cookies.get("speed", "")
    is_on = {name: request.cookies.get(name, "") == "on" for name in ("sound", "aloud", "still")}
    is_not_off = {name: request.cookies.get(name, "") != "off" for name in ("confirm", "keys")}
    return Preferences(
        lang, theme if theme in THEMES else "auto", speed if speed in SPEEDS else "normal", **is_on, **is_not_off
    )


def negotiate_language(header: str) -> str:
    """Returns the first of our languages in an Accept-Language header, by weight."""
    asked = []
    for place, item in enumerate(header.split(",")[:20]):
        tag, _, weight = item.strip().partition(";q=")
        try:
            asked.append((-float(weight or 1), place, tag[:2].lower()))
        except ValueError:
            continue
    return next((tag for _, _, tag in sorted(asked) if tag in LANGUAGES), LANGUAGES[0])


def is_https(request: Request[Any, Any, Any]) -> bool:
    """Returns whether browsers reach the server by https: by the operator's public address, else by this request."""
    return str(request.app.state.get("public_url", "") or request.scope.get("scheme", "http")).startswith("https")


def guest_token(request: Request[Any, Any, Any]) -> str:
    """Returns the guest token of the cookie; empty if there is none. Under https only the cookie that this very host
    has set over https counts: another host of the same domain, or a network between, can set the other one."""
    return request.cookies.get(SECURE_GUEST_COOKIE if is_https(request) else GUEST_COOKIE, "")


def guest_cookie(token: str, *, secure: bool) -> Cookie:
    return cookie(SECURE_GUEST_COOKIE if secure else GUEST_COOKIE, token, secure=secure)


def cookie(name: str, value: str, *, secure: bool, age: int = YEAR) -> Cookie:
    return Cookie(key=name, value=value, max_age=age, httponly=True, samesite="lax", secure=secure)


def device_of(request: Request[Any, Any, Any]) -> str:
    """Returns the name of the device in the guest's list of devices: "Firefox, Android"; a program by its own name.

    Enough to recognise a device, too little to track a guest.
    """
    agent = request.headers.get("user-agent", "")
    found = [next((name for sign, name in signs if sign in agent), "") for signs in (BROWSERS, SYSTEMS)]
    if any(found):
        return ", ".join(filter(None, found))
    program = PROGRAM.match(agent)
    return program[0] if program else ""
