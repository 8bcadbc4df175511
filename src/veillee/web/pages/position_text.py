"""The position in words: the compact text (match/compact_text.py) of what this reader may know, in their language.

The table's page loads it when it is wanted (position_text.js); without scripts it is a page of its own.
"""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from veillee.kernel.log import NO_SEAT
from veillee.match.compact_text import describe_choices, describe_position
from veillee.web.http.forms import parse_number
from veillee.web.http.request import AnyRequest, request_context, table_of
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.table_parts import audience


@get("/t/{table_id:str}/words")
async def show_position(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    now, wanted = table.moment, parse_number(request.query_params.get("as"))
    if now.status == "waiting":
        return v.redirect(f"/t/{table.id}")

    def build() -> Response[str]:
        seat = audience(now, v.guest, wanted).seat
        asked = describe_choices(now.match, seat, v.lang) if seat != NO_SEAT else ""
        return v.page(
            "position_text.html",
            table.box,
            table_id=table.id,
            wanted=wanted,
            position=describe_position(now.match, seat, v.lang, names_at(now, v.lang)).splitlines(),
            asked=asked.splitlines(),
        )

    return await to_thread(build)


ROUTES = [show_position]
