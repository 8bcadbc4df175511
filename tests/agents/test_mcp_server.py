"""The MCP server, with the official client: whole games by stdio and HTTP, refusals, and nothing of other seats."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
import uvicorn
from mcp import Client, StdioServerParameters

import veillee
from veillee.agents.local_matches import LocalLobby
from veillee.agents.mcp_server import make_server
from veillee.games.catalogue import BOXES

SOURCE = str(Path(veillee.__file__).parent.parent)
OF_A_SEAT = ("view", "choices", "why_not", "play", "undo", "log", "hint", "analysis")  # tools that take a seat


def run(test, server=None):
    """Runs a coroutine with a client; by default of a server in this process."""

    async def connected():
        async with Client(server or make_server(LocalLobby("en"), "en")) as client:
            return await test(client)

    return asyncio.run(connected())


async def call(client, tool, **arguments):
    """Returns text and data of a tool's answer, which must be no refusal."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.content[0].text, result.structured_content


async def refused(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


async def play_whole_game(client, game, seed):
    """Plays one seat to the end, and asks in every tool for another one's on the way."""
    pick = Random(seed)
    seats = ["me", *["random"] * (BOXES[game].usual - 1)]
    text, data = await call(client, "new_match", game=game, seats=seats, seed=seed)
    assert text.startswith(f"match {data['match']}\n")
    match, said = data["match"], [text]
    for tool in OF_A_SEAT:
        more = {"choices": [0]} if tool == "play" else {}
        for other in (1, -1, -2, 99):
            assert "is not yours" in await refused(client, tool, match=match, seat=other, **more)
    while not data["over"]:
        chosen = pick.choice(data["choices"])["id"]
        text, data = await call(client, "play", match=match, choices=[chosen])
        said.append(text)
    assert data["scores"]
    assert "The game is over. Points: " in text
    _, told = await call(client, "record", match=match)
    assert told["record"]["seed"] not in "".join(said[:-1])
    assert veillee.load(told["record"]).over
    return match


def test_a_whole_game_of_every_box_over_stdio():
    async def play(client):
        for game in BOXES:
            await play_whole_game(client, game, 11)

    env = {**os.environ, "PYTHONPATH": SOURCE, "VEILLEE_ENGINES": "off"}
    run(play, StdioServerParameters(command=sys.executable, args=["-m", "veillee", "mcp", "--lang", "en"], env=env))


@contextmanager
def served():
    """Serves by HTTP from a thread. The socket listens already: a client only waits for its answer."""
    app = make_server(LocalLobby("en"), "en").streamable_http_app()
    with socket.socket(
        proto=socket.IPPROTO_TCP
    ) as listener:  # asyncio switches Nagle's algorithm off for this protocol
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        server.should_exit = True
        thread.join(20)


def test_a_whole_game_of_every_box_over_http_for_this_machine_alone():
    async def play(client):
        for game in BOXES:
            await play_whole_game(client, game, 12)

    with served() as url:
        run(play, url)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert httpx.post(url, json=body, headers=headers | {"Host": "evil.example"}).status_code == 421
        assert httpx.post(url, json=body, headers=headers | {"Origin": "http://evil.example"}).status_code == 403


def test_refusals_are_sentences_with_the_rule():
    async def ask(client):
        _, data = await call(client, "new_match", game="ghost-knights", seats=["me", "me", "me", "me"], seed=7)
        match, seat = data["match"], data["to_act"][0]
        other = (seat + 1) % 4
        assert "Say for which of your seats: 0, 1, 2, 3." in await refused(client, "view", match=match)
        assert (await refused(client, "play", match=match, seat=other, choices=[0])).endswith("(K-1)")
        assert (await refused(client, "play", match=match, seat=seat, choices=[9999])).endswith("(K-2)")
        text, data = await call(client, "why_not", match=match, seat=seat)
        assert {"GK-2.1"} == {one["rule"] for one in data["refused"]}
        held = {one["id"] for one in data["refused"]}
        said = await refused(client, "play", match=match, seat=seat, choices=[min(held)])
        assert said in text
        assert said.endswith("(GK-2.1)")
        assert await call(client, "why_not", match=match, seat=seat, choice=0) == (
            "That is allowed.",
            {"id": 0, "rule": "", "why": ""},
        )
        assert "not over" in await refused(client, "analysis", match=match, seat=seat)
        assert "There is no match" in await refused(client, "view", match="unknown")
        assert "There is no level x" in await refused(client, "new_match", game="ghost-knights", seats=["me", "x"])
        assert "is for 4 to 5 players" in await refused(client, "new_match", game="ghost-knights", seats=["me"])
        assert "There is no game" in await refused(client, "rules", game="chess")
        _, record = await call(client, "record", match=match)
        assert "seed" not in record["record"]

    run(ask)


def test_rules_by_id_and_by_words():
    async def ask(client):
        text, data = await call(client, "rules", game="takara-island", rule="ti-3.1")
        assert text.startswith("TI-3.1 ")
        assert [rule["id"] for rule in data["rules"]] == ["TI-3.1"]
        _, data = await call(client, "rules", game="takara-island", search="Rockfall TWO")
        assert "TI-5.1" in [rule["id"] for rule in data["rules"]]
        text, data = await call(client, "rules", game="takara-island")
        assert "At every table" in data["chapters"]
        assert "There is no rule TI-99" in await refused(client, "rules", game="takara-island", rule="TI-99")
        assert "No rule has all" in await refused(client, "rules", game="takara-island", search="submarine")

    run(ask)


def test_undo_log_hint_and_analysis():
    async def ask(client):
        _, data = await call(client, "new_match", game="paper-tales", seats=["me", "random"], seed=3)
        match, pick = data["match"], Random(3)
        text, hint = await call(client, "hint", match=match, level="random")
        assert f"{hint['id']} " in text
        has_undone = False
        while not data["over"]:
            before = data
            _, data = await call(client, "play", match=match, choices=[pick.choice(data["choices"])["id"]])
            if data["can_undo"] and not has_undone:
                has_undone = True
                _, data = await call(client, "undo", match=match)
                assert data == {name: before[name] for name in data}
        assert has_undone
        assert "Nothing can be taken back" in await refused(client, "undo", match=match)
        _, told = await call(client, "log", match=match)
        _, rest = await call(client, "log", match=match, since=told["heard"] - 1)
        assert rest["lines"] == told["lines"][-1:]
        text, found = await call(client, "analysis", match=match, games=1)
        assert text.startswith("Luck ")
        assert found["decisions"] > 0

    run(ask)
