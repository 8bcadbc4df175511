"""`veillee serve --dev`: changed files are loaded again, and pages are reloaded."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import veillee
from veillee.house.profile import Profile
from veillee.web.http.error_pages import bare_frame
from veillee.web.rendering import templates
from veillee.web.serving import dev_reload
from veillee.words import words


@pytest.fixture
def loop(tmp_path):
    loop = dev_reload.DevReloader()
    loop.package = tmp_path
    loop.file_times = dev_reload.modification_times(tmp_path, dev_reload.WATCHED_SUFFIXES)
    return loop


def test_games_that_are_read_from_folders_of_their_own_are_watched_too(loop, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("my-game")
    (folder / ".venv").mkdir()
    monkeypatch.setenv("VEILLEE_WITH", str(folder))
    loop.poll()
    (folder / "fr.po").write_text("a")
    (folder / ".venv" / "of-no-interest.html").write_text("a")
    loop.poll()
    assert loop.changes == 1
    assert list(loop.file_times) == [folder / "fr.po"]


def test_what_was_read_is_forgotten_after_a_change(loop, tmp_path):
    sheet = templates.palette_sheet()
    (tmp_path / "x.css").write_text("a")
    (tmp_path / "x.pyc").write_text("of no interest")
    assert templates.palette_sheet() is sheet
    loop.poll()
    assert loop.changes == 1
    assert templates.palette_sheet() is not sheet
    assert words.cache_info().currsize <= 1
    loop.poll()
    assert loop.changes == 1


def test_pages_are_told_of_every_change(loop, tmp_path):
    async def listen():
        events = loop.events()
        assert (await anext(events)).startswith(b"retry")
        first = await anext(events)
        (tmp_path / "x.po").write_text("b")
        loop.poll()
        return first, await anext(events)

    with ThreadPoolExecutor(1) as thread:  # the browser of other tests keeps a loop running in this one
        first, second = thread.submit(asyncio.run, listen()).result()
    assert first != second


def test_the_pages_of_people_do_not_listen():
    assert "dev.js" not in templates.render("fr", "error.html", page=frame(dev=False), status=404, sentence="x")
    assert "dev.js" in templates.render("fr", "error.html", page=frame(dev=True), status=404, sentence="x")


def frame(**more):
    return bare_frame(Profile(), "auto", dev=False) | more


@pytest.mark.parametrize("news", ["building", "changed", "failed"])
def test_a_page_says_how_the_engine_does(news):
    page = templates.render("fr", "error.html", page=frame(dev=False, news=news), status=404, sentence="x")
    assert f'data-news="{news}"' in page
    assert "engine_banner.js" in page


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as response:
        return response.read().decode()


def shows(url: str, text: str, patience: float = 60.0) -> bool:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            if text in fetch(url):
                return True
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            pass
        time.sleep(0.1)
    return False


def test_an_error_in_the_code_is_survived(tmp_path):
    """The house is gone while the code is broken, and back after the next change."""
    shutil.copytree(Path(veillee.__file__).parent, tmp_path / "src" / "veillee", ignore=shutil.ignore_patterns("*.so"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "VEILLEE_ENGINES": "off", "VEILLEE_LANG": "en"}
    command = [sys.executable, "-m", "veillee", "serve", "--dev", "--port", str(port), "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as house:
        try:
            url, package = f"http://127.0.0.1:{port}/", tmp_path / "src" / "veillee"
            assert shows(url, "dev.js")
            page, box = package / "web" / "pages" / "home.py", package / "games" / "ghost_knights" / "__init__.py"
            text = page.read_text(encoding="utf-8")
            page.write_text("this is no Python\n" + text)
            assert house.stdout is not None
            said = b""
            while b"tried again after the next change" not in said:
                line = house.stdout.readline()
                assert line, said
                said += line
            box.write_text(
                box.read_text("utf-8").replace("Les Chevaliers fantômes", "Les Chevaliers retrouvés"), "utf-8"
            )
            page.write_text(text)
            assert shows(url, "Les Chevaliers retrouvés")
        finally:
            house.send_signal(signal.SIGTERM)
            house.stdout.close()
            house.wait(20)
