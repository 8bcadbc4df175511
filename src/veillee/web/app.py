"""ASGI application: routes of the pages, live streams and JSON API of a house. It knows no game by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, Router
from litestar.datastructures import CacheControlHeader, State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.static_files import create_static_files_router

from veillee import __version__
from veillee.house.house import House
from veillee.web.api import routes as api
from veillee.web.http.deal_access import check_deal_access
from veillee.web.http.error_pages import on_error
from veillee.web.http.head_requests import HeadRequests
from veillee.web.http.identity_provider import IdentityProvider
from veillee.web.http.public_address import ListenAddress
from veillee.web.http.rate_limits import RateLimiter
from veillee.web.http.request import AnyRequest
from veillee.web.http.same_origin import check_same_origin, with_headers
from veillee.web.http.work_in_flight import MAX_BODY_BYTES
from veillee.web.live import streams
from veillee.web.notifications.transports import Transports, TransportSettings
from veillee.web.pages import page_routes
from veillee.web.pages.health import DatabaseCheck
from veillee.web.rendering.templates import STATIC

IMMUTABLE_CACHE_CONTROL = CacheControlHeader(
    public=True, max_age=31_536_000, immutable=True
)  # URLs carry a fingerprint


async def check_request(request: AnyRequest) -> None:
    """Runs before every handler."""
    await check_same_origin(request)
    await check_deal_access(request)


def create_app(
    house: House,
    meter: RateLimiter | None = None,
    public_url: str = "",
    doorway: ListenAddress | None = None,
    transports: Transports | None = None,
    dev_routes: Sequence[Any] = (),
    identity_provider: IdentityProvider | None = None,
) -> Litestar:
    """Returns the application that serves this house. Arguments as for serve_house(), and `dev_routes`: live reload for
    development (web/serving/dev_reload.py).
    """
    app = make_app(dev_routes)
    serve_house(app, house, meter, public_url, doorway, transports, identity_provider)
    return app


def serve_house(
    app: Litestar,
    house: House,
    meter: RateLimiter | None = None,
    public_url: str = "",
    doorway: ListenAddress | None = None,
    transports: Transports | None = None,
    identity_provider: IdentityProvider | None = None,
) -> None:
    """Gives an application of make_app() the house that it serves.

    `meter`: rate limits; `public_url`: the public origin behind a proxy; `doorway`: where the server listens, if known;
    `transports`: notification transports; `identity_provider`: where guests may sign in, too (OpenID Connect).
    """
    house.guests.on_invalidated = streams.recheck_sessions
    known = {
        "house": house,
        "meter": meter,
        "public_url": public_url,
        "called": urlsplit(public_url).netloc,
        "doorway": doorway,
        "identity_provider": identity_provider,
        "database_check": DatabaseCheck(house.store),
        "transports": transports or Transports(house.store, TransportSettings()),
    }
    for name, value in known.items():
        app.state[name] = value


def make_app(dev_routes: Sequence[Any] = ()) -> Litestar:
    """Returns an application that serves no house yet."""
    pages = Router("/", route_handlers=[*page_routes(), *dev_routes], include_in_schema=False)
    app = Litestar(
        [
            pages,
            *api.ROUTES,
            create_static_files_router(
                "/static", [STATIC], cache_control=IMMUTABLE_CACHE_CONTROL, include_in_schema=False, html_mode=False
            ),
        ],
        state=State({"dev": bool(dev_routes)}),
        before_request=check_request,
        after_request=with_headers,
        exception_handlers={Exception: on_error},
        request_max_body_size=MAX_BODY_BYTES,
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
