"""Page of a game: its open tables, playing at once, and the form for a new table."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.bots.levels import MEASURE, OFFERED
from veillee.games.box import Box
from veillee.house.community.chat import GESTURES_ONLY_BELOW_AGE
from veillee.house.errors import BadRequest, outcome
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, SeatPlan
from veillee.match.errors import Unknown
from veillee.web.http.forms import field, read_form, time_control_from_form
from veillee.web.http.request import AnyRequest, RequestContext, find_box_on_shelf, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.pages import link_previews
from veillee.web.pages.lab import has_lab
from veillee.web.pages.lobby import circle_choice
from veillee.web.pages.rulebook import load_rulebook
from veillee.web.rendering import time_control_text
from veillee.web.rendering.level_names import level_choices, scale_of
from veillee.web.rendering.rulebook_positions import has_board
from veillee.web.rendering.table_list import companions
from veillee.web.rendering.templates import STANDALONE, t, translator


async def box_values(v: RequestContext, box: Box) -> dict[str, Any]:
    return {
        "scale": await to_thread(scale_of, v.house.store, v.guest, box, translator(v.lang)),
        "preview": link_previews.of_box(box, v.lang),
        "levels": level_choices(translator(v.lang)),
        "rules": load_rulebook(box, v.lang),
        "has_board": has_board(box),
        "has_lab": has_lab(v.request, box),
        "oops": "",
        "waiting": [],
        "children": GESTURES_ONLY_BELOW_AGE,
        **await circle_choice(v),
        "nameless": v.guest is None or not v.guest.has_chosen_name,
    }


@get("/games/{game:str}")
async def show_game(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    waiting = await to_thread(v.house.tables.list_open, box.id)
    return v.page(
        "game.html",
        box,
        **(
            await box_values(v, box)
            | {
                "waiting": [
                    (glance, companions(glance, v.lang), time_control_text.short(glance, v.lang))
                    for glance in waiting[:12]
                ]
            }
        ),
    )


@post("/games/{game:str}/play", status_code=200)
async def play_now(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Opens a table with bots with one click."""
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    level = MEASURE if field(await read_form(request), "level") == MEASURE else SUBSTITUTE_LEVEL
    rate_limit(request, "tables")
    table = await to_thread(v.house.tables.play_now, await v.get_or_create_guest(), box.id, level)
    return v.redirect(f"/t/{table.id}")


@post("/games/{game:str}/friend", status_code=200)
async def play_with_friend(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Opens a table with one open seat, found by its link alone; bots take the seats that the game needs besides."""
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    rate_limit(request, "tables")
    bots = [SeatPlan("bot", level=SUBSTITUTE_LEVEL)] * (max(2, box.players[0]) - 2)
    plans = [SeatPlan("me"), SeatPlan("open"), *bots]
    table = await to_thread(v.house.tables.create, await v.get_or_create_guest(), box.id, plans)
    return v.redirect(f"/t/{table.id}")


def seat_plan(choice: str, name: str) -> SeatPlan | None:
    """Parses one line of the form for a new table; None: no seat here. Raises BadRequest."""
    kind, _, level = choice.partition(":")
    if kind == "none":
        return None
    if kind == "bot" and level in (*OFFERED, MEASURE):
        return SeatPlan("bot", level=level)
    if kind == "me":
        return SeatPlan("me")
    if kind == "open":
        return SeatPlan("open")
    if kind == "link" and STANDALONE.is_on:
        return SeatPlan("link")
    if kind == "hotseat":
        return SeatPlan("hotseat", name)
    raise BadRequest(t("The form does not say who sits on each seat."))


@post("/games/{game:str}/tables", status_code=200)
async def new_table(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    box = find_box_on_shelf(v.house, game)
    fields = await read_form(request)
    plans = [seat_plan(field(fields, f"seat.{n}"), field(fields, f"name.{n}")) for n in range(box.players[-1])]
    options = {option.id: value for option in box.agreements if (value := field(fields, f"option.{option.id}"))}
    rate_limit(request, "tables")
    rated = field(fields, "rated") == "yes"
    try:
        name = field(fields, "my-name")
        guest = await (v.get_or_create_named_guest(name) if name.strip() else v.get_or_create_guest())
        circle = field(fields, "circle")
        table = await to_thread(
            v.house.tables.create,
            guest,
            box.id,
            [p for p in plans if p is not None],
            options,
            field(fields, "luck")[:100],
            public=field(fields, "public") == "yes" and not circle,
            hints=field(fields, "hints") == "yes" and not rated,
            rated=rated,
            pace=time_control_from_form(fields),
            register=await to_thread(v.house.circles.table_register, guest, circle) if circle else None,
        )
    except (Unknown, BadRequest) as error:
        values = await box_values(v, box) | {"oops": error.say(v.lang)}
        return v.page("game.html", box, outcome(error).status, **values)
    return v.redirect(f"/t/{table.id}")


ROUTES = [show_game, play_now, play_with_friend, new_table]
