"""A guest's shield (avatar) as SVG, and the form that changes it. All drawings are our own."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.house.accounts.shields import (
    CHARGES,
    COLOURS,
    DIVISIONS,
    SHIELD_SHAPES,
    Shield,
    default_shield,
    parse_shield,
    shield_from_parts,
    shield_or_default,
)
from veillee.house.errors import BadRequest, NotFound
from veillee.web.http.forms import Fields, field, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.templates import t

IMMUTABLE_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}  # the address determines the picture
INK = "#22170f"
FILLS = {
    "red": "#b3262e",
    "blue": "#2f6db5",
    "green": "#3f7d3a",
    "purple": "#7a3f94",
    "black": "#34302e",
    "gold": "#e6b43c",
    "silver": "#e9e4d8",
    "orange": "#d9772b",
}
OUTLINES = {
    "heater": "M2 2h20v9.500c0 6.500-4.500 11-10 14.500-5.500-3.500-10-8-10-14.500z",
    "round": "M12 2a12 12 0 0 1 0 24 12 12 0 0 1 0-24z",
    "banner": "M2 2h20v24l-10-5-10 5z",
    "lozenge": "M12 1l11 13-11 13L1 14z",
}
# The second colour's part of a field of 24 by 28.
SECOND = {
    "plain": "",
    "pale": "M12 0h12v28H12z",
    "fess": "M0 13h24v15H0z",
    "bend": "M0 0h24v28z",
    "quarterly": "M12 0h12v13H12zM0 13h12v15H0z",
    "chevron": "M0 22l12-12 12 12v6.500L12 17 0 28.500z",
    "chief": "M0 0h24v8.500H0z",
    "cross": "M9.500 0h5v10.500H24v5H14.500V28h-5V15.500H0v-5h9.500z",
}
# Charges, in a square of 24.
DRAWN = {
    "none": "",
    "star": "M12 2.500l2.900 6.200 6.800.700-5.100 4.600 1.500 6.700L12 17.300l-6.100 3.400 1.500-6.700-5.100-4.600 6.800-.700z",
    "moon": "M14.500 3a9.300 9.300 0 1 0 6.300 12.500A7.600 7.600 0 0 1 14.500 3z",
    "flame": "M13 1.500c.300 4 5.900 6.800 5.900 13a6.900 6.900 0 0 1-13.800 0c0-3 1.300-5 3-6.500.100 2 .800 3.200 1.900 3.700C9.400 8 10.300 4.300 13 1.500z",
    "tree": "M12 1.500l6 7h-3l4.500 6h-4l4 5.500h-6V23h-3v-3h-6l4-5.500h-4L9 8.500H6z",
    "tower": "M5 2.500h3v2.500h2.500V2.500h3V5H16V2.500h3V9l-2 1.500V22h-3.500v-5h-3v5H7V10.500L5 9z",
    "crown": "M2.800 7l4.700 4L12 3.500l4.500 7.500 4.700-4-1.900 12.500H4.700z",
    "key": "M7.500 6.500a5.500 5.500 0 0 1 5.300 4H22v3.600h-1.700v3h-3.100v-3h-4.400a5.500 5.500 0 1 1-5.300-7.600zm0 3.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    "fish": "M2 12c3-5 8-7 13-4.500L21.500 4v16L15 16.500C10 19 5 17 2 12zm5-1.500a1.200 1.200 0 1 0 0 .100z",
    "raven": "M1.500 7c4.500-1.500 7.800.500 10.500 5 2.700-4.500 6-6.500 10.500-5-2.800 1.800-4 4.500-5.500 7.500-1 2-2.600 3-5 6.500-2.400-3.500-4-4.500-5-6.500C5.500 11.500 4.300 8.800 1.500 7z",
}


@lru_cache(1024)
def svg(code: str) -> str:
    """Returns the picture. Raises BadRequest."""
    shield = parse_shield(code)
    outline = OUTLINES[shield.shape]
    second = SECOND[shield.division]
    charge = DRAWN[shield.charge]
    parts = [
        f'<clipPath id="o"><path d="{outline}"/></clipPath>',
        f'<g clip-path="url(#o)"><path d="M0 0h24v28H0z" fill="{FILLS[shield.first]}"/>',
        f'<path d="{second}" fill="{FILLS[shield.second]}"/>' if second else "",
        "</g>",
        f'<g transform="translate(5 6.500) scale(.583)"><path d="{charge}" fill="#fbf3e2" stroke="{INK}" '
        f'stroke-width="2.200" stroke-linejoin="round" paint-order="stroke"/></g>'
        if charge
        else "",
        f'<path d="{outline}" fill="none" stroke="{INK}" stroke-width="1.600" stroke-linejoin="round"/>',
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 28">{"".join(parts)}</svg>'


@get("/shields/{name:str}")
async def picture(name: FromPath[str]) -> Response[str]:
    """Returns a shield: the five letters of abcde.svg encode all of it."""
    try:
        drawn = svg(name.removesuffix(".svg")[:8])
    except BadRequest:
        raise NotFound(t("There is nothing at this address.")) from None
    return Response(drawn, media_type="image/svg+xml", headers=IMMUTABLE_HEADERS)


def shield_context(v: RequestContext) -> dict[str, Any]:
    """Returns the shield and its parts for the page /me."""
    if v.guest is None:
        return {}
    return shield_values(shield_or_default(v.guest.shield, v.guest.id))


def shield_values(code: str) -> dict[str, Any]:
    """Returns what the form for a shield shows (shield_form.html)."""
    parts = {"shape": SHIELD_SHAPES, "division": DIVISIONS, "first": COLOURS, "second": COLOURS, "charge": CHARGES}
    return {"shield": parse_shield(code)._asdict(), "shield_code": code, "shield_parts": parts}


def shield_from_form(fields: Fields) -> str:
    """Returns the code of the chosen shield, or of a random one. Raises BadRequest."""
    if any(name == "another" for name, _ in fields):
        return default_shield(secrets.token_hex(8))
    return shield_from_parts(*[field(fields, part) for part in Shield._fields]).code


@post("/me/shield", status_code=200)
async def change(request: AnyRequest) -> Response[Any]:
    """Changes the shield to the parts that were chosen, or to a random one."""
    v = await request_context(request)
    fields = await read_form(request)
    guest = await v.get_or_create_guest()
    code = shield_from_form(fields)
    rate_limit(request, "changes")
    await to_thread(v.house.accounts.change_shield, guest, code)
    return v.redirect("/me#shield")


ROUTES = [picture, change]
