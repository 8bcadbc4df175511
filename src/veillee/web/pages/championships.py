"""Championships: creating one, joining it by its link, playing its deals, and the standings."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from babel.dates import format_datetime, format_timedelta
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Stream
from msgspec.json import encode

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house.championships.repository import Championship
from veillee.house.championships.service import MAX_DEALS, MIN_DEALS, Standings
from veillee.house.championships.standings import Line
from veillee.house.errors import BadRequest, NotFound, NotNow, outcome
from veillee.match.championship_file import describe_deals
from veillee.match.errors import Unknown, VeilleeError
from veillee.web.http.forms import field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, find_box_on_shelf, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_in_flight import hold
from veillee.web.http.work_pools import EXPORTS, to_thread
from veillee.web.pages.lobby import agreed_options, circle_choice, qr_code
from veillee.web.rendering.level_names import level_names
from veillee.web.rendering.seat_names import former_guest
from veillee.web.rendering.templates import t, translator

USUAL_DEALS = 6
HOURS = {"evening": 4, "day": 24, "week": 7 * 24, "month": 30 * 24}  # until the end, in the form
SHOWN_LINES = 500
UNTIL = "d MMM y, HH:mm 'UTC'"


@dataclass(frozen=True)
class ShownLine:
    """A line of the standings, in words."""

    line: Line
    name: str
    is_reader: bool
    ended: int  # games finished
    skill: str
    margin: str
    cells: tuple[tuple[int, str, str], ...]  # per deal shown: its number, result in words, table


@get("/championships")
async def show_mine(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    mine = await to_thread(v.house.championships.list_mine, v.guest) if v.guest else []
    now = v.house.store.now()
    return v.page(
        "championships.html",
        mine=[(one, BOXES[one.game], when(one, now, v.lang)) for one in mine if one.game in BOXES],
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
        levels=level_names(translator(v.lang)),
        deals=(MIN_DEALS, USUAL_DEALS, MAX_DEALS),
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
                deals=parse_number(field(fields, "deals")) or 0,
                level=field(fields, "level"),
                hours=HOURS.get(field(fields, "lasts"), 0),
            )
        )
        await to_thread(v.house.championships.enter, guest, made)
        if circle:
            await to_thread(v.house.circles.add_championship, guest, circle, made)
    except (Unknown, BadRequest, NotNow) as error:
        return await form_page(v, box, error)
    return v.redirect(f"/championships/{made.id}")


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
        names = {one.number: one.name or former_guest(v.lang) for one in now.entrants}
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(["entrant", "name", "deal", "victory", "points", "luck", "table"])
        for game in now.games:
            rows.writerow(
                [game.entrant, names[game.entrant], game.deal, game.share, game.points, game.luck, game.table_id]
            )
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
        for game in found.games:
            with suppress(VeilleeError):  # the table was deleted, or its rules are no longer supported
                record = v.house.tables.replay(game.table_id).record()
                yield encode(record | {"entrant": game.entrant, "deal": game.deal}) + b"\n"

    head = {"Content-Disposition": f'attachment; filename="championship-{championship.id}.jsonl"'}
    return Stream(EXPORTS.iterate(lines()), media_type="application/jsonl; charset=utf-8", headers=head)


async def page(v: RequestContext, championship: Championship, error: VeilleeError | None = None) -> Response[str]:
    box = BOXES.get(championship.game)
    if box is None:
        raise NotFound(t("There is no such game on the shelf."))
    now = await to_thread(v.house.championships.standings, championship, v.guest)
    address = f"{v.origin}/championships/{championship.id}"
    names = {one.number: one.name or former_guest(v.lang) for one in now.entrants}
    return v.page(
        "championship.html",
        box,
        status=outcome(error).status if error else 200,
        now=now,
        championship=championship,
        lines=shown_lines(now, names, v.lang),
        names=names,
        when=when(championship, v.house.store.now(), v.lang),
        ends=format_datetime(datetime.fromtimestamp(championship.ends, UTC), UNTIL, locale=v.lang),
        level=level_names(translator(v.lang)).get(championship.level, championship.level),
        agreed=agreed_options(box, championship.options, v.lang),
        first_names=[names[line.entrant] for line in now.lines[:2]],
        address=address,
        qr=qr_code(address),
        nameless=v.guest is None or not v.guest.has_chosen_name,
        oops=error.say(v.lang) if error else "",
    )


def shown_lines(now: Standings, names: dict[int, str], lang: str) -> list[ShownLine]:
    t = translator(lang)
    games = {(one.entrant, one.deal): one for one in now.games}
    me = now.me.number if now.me else 0

    def cell(entrant: int, deal: int) -> tuple[int, str, str]:
        game = games.get((entrant, deal))
        if game is None:
            return deal, "", ""
        return deal, t("won, {points}", points=game.points) if game.share else str(game.points), game.table_id

    return [
        ShownLine(
            line,
            names[line.entrant],
            line.entrant == me,
            now.ended[line.entrant],
            "" if line.skill is None else f"{100 * line.skill:.0f}".replace("-", "−"),
            "" if line.margin is None else f"{100 * line.margin:.0f}",
            tuple(cell(line.entrant, deal) for deal in now.deals),
        )
        for line in now.lines[:SHOWN_LINES]
    ]


def when(championship: Championship, now: float, lang: str) -> str:
    """Returns how long a championship still lasts, in words; empty if it is over."""
    left = championship.ends - now
    return format_timedelta(timedelta(seconds=left), locale=lang) if left > 0 else ""


ROUTES = [show_mine, show_form, create, show, join, play, export, export_games]
