"""`veillee mcp --house`: a program of its own plays a game in a house of its own, over a real connection."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
from mcp import Client, StdioServerParameters

import veillee

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(veillee.__file__).parent.parent),
    "VEILLEE_ENGINES": "off",
    "VEILLEE_LANG": "en",
}
PATIENCE = 20.0  # seconds for the house to close


@contextmanager
def serving(folder):
    """Runs a house, and returns its address."""
    command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", str(folder)]
    house = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        assert house.stdout is not None
        yield house.stdout.readline().split()[3].rstrip("/")
    finally:
        house.terminate()
        house.communicate(timeout=PATIENCE)


async def play_a_game(client):
    """Plays a seat against a bot; returns the last answer and the record."""

    async def call(tool, **arguments):
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return result.content[0].text, result.structured_content

    pick = Random(4)
    _, data = await call("new_match", game="sourire-du-dragon", seats=["me", "novice"])
    match, text = data["match"], ""
    refusal = await client.call_tool("view", {"match": match, "seat": 1})
    assert refusal.is_error
    while not data["over"]:
        if data["choices"]:
            text, data = await call("play", match=match, choices=[pick.choice(data["choices"])["id"]])
        else:
            text, data = await call("view", match=match)
    _, told = await call("record", match=match)
    return text, told["record"]


def test_a_game_at_a_table_of_a_house_over_the_network(tmp_path):
    with serving(tmp_path / "data") as address:
        token = httpx.post(f"{address}/api/guests", json={"name": "Ada"}).raise_for_status().json()["token"]
        command = ["-m", "veillee", "mcp", "--house", address, "--lang", "en"]
        program = StdioServerParameters(
            command=sys.executable, args=command, env={**ENVIRONMENT, "VEILLEE_TOKEN": token}
        )

        async def connected():
            async with Client(program) as client:
                return await play_a_game(client)

        text, record = asyncio.run(connected())
    assert "The game is over. Points: Ada " in text
    assert veillee.load(record).over
