"""Tables of today's deal are open to those who have played it; every route that names a table is asked."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from litestar.testing import TestClient

from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.web.app import create_app

GAME = "takara-island"
SENTENCE = "play it yourself first"


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def house(tmp_path, clock):
    house = House.open(tmp_path, workers=0, now=clock)
    yield house
    house.close()


def play_deal(house, name):
    guest = house.guests.new(name)
    table = house.daily_deals.open_table(guest, GAME)
    (seat,) = table.seats_of(guest)
    while table.status == "playing":
        table.answer(guest, seat, table.stamp(seat), [table.match.choices(seat)[0].id])
    return guest, table


def client_of(app, guest=None):
    return TestClient(app, cookies={"lang": "en"} | ({"guest": guest.token} if guest else {}))


def test_todays_deal_is_closed_to_guests_who_have_not_played_it_on_every_route(house, clock):
    app = create_app(house)
    ada, table = play_deal(house, "Ada")
    bob, _ = play_deal(house, "Bob")
    begun = house.guests.new("Cléa")
    house.daily_deals.open_table(begun, GAME)
    routes = {
        (method, route.path_format)
        for route in app.routes
        for method in getattr(route, "methods", ()) - {"OPTIONS", "HEAD"}
        if "{table_id}" in route.path_format
    }
    assert len(routes) > 20
    for guest in (None, begun):
        client = client_of(app, guest)
        for method, route in routes:
            path = re.sub(r"{(\w+)}", lambda part: table.id if part[1] == "table_id" else "1", route)
            headers = {"Sec-Fetch-Site": "same-origin"}
            assert client.request(method, path, headers=headers).status_code == 403, (method, route)
        assert SENTENCE in client.get(f"/t/{table.id}").text
    program = {"Authorization": f"Bearer {begun.token}"}
    assert client_of(app).get(f"/api/tables/{table.id}/watch", headers=program).status_code == 403
    for guest in (ada, bob):
        assert client_of(app, guest).get(f"/t/{table.id}/replay").status_code == 200
    clock.pass_by(timedelta(days=1).total_seconds())
    assert client_of(app).get(f"/t/{table.id}/replay").status_code == 200, "the day is over"


def test_other_tables_stay_open_to_spectators(house):
    guest = house.guests.new("Ada")
    table = house.tables.play_now(guest, GAME)
    assert client_of(create_app(house)).get(f"/t/{table.id}").status_code == 200
