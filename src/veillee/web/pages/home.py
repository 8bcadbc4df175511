"""Home page: the shelf of games."""

from __future__ import annotations

from collections import Counter

from litestar import Response, get

from veillee.games.catalogue import BOXES
from veillee.house.community.invitations import pending_invitations
from veillee.web.http.request import AnyRequest, request_context
from veillee.web.http.work_pools import to_thread
from veillee.web.pages import link_previews
from veillee.web.rendering.table_list import companions, my_lines

MAX_OPEN = 2  # open tables of others on the shelf; the rest is on the page to find players


@get("/")
async def show_home(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    waiting = await to_thread(v.house.tables.list_open)
    mine = await to_thread(my_lines, v.house, v.guest, v.lang) if v.guest else []
    awaited = await to_thread(pending_invitations, v.house.store, v.guest) if v.guest else []
    counts = Counter(glance.box.id for glance in waiting)
    others = [glance for glance in waiting if v.guest is None or not glance.seats_of(v.guest)]
    return v.page(
        "home.html",
        preview=link_previews.of_house(v.house.profile.name, v.lang),
        boxes=v.house.profile.shelf().values(),
        open_counts=counts,
        mine=[one for one in mine if one.turn != "over" and not one.away],
        open_tables=[
            (one, companions(one, v.lang), sum(seat.kind == "open" for seat in one.seats)) for one in others[:MAX_OPEN]
        ],
        more_open=max(0, len(others) - MAX_OPEN),
        invited=[(one, BOXES[one.game]) for one in awaited if one.game in BOXES],
    )


ROUTES = [show_home]
