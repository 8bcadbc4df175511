"""Home page (the shelf), game pages, rulebooks, the page /me, preferences, and files of the boards."""

from __future__ import annotations

import re
from asyncio import to_thread
from typing import Any
from urllib.parse import quote, urlsplit

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.bots.levels import MEASURE, OFFERED
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.scene import SPEEDS
from veillee.house.accounts.people import SUBSTITUTE_LEVEL, SeatPlan
from veillee.house.community.chat import GESTURES_ONLY_BELOW_AGE
from veillee.house.community.invitations import pending_invitations
from veillee.house.errors import BadRequest, NoTable, NotFound, NotYours, outcome
from veillee.house.tables.creation import TABLE_ID
from veillee.match.errors import Unknown, VeilleeError
from veillee.web.http.forms import field, read_form, time_control_from_form
from veillee.web.http.preferences import THEMES, cookie, device_of
from veillee.web.http.request import AnyRequest, RequestContext, find_box, request_context
from veillee.web.http.same_origin import CSP_FRAMEABLE, rate_limit
from veillee.web.logs import security
from veillee.web.pages import chat as chat_page
from veillee.web.pages import devices as devices_page
from veillee.web.pages import link_previews
from veillee.web.pages import shield as shield_page
from veillee.web.rendering import time_control_text
from veillee.web.rendering.level_names import level_names, scale_of
from veillee.web.rendering.rulebook import Rulebook, rulebook
from veillee.web.rendering.rulebook_positions import NoPicture, render_position
from veillee.web.rendering.table_list import companions, my_lines
from veillee.web.rendering.templates import board_folder, html, palette_sheet, render, t, translator
from veillee.words import LANGUAGES

WHERE = r"(as|at|from)=[0-9a-z]{1,8}"  # the seat on a shared screen; the moment and the seat of a replay
TABLE = re.compile(rf"/t/{TABLE_ID.pattern}(/replay)?(\?{WHERE}(&{WHERE})*)?")
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}  # the addresses carry a fingerprint
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
}


@get("/")
async def show_home(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    waiting = await to_thread(v.house.open_tables)
    mine = await to_thread(my_lines, v.house, v.guest, v.lang) if v.guest else []
    awaited = await to_thread(pending_invitations, v.house.store, v.guest) if v.guest else []
    counts: dict[str, int] = {}
    for glance in waiting:
        counts[glance.box.id] = counts.get(glance.box.id, 0) + 1
    return v.page(
        "home.html",
        preview=link_previews.of_house(v.lang),
        boxes=BOXES.values(),
        open_counts=counts,
        mine=[one for one in mine if one.turn != "over" and not one.away],
        invited=[(one, BOXES[one.game]) for one in awaited if one.game in BOXES],
    )


# -- a box --------------------------------------------------------------------------------------------------------------
async def box_values(v: RequestContext, box: Box) -> dict[str, Any]:
    return {
        "scale": await to_thread(scale_of, v.house.store, v.guest, box, translator(v.lang)),
        "preview": link_previews.of_box(box, v.lang),
        "levels": level_names(translator(v.lang)),
        "has_rules": load_rulebook(box, v.lang) is not None,
        "oops": "",
        "waiting": [],
        "children": GESTURES_ONLY_BELOW_AGE,
        "nameless": v.guest is None or not v.guest.has_chosen_name,
    }


@get("/games/{game:str}")
async def show_game(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    box = find_box(game)
    waiting = await to_thread(v.house.open_tables, box.id)
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
    box = find_box(game)
    level = MEASURE if field(await read_form(request), "level") == MEASURE else SUBSTITUTE_LEVEL
    rate_limit(request, "tables")
    table = await to_thread(v.house.play_now, await v.get_or_create_guest(), box.id, level)
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
    if kind == "hotseat":
        return SeatPlan("hotseat", name)
    raise BadRequest(t("The form does not say who sits on each seat."))


@post("/games/{game:str}/tables", status_code=200)
async def new_table(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    box = find_box(game)
    fields = await read_form(request)
    plans = [seat_plan(field(fields, f"seat.{n}"), field(fields, f"name.{n}")) for n in range(box.players[-1])]
    options = {option.id: value for option in box.agreements if (value := field(fields, f"option.{option.id}"))}
    rate_limit(request, "tables")
    rated = field(fields, "rated") == "yes"
    try:
        name = field(fields, "my-name")
        guest = await (v.get_or_create_named_guest(name) if name.strip() else v.get_or_create_guest())
        table = await to_thread(
            v.house.new_table,
            guest,
            box.id,
            [p for p in plans if p is not None],
            options,
            field(fields, "luck")[:100],
            public=field(fields, "public") == "yes",
            hints=field(fields, "hints") == "yes" and not rated,
            rated=rated,
            pace=time_control_from_form(fields),
        )
    except (Unknown, BadRequest) as error:
        values = await box_values(v, box) | {"oops": error.say(v.lang)}
        return v.page("game.html", box, outcome(error).status, **values)
    return v.redirect(f"/t/{table.id}")


# -- its rulebook ---------------------------------------------------------------------------------------------------------
def load_rulebook(box: Box, lang: str) -> Rulebook | None:
    t = translator(lang)
    badges = (
        ("ruling", t("our ruling")),
        ("departure", t("our departure")),
        ("reconstruction", t("our reconstruction")),
        ("fact", t("published fact")),
    )
    return rulebook(box.folder, lang, badges, f"/rules/{box.id}/positions")


@get("/rules/{game:str}")
async def rules(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Shows the rulebook. A visitor who comes from a table gets a link back to the question there."""
    v = await request_context(request)
    box = find_box(game)
    back = table_address(request.query_params.get("back", ""))
    came = urlsplit(request.headers.get("referer", ""))
    table = table_address(f"{came.path}?{came.query}") or table_address(came.path)
    if (
        not back and table and came.netloc == request.headers.get("host")
    ):  # came by a link: its #rule survives the redirect
        return v.redirect(f"{request.url.path}?back={quote(table)}")
    preview = link_previews.of_box(box, v.lang)
    return v.page("rulebook.html", box, preview=preview, book=rulebook_context(box, v.lang), back=back)


@get("/rules/{game:str}/sheet")
async def rules_beside(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """Returns the rulebook for the panel beside the board."""
    v = await request_context(request)
    box = find_box(game)
    return html(render(v.lang, "rulebook_panel.html", box, book=rulebook_context(box, v.lang)))


@get("/rules/{game:str}/positions/{name:str}")
async def picture(request: AnyRequest, game: FromPath[str], name: FromPath[str]) -> Response[str]:
    """Returns a position of the rulebook, as a page for an iframe in it."""
    v = await request_context(request)
    box = find_box(game)
    try:
        parts = await to_thread(render_position, box, name, v.lang)
    except NoPicture:
        raise NotFound(t("There is nothing at this address.")) from None
    sheets = sorted(file.name for file in board_folder(box).glob("*.css") if file.name != "palette.css")
    page = html(render(v.lang, "picture.html", box, p=parts, sheets=sheets, theme=v.theme, table_id=""))
    page.headers["Content-Security-Policy"] = CSP_FRAMEABLE
    return page


def rulebook_context(box: Box, lang: str) -> Rulebook:
    book = load_rulebook(box, lang)
    if book is None:
        raise NotFound(t("This rulebook is not written in this language."))
    return book


def table_address(address: str) -> str:
    """Returns the address if it is a table's or its replay's; empty for any other."""
    return address if TABLE.fullmatch(address) else ""


# -- the page /me -----------------------------------------------------------------------------------------------------------
@get("/me")
async def me(request: AnyRequest) -> Response[str]:
    return await my_page(await request_context(request))


async def my_page(v: RequestContext, error: VeilleeError | None = None, recovery: str = "") -> Response[str]:
    tables = await to_thread(my_lines, v.house, v.guest, v.lang) if v.guest else []
    return v.page(
        "account.html",
        status=outcome(error).status if error else 200,
        guest=v.guest,
        tables=[one for one in tables if not one.away],
        away=[one for one in tables if one.away],
        oops=error.say(v.lang) if error else "",
        recovery=recovery,
        **await devices_page.devices_context(v),
        **await chat_page.chat_settings_context(v),
        **shield_page.shield_context(v),
    )


@post("/me", status_code=200)
async def rename(request: AnyRequest) -> Response[Any]:
    v = await request_context(request)
    fields = await read_form(request)
    name = field(fields, "name")
    try:
        if v.guest is None:
            await v.get_or_create_named_guest(name)
        else:
            v.guest = await to_thread(v.house.rename, v.guest, name)
    except BadRequest as error:
        return await my_page(v, error)
    return v.redirect(back_address(fields, "/me"))


@post("/me/tables/{table_id:str}/{deed:str}", status_code=200)
async def tidy(request: AnyRequest, table_id: FromPath[str], deed: FromPath[str]) -> Response[Any]:
    """Archives a table, restores it, or deletes it."""
    v = await request_context(request)
    deeds = {"away": v.house.archive.hide, "out": v.house.archive.unhide, "clear": v.house.archive.delete}
    if v.guest is None or deed not in deeds:
        raise NotFound(t("There is nothing at this address."))
    try:
        await to_thread(deeds[deed], v.guest, table_id)
    except (NotYours, NoTable) as error:
        return await my_page(v, error)
    return v.redirect("/me")


@post("/me/recovery", status_code=200)
async def recovery(request: AnyRequest) -> Response[Any]:
    """Makes a recovery link; it replaces the one made before."""
    v = await request_context(request)
    token = await to_thread(v.house.guests.make_recovery_link, await v.get_or_create_guest())
    return await my_page(v, recovery=f"{v.origin}/back/{token}")


@get("/back/{token:str}")
async def back(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Shows a confirmation button: a GET request must not change anything, as link previews follow links too."""
    return (await request_context(request)).page("recovery.html", token=token, oops="")


@post("/back/{token:str}", status_code=200)
async def come_back(request: AnyRequest, token: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    try:
        v.guest = await to_thread(v.house.guests.use_recovery_link, token, device_of(request))
    except BadRequest as error:
        security(request.scope, "A recovery link that is none")
        return v.page("recovery.html", None, outcome(error).status, token=token, oops=error.say(v.lang))
    security(request.scope, "Came back by a recovery link", guest=v.guest.id)
    v.new_cookie_token = v.guest.token
    return v.redirect("/me")


def back_address(fields: list[tuple[str, str]], otherwise: str) -> str:
    """Returns the page of this site that a form asks to return to, else `otherwise`."""
    address = field(fields, "back")
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else otherwise


@post("/prefs", status_code=200)
async def choose(request: AnyRequest) -> Response[Any]:
    """Sets language, theme, animation speed and sound."""
    v = await request_context(request)
    fields = await read_form(request)
    response = v.redirect(back_address(fields, "/"))
    lang, theme, speed = field(fields, "lang"), field(fields, "theme"), field(fields, "speed")
    if lang in LANGUAGES:
        response.set_cookie(cookie("lang", lang, secure=v.is_secure))
    if theme in THEMES:
        response.set_cookie(cookie("theme", theme, secure=v.is_secure))
    if speed in SPEEDS:
        response.set_cookie(cookie("speed", speed, secure=v.is_secure))
    if (sound := field(fields, "sound")) in ("on", "off"):
        response.set_cookie(cookie("sound", sound, secure=v.is_secure))
    return response


@get("/fair")
async def fair(request: AnyRequest) -> Response[str]:
    return (await request_context(request)).page("fairness.html")


@get("/engine")
async def engine(request: AnyRequest) -> Response[str]:
    """Returns the line about the bots' engine, polled while it is being compiled."""
    v = await request_context(request)
    return html(render(v.lang, "engine_banner.html", news=v.house.engine_upgrade.status))


@get("/boards/palettes.css")
async def palettes() -> Response[str]:
    """Returns the colours of every box, for the shelf and the tables."""
    return Response(palette_sheet(), media_type=KINDS[".css"], headers=FOR_EVER)


# -- files of the boards ------------------------------------------------------------------------------------------------------
@get("/boards/{game:str}/{name:str}")
async def board_file(game: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Returns a style sheet, picture or script of a box's board. Its address carries a fingerprint, so it may be cached
    for ever."""
    folder = board_folder(find_box(game))
    file = folder / name
    kind = KINDS.get(file.suffix)
    if kind is None or file.parent != folder or not file.is_file():
        raise NotFound(t("There is nothing at this address."))
    return Response(
        await to_thread(file.read_bytes),
        media_type=kind,
        headers=FOR_EVER,
    )


ROUTES = [
    show_home,
    show_game,
    play_now,
    new_table,
    rules,
    rules_beside,
    picture,
    me,
    rename,
    tidy,
    recovery,
    back,
    come_back,
    choose,
    fair,
    engine,
    palettes,
    board_file,
]
