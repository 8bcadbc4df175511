"""What tests of the web hand on to the next one, for it takes long to make: applications without a house, and TLS contexts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import httpx._transports.default as httpx_transports
import pytest
from litestar import Litestar

from veillee.page import house_in_page
from veillee.web import app as web_app

# Each client of httpx reads all certificates of the world, although none of ours speaks TLS.
httpx_transports.create_ssl_context = cache(httpx_transports.create_ssl_context)

_make_app = web_app.make_app
_free: list[Litestar] = []


@pytest.fixture(autouse=True)
def reused_apps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An application of a test before, which serves its house no more, instead of a new one."""
    lent: list[Litestar] = []

    def make_app(dev_routes=()) -> Litestar:
        if dev_routes:
            return _make_app(dev_routes)
        lent.append(_free.pop() if _free else _make_app())
        return lent[-1]

    monkeypatch.setattr(web_app, "make_app", make_app)
    monkeypatch.setattr(house_in_page, "make_app", make_app)
    yield
    for app in lent:
        for name in set(app.state.dict()) - {"dev"}:
            del app.state[name]
    _free.extend(lent)
