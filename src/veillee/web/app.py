"""ASGI application: routes of the pages, live streams and JSON API of a house. It knows no game by name."""

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
from veillee.house.house import House
from veillee.web.api.routes import api
from veillee.web.http.error_pages import on_error
from veillee.web.http.head_requests import HeadRequests
from veillee.web.http.public_address import ListenAddress
from veillee.web.http.rate_limits import RateLimiter
from veillee.web.http.request import AnyRequest, request_context
from veillee.web.http.same_origin import check_same_origin, with_headers
from veillee.web.live import streams
from veillee.web.notifications.transports import Transports, TransportSettings
from veillee.web.pages import analysis as analysis_page
from veillee.web.pages import chat as chat_page
from veillee.web.pages import daily_deals as daily_deals_page
from veillee.web.pages import devices as devices_page
from veillee.web.pages import first_game as first_game_page
from veillee.web.pages import home as home_page
from veillee.web.pages import link_previews, pwa, tonight
from veillee.web.pages import notifications as notifications_page
from veillee.web.pages import personal_data as personal_data_page
from veillee.web.pages import puzzles as puzzles_page
from veillee.web.pages import replay as replay_page
from veillee.web.pages import shield as shield_page
from veillee.web.pages import statistics as statistics_page
from veillee.web.pages import strength as strength_page
from veillee.web.pages import table as table_page
from veillee.web.rendering.templates import STATIC
from veillee.web.serving import health
from veillee.web.serving.dev_reload import DevReloader

FOR_EVER = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)  # URLs carry a fingerprint
MOST_BYTES = 100_000  # of a request body: no form is longer


@get("/api", include_in_schema=False)
async def api_page(request: AnyRequest) -> Response[str]:
    return (await request_context(request)).page("api.html", game=next(iter(BOXES)))


def create_app(
    house: House,
    loop: DevReloader | None = None,
    meter: RateLimiter | None = None,
    public_url: str = "",
    doorway: ListenAddress | None = None,
    transports: Transports | None = None,
) -> Litestar:
    """Returns the application that serves this house. `loop`: live reload for development (web/serving/dev_reload.py).

    `meter`: rate limits; `public_url`: the public origin behind a proxy; `doorway`: where the server listens, if known;
    `transports`: notification transports.
    """

    house.guests.on_invalidated = streams.recheck_sessions

    def describe(config: AppConfig) -> AppConfig:
        called = urlsplit(public_url).netloc
        known: dict[str, Any] = {"public_url": public_url, "called": called, "doorway": doorway}
        known["transports"] = transports or Transports(house.store, TransportSettings())
        config.state = State({"house": house, "dev": loop is not None, "meter": meter, **known})
        return config

    pages: list[Any] = [
        home_page.show_home,
        home_page.show_game,
        home_page.play_now,
        home_page.new_table,
        first_game_page.begin,
        first_game_page.leave,
        tonight.evening,
        tonight.find,
        tonight.invite,
        tonight.decline,
        daily_deals_page.today,
        daily_deals_page.one_day,
        daily_deals_page.play,
        strength_page.show,
        strength_page.look_back,
        puzzles_page.every,
        puzzles_page.one,
        puzzles_page.one_of_ours,
        puzzles_page.answer,
        puzzles_page.answer_ours,
        statistics_page.my_games,
        statistics_page.download_games,
        statistics_page.scale,
        home_page.rules,
        home_page.rules_beside,
        home_page.picture,
        home_page.me,
        home_page.rename,
        home_page.tidy,
        home_page.recovery,
        devices_page.sign_out,
        devices_page.revoke,
        home_page.back,
        home_page.come_back,
        home_page.choose,
        notifications_page.show_notifications,
        notifications_page.nights,
        notifications_page.add,
        notifications_page.remove,
        notifications_page.wish,
        notifications_page.stop_page,
        notifications_page.stop,
        notifications_page.yes_page,
        notifications_page.yes,
        notifications_page.feed,
        notifications_page.waiting,
        notifications_page.counting_icon,
        home_page.fair,
        home_page.palettes,
        home_page.board_file,
        home_page.engine,
        table_page.show,
        table_page.act,
        table_page.undo,
        table_page.hint,
        table_page.stream,
        chat_page.say,
        chat_page.decide,
        chat_page.mute_table,
        chat_page.about,
        chat_page.do_about,
        chat_page.quiet,
        shield_page.picture,
        shield_page.change,
        personal_data_page.data,
        personal_data_page.leave,
        table_page.seats,
        analysis_page.show,
        analysis_page.ask,
        analysis_page.play_on,
        replay_page.replay,
        replay_page.moments,
        table_page.record,
        link_previews.shelf_picture,
        link_previews.box_picture,
        link_previews.table_picture,
        pwa.favicon,
        pwa.touch_icon,
        pwa.icons,
        pwa.manifest,
        pwa.offline,
        pwa.worker,
        *([loop.route] if loop else []),
    ]
    for handler in pages:
        handler.include_in_schema = False
    app = Litestar(
        [
            *pages,
            api_page,
            health.healthz,
            health.readyz,
            api,
            create_static_files_router(
                "/static", [STATIC], cache_control=FOR_EVER, include_in_schema=False, html_mode=False
            ),
        ],
        on_app_init=[describe],
        before_request=check_same_origin,
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
    app.asgi_handler = HeadRequests(app.asgi_handler)
    return app
