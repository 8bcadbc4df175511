"""Replay page of a game, and the parts of the moments that its script steps to.

While a game goes on, a guest sees their own seat's view, or the public one. Once it is over nothing in it is secret,
and the view of any seat may be chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath

from veillee.games.box import Box
from veillee.house.errors import Stale
from veillee.house.tables.clocks.seat_clocks import HouseEvent
from veillee.house.tables.history import GameHistory
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.web.http.forms import parse_number
from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.work_pools import to_thread
from veillee.web.pages import link_previews
from veillee.web.pages.analysis import thoughts
from veillee.web.pages.table import frame
from veillee.web.rendering.presence_panel import house_event_text
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.table_parts import Audience, replay_parts
from veillee.web.rendering.templates import markup, t, translator
from veillee.words import Words

SPECTATOR = "watch"  # the spectator's view
RENDER_BUDGET_SECONDS = 0.1  # seconds spent on rendering the moments of one request, after the first


@dataclass(frozen=True)
class ChronicleLine:
    """A line of the chronicle, and the moment at which it was told."""

    moment: int
    rule: str
    text: str


@dataclass(frozen=True)
class TurnLines:
    """The lines of one turn; the first chapter is the beginning."""

    moment: int
    title: str
    lines: tuple[ChronicleLine, ...]


@get("/t/{table_id:str}/replay")
async def replay(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    """Shows one moment (`at`), the first one by default."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)

    def build() -> Response[str]:
        now, past = table.moment, table.history
        called = names_at(now, v.lang)
        seat = looks_from(v, table, past)
        at = min(parse_number(request.query_params.get("at")) or 0, past.last)
        told = chapters(past, seat, called, table.box, v.lang, now.row.lines)
        return v.page(
            "table/page.html",
            table.box,
            **frame(table),
            screen=None,
            preview=link_previews.of_table(now, v.lang),
            p=markup(replay_parts(now, past.at(at), Audience(seat), v.lang)),
            rev=0,
            speed=v.speed,
            wanted=None,
            oops="",
            oops_rule="",
            waiting=False,
            replay=True,
            at=at,
            last=past.last,
            chapters=told,
            **steps(told, at, past.last),
            seat=seat,
            seats=called if past.match.over else [],
            looking=SPECTATOR if seat == NO_SEAT else str(seat),
            over=past.match.over,
            turn="other",
            can_leave=False,
            thoughts=thoughts(v.house.analyses.find(table.id), table, seat, v.lang) if past.match.over else {},
        )

    return await to_thread(build)


@get("/t/{table_id:str}/replay/moments")
async def moments(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    """Returns the moments from `at` to `to`, or as many of them as are rendered within 0.1 s: the parts of the first
    one, then those that differ.

    `of`: the last moment that the page knows of. If the game has ended meanwhile, or an answer was taken back, its
    moments are numbered anew: raises Stale.
    """
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    first, last, known = (parse_number(request.query_params.get(name)) or 0 for name in ("at", "to", "of"))

    def draw() -> list[dict[str, str]]:
        now, past = table.moment, table.history
        if known > past.last or (past.match.over and known != past.last):
            raise Stale(t("The game has moved on since this page was loaded."))
        return render_moment(
            now, past, looks_from(v, table, past), v.lang, range(min(first, known), min(last, known) + 1)
        )

    body = msgspec.json.encode(await to_thread(draw))
    return Response(body, media_type=MediaType.JSON, headers={"Cache-Control": "no-store"})


def render_moment(now: Moment, past: GameHistory, seat: int, lang: str, asked: Sequence[int]) -> list[dict[str, str]]:
    before: dict[str, str] = {}
    found: list[dict[str, str]] = []
    end = monotonic() + RENDER_BUDGET_SECONDS
    for n in asked:
        if found and monotonic() > end:
            break
        parts = replay_parts(now, past.at(n), Audience(seat), lang)
        found.append({name: text for name, text in parts.items() if before.get(name) != text})
        before = parts
    return found


def looks_from(v: RequestContext, table: Table, past: GameHistory) -> int:
    """Returns the seat whose view this guest sees: after the end any that they ask for."""
    wanted = v.request.query_params.get("from")
    if past.match.over and wanted is not None:
        seat = parse_number(wanted)
        if wanted == SPECTATOR or (seat is not None and seat < past.match.seats):
            return NO_SEAT if seat is None else seat
    mine = table.seats_of(v.guest)
    return mine[0] if len(mine) == 1 else NO_SEAT


def chapters(
    past: GameHistory, seat: int, names: Sequence[str], box: Box, lang: str, house: Sequence[HouseEvent] = ()
) -> list[TurnLines]:
    """Returns the whole chronicle as the seat was told it, turn by turn, with the lines of the house."""
    said = [
        [
            ChronicleLine(n, event.rule, text)
            for event in events
            if (text := box.speech.event(event, names, box.words(lang)))
        ]
        for n, events in enumerate(past.events(seat))
    ]
    for line in house:
        moment = past.moment(line.shown)
        said[moment].append(ChronicleLine(moment, "", house_event_text(line, names[line.seat], lang)))
    t = translator(lang)
    starts = [
        (0, t("The beginning")),
        *[(turn.first, title(n, turn.seats, names, t)) for n, turn in enumerate(past.turns, 1)],
    ]
    ends = [first for first, _ in starts[1:]] + [past.last + 1]
    return [
        TurnLines(first, name, tuple(line for lines in said[first:end] for line in lines))
        for (first, name), end in zip(starts, ends, strict=True)
    ]


def title(n: int, seats: Sequence[int], names: Sequence[str], t: Words) -> str:
    everybody = len(seats) == len(names)
    return t("Move {n}: {who}", n=n, who=t("everybody") if everybody else ", ".join(names[seat] for seat in seats))


def steps(told: Sequence[TurnLines], at: int, last: int) -> dict[str, Any]:
    """Returns what the bar shows of a moment, and where its buttons lead."""
    here = max(n for n, chapter in enumerate(told) if chapter.moment <= at)
    before = max((chapter.moment for chapter in told if chapter.moment < at), default=0)
    after = told[here + 1].moment if here + 1 < len(told) else last
    return {
        "here": told[here].title,
        "said": [line for line in told[here].lines if line.moment == at],
        "goes": {
            "first": 0,
            "turn-back": before,
            "back": max(at - 1, 0),
            "on": min(at + 1, last),
            "turn-on": after,
            "last": last,
        },
    }


ROUTES = [replay, moments]
