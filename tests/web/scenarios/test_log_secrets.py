"""No line of the log contains a token, a signed link, a seed or a table's address: on every route, errors included."""

from __future__ import annotations

import io
import json
import logging
import re
from functools import partial

import pytest
from litestar.testing import TestClient

from veillee.house.community.moderation import Moderator
from veillee.house.house import House
from veillee.house.storage import secret_keys
from veillee.house.tables.seats import SeatPlan
from veillee.web import logs
from veillee.web.app import create_app
from veillee.web.pages import entry as entry_page
from veillee.web.pages import moderation as moderation_page


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.fixture(params=[True, False], ids=["json", "text"])
def log(request):
    """What the operator reads."""
    stream = io.StringIO()
    handler = logs.set_up(as_json=request.param, stream=stream)
    handler.filters.clear()  # nothing is left out here
    yield stream
    logging.getLogger().removeHandler(handler)
    logging.getLogger("veillee").setLevel(logging.NOTSET)


class Fails(Exception):
    """Something that nobody has foreseen, and that names everything it knows."""


def test_no_route_writes_what_opens_something_into_the_log(house, log, monkeypatch):
    guest = house.guests.new("Ada")
    recovery = house.guests.make_recovery_link(guest)
    table = house.tables.create(guest, "takara-island", [SeatPlan("me"), SeatPlan("bot")])
    link = f"{'ab' * 8}.{secret_keys.sign(house.store, 'feed')}"
    operator = Moderator(house.store, "owner").make_operator_link()
    invitation = Moderator(house.store, "owner").invite()
    secrets = {guest.token, recovery, operator, invitation, table.id, link, table.moment.row.seed.hex()}

    def fail(*_, **__):
        raise Fails(" ".join(secrets))

    app = create_app(house)
    for name in ("find", "find_cached", "for_guest", "list_open"):
        monkeypatch.setattr(house.tables, name, fail)
    monkeypatch.setattr(secret_keys, "has_valid_signature", fail)
    monkeypatch.setattr(house.guests, "use_recovery_link", fail)
    monkeypatch.setattr(moderation_page, "is_entry_link_valid", fail)
    monkeypatch.setattr(entry_page, "is_entry_link_valid", fail)
    client = TestClient(app, cookies={"guest": guest.token}, raise_server_exceptions=False)
    requests = 0
    for route in app.routes:
        for method in getattr(route, "methods", set()) - {"OPTIONS", "HEAD"}:
            token = {"/admin": operator, "/come/": invitation}.get(route.path_format[:6], recovery)
            path = re.sub(r"{(\w+)}", partial(fill, token, table.id, link), route.path_format)
            client.request(method, path, headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=False)
            requests += 1
    logging.getLogger("veillee").error("Table %s: %s", table.id, {"link": f"/back/{recovery}"})
    written = log.getvalue()
    assert requests > 90
    assert written.count("Fails") > 20, "the errors were written"
    assert not [secret for secret in secrets if secret in written]
    if written.startswith("{"):
        assert all(json.loads(line) for line in written.splitlines())


def fill(token, table_id, link, part):
    return {"table_id": table_id, "token": token, "name": link, "game": "takara-island"}.get(part[1], "1")


def test_lines_about_one_table_can_be_found_together():
    one, other = logs.redact("table 2345-6789-abcd broke"), logs.redact("2345-6789-abcd again")
    (mark,) = re.findall("#[0-9a-f]{8}", one)
    assert mark in other
    assert (
        logs.redact("nothing to hide: veillee.web.http.error_pages") == "nothing to hide: veillee.web.http.error_pages"
    )
