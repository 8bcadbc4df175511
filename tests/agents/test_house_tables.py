"""Tables of a house: two agents with their guests' tokens play each other by the API of a house in this process."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from litestar.testing import TestClient
from mcp import Client

from veillee.agents.house_tables import HouseClient, HouseLobby, HouseRefusal
from veillee.agents.mcp_server import make_server
from veillee.agents.seated import own_seat
from veillee.house.errors import BadRequest, NotSignedIn, NotYours
from veillee.house.house import House
from veillee.match.errors import VeilleeError
from veillee.web.app import create_app

URL = "http://testserver.local"


@pytest.fixture
def http(tmp_path):
    house = House.open(tmp_path, workers=0)
    with TestClient(create_app(house), base_url=URL) as client:
        yield client
    house.close()


def lobby(http, name):
    token = http.post("/api/guests", json={"name": name}).raise_for_status().json()["token"]
    http.cookies.clear()
    return HouseLobby(HouseClient(URL, token, "en", http), "en", wait_seconds=0)


def test_two_agents_play_a_whole_game(http):
    ada, bob = lobby(http, "Ada"), lobby(http, "Bob")
    mine, said = ada.new("paper-tales", ["me", "open"], None, {})
    assert said.text.startswith("You sit;")
    others, _ = bob.sit_down(f"{URL}/t/{mine.id}")
    assert (list(ada.find(mine.id).seats), list(others.seats)) == ([0], [1])
    tables, pick = [ada.find(mine.id), others], Random(2)
    reply = tables[0].view(0)
    while not reply.data["over"]:
        for seat, table in enumerate(tables):
            reply = table.view(seat)
            if reply.data["choices"]:
                reply = table.play(seat, [pick.choice(reply.data["choices"])["id"]])
    assert "Paper Tales. You are " in reply.text
    assert "The game is over. Points: Ada " in reply.text
    assert mine.record().data["record"]["seed"]


def test_refusals_of_the_house_are_told_with_their_rule(http):
    ada, bob = lobby(http, "Ada"), lobby(http, "Bob")
    mine, _ = ada.new("paper-tales", ["me", "open"], None, {})
    with pytest.raises(HouseRefusal, match="waiting"):
        mine.view(0)
    bob.sit_down(mine.id)
    refused = mine.why_not(0, None).data["refused"]
    with pytest.raises(HouseRefusal) as refusal:
        mine.play(0, [refused[0]["id"]] if refused else [9999])
    assert refusal.value.rule
    with pytest.raises(HouseRefusal, match="not yours"):
        mine.view(1)
    with pytest.raises(NotYours):
        own_seat(ada.find(mine.id), 1)
    with pytest.raises(VeilleeError, match="No seat is open"):
        lobby(http, "Eve").sit_down(mine.id)
    with pytest.raises(BadRequest, match="seed"):
        ada.new("paper-tales", ["me", "open"], 5, {})
    with pytest.raises(HouseRefusal, match="over"):
        mine.record()


def test_log_undo_hint_and_the_tools_of_the_server(http):
    ada, bob = lobby(http, "Ada"), lobby(http, "Bob")
    server = make_server(ada, "en", has_house=True)

    async def play():
        async with Client(server) as client:
            assert "sit_down" in [tool.name for tool in (await client.list_tools()).tools]
            begun = await client.call_tool("new_match", {"game": "takara-island", "seats": ["me", "open"]})
            return begun.structured_content["match"]

    table = bob.sit_down(asyncio.run(play()))[0]
    mine = ada.find(table.id)
    asked, seat = (mine, 0) if mine.view(0).data["choices"] else (table, 1)
    before = asked.view(seat)
    told = asked.log(seat, 0)
    assert told.data["lines"]
    for choice in before.data["choices"]:
        if asked.play(seat, [choice["id"]]).data["can_undo"]:
            assert asked.undo(seat).data["choices"] == before.data["choices"]
            break
        before = asked.view(seat)
    with pytest.raises(VeilleeError, match="house analyses"):
        mine.analysis(0, 1)


def test_without_a_token_or_an_address_a_sentence():
    with pytest.raises(NotSignedIn, match="VEILLEE_TOKEN"):
        HouseClient(URL, "", "en")
    with pytest.raises(HouseRefusal, match="does not answer"):
        HouseClient("http://127.0.0.1:1", "token", "en").ask("GET", "/games")
