"""The web room: pages, live streams and JSON for the tables of a house. It knows no game by name."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Litestar, Response, get
from litestar.config.app import AppConfig
from litestar.datastructures import CacheControlHeader, State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.static_files import create_static_files_router

from veillee import __version__
from veillee.games.catalogue import BOXES
from veillee.match.errors import Forbidden, VeilleeError
from veillee.tables.errors import NoAdvice, NoTable, NotNow, NotYours, Stale, StoreError
from veillee.tables.house import House
from veillee.web import play, rooms
from veillee.web.api import api
from veillee.web.dev import Loop
from veillee.web.guard import HEADERS, same_origin_only, with_headers
from veillee.web.pages import STATIC, house_words, html, render
from veillee.web.play import Refused
from veillee.web.prefs import prefs
from veillee.web.visit import AnyRequest, visit

FOR_EVER = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)  # addresses carry a fingerprint
MOST_BYTES = 100_000  # of a request: no form of ours is longer
log = logging.getLogger("veillee.web")


def status_of(error: Exception) -> int:
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, HTTPException):
        return error.status_code
    for kind, status in (
        (NoTable, 404),
        (NotYours, 403),
        (Stale, 409),
        (NotNow, 409),
        (StoreError, 503),
        (NoAdvice, 503),
        (VeilleeError, 422),
    ):
        if isinstance(error, kind):
            return status
    return 500


def sentence_of(error: Exception, status: int, lang: str) -> str:
    t = house_words(lang)
    if isinstance(error, Forbidden | Refused):
        return error.sentence
    if isinstance(error, VeilleeError):
        return error.say(lang)
    detail = error.detail if isinstance(error, HTTPException) else ""
    if detail == "game":
        return t("There is no such game on the shelf.")
    if detail == "rulebook":
        return t("This rulebook is not written in this language.")
    if detail == "rule":
        return t("There is no rule of that number.")
    if detail == "cross-site":
        return t("This request came from another site, and was not followed.")
    return {
        400: t("This request cannot be read."),
        403: t("This is not for you to do."),
        404: t("There is nothing at this address."),
        405: t("That cannot be done at this address."),
        413: t("That is too much to read."),
        429: t("Too many requests: wait a moment."),
    }.get(status, t("Something went wrong on our side. Nothing was lost; please try again."))


def on_error(request: AnyRequest, error: Exception) -> Response[Any]:
    """A sentence, as a page, as text or as JSON; never a stack trace."""
    status = status_of(error)
    reader = prefs(request)
    if status >= 500:
        log.error("%s %s", request.method, request.url.path, exc_info=error)
    said = sentence_of(error, status, reader.lang)
    rule = error.rule if isinstance(error, Forbidden | Refused) else ""
    if request.url.path.startswith("/api/"):
        response: Response[Any] = Response({"error": said, "rule": rule}, status_code=status)
    elif request.headers.get("x-live") == "1":
        response = Response(said, status_code=status, media_type="text/plain")
    else:
        page = {"theme": reader.theme, "path": "/", "me": "", "news": "", "dev": request.app.state.dev}
        response = html(render(reader.lang, "error.html", page=page, status=status, sentence=said), status)
    response.headers.update(HEADERS)  # what has no route goes through no hook
    return response


@get("/api", include_in_schema=False)
async def programs(request: AnyRequest) -> Response[str]:
    return (await visit(request)).page("api.html", game=next(iter(BOXES)))


def create_app(house: House, loop: Loop | None = None) -> Litestar:
    """The application that serves this house; `loop`: to those who are building it (web/dev.py)."""

    def describe(config: AppConfig) -> AppConfig:
        config.state = State({"house": house, "dev": loop is not None})
        return config

    pages: list[Any] = [
        rooms.shelf,
        rooms.the_game,
        rooms.play_now,
        rooms.new_table,
        rooms.rules,
        rooms.one_rule,
        rooms.me,
        rooms.rename,
        rooms.recovery,
        rooms.back,
        rooms.come_back,
        rooms.choose,
        rooms.fair,
        rooms.palettes,
        rooms.board_file,
        rooms.pace,
        play.show,
        play.act,
        play.undo,
        play.hint,
        play.stream,
        play.seats,
        play.replay,
        play.record,
        *([loop.route] if loop else []),
    ]
    for handler in pages:
        handler.include_in_schema = False
    return Litestar(
        [
            *pages,
            programs,
            api,
            create_static_files_router(
                "/static", [STATIC], cache_control=FOR_EVER, include_in_schema=False, html_mode=False
            ),
        ],
        on_app_init=[describe],
        before_request=same_origin_only,
        after_request=with_headers,
        exception_handlers={Exception: on_error},
        request_max_body_size=MOST_BYTES,
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Veillée",
            version=__version__,
            description="Tables, views and choices: what the pages show, for programs.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            components=Components(security_schemes={"guest": SecurityScheme(type="http", scheme="bearer")}),
        ),
    )
