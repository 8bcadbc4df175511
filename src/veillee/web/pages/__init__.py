"""Pages of the site: one module per page, which ends with its route handlers, ROUTES. A new module of this package is
found by itself. The inspector has DEV_ROUTES, for a server in development only."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from veillee.web.rendering.templates import STANDALONE

# Modules of pages that need other people, other machines or an operator: not in a house inside a browser page.
NEED_SERVER = frozenset(
    {"api", "championships", "circles", "daily_deals", "health", "lab", "link_previews", "notifications", "tonight"}
)

# And those that only a browser page needs: a house with a server has an address of its own for every table.
NEED_PAGE = frozenset({"own_house", "table_link"})


def page_routes() -> list[Any]:
    """Returns the route handlers of all pages; in a browser page, of those that work without a server."""
    left_out = NEED_SERVER if STANDALONE.is_on else NEED_PAGE
    names = [one.name for one in pkgutil.iter_modules(__path__) if one.name not in left_out]
    pages = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return [route for page in pages for route in getattr(page, "ROUTES", ())]
