"""The inspector: in a house in development and on this machine only, and no table changes by it."""

from __future__ import annotations

import json
import re
from unittest.mock import patch

import pytest
from litestar.testing import TestClient

import veillee
from house.playing import ME
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.web.app import create_app
from veillee.web.pages.inspector import DEV_ROUTES

GAME = "ghost-knights"
MINE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House.open(tmp_path_factory.mktemp("house"), workers=0)
    yield house
    house.close()


@pytest.fixture(scope="module")
def app(house):
    return create_app(house, dev_routes=DEV_ROUTES)


@pytest.fixture(scope="module")
def table(house):
    ada = house.guests.new("Ada")
    with patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)):  # a deal without a tournament so early
        table = house.tables.create(ada, GAME, [ME, *[SeatPlan("hotseat", name) for name in ("Bo", "Cy", "Di")]])
    for _ in range(8):
        (seat,) = table.match.to_act
        table.answer(ada, seat, table.stamp(seat), [table.match.choices(seat)[-1].id])
    return table


def client(app, *, address="127.0.0.1", **headers):
    async def from_address(scope, receive, send):
        scope["client"] = (address, 50000)
        await app(scope, receive, send)

    found = TestClient(from_address)
    found.headers.update(MINE | headers)
    return found


def ids(text, name):
    """The answers in a list of the page."""
    return set(re.findall(rf'name="{name}" value="([\d.]+)"', text))


def test_a_table_is_seen_step_by_step_with_all_its_secrets(app, table):
    web, saved = client(app), table.match.save()
    told = web.get(f"/dev/t/{table.id}").text
    (seat,) = table.match.to_act
    assert "Step 8 of 8" in told
    assert "DrawOrPlay" in told
    assert ids(told, "give") == {f"{seat}.{choice.id}" for choice in table.match.choices(seat)}
    assert "One passes in a tournament, when one is asked for a card." in told
    earlier = web.get(f"/dev/t/{table.id}", params={"to": 3, "see": [1, 2]}).text
    assert "Step 3 of 8" in earlier
    assert "given in the match" in earlier
    assert {int(n) for n in re.findall(r'id="h-view-(-?\d)"', earlier)} == {0, 1}
    assert table.match.save() == saved


def test_what_if_is_marked_and_leaves_the_table_alone(app, table):
    web, saved = client(app), table.match.save()
    (seat,) = table.match.to_act
    choice = table.match.choices(seat)[0]
    tried = web.get(f"/dev/t/{table.id}", params={"n": 8, "draws": "0.5", "seed": "7", "give": f"{seat}.{choice.id}"})
    assert tried.status_code == 200
    assert "stored nowhere" in tried.text
    assert f'name="tried" value="{seat}.{choice.id} "' in tried.text
    assert "stored nowhere" not in web.get(f"/dev/t/{table.id}", params={"to": 8, "tried": f"{seat}.{choice.id}"}).text
    assert table.match.save() == saved


@pytest.mark.parametrize("wish", [{"draws": "9/6"}, {"seed": "x"}, {"tried": "3.99"}, {"tried": "9.1"}])
def test_a_wish_that_cannot_be_is_answered_with_a_sentence(app, table, wish):
    answer = client(app).get(f"/dev/t/{table.id}", params=wish)
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.text
    assert "Step 8 of 8" in answer.text


def test_a_record_is_pasted_and_played_again(app):
    match = veillee.play(GAME, bots=["random"] * 4, seed=7)
    web = client(app)
    assert "textarea" in web.get("/dev/record").text
    line = json.dumps(match.record())
    as_file = {"files": {"unused": b""}}  # as the page's form is sent
    told = web.post("/dev/record", data={"line": line, "n": 5}, **as_file)
    assert told.status_code == 200
    assert f"Step 5 of {len(match.answers)}" in told.text
    for wrong in ("", "{", "[" * 9000, json.dumps({"format": "other"}), line.replace('"seed": "', '"seed": "0')):
        answer = web.post("/dev/record", data={"line": wrong}, **as_file)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.text


def test_no_other_house_and_no_other_machine_has_it(house, app, table):
    usual = client(create_app(house))
    others = [usual, *(client(app, address=address) for address in ("192.168.1.7", ""))]
    for web in [*others, client(app, **{"X-Forwarded-For": "127.0.0.1"})]:
        assert web.get(f"/dev/t/{table.id}").status_code == 404
        assert web.get("/dev/record").status_code == 404
        assert web.post("/dev/record", data={"line": "{}"}).status_code == 404
    assert "to-inspector" not in usual.get(f"/t/{table.id}").text
    assert "to-inspector" in client(app).get(f"/t/{table.id}").text
