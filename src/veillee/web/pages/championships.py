"""Championships: creating one, joining it by its link, playing its deals and rounds, and the standings."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_datetime
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream
from msgspec.json import encode

from veillee.bots.levels import MEASURE
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house.championships.repository import Championship
from veillee.house.championships.rounds import may_start, why_blocked
from veillee.house.championships.terms import MAX_DEALS, MAX_SEASONS, MIN_DEALS, MIN_SEASONS, ChampionshipTerms
from veillee.house.championships.view import Standings
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours, outcome
from veillee.match.championship_file import describe_deals
from veillee.match.errors import Unknown, VeilleeError
from veillee.web.http.forms import Fields, field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, find_box_on_shelf, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_in_flight import hold
from veillee.web.http.work_pools import EXPORTS, to_thread
from veillee.web.pages.lobby import agreed_options, circle_choice, qr_code
from veillee.web.rendering.championship_text import (
    ROWS,
    entrant_names,
    fingerprint_of,
    form_name,
    how_it_is_played,
    listed,
    place_curves,
    time_left,
)
from veillee.web.rendering.level_names import level_name, level_names
from veillee.web.rendering.templates import t, translator

USUAL_DEALS, USUAL_SEASONS = 6, 3
HOURS = {"evening": 4, "day": 24, "week": 7 * 24, "month": 30 * 24}  # until the end, in the form
ROUND_HOURS = HOURS | {"evening": 2}  # of one round or season
HOURS_BEFORE = {"quarter": 0.25, "hour": 1.0, "day": 24.0, "week": 7 * 24.0}  # until the first round
UNTIL = "d MMM y, HH:mm 'UTC'"
CSV_COLUMNS = (
    *("entrant", "name", "deal", "victory", "points", "luck", "table"),
    *("round", "group", "seat", "substituted"),  # empty where there are no rounds
)


@get("/championships")
async def show_mine(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    mine = await to_thread(v.house.championships.list_mine, v.guest) if v.guest else []
    return v.page(
        "championships.html",
        mine=listed(mine, v.house.store.now(), v.lang),
        boxes=v.house.profile.shelf().values(),
    )


@get("/games/{game:str}/championship")
async def show_form(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    return await form_page(v, find_box_on_shelf(v.house, game))


async def form_page(v: RequestContext, box: Box, error: VeilleeError | None = None) -> Response[str]:
    return v.page(
        "championship_form.html",
        box,
        status=outcome(error).status if error else 200,
        levels=level_names(translator(v.lang)) | {MEASURE: level_name(translator(v.lang), MEASURE)},
        deals=(MIN_DEALS, USUAL_DEALS, MAX_DEALS),
        seasons=(MIN_SEASONS, USUAL_SEASONS, MAX_SEASONS),
        nameless=v.guest is None or not v.guest.has_chosen_name,
        **await circle_choice(v),
        oops=error.say(v.lang) if error else "",
    )


@post("/games/{game:str}/championship", status_code=200)
async def create(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    fields = await read_form(request)
    options = {option.id: value for option in box.agreements if (value := field(fields, f"option.{option.id}"))}
    rate_limit(request, "tables")
    try:
        guest = await v.get_or_create_named_guest(field(fields, "my-name"))
        if circle := field(fields, "circle"):
            await to_thread(v.house.circles.check_member, guest, circle)
        made = await to_thread(
            lambda: v.house.championships.create(
                guest,
                box.id,
                field(fields, "name"),
                options,
                terms_of(fields),
            )
        )
        await to_thread(v.house.championships.enter, guest, made)
        if circle:
            await to_thread(v.house.circles.add_championship, guest, circle, made)
    except (Unknown, BadRequest, NotNow) as error:
        return await form_page(v, box, error)
    return v.redirect(f"/championships/{made.id}")


def terms_of(fields: Fields) -> ChampionshipTerms:
    """Returns the terms that a form asks for; they are checked later."""
    form = field(fields, "form") or "duplicate"
    hours = HOURS if form == "duplicate" else ROUND_HOURS
    return ChampionshipTerms(
        deals=parse_number(field(fields, "deals")) or 0,
        level=field(fields, "level"),
        hours=hours.get(field(fields, "lasts"), 0),
        form=form,
        scoring=field(fields, "scoring") or "skill",
        seasons=parse_number(field(fields, "seasons")) or 0,
        hours_before=HOURS_BEFORE.get(field(fields, "begins")),
    )


@get("/championships/{championship_id:str}")
async def show(request: AnyRequest, championship_id: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    return await page(v, await to_thread(v.house.championships.find, championship_id))


@post("/championships/{championship_id:str}/join", status_code=200)
async def join(request: AnyRequest, championship_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    championship = await to_thread(v.house.championships.find, championship_id)
    rate_limit(request, "tables")
    try:
        guest = await v.get_or_create_named_guest(field(await read_form(request), "my-name"))
        await to_thread(v.house.championships.enter, guest, championship)
    except (BadRequest, NotNow) as error:
        return await page(v, championship, error)
    return v.redirect(f"/championships/{championship.id}")


@post("/championships/{championship_id:str}/withdraw", status_code=200)
async def withdraw(request: AnyRequest, championship_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    championship = await to_thread(v.house.championships.find, championship_id)
    rate_limit(request, "tables")
    try:
        await to_thread(v.house.championships.withdraw, await v.get_or_create_guest(), championship)
    except (NotNow, NotYours) as error:
        return await page(v, championship, error)
    return v.redirect(f"/championships/{championship.id}")


@post("/championships/{championship_id:str}/start", status_code=200)
async def start(request: AnyRequest, championship_id: FromPath[str]) -> Response[Any]:
    """Begins the first round."""
    v = await request_context(request)
    championship = await to_thread(v.house.championships.find, championship_id)
    rate_limit(request, "tables")
    try:
        await to_thread(v.house.championships.rounds.start, await v.get_or_create_guest(), championship)
    except (NotNow, NotYours) as error:
        return await page(v, championship, error)
    return v.redirect(f"/championships/{championship.id}")


@post("/championships/{championship_id:str}/deals/{deal:int}", status_code=200)
async def play(request: AnyRequest, championship_id: FromPath[str], deal: FromPath[int]) -> Response[Any]:
    """Opens the guest's table with that deal, or continues it."""
    v = await request_context(request)
    championship = await to_thread(v.house.championships.find, championship_id)
    rate_limit(request, "tables")
    try:
        table = await to_thread(v.house.championships.open_table, await v.get_or_create_guest(), championship, deal)
    except NotNow as error:
        return await page(v, championship, error)
    return v.redirect(f"/t/{table.id}")


@get("/championships/{championship_id:str}/standings.csv")
async def export(request: AnyRequest, championship_id: FromPath[str]) -> Response[str]:
    """Returns the results that the reader may see, a row for each game."""
    v = await request_context(request)

    def build() -> str:
        championship = v.house.championships.find(championship_id)
        now = v.house.championships.standings(championship, v.guest)
        names = entrant_names(now, v.lang)
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(CSV_COLUMNS)
        for game in now.games:
            where = [game.round, game.group, game.seat, int(game.is_substituted)] if game.round else [""] * 4
            told = [game.share, game.points, game.luck, game.table_id, *where]
            rows.writerow([game.entrant, names[game.entrant], game.deal, *told])
        return text.getvalue()

    head = {"content-disposition": f'attachment; filename="championship-{championship_id[:16]}.csv"'}
    return Response(await to_thread(build), media_type="text/csv; charset=utf-8", headers=head)


@get("/championships/{championship_id:str}/games.jsonl")
async def export_games(request: AnyRequest, championship_id: FromPath[str]) -> Stream:
    """Returns the sealed deals and the record of every game, when all may see them: `veillee verify` checks the file."""
    v = await request_context(request)
    championship = await to_thread(v.house.championships.find, championship_id)
    if v.house.store.now() < championship.ends:
        raise NotNow(t("The games are handed out when the championship is over."))
    rate_limit(request, "tables")
    hold(request.scope, "exports")
    found = await to_thread(v.house.championships.standings, championship, None)

    def lines() -> Iterator[bytes]:
        yield encode(describe_deals(championship.name, championship.game, championship.seeds)) + b"\n"
        for table_id, about in tables_played(found).items():
            with suppress(VeilleeError):  # the table was deleted, or its rules are no longer supported
                yield encode(v.house.tables.replay(table_id).record() | about) + b"\n"

    head = {"Content-Disposition": f'attachment; filename="championship-{championship.id}.jsonl"'}
    return Stream(EXPORTS.iterate(lines()), media_type="application/jsonl; charset=utf-8", headers=head)


def tables_played(found: Standings) -> dict[str, dict[str, Any]]:
    """Returns what the file of all games says of each table: its deal and entrants, in rounds by seat (0: a bot)."""
    tables: dict[str, dict[str, Any]] = {}
    for game in found.games:
        if game.seats and game.seat is not None:
            entrants = [0] * game.seats
            about = tables.setdefault(game.table_id, {"deal": game.deal, "round": game.round, "entrants": entrants})
            about["entrants"][game.seat] = game.entrant
        else:
            tables[game.table_id] = {"entrant": game.entrant, "deal": game.deal}
    return tables


async def page(v: RequestContext, championship: Championship, error: VeilleeError | None = None) -> Response[str]:
    box = BOXES.get(championship.game)
    if box is None:
        raise NotFound(t("There is no such game on the shelf."))
    now = await to_thread(v.house.championships.standings, championship, v.guest)
    seen = fingerprint_of(now)
    if error is None and has_seen(v, seen):
        return Response("", status_code=204)
    address = f"{v.origin}/championships/{championship.id}"
    names = entrant_names(now, v.lang)
    running = next((one for one in now.rounds if one.closed is None), None)
    clock = v.house.store.now()
    ends = v.house.championships.rounds.end_of(championship, running) if running else championship.ends
    begins = championship.begins if championship.has_rounds and not now.rounds else None
    return v.page(
        "championship.html",
        box,
        status=outcome(error).status if error else 200,
        now=now,
        seen=seen,
        championship=championship,
        form=form_name(championship, v.lang),
        how=how_it_is_played(championship, box, v.lang),
        rows=ROWS.load(now, names, v.lang),
        names=names,
        curves=place_curves(now, names),
        is_organiser=v.guest is not None and v.guest.id == championship.organiser,
        running=running,
        when=time_left(ends - clock, v.lang) if running or not championship.has_rounds else "",
        ends=date_and_time(ends, v) if running or not championship.has_rounds else "",
        blocked=why.say(v.lang) if (why := why_blocked(championship)) is not None else "",
        begins=date_and_time(begins, v) if begins else "",
        can_start=may_start(v.guest, championship, now.entrants),
        level=level_name(translator(v.lang), championship.level),
        agreed=agreed_options(box, championship.options, v.lang),
        first_names=[names[line.entrant] for line in now.lines[:2]],
        address=address,
        qr=qr_code(address),
        nameless=v.guest is None or not v.guest.has_chosen_name,
        oops=error.say(v.lang) if error else "",
    )


def has_seen(v: RequestContext, fingerprint: str) -> bool:
    """Returns whether the page of the reader, which asks for news (championship.js), shows all this already."""
    return v.request.query_params.get("seen") == fingerprint


def date_and_time(seconds: float, v: RequestContext) -> str:
    return format_datetime(datetime.fromtimestamp(seconds, UTC), UNTIL, locale=v.lang)


ROUTES = [show_mine, show_form, create, show, join, withdraw, start, play, export, export_games]
