"""Statistics: a guest's own games, summed up, listed and exported; and the ratings of a box."""

from __future__ import annotations

import json
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from veillee.games.catalogue import BOXES
from veillee.house.errors import NotFound
from veillee.house.house import House
from veillee.house.results import ratings
from veillee.house.results.statistics import PlayedGame, load_games, summarize
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import parse_number
from veillee.web.http.request import AnyRequest, RequestContext, find_box, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_in_flight import hold
from veillee.web.http.work_pools import EXPORTS, to_thread
from veillee.web.rendering.templates import t

PAGE = 50
STRONGEST = 100
ENDS = ("won", "lost")
OPPONENT_KINDS = ("people", "bots")


class GameFilter:
    """Filter of a guest's games: of a box, won or lost, with people or with bots only."""

    def __init__(self, request: AnyRequest) -> None:
        asked = request.query_params
        self.box = asked.get("box", "") if asked.get("box") in BOXES else ""
        self.end = asked.get("end", "") if asked.get("end") in ENDS else ""
        self.company = asked.get("with", "") if asked.get("with") in OPPONENT_KINDS else ""
        self.after = parse_number(asked.get("after"), max_digits=5) or 0

    def of(self, games: list[PlayedGame]) -> list[PlayedGame]:
        return [game for game in games if self.fits(game)]

    def fits(self, game: PlayedGame) -> bool:
        people = sum(seat.kind == "person" for seat in game.seats) > 1
        return (
            self.box in ("", game.game)
            and (not self.end or (bool(game.places) and game.won == (self.end == "won")))
            and (not self.company or people == (self.company == "people"))
        )

    @property
    def query(self) -> str:
        said = {"box": self.box, "end": self.end, "with": self.company}
        return "&".join(f"{name}={value}" for name, value in said.items() if value)


@get("/me/games")
async def my_games(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    wanted = GameFilter(request)
    games, scale = await to_thread(load_own_games, v) if v.guest is not None else ([], {})
    chosen = wanted.of(games)
    told = summarize(games)
    return v.page(
        "statistics.html",
        games=[(game, format_date(game.ended, "medium", locale=v.lang)) for game in chosen[wanted.after :][:PAGE]],
        found=len(chosen),
        unknown=sum(not game.places for game in games),
        every=len(games),
        doing=told,
        ratings=scale,
        wanted=wanted,
        more=wanted.after + PAGE if len(chosen) > wanted.after + PAGE else 0,
        boxes=BOXES,
        percent=lambda share: format_percent(share, locale=v.lang),
        number=lambda value: format_decimal(value, "0.0", locale=v.lang),
        date=lambda when: format_date(when, "long", locale=v.lang),
    )


def load_own_games(v: RequestContext) -> tuple[list[PlayedGame], dict[str, ratings.Rating]]:
    """Returns the guest's games and ratings. Results that are not stored yet (games of earlier versions) are computed,
    some at a time."""
    assert v.guest is not None
    games = load_games(v.house.store, v.guest.id)
    if any(not game.places for game in games):
        v.house.results.load([glance for glance in v.house.tables.for_guest(v.guest) if glance.status == "over"])
        games = load_games(v.house.store, v.guest.id)
    with v.house.store.reading() as db:
        return [game for game in games if game.game in BOXES], ratings.guest_ratings(db, v.guest.id)


@get("/me/games.jsonl")
async def download_games(request: AnyRequest) -> Stream:
    """Exports the records of the filtered games, a JSON line each, the latest first: each can be verified and
    replayed."""
    v = await request_context(request)
    if v.guest is None:
        raise NotFound(t("There is nothing at this address."))
    rate_limit(request, "tables")
    hold(request.scope, "exports")
    games, _ = await to_thread(load_own_games, v)
    wanted = GameFilter(request).of(games)
    lines = (text for game in wanted if (text := record(v.house, game)) is not None)
    headers = {"Content-Disposition": 'attachment; filename="veillee-games.jsonl"', "Cache-Control": "no-store"}
    return Stream(EXPORTS.iterate(lines), media_type="application/jsonl; charset=utf-8", headers=headers)


def record(house: House, game: PlayedGame) -> bytes | None:
    """Returns one line; None: the rules of the table are not supported here, or others still play its deal."""
    try:
        table = house.tables.replay(game.id)
        told: dict[str, Any] = table.record()
    except VeilleeError:
        return None
    names = [seat.name for seat in table.seats]
    beside = {"table": table.id, "ended": game.ended.isoformat(), "names": names, "me": game.mine, "rated": game.rated}
    return json.dumps(told | beside, ensure_ascii=False).encode() + b"\n"


@get("/games/{game:str}/ratings")
async def scale(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """Shows the ratings of people and of bot levels from rated tables."""
    v = await request_context(request)
    box = find_box(game)

    def read() -> list[ratings.Rating]:
        with v.house.store.reading() as db:
            return ratings.box_ratings(db, box.id, STRONGEST)

    return v.page("ratings.html", box, every=await to_thread(read), guest=v.guest)


ROUTES = [my_games, download_games, scale]
