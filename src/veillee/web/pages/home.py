"""Home page: the shelf of games."""

from __future__ import annotations

from litestar import Response, get

from veillee.games.catalogue import BOXES
from veillee.house.community.invitations import pending_invitations
from veillee.web.http.request import AnyRequest, request_context
from veillee.web.http.work_pools import to_thread
from veillee.web.pages import link_previews
from veillee.web.rendering.table_list import my_lines


@get("/")
async def show_home(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    waiting = await to_thread(v.house.tables.list_open)
    mine = await to_thread(my_lines, v.house, v.guest, v.lang) if v.guest else []
    awaited = await to_thread(pending_invitations, v.house.store, v.guest) if v.guest else []
    counts: dict[str, int] = {}
    for glance in waiting:
        counts[glance.box.id] = counts.get(glance.box.id, 0) + 1
    return v.page(
        "home.html",
        preview=link_previews.of_house(v.lang),
        boxes=BOXES.values(),
        open_counts=counts,
        mine=[one for one in mine if one.turn != "over" and not one.away],
        invited=[(one, BOXES[one.game]) for one in awaited if one.game in BOXES],
    )


ROUTES = [show_home]
