"""Lobby of a waiting table: the invitation (address and QR code), and what invited visitors are shown."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from markupsafe import Markup

from veillee.games.box import Box, Options
from veillee.house.community.invitations import recent_companions
from veillee.house.tables.moment import Moment
from veillee.match.owner_content import content_of
from veillee.web.http.request import RequestContext
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.presence_panel import describe_time_control

QUIET = 4  # modules of white around a QR code: scanners need them


@lru_cache(256)
def qr_code(text: str, error: str = "m") -> Markup:
    """Returns a QR code as SVG, black on white in both themes: scanners are strict. Drawn without inline styles, which
    our CSP forbids. error: how much of it may be unreadable, l(ittle), m, q or h."""
    drawn = segno.make(text, error=error, micro=False).svg_inline(
        border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(drawn)  # noqa: S704 - it holds no text, only squares


def lobby_values(v: RequestContext, now: Moment, mine: tuple[int, ...]) -> dict[str, Any]:
    """Returns what a waiting table shows besides its seats: the invitation, for seated guests; what they are invited
    to, for other visitors."""
    reach = v.public_address
    address = f"{reach.origin}/t/{now.id}"
    return {
        "reach": reach,
        "invitation": address,
        "qr": qr_code(address),
        "seated": bool(mine),
        "my_name": v.guest.name if v.guest is not None and v.guest.has_chosen_name else "",
        "chairs": len(now.seats),
        "free": next((number for number, seat in enumerate(now.seats) if seat.kind == "open"), None),
        "hosts": [seat.name for seat in now.seats if seat.guest],
        "agreed": agreed_options(now.box, now.row.options, v.lang),
        "public": now.row.public,
        "circle": v.house.circles.name_of_table(v.guest, now.id) if v.guest is not None and mine else "",
        "hints": now.hints,
        "rated": now.row.rated,
        "friends": recent_companions(v.house.store, v.guest, now.id, now.seats) if v.guest is not None and mine else [],
        "pace_said": describe_time_control(now.row.pace, v.lang),
    }


async def circle_choice(v: RequestContext) -> dict[str, Any]:
    """Returns the circles for which the reader can create something, and the one that the address names
    (circle_choice.html)."""
    mine = await to_thread(v.house.circles.list_mine, v.guest) if v.guest is not None else []
    return {"circles": mine, "wanted_circle": v.request.query_params.get("circle", "")}


def screen_values(v: RequestContext, now: Moment) -> dict[str, Any]:
    """Returns how phones come to the table that a big screen shows."""
    reach = v.public_address
    address = f"{reach.origin}/t/{now.id}"
    return {"address": address, "qr": qr_code(address) if reach.is_open else ""}


def agreed_options(box: Box, options: Options, lang: str) -> list[tuple[str, str]]:
    """Returns the options of the table, in words."""
    told = [
        (option.title[lang], option.values[options[option.id]][lang])
        for option in box.options
        if options.get(option.id) in option.values  # a table made by an earlier version may lack it
    ]
    own = content_of(box, options)
    if own is not None and box.contents is not None:
        told.append((box.contents.option.title[lang], own.names[lang]))
    return told
