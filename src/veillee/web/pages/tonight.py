"""Public tables: those with an open seat, those to watch, and a search for a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.community import invitations
from veillee.house.errors import BadRequest, NotNow, NotYours, outcome
from veillee.house.house import House
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.listings import TableSummary
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import field, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.table_list import companions, since
from veillee.web.rendering.templates import translator

PACE_FILTERS = ("any", "calm", "evening", "post")  # of time control, in the form
DEFAULT_TIME_CONTROLS = {
    "evening": TimeControl.validated("evening", 15 * 60, 30),
    "post": TimeControl.validated("post", each=24 * 3600),
}
MAX_LISTED_TABLES = 60


@dataclass(frozen=True)
class SearchWish:
    """What a guest looks for."""

    box: str = ""
    pace: str = "any"

    def fits(self, glance: TableSummary) -> bool:
        return self.box in ("", glance.box.id) and (self.pace == "any" or self.pace == kind(glance.pace))


@dataclass(frozen=True)
class OpenTable:
    """One table, in the reader's language."""

    id: str
    box: Box
    company: str
    free: int
    agreed: list[str]  # time control, rated or not, hints or not
    since: str


def kind(pace: TimeControl) -> str:
    return pace.kind or "calm"


def kinds(lang: str) -> dict[str, str]:
    t = translator(lang)
    return {"any": t("any pace"), "calm": t("no hurry"), "evening": t("an evening"), "post": t("by post")}


def line(glance: TableSummary, lang: str) -> OpenTable:
    t = translator(lang)
    agreed = [kinds(lang)[kind(glance.pace)]]
    agreed += [t("rated")] if glance.rated else []
    agreed += [] if glance.hints else [t("without hints")]
    free = sum(seat.kind == "open" for seat in glance.seats)
    return OpenTable(
        glance.id, glance.box, companions(glance, lang), free, agreed, since(glance.touched, lang, over=False)
    )


@get("/evening")
async def evening(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    box, pace = request.query_params.get("box", ""), request.query_params.get("pace", "any")
    return await page(
        v, SearchWish(box if box in v.house.profile.shelf() else "", pace if pace in PACE_FILTERS else "any")
    )


@post("/evening", status_code=200)
async def find(request: AnyRequest) -> Response[Any]:
    """Seats the guest at the first waiting table that fits; if there is none, opens one for others to find."""
    v = await request_context(request)
    fields = await read_form(request)
    box, pace = field(fields, "box"), field(fields, "pace")
    wanted = SearchWish(box if box in v.house.profile.shelf() else "", pace if pace in PACE_FILTERS else "any")
    rate_limit(request, "tables")
    try:
        name = field(fields, "my-name")
        guest = await (v.get_or_create_named_guest(name) if name.strip() else v.get_or_create_guest())
        table = await to_thread(find_seat, v.house, guest, wanted)
    except (BadRequest, NotNow) as error:
        return await page(v, wanted, error)
    return v.redirect(f"/t/{table.id}")


def find_seat(house: House, guest: Guest, wanted: SearchWish) -> Table:
    """Returns a table that fits, with the guest seated: a waiting one, that with the fewest open seats first, else a
    new one."""
    # Rated tables are left out: guests join those only knowingly.
    waiting = [glance for glance in house.tables.list_open() if wanted.fits(glance) and not glance.rated]
    for glance in waiting:
        if glance.seats_of(guest):
            return house.tables.find(glance.id)  # already seated there
    for glance in sorted(waiting, key=lambda one: sum(seat.kind == "open" for seat in one.seats)):
        for number, seat in enumerate(glance.seats):
            if seat.kind == "open":
                try:
                    table = house.tables.find(glance.id)
                    table.sit(guest, number)
                except (NotNow, NotYours):
                    continue  # taken meanwhile, or reserved
                return table
    shelf = house.profile.shelf()
    box = shelf[wanted.box] if wanted.box else next(iter(shelf.values()))
    plans = [SeatPlan("me")] + [SeatPlan("open")] * (max(2, box.players[0]) - 1)
    return house.tables.create(guest, box.id, plans, public=True, pace=DEFAULT_TIME_CONTROLS.get(wanted.pace, UNTIMED))


async def page(v: RequestContext, wanted: SearchWish, error: VeilleeError | None = None) -> Response[str]:
    def told() -> tuple[list[OpenTable], list[OpenTable]]:
        waits = [line(glance, v.lang) for glance in v.house.tables.list_open() if wanted.fits(glance)]
        plays = [line(glance, v.lang) for glance in v.house.tables.list_public_games() if wanted.fits(glance)]
        return waits[:MAX_LISTED_TABLES], plays[:MAX_LISTED_TABLES]

    waits, plays = await to_thread(told)
    return v.page(
        "tonight.html",
        status=outcome(error).status if error else 200,
        waits=waits,
        plays=plays,
        wanted=wanted,
        kinds=kinds(v.lang),
        boxes=v.house.profile.shelf(),
        nameless=v.guest is None or not v.guest.has_chosen_name,
        oops=error.say(v.lang) if error else "",
    )


# -- inviting guests from earlier games ---------------------------------------------------------------------------------
@post("/t/{table_id:str}/invite", status_code=200)
async def invite(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    whom = field(await read_form(request), "whom")
    if v.guest is not None:
        rate_limit(request, "tables")
        await to_thread(invitations.invite, v.house.store, v.guest, table.moment.row, whom)
    return v.redirect(f"/t/{table.id}")


@post("/t/{table_id:str}/decline", status_code=200)
async def decline(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    if v.guest is not None:
        await to_thread(invitations.decline, v.house.store, v.guest, table_id)
    return v.redirect("/")


ROUTES = [evening, find, invite, decline]
