"""The invitation: an address that friends can open, to copy, to scan or to read out; and what the invited are told."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import segno
from markupsafe import Markup

from veillee.games.box import Box, Options
from veillee.house.community.invitations import met
from veillee.house.tables.moment import Moment
from veillee.match.owner_content import played
from veillee.web.http.request import Visit
from veillee.web.rendering.presence_panel import said

QUIET = 4  # modules of white around a QR code: readers ask for them


@lru_cache(256)
def qr_code(text: str) -> Markup:
    """As an SVG, black on white in either light: readers are strict. Drawn without styles, which our pages do not allow."""
    drawn = segno.make(text, error="m", micro=False).svg_inline(
        border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(drawn)  # noqa: S704 - it holds no text of anybody's, only squares


def lobby_values(v: Visit, now: Moment, mine: tuple[int, ...]) -> dict[str, Any]:
    """What a table that waits shows besides its seats: those who sit there are handed the invitation, the others are
    told what they are invited to."""
    reach = v.reach
    address = f"{reach.origin}/t/{now.id}"
    return {
        "reach": reach,
        "invitation": address,
        "qr": qr_code(address),
        "seated": bool(mine),
        "my_name": v.guest.name if v.guest is not None and v.guest.chosen else "",
        "chairs": len(now.seats),
        "free": next((number for number, seat in enumerate(now.seats) if seat.kind == "open"), None),
        "hosts": [seat.name for seat in now.seats if seat.guest],
        "agreed": agreed(now.box, now.row.options, v.lang),
        "public": now.row.public,
        "hints": now.hints,
        "rated": now.row.rated,
        "friends": met(v.house.store, v.guest, now.id, now.seats) if v.guest is not None and mine else [],
        "pace_said": said(now.row.pace, v.lang),
    }


def agreed(box: Box, options: Options, lang: str) -> list[tuple[str, str]]:
    """What the table has agreed on, in the reader's words."""
    told = [
        (option.title[lang], option.values[options[option.id]][lang])
        for option in box.options
        if options.get(option.id) in option.values  # a table of earlier days may not know it
    ]
    own = played(box, options)
    if own is not None and box.contents is not None:
        told.append((box.contents.option.title[lang], own.names[lang]))
    return told
