"""Circles: founding one, joining by the link, its page, what founder and helpers do, and its feed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from litestar import Response, get, post
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.quiet_hours import time_zones
from veillee.house.circles.moderation import report_circle
from veillee.house.circles.repository import Circle
from veillee.house.circles.service import LONGEST_NAME, LONGEST_NOTE
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours, outcome
from veillee.house.house import House
from veillee.house.results.ratings import Rating
from veillee.house.tables.listings import TableSummary
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import Fields, field, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.lobby import qr_code
from veillee.web.pages.shield import shield_from_form, shield_values
from veillee.web.pages.tonight import line
from veillee.web.rendering import atom
from veillee.web.rendering.atom import AtomFeed
from veillee.web.rendering.championship_text import listed
from veillee.web.rendering.table_list import companions, result_text, since
from veillee.web.rendering.templates import t, translator
from veillee.words import LANGUAGES

EVENING_FORMAT = "EEEE d MMMM y, HH:mm 'UTC'"
SHOWN_GAMES = 30  # of the history
FEED_ENTRIES = 30

# What a member can ask for on the page, and any guest to report it: `f` reads a field of the form.
Deed = Callable[[House, Guest, Circle, Callable[[str], str], Fields], object]
DEEDS: dict[str, Deed] = {
    "leave": lambda h, g, c, _f, _: h.circles.leave(g, c),
    "link": lambda h, g, c, _f, _: h.circles.renew_invitation(g, c),
    "mute": lambda h, g, c, f, _: h.circles.set_muted(g, c, f("whom"), is_muted=True),
    "unmute": lambda h, g, c, f, _: h.circles.set_muted(g, c, f("whom"), is_muted=False),
    "remove": lambda h, g, c, f, _: h.circles.remove(g, c, f("whom")),
    "helper": lambda h, g, c, f, _: h.circles.set_helper(g, c, f("whom"), is_helper=True),
    "member": lambda h, g, c, f, _: h.circles.set_helper(g, c, f("whom"), is_helper=False),
    "founder": lambda h, g, c, f, _: h.circles.hand_over(g, c, f("whom")),
    "name": lambda h, g, c, f, _: h.circles.rename(g, c, f("name")),
    "shield": lambda h, g, c, _f, fields: h.circles.change_shield(g, c, shield_from_form(fields)),
    "evening": lambda h, g, c, f, _: h.circles.set_evening(g, c, parse_evening(f("evening"), f("zone")), f("note")),
    "report": lambda h, g, c, _f, _: report_circle(h.store, g, c),
    "cancel": lambda h, g, c, _f, _: h.circles.set_evening(g, c, None, ""),
}


@dataclass(frozen=True)
class FinishedGame:
    """A line of the history."""

    id: str
    box: Box
    company: str
    result: str
    since: str


@get("/circles")
async def show_mine(request: AnyRequest) -> Response[str]:
    return await list_page(await request_context(request))


async def list_page(v: RequestContext, error: VeilleeError | None = None) -> Response[str]:
    return v.page(
        "circles.html",
        status=outcome(error).status if error else 200,
        mine=await to_thread(v.house.circles.list_mine, v.guest) if v.guest else [],
        longest=LONGEST_NAME,
        nameless=v.guest is None or not v.guest.has_chosen_name,
        oops=error.say(v.lang) if error else "",
    )


@post("/circles", status_code=200)
async def create(request: AnyRequest) -> Response[Any]:
    v = await request_context(request)
    fields = await read_form(request)
    rate_limit(request, "tables")
    try:
        guest = await v.get_or_create_named_guest(field(fields, "my-name"))
        circle = await to_thread(v.house.circles.create, guest, field(fields, "name"))
    except (BadRequest, NotNow) as error:
        return await list_page(v, error)
    return v.redirect(f"/circles/{circle.id}")


@get("/circles/{circle_id:str}")
async def show(request: AnyRequest, circle_id: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    return await to_thread(page, v, await to_thread(v.house.circles.find, circle_id))


@get("/circles/{circle_id:str}/join/{token:str}")
async def show_invitation(request: AnyRequest, circle_id: FromPath[str], token: FromPath[str]) -> Response[Any]:
    """Shows a button: a GET request must not make members, as link previews follow links too."""
    v = await request_context(request)
    circle = await to_thread(v.house.circles.find, circle_id)
    if await to_thread(v.house.circles.view, circle, v.guest) is not None:
        return v.redirect(f"/circles/{circle.id}")
    return await to_thread(door, v, circle, token)


@post("/circles/{circle_id:str}/join/{token:str}", status_code=200)
async def join(request: AnyRequest, circle_id: FromPath[str], token: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    circle = await to_thread(v.house.circles.find, circle_id)
    rate_limit(request, "changes")
    try:
        if not await to_thread(v.house.circles.is_invitation, circle, token):
            return await to_thread(door, v, circle, token)
        guest = await v.get_or_create_named_guest(field(await read_form(request), "my-name"))
        await to_thread(v.house.circles.join, guest, circle, token)
    except (BadRequest, NotNow) as error:
        return await to_thread(door, v, circle, token, error)
    return v.redirect(f"/circles/{circle.id}")


@post("/circles/{circle_id:str}/{deed:str}", status_code=200)
async def act(request: AnyRequest, circle_id: FromPath[str], deed: FromPath[str]) -> Response[Any]:
    """Does what a member asks for, and shows the page again."""
    v = await request_context(request)
    do = DEEDS.get(deed)
    if do is None:
        raise NotFound(t("There is nothing at this address."))
    circle = await to_thread(v.house.circles.find, circle_id)
    is_member = await to_thread(v.house.circles.view, circle, v.guest) is not None
    if v.guest is None or not (is_member or deed == "report"):
        raise NotYours(t("You are not a member of this circle."))
    fields = await read_form(request)
    rate_limit(request, "changes")
    try:
        await to_thread(do, v.house, v.guest, circle, lambda name: field(fields, name), fields)
    except (BadRequest, NotYours, NotFound) as error:
        return await to_thread(page, v, circle, error)
    if deed == "report":
        return await to_thread(page, v, circle, said=t("The moderators of the house will look at it.").say(v.lang))
    return v.redirect("/circles" if deed == "leave" else f"/circles/{circle.id}")


def parse_evening(text: str, zone: str) -> float:
    """Parses date and time of a form, in that time zone or in UTC. Raises BadRequest."""
    if zone.strip() and zone.strip() not in time_zones():
        raise BadRequest(t("There is no time zone {zone}: Europe/Paris is one.", zone=repr(zone)[:40]))
    try:
        return datetime.fromisoformat(text[:16]).replace(tzinfo=ZoneInfo(zone.strip() or "UTC")).timestamp()
    except (ValueError, OverflowError):
        raise BadRequest(t("An evening needs a date and a time.")) from None


def format_evening(seconds: float, lang: str) -> str:
    return format_datetime(datetime.fromtimestamp(seconds, UTC), EVENING_FORMAT, locale=lang)


def door(
    v: RequestContext, circle: Circle, token: str = "", error: VeilleeError | None = None, *, said: str = ""
) -> Response[str]:
    """Returns what strangers are shown: name and shield, and a button for those who are invited."""
    is_invited = v.house.circles.is_invitation(circle, token)
    return v.page(
        "circle_door.html",
        status=outcome(error).status if error else 200,
        circle=circle,
        token=token if is_invited else "",
        is_refused=bool(token) and not is_invited,
        said=said,
        nameless=v.guest is None or not v.guest.has_chosen_name,
        oops=error.say(v.lang) if error else "",
    )


def page(v: RequestContext, circle: Circle, error: VeilleeError | None = None, *, said: str = "") -> Response[str]:
    """Returns the page of the circle, or for strangers its door."""
    house = v.house
    circle = house.circles.find(circle.id)
    view = house.circles.view(circle, v.guest)
    if view is None or v.guest is None:
        return door(v, circle, said=said)
    house.circles.record_visit(view)
    tables, finished = house.circles.list_tables(circle), house.circles.list_tables(circle, over=True)
    evening = house.circles.next_evening(circle)
    invitation = f"{v.origin}/circles/{circle.id}/join/{house.circles.invitation(circle)}" if view.can_invite else ""
    nights = house.quiet_hours.for_guest(v.guest.id)
    return v.page(
        "circle.html",
        status=outcome(error).status if error else 200,
        circle=circle,
        said=said,
        view=view,
        here=house.circles.who_is_here(view, tables),
        waiting=[line(one, v.lang) for one in tables if one.status == "waiting"],
        running=[line(one, v.lang) for one in tables if one.status == "playing" and one.pace.kind != "post"],
        by_post=[line(one, v.lang) for one in tables if one.status == "playing" and one.pace.kind == "post"],
        history=finished_games(v, finished),
        ratings=shown_ratings(house.circles.load_ratings(view, finished)),
        championships=listed(house.circles.list_championships(circle), v.house.store.now(), v.lang),
        boxes=house.profile.shelf().values(),
        evening=format_evening(evening, v.lang) if evening else "",
        evening_iso=datetime.fromtimestamp(evening, UTC).isoformat() if evening else "",
        zone=nights.zone if nights.zone != "UTC" else "",
        zones=sorted(time_zones()),
        invitation=invitation,
        qr=qr_code(invitation) if invitation else "",
        feed=f"{v.origin}/circles/{circle.id}/feed/{house.circles.feed_token(view)}?lang={v.lang}",
        longest=(LONGEST_NAME, LONGEST_NOTE),
        oops=error.say(v.lang) if error else "",
        **shield_values(circle.shield),
    )


def finished_games(v: RequestContext, tables: list[TableSummary]) -> list[FinishedGame]:
    shown = tables[:SHOWN_GAMES]
    results = v.house.results.load(shown)
    return [
        FinishedGame(
            one.id,
            one.box,
            companions(one, v.lang),
            result_text(one, one.seats_of(v.guest), results.get(one.id), v.lang),
            since(one.touched, v.lang, over=True),
        )
        for one in shown
    ]


def shown_ratings(found: dict[str, list[Rating]]) -> list[tuple[Box, list[Rating]]]:
    return [(BOXES[game], rated) for game, rated in found.items()]


# -- the feed ----------------------------------------------------------------------------------------------------------
@get("/circles/{circle_id:str}/feed/{token:str}")
async def feed(request: AnyRequest, circle_id: FromPath[str], token: FromPath[str]) -> Response[bytes]:
    """Returns the news of the circle as an Atom feed, for the member whose address it is."""
    v = await request_context(request)
    wanted = request.query_params.get("lang", "")
    lang = wanted if wanted in LANGUAGES else v.lang
    told = await to_thread(render_feed, v, circle_id, token, lang)
    return Response(told, media_type=atom.MEDIA_TYPE, headers={"Cache-Control": "no-store"})


def render_feed(v: RequestContext, circle_id: str, token: str, lang: str) -> bytes:
    """Raises NotFound, Banned."""
    t, house = translator(lang), v.house
    circle = house.circles.find(circle_id)
    view = house.circles.find_by_feed(circle, token)
    house.bans.check("guest", view.me.guest)
    news: list[tuple[float, str, str, str, str]] = []  # when, id, title, path, summary
    if (evening := house.circles.next_evening(circle)) is not None:
        title = t("The next evening: {when}", when=format_evening(evening, lang))
        news.append((circle.evening_set, f"evening:{evening:.0f}", title, f"/circles/{circle.id}", circle.evening_note))
    finished = house.circles.list_tables(circle, over=True)[:FEED_ENTRIES]
    results = house.results.load(finished)
    for one in [*house.circles.list_tables(circle), *finished]:
        title = t("A table for {game}", game=one.box.title[lang])
        opened, path = one.created.timestamp(), f"/t/{one.id}"
        news.append((opened, f"table:{one.id}", title, path, companions(one, lang)))
        if one.status == "over":
            title = t(
                "{game}: {result}", game=one.box.title[lang], result=result_text(one, (), results.get(one.id), lang)
            )
            news.append((one.touched.timestamp(), f"over:{one.id}", title, path, companions(one, lang)))
    for cup in house.circles.list_championships(circle):
        title = t("A championship: {name}", name=cup.name)
        news.append((cup.created, f"championship:{cup.id}", title, f"/championships/{cup.id}", ""))
    told = AtomFeed(f"circle:{circle.id}", circle.name, house.profile.name, lang)
    for at, name, title, path, summary in sorted(news, reverse=True)[:FEED_ENTRIES]:
        told.add_entry(name, title, at, link=v.origin + path, summary=summary)
    return told.render()


ROUTES = [show_mine, create, show, show_invitation, join, act, feed]
