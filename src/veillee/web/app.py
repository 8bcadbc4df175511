"""The web room: pages, live streams and JSON for the tables of a house. It knows no game by name."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, Response, get
from litestar.config.app import AppConfig
from litestar.datastructures import CacheControlHeader, State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.static_files import create_static_files_router

from veillee import __version__
from veillee.games.catalogue import BOXES
from veillee.tables.house import House
from veillee.web import (
    analysis,
    deals,
    devices,
    evening,
    first_game,
    health,
    home,
    measure,
    notices,
    play,
    previews,
    puzzles,
    replay,
    shelf,
    shield,
    streams,
    talk,
    tallies,
    you,
)
from veillee.web.api import api
from veillee.web.carriers import Carriers, Post
from veillee.web.dev import Loop
from veillee.web.errors import on_error
from veillee.web.guard import same_origin_only, with_headers
from veillee.web.heads import Heads
from veillee.web.limits import Meter
from veillee.web.pages import STATIC
from veillee.web.reach import Doorway
from veillee.web.visit import AnyRequest, visit

FOR_EVER = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)  # addresses carry a fingerprint
MOST_BYTES = 100_000  # of a request: no form of ours is longer


@get("/api", include_in_schema=False)
async def programs(request: AnyRequest) -> Response[str]:
    return (await visit(request)).page("api.html", game=next(iter(BOXES)))


def create_app(
    house: House,
    loop: Loop | None = None,
    meter: Meter | None = None,
    public_url: str = "",
    doorway: Doorway | None = None,
    carriers: Carriers | None = None,
) -> Litestar:
    """The application that serves this house; `loop`: to those who are building it (web/dev.py).

    `meter`: what everybody may ask of it; `public_url`: how it is called from outside, where a proxy stands before it;
    `doorway`: where it listens, as far as that is known; `carriers`: of notices.
    """

    house.guests.when_forgotten = streams.doubt

    def describe(config: AppConfig) -> AppConfig:
        called = urlsplit(public_url).netloc
        known: dict[str, Any] = {"public_url": public_url, "called": called, "doorway": doorway}
        known["carriers"] = carriers or Carriers(house.store, Post())
        config.state = State({"house": house, "dev": loop is not None, "meter": meter, **known})
        return config

    pages: list[Any] = [
        shelf.shelf,
        shelf.the_game,
        shelf.play_now,
        shelf.new_table,
        first_game.begin,
        first_game.leave,
        evening.evening,
        evening.find,
        evening.invite,
        evening.decline,
        deals.today,
        deals.one_day,
        deals.play,
        measure.show,
        measure.look_back,
        puzzles.every,
        puzzles.one,
        puzzles.one_of_ours,
        puzzles.answer,
        puzzles.answer_ours,
        tallies.my_games,
        tallies.take_home,
        tallies.scale,
        shelf.rules,
        shelf.rules_beside,
        shelf.picture,
        shelf.me,
        shelf.rename,
        shelf.tidy,
        shelf.recovery,
        devices.sign_out,
        devices.revoke,
        shelf.back,
        shelf.come_back,
        shelf.choose,
        notices.notices,
        notices.nights,
        notices.add,
        notices.remove,
        notices.wish,
        notices.stop_page,
        notices.stop,
        notices.yes_page,
        notices.yes,
        notices.feed,
        notices.waiting,
        notices.counting_icon,
        shelf.fair,
        shelf.palettes,
        shelf.board_file,
        shelf.engine,
        play.show,
        play.act,
        play.undo,
        play.hint,
        play.stream,
        talk.say,
        talk.decide,
        talk.mute_table,
        talk.about,
        talk.do_about,
        talk.quiet,
        shield.picture,
        shield.change,
        you.data,
        you.leave,
        play.seats,
        analysis.show,
        analysis.ask,
        analysis.play_on,
        replay.replay,
        replay.moments,
        play.record,
        previews.shelf_picture,
        previews.box_picture,
        previews.table_picture,
        home.favicon,
        home.touch_icon,
        home.icons,
        home.manifest,
        home.offline,
        home.worker,
        *([loop.route] if loop else []),
    ]
    for handler in pages:
        handler.include_in_schema = False
    app = Litestar(
        [
            *pages,
            programs,
            health.healthz,
            health.readyz,
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
    app.asgi_handler = Heads(app.asgi_handler)
    return app
