"""Pages of the site: one module per page, which ends with its route handlers, ROUTES. A new module of this package is
found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any


def page_routes() -> list[Any]:
    """Returns the route handlers of all pages."""
    pages = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return [route for page in pages for route in getattr(page, "ROUTES", ())]
