"""Executes docs/write-a-bot.md word by word: its bot plays in Python, in the arena, in a tournament and at a table in
the browser's house."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from veillee.house.house import House
from veillee.web.app import create_app
from veillee.web.serving.server import open_socket

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "write-a-bot.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'```python title="([\w.]+)"\n(.*?)```', TEXT, re.DOTALL))
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = re.findall(r"^\$ (.+)$", TEXT, re.MULTILINE)
HOUSE = "http://127.0.0.1:8000"  # of the page


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the newcomer is, after writing the files of the page."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def typed(line: str) -> str:
    """A command of the page, with fewer games and processes than a reader has."""
    program, *words = shlex.split(re.sub(r"--games \d+", "--games 1 --workers 1", line))
    return run(sys.executable, *(("-m", "veillee") if program == "veillee" else ()), *words)


def test_the_page_has_what_this_test_does(folder):
    assert set(FILES) == {"mybot.py", "memory.py"}
    assert len(PROGRAMS) == 2
    assert [line.split()[1] for line in COMMANDS] == ["arena", "serve", "examples/web_bot.py", "lab"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_run(folder, program):
    assert run(sys.executable, "-c", program.replace('"regular", "novice"', '"memory:Rememberer", "random"'))


def test_the_bot_plays_in_the_arena_and_in_a_tournament(folder):
    arena, *_, tournament = COMMANDS
    assert "mybot:Digger" in typed(arena)
    typed(tournament.replace("novice", "memory:Rememberer"))
    page = (folder / "tournament.md").read_text(encoding="utf-8")
    assert "| **mybot:Digger** |" in page
    assert "Made by `veillee lab tournament takara-island random memory:Rememberer mybot:Digger --games 1" in page


@contextmanager
def serving(house, port=0):
    """The house, as `veillee serve` opens it: its address."""
    sock = open_socket("127.0.0.1", port)
    server = uvicorn.Server(uvicorn.Config(create_app(house), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        sock.close()


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path / "house", workers=0)
    yield house
    house.close()


def client(url):
    """The command of the page, for a house at that address."""
    return COMMANDS[2].replace(HOUSE, url).replace("examples", str(ROOT / "examples"))


def test_the_bot_plays_at_a_table_of_the_house(folder, house):
    with serving(house) as url:
        told = typed(client(url))
    assert "The game is over" in told
    table = house.tables.find(re.search(r"/t/([\w-]+)", told)[1])
    assert table.status == "over"
    assert table.names[0] == "Robot"


PATIENT = """
import sys
from mybot import Digger

class Patient(Digger):
    asked = 0
    def choose(self, view, choices, clock):
        self.asked += 1
        if self.asked == 5:
            print("five", flush=True)
            sys.stdin.readline()
        return super().choose(view, choices, clock)
"""


def test_the_bot_comes_back_when_the_house_was_away(folder, house):
    (folder / "patient.py").write_text(PATIENT)
    with serving(house) as url:
        words = shlex.split(client(url).replace("mybot:Digger", "patient:Patient"))[1:]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        bot = subprocess.Popen([sys.executable, *words], text=True, bufsize=1, **pipes)
        table = house.tables.find(re.search(r"/t/([\w-]+)", bot.stdout.readline())[1])
        assert bot.stdout.readline() == "five\n"
    before = table.match.answers
    bot.stdin.write("go on\n")
    assert "The house does not answer" in bot.stderr.readline()
    with serving(house, int(url.rpartition(":")[2])):
        told, wrong = bot.communicate(timeout=100)
    assert bot.returncode == 0, wrong
    assert "The game is over" in told
    assert table.match.answers[: len(before)] == before
