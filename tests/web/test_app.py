"""The application: every route handler of a page is served."""

from __future__ import annotations

import importlib
import pkgutil

from litestar.handlers import HTTPRouteHandler

from veillee.web import pages
from veillee.web.pages import inspector, page_routes
from veillee.web.rendering.templates import STANDALONE


def test_every_handler_of_a_page_is_served(monkeypatch):
    """By a server, in development at least, or in a browser page."""
    modules = [
        importlib.import_module(f"{pages.__name__}.{module.name}") for module in pkgutil.iter_modules(pages.__path__)
    ]
    handlers = [thing for module in modules for thing in vars(module).values() if isinstance(thing, HTTPRouteHandler)]
    assert len(handlers) > 80
    served = {id(route) for route in [*page_routes(), *inspector.DEV_ROUTES]}
    monkeypatch.setattr(STANDALONE, "is_on", True)
    assert {id(handler) for handler in handlers} == served | {id(route) for route in page_routes()}
