"""One's own hours, and how one is told of one's turns: the page, and what can be set there."""

from __future__ import annotations

from asyncio import to_thread
from typing import Any

from litestar import Response, get, post

from veillee.match.errors import VeilleeError
from veillee.tables.errors import BadRequest, outcome
from veillee.tables.nights import Nights, zones
from veillee.web.visit import AnyRequest, Visit, form, visit


@get("/notices")
async def notices(request: AnyRequest) -> Response[str]:
    return await page(await visit(request))


async def page(v: Visit, error: VeilleeError | None = None) -> Response[str]:
    nights = await to_thread(v.house.sleepers.of, v.guest.id) if v.guest else Nights()
    return v.page(
        "notices.html",
        status=outcome(error).status if error else 200,
        guest=v.guest,
        nights=nights,
        begin=hour(nights.begin) if nights.begin != nights.end else "",
        end=hour(nights.end) if nights.begin != nights.end else "",
        zones=sorted(zones()),
        oops=error.say(v.lang) if error else "",
    )


def hour(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


@post("/notices/nights", status_code=200)
async def nights(request: AnyRequest) -> Response[Any]:
    """When one sleeps, and is on holiday."""
    v = await visit(request)
    found = dict(await form(request))
    names = ("zone", "begin", "end", "leave", "back")
    try:
        wanted = Nights.chosen(*[found.get(name, "") for name in names])
    except BadRequest as error:
        return await page(v, error)
    guest = await v.sure_guest()
    await to_thread(v.house.sleepers.set, guest.id, wanted)
    return v.go("/notices#h-nights")
