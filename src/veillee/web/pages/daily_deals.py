"""Daily deals: today's, and the results of a day that is over or of a deal that the guest has finished."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from babel.dates import format_date
from litestar import Response, get, post
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house import house_time
from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotFound
from veillee.house.house import House
from veillee.house.results import daily_deals
from veillee.house.results.daily_deals import ONE_DAY, Deal, DealResult, PlayedDay, RankedResult
from veillee.match.errors import VeilleeError
from veillee.web.http.request import AnyRequest, RequestContext, find_box_on_shelf, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.rulebook_positions import has_board
from veillee.web.rendering.templates import t

SHOWN_DAYS = 28  # days in the calendar
MAX_STREAK_DAYS = 366  # days looked at for the streak
MAX_LISTED_RESULTS = 200  # finished players listed
MAX_REPLAYS_PER_REQUEST = 20  # games replayed per request, to compute results that are not stored yet


@dataclass(frozen=True)
class DealView:
    """One deal, as far as this reader may know it."""

    box: Box
    deal: Deal
    begun: int  # number of players who have begun it
    mine: DealResult | None
    lines: list[RankedResult] | None  # None: hidden, as they would reveal how the deal plays
    rank: int  # the reader's own, 0: none


@get("/day")
async def today(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    return await page(v, house_time.today(v.house.store.now))


@get("/day/{day:str}")
async def one_day(request: AnyRequest, day: FromPath[str]) -> Response[str]:
    """Shows a past day or today. Of the next day only the commitments are shown, on today's page."""
    v = await request_context(request)
    try:
        wanted = date.fromisoformat(day)
    except ValueError:
        wanted = date.max
    if wanted > house_time.today(v.house.store.now) or wanted.isoformat() != day:
        raise NotFound(t("There is nothing at this address."))
    return await page(v, wanted)


@post("/games/{game:str}/day", status_code=200)
async def play(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Opens today's deal of that box, or continues it."""
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    rate_limit(request, "tables")
    table = await to_thread(v.house.daily_deals.open_table, await v.get_or_create_guest(), box.id)
    return v.redirect(f"/t/{table.id}")


async def page(v: RequestContext, day: date) -> Response[str]:
    now = house_time.today(v.house.store.now)

    def told() -> tuple[list[DealView], dict[str, Deal], list[PlayedDay]]:
        store = v.house.store
        daily_deals.seal_deals(store, list(BOXES))
        of_day = daily_deals.load_deals(v.house.store, day)
        if not of_day:  # the server did not run on that day
            raise NotFound(t("The house was closed on this day."))
        shelf = v.house.profile.shelf().values()
        every = [deal_view(v.house, box, of_day[box.id], v.guest) for box in shelf if box.id in of_day]
        ahead = daily_deals.load_deals(v.house.store, day + ONE_DAY) if day == now else {}
        return every, ahead, daily_deals.load_past_days(store, v.guest.id if v.guest else "", now, MAX_STREAK_DAYS)

    every, ahead, days = await to_thread(told)
    known = [one.day for one in days]
    return v.page(
        "daily_deals.html",
        day=day,
        date=format_date(day, "full", locale=v.lang),
        today=now,
        shown=MAX_LISTED_RESULTS,
        every=every,
        ahead=[(box, ahead[box.id]) for box in v.house.profile.shelf().values() if box.id in ahead],
        days=[(one, format_date(one.day, "d MMM", locale=v.lang)) for one in days[-SHOWN_DAYS:]],
        streak=daily_deals.streak(days, now),
        yesterday=day - ONE_DAY if day - ONE_DAY in known else None,
        boards=[box.id for box in BOXES.values() if has_board(box)],
    )


def deal_view(house: House, box: Box, deal: Deal, guest: Guest | None) -> DealView:
    everyone = results(house, deal)
    mine = next((one for one in everyone if guest is not None and one.guest == guest.id), None)
    known = deal.day < house_time.today(house.store.now) or (mine is not None and mine.is_over)
    lines = daily_deals.rank_results(everyone) if known else None
    rank = next((line.rank for line in lines or () if line.result is mine), 0)
    return DealView(box, deal, len(everyone), mine, lines, rank)


def results(house: House, deal: Deal) -> list[DealResult]:
    """Returns the guests who have begun it. The result of a game is computed once, and stored."""
    everyone = daily_deals.load_results(house.store, deal.day, deal.game)
    unknown = [one for one in everyone if one.is_over and one.table_id and not one.place][:MAX_REPLAYS_PER_REQUEST]
    for one in unknown:
        try:
            table = house.tables.replay(one.table_id)
        except VeilleeError:  # the version of its rules is no longer supported
            continue
        seat = next(n for n, seat in enumerate(table.seats) if seat.guest == one.guest)
        place, points = table.match.place(seat), table.match.scores[seat]
        daily_deals.save_result(house.store, deal.day, deal.game, one.guest, place, points)
    return daily_deals.load_results(house.store, deal.day, deal.game) if unknown else everyone


ROUTES = [today, one_day, play]
