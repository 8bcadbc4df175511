"""Other views of a championship: large on a screen, as a certificate, as a feed, and for its organiser."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date
from litestar import Response, get
from litestar.params import FromPath

from veillee.games.catalogue import BOXES
from veillee.house.championships.repository import Championship
from veillee.house.championships.view import Standings
from veillee.house.errors import NotFound, NotNow
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.championships import has_seen
from veillee.web.rendering.atom import MEDIA_TYPE, AtomFeed
from veillee.web.rendering.championship_text import entrant_names, fingerprint_of, form_name, shown_lines
from veillee.web.rendering.templates import t, translator

SCREEN_LINES = 12


@get("/championships/{championship_id:str}/screen")
async def show_screen(request: AnyRequest, championship_id: FromPath[str]) -> Response[str]:
    """Shows what a visitor may see, also to entrants: it is for all in the room."""
    v = await request_context(request)
    v.guest = None
    championship, now = await load(v, championship_id)
    seen = fingerprint_of(now)
    if has_seen(v, seen):
        return Response("", status_code=204)
    names = entrant_names(now, v.lang)
    return v.page(
        "championship_screen.html",
        BOXES[championship.game],
        championship=championship,
        form=form_name(championship, v.lang),
        now=now,
        seen=seen,
        names=names,
        lines=shown_lines(now, names, v.lang)[:SCREEN_LINES],
    )


@get("/championships/{championship_id:str}/certificate/{entrant:int}")
async def show_certificate(
    request: AnyRequest, championship_id: FromPath[str], entrant: FromPath[int]
) -> Response[str]:
    v = await request_context(request)
    championship, now = await load(v, championship_id)
    if not now.is_over:
        raise NotNow(t("Certificates are handed out when the championship is over."))
    line = next((one for one in now.lines if one.entrant == entrant), None)
    if line is None:
        raise NotFound(t("This championship has no such player."))
    return v.page(
        "championship_certificate.html",
        BOXES[championship.game],
        championship=championship,
        form=form_name(championship, v.lang),
        line=line,
        player=entrant_names(now, v.lang)[entrant],
        players=len(now.lines),
        ended=format_date(datetime.fromtimestamp(last_end(now), UTC), "long", locale=v.lang),
    )


@get("/championships/{championship_id:str}/review")
async def show_review(request: AnyRequest, championship_id: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    championship, now = await load(v, championship_id)
    found = await to_thread(v.house.championships.review, championship, v.guest)
    return v.page(
        "championship_review.html",
        BOXES[championship.game],
        championship=championship,
        likenesses=found,
        names=entrant_names(now, v.lang),
    )


@get("/championships/{championship_id:str}/feed")
async def show_feed(request: AnyRequest, championship_id: FromPath[str]) -> Response[bytes]:
    v = await request_context(request)
    v.guest = None
    championship, now = await load(v, championship_id)
    return Response(render_feed(v, championship, now), media_type=MEDIA_TYPE)


def render_feed(v: RequestContext, championship: Championship, now: Standings) -> bytes:
    """Returns what everyone with the link may know: when rounds begin and end, and who has won."""
    t, link = translator(v.lang), f"{v.origin}/championships/{championship.id}"
    name = f"championship:{championship.id}"
    told = AtomFeed(name, championship.name, v.house.profile.name, v.lang)
    told.add_entry(
        f"{name}:created",
        t("A championship: {name}", name=championship.name),
        championship.created,
        link=link,
        summary=form_name(championship, v.lang),
    )
    for one in now.rounds:
        title = t("Round {n} has begun", n=one.number)
        told.add_entry(f"{name}:begun:{one.number}", title, one.began, link=link, summary="")
        if one.closed is not None:
            title = t("Round {n} is over", n=one.number)
            told.add_entry(f"{name}:over:{one.number}", title, one.closed, link=link, summary="")
    if now.is_over:
        names = entrant_names(now, v.lang)
        first = [names[line.entrant] for line in now.lines if line.rank == 1]
        title = t("The championship is over")
        summary = t("First: {names}", names=", ".join(first)) if first else ""
        told.add_entry(f"{name}:over", title, last_end(now), link=link, summary=summary)
    return told.render()


async def load(v: RequestContext, championship_id: str) -> tuple[Championship, Standings]:
    """Returns the championship, and what the reader may see of it. Raises NotFound."""
    championship = await to_thread(v.house.championships.find, championship_id)
    if championship.game not in BOXES:
        raise NotFound(t("There is no such game on the shelf."))
    return championship, await to_thread(v.house.championships.standings, championship, v.guest)


def last_end(now: Standings) -> float:
    """Returns when a championship that is over has ended: with its last round, or at its time."""
    closed = [one.closed for one in now.rounds if one.closed is not None]
    return max(closed) if closed else min(now.championship.ends, max([now.championship.created, *ends_of(now)]))


def ends_of(now: Standings) -> list[float]:
    return [one.ended for one in now.games if one.ended is not None]


ROUTES = [show_screen, show_certificate, show_review, show_feed]
