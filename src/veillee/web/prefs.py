"""What a reader prefers: the language, the light, how fast things are shown, and whether they sound. Kept in cookies; chosen by plain links, so without JavaScript too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Request
from litestar.datastructures import Cookie

from veillee.games.scene import SPEEDS
from veillee.words import LANGUAGES

THEMES = ("auto", "light", "dark")
YEAR = 365 * 24 * 3600


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


def cookie(name: str, value: str, *, secure: bool, age: int = YEAR) -> Cookie:
    return Cookie(key=name, value=value, max_age=age, httponly=True, samesite="lax", secure=secure)
