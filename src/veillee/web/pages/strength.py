"""Strength page of a box: what a bot made to measure is, the guest's own strength, and how it is measured (ADR 31).

A guest is shown their own games only.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal
from litestar import Response, get, post
from litestar.params import FromPath

from veillee.bots.levels import MEASURE, strength_of
from veillee.bots.strength_scale import marks
from veillee.games.box import Box
from veillee.house.analysis.strength import GAMES_COUNTED, MIN_ANALYSED_GAMES, load_analysed_games
from veillee.house.errors import NotFound
from veillee.web.http.request import AnyRequest, RequestContext, find_box, request_context
from veillee.web.http.same_origin import rate_limit, split_header_url
from veillee.web.http.work_pools import to_thread
from veillee.web.pages.rulebook import table_address
from veillee.web.rendering.level_names import StrengthText, level_name, scale_of
from veillee.web.rendering.templates import t, translator


@get("/games/{game:str}/measure")
async def show(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    box, scale = await load_strength(v, game)
    came = split_header_url(request, "referer")
    games = await to_thread(load_analysed_games, v.house.store, v.guest.id, box) if v.guest else []
    return v.page(
        "strength.html",
        box,
        scale=scale,
        games=[(one, format_date(datetime.fromtimestamp(one.ended, UTC), "long", locale=v.lang)) for one in games],
        rows=rows(scale, v.lang),
        enough=MIN_ANALYSED_GAMES,
        latest=GAMES_COUNTED,
        level=MEASURE,
        bot=strength_of(request.query_params.get("bot", "")),
        back=table_address(came.path) if came.netloc == request.headers.get("host") else "",
    )


@post("/games/{game:str}/measure", status_code=200)
async def look_back(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Queues the guest's latest games for analysis, done when no other work waits."""
    v = await request_context(request)
    box, _ = await load_strength(v, game)
    rate_limit(request, "tables")
    if v.guest is not None:
        await to_thread(v.house.strength.analyse_earlier_games, v.guest.id, box)
    return v.redirect(f"/games/{box.id}/measure")


async def load_strength(v: RequestContext, game: str) -> tuple[Box, StrengthText]:
    box = find_box(game)
    scale = await to_thread(scale_of, v.house.store, v.guest, box, translator(v.lang))
    if scale is None:
        raise NotFound(t("Nobody has measured the levels of this box yet."))
    return box, scale


def rows(scale: StrengthText, lang: str) -> list[tuple[str, str, float, bool]]:
    """Returns the levels and, once known, the guest, from the weakest on: the name, what better answers would have
    gained as a ratio of what luck moved, the place on the scale, and whether it is the guest."""
    t = translator(lang)
    found = [
        (t("random choices") if mark.level == "random" else level_name(t, mark.level), mark.ratio, mark.strength, False)
        for mark in marks(scale.measure.box)
    ]
    mine = scale.measure
    if mine.strength is not None:
        found.append((t("you"), mine.ratio, mine.strength, True))
    found.sort(key=lambda row: row[2])
    return [(name, format_decimal(ratio, "0.00", locale=lang), place, me) for name, ratio, place, me in found]


ROUTES = [show, look_back]
