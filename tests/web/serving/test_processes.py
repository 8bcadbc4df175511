"""`veillee serve --processes 2` on a real PostgreSQL: streams and forms land at either, and either may die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from veillee.house.errors import StoreError
from veillee.web.serving import processes
from veillee.web.serving.processes import ProcessSlot, ServerProcess
from veillee.web.serving.server import serve
from veillee.web.settings import Settings

ROOT = Path(__file__).parents[3]
STREAMS = 6  # so many land at both: one of thirty-two times at one alone
PATIENCE = 30


@pytest.fixture
def port(database):
    """Of a house of two processes. When it is told to end, it ends with all that belongs to it."""
    command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--processes", "2", "--data", database]
    env = {**os.environ, "VEILLEE_LANG": "en"}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, encoding="utf-8") as house:
        try:
            said = house.stdout.readline()
            yield int(said.split("localhost:")[1].split("/")[0])
            house.send_signal(signal.SIGTERM)
            assert house.wait(PATIENCE) == 0
            assert house.stdout.read() == "", "the pipe is closed: nobody who had it is left"
        finally:
            house.kill()


@pytest.fixture
def api(port):
    """Asks for something, each time through a new door."""

    def api(path, token="", body=None):
        headers = {"Accept-Language": "en"} | ({"Authorization": f"Bearer {token}"} if token else {})
        url = f"http://127.0.0.1:{port}/api/{path}"
        answer = httpx.request("GET" if body is None else "POST", url, json=body, headers=headers, timeout=PATIENCE)
        return answer.status_code, answer.json()

    return api


@pytest.fixture
def stream(port):
    """Opens the stream of a table, for a spectator: its messages, each with its number."""
    with ExitStack() as at_the_end:

        def stream(table, last=""):
            client = at_the_end.enter_context(httpx.Client(timeout=PATIENCE))
            headers = {"Last-Event-ID": last} if last else {}
            url = f"http://127.0.0.1:{port}/t/{table}/stream"
            answer = at_the_end.enter_context(client.stream("GET", url, headers=headers))
            assert answer.status_code == 200
            return messages(answer.iter_lines())

        yield stream


def messages(lines):
    number, text = "", []
    for line in lines:
        text.append(line)
        if line.startswith("id: "):
            number, text = line.removeprefix("id: "), []
        elif not line and number:
            yield number, "\n".join(text)
            number = ""


def test_a_move_is_on_every_stream_wherever_it_was_made(api, stream, postgres):
    _, guest = api("guests", body={"name": "Ada"})
    token = guest["token"]
    plan = {"game": "takara-island", "seats": [{"kind": "me"}, {"kind": "hotseat"}]}
    table = api("tables", token, plan)[1]["id"]

    def move():
        for seat in (0, 1):
            now = api(f"tables/{table}/seats/{seat}", token)[1]
            if choices := [choice["id"] for choice in now["choices"]]:
                body = {"stamp": now["stamp"], "answers": choices[:1]}
                return api(f"tables/{table}/seats/{seat}/answers", token, body)[0]
        return None

    def newest():
        return f"0.w-{api(f'tables/{table}')[1]['revision']}"

    streams = [stream(table) for _ in range(STREAMS)]
    (first,) = {next(messages)[0] for messages in streams}
    for _ in range(3):
        assert move() == 200
    last = newest()
    assert last != first
    for messages in streams:
        assert last in [number for number, _ in until(messages, last)]
    for _ in range(STREAMS):  # one that comes back with an old number, at whichever it lands
        number, text = next(stream(table, last=first))
        assert number == last
        assert "data-rest" in text, "what has happened since is told"

    postgres.stop()
    try:
        status, said = api("tables", token, plan)
        assert status == 503
        assert "try again in a moment" in said["sentence"]
    finally:
        postgres.start()
    while api(f"tables/{table}")[0] == 503:  # until it has started
        pass
    while newest() == last:
        assert move() == 200
    for messages in streams:
        until(messages, newest())


def until(messages, number):
    """The messages up to that one: a slow reader skips to the newest board."""
    read = []
    while not read or read[-1][0] != number:
        read.append(next(messages))
    return read


HANGS = """
from veillee.web.serving.processes import ProcessSlot
import time
ProcessSlot.mine().send_heartbeat()
time.sleep(3600)
"""


def test_a_process_that_hangs_is_replaced(monkeypatch):
    """It sends one heartbeat and no other, as one that is stopped, or whose event loop stands still."""
    monkeypatch.setattr(processes, "HEARTBEAT_TIMEOUT_SECONDS", 0.2)
    read, write = os.pipe()
    one = ServerProcess(ProcessSlot(read, read, read, 1, 0), [sys.executable, "-c", HANGS])
    first = one.process
    try:
        while not one.replace_if_gone():
            time.sleep(0.01)
        assert first.returncode == -signal.SIGKILL
        assert one.process.poll() is None
    finally:
        one.process.kill()
        one.process.wait()
        one.close()
        os.close(read)
        os.close(write)


def test_killed_during_play(database):
    """The long version: `python tools/stress/race_test.py`."""
    command = [sys.executable, str(ROOT / "tools" / "stress" / "race_test.py"), "--data", database]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    small = ["--kills", "1", "--races", "40", "--tables", "2", "--within", "60"]
    run = subprocess.run([*command, *small], env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count(" 0 lost or doubled") == 2


def test_several_processes_need_a_database_to_share(tmp_path):
    with pytest.raises(StoreError, match="Several processes need a PostgreSQL"):
        serve(Settings(port=0, data=str(tmp_path / "data"), processes=2))
    assert not (tmp_path / "data").exists()
