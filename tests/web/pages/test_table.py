"""The table's page: what an answer costs."""

from __future__ import annotations

import pytest
from litestar.testing import TestClient

from house.playing import ME, OPEN
from veillee.house.house import House
from veillee.kernel import state
from veillee.kernel.state import State
from veillee.web.app import create_app


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.mark.skipif(not state.__file__.endswith(".py"), reason="a compiled class cannot be patched")
def test_a_click_plays_its_answer_once(house, monkeypatch):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    (seat,) = table.match.to_act
    answer = next(choice.id for choice in table.match.choices(seat) if not choice.gives_up())
    applied, apply = [], State.apply

    def count(self, seat, action, rng, log=None):
        applied.append(action)
        apply(self, seat, action, rng, log)

    monkeypatch.setattr(State, "apply", count)
    headers = {"Sec-Fetch-Site": "same-origin", "X-Live": "1"}
    with TestClient(create_app(house), cookies={"guest": (ada, bob)[seat].token}) as client:
        client.headers.update(headers)
        data = {"seat": seat, "stamp": table.stamp(seat), "a": answer}
        assert client.post(f"/t/{table.id}/act", data=data).status_code == 204
    assert applied == [answer]
