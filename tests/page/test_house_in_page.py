"""The house of a page on CPython: every answer is served without a thread, and saved before it is sent."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import threading
from itertools import count

import jinja2
import pytest

from veillee.bots.evaluation import Budget
from veillee.games.catalogue import BOXES
from veillee.house.house import House
from veillee.house.maintenance import backup
from veillee.kernel.chance import Rng
from veillee.page import thinker_in_page
from veillee.page.house_in_page import PageHouse, PageRequest
from veillee.web.http import work_pools
from veillee.web.rendering.templates import STANDALONE, environment

BASE = "/games-folder"
ANSWERS = 9  # before a shared screen is looked at


@pytest.fixture(autouse=True)
def pools():
    """The pools work in threads again for other tests."""
    before = [pool._executor for pool in work_pools.POOLS]
    yield
    for pool, executor in zip(work_pools.POOLS, before, strict=True):
        pool._executor = executor
    STANDALONE.is_on = False


class Browser:
    """What the scripts of the page do, in one process."""

    def __init__(self, folder, base=BASE, **named):
        self.saves = 0
        self.refuses = ""
        self.unsaved = []
        self.replaced = []
        self.parts = []
        self.house = PageHouse(
            folder,
            base=base,
            think=self.think,
            analyse=self.analyse,
            save=self.save,
            on_unsaved=self.unsaved.append,
            on_replaced=lambda: self.replaced.append(True),
            pause=0.0,
            **named,
        )

    async def think(self, line):
        await asyncio.sleep(0)
        return thinker_in_page.answer_line(line)

    async def analyse(self, line, send):
        await asyncio.sleep(0)
        thinker_in_page.analyse_line(line, send)

    async def save(self):
        await asyncio.sleep(0.001)
        if self.refuses:
            raise OSError(self.refuses)
        self.saves += 1

    async def ask(self, method, path, body="", **headers):
        """Returns status, headers and body of the answer."""
        done, parts = asyncio.Event(), []

        def send(kind, *rest):
            parts.append((kind, *rest))
            self.parts.append((kind, self.saves))
            if kind == "end":
                done.set()

        if body:
            headers["content-type"] = "application/x-www-form-urlencoded"
        way, _, query = path.partition("?")
        self.house.start(PageRequest(method, way, query, list(headers.items()), body.encode()), send)
        await done.wait()
        (_, status, told), *rest = parts
        text = b"".join(part[1] for part in rest if part[0] == "body").decode()
        return status, dict(told), text


def run(doing):
    """Runs it in an event loop in which nothing may start a thread."""

    def refuse(self):
        raise AssertionError(f"a thread is started: {self.name}")

    begin, threading.Thread.start = threading.Thread.start, refuse
    try:
        return asyncio.run(doing)
    finally:
        threading.Thread.start = begin


def test_a_whole_game_is_played_without_a_thread_and_survives_a_reload(tmp_path):
    async def play():
        browser = Browser(tmp_path)
        status, headers, text = await browser.ask("GET", "/")
        assert status == 200
        assert f'action="{BASE}/games/takara-island/play"' in text
        assert not re.search(r'(href|src|action)="/(?!games-folder/)', text), "every address is below the folder"
        assert "frame-ancestors 'self'" in headers["content-security-policy"]
        assert "set-cookie" not in headers
        status, headers, _ = await browser.ask("POST", "/games/sourire-du-dragon/play", "level=novice")
        assert status == 303
        address = headers["location"].removeprefix(BASE)
        table = browser.house.house.tables.find(address.rpartition("/")[2])
        guest = next(seat.guest for seat in table.seats if seat.guest)
        leave = table.watch(0.0)
        given = 0
        while not table.match.over:
            mine = [seat for seat in table.match.to_act if table.seats[seat].guest == guest]
            if not mine:
                await asyncio.sleep(0)
                continue
            seat = mine[0]
            answer = table.match.choices(seat)[0].id
            stamp = table.stamp(seat)
            status, _, _ = await browser.ask(
                "POST", f"{address}/act", f"seat={seat}&stamp={stamp}&sure={stamp}&a={answer}"
            )
            assert status in (204, 303)
            given += 1
        leave()
        assert given > 5
        scores = table.match.scores
        status, _, text = await browser.ask("GET", address)
        assert status == 200
        browser.house.house.analyses.budget = Budget(position=4, search=8, choice=4)
        await browser.ask("POST", f"{address}/analysis")
        while (found := browser.house.house.analyses.find(table.id)).state != "done":
            assert found.state != "failed"
            await asyncio.sleep(0.01)
        browser.house.close()

        again = Browser(tmp_path)
        status, _, text = await again.ask("GET", "/me")
        assert status == 200
        assert f"{BASE}{address}" in text, "the cookie is kept, so the guest is known"
        assert again.house.house.tables.find(table.id).match.scores == scores
        again.house.close()

    run(play())


IMPORTS = """
import sys, threading
for name in ("uvicorn", "h11", "httptools", "websockets", "psycopg", "multiprocessing", "apprise", "resvg_py"):
    sys.modules[name] = None  # importing it is an error
def refuse(self):
    raise AssertionError(f"a thread is started: {self.name}")
threading.Thread.start = refuse
from veillee.page.house_in_page import prepare
print(len(prepare().routes))
"""


def test_the_application_needs_no_server_no_other_database_and_no_thread():
    env = os.environ | {"VEILLEE_ENGINES": "off", "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, "-c", IMPORTS], env=env, check=False, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert int(told.stdout) > 40


def test_templates_compiled_in_one_language_speak_the_others(tmp_path, monkeypatch):
    """The build compiles templates while it reads pages in English: a French page must not say what they said then."""
    monkeypatch.setattr(STANDALONE, "compiled_templates", jinja2.FileSystemBytecodeCache(str(tmp_path)))
    read = [environment.__wrapped__(lang).get_template("rulebook_search.html").render() for lang in ("en", "fr", "en")]
    assert list(tmp_path.iterdir()), "they were compiled once, for all"
    assert read[0] == read[2] != read[1]


def test_nothing_is_sent_before_what_it_tells_of_is_saved(tmp_path):
    async def play():
        browser = Browser(tmp_path)
        await browser.house.wait_until_saved()
        before = browser.saves
        browser.parts.clear()
        await browser.ask("POST", "/games/takara-island/play", "level=novice")
        assert browser.parts
        assert all(saves > before for _, saves in browser.parts)
        browser.house.close()

    run(play())


def test_a_browser_that_saves_nothing_is_said_and_the_game_goes_on(tmp_path):
    async def play():
        browser = Browser(tmp_path)
        browser.refuses = "QuotaExceededError"
        status, _, _ = await browser.ask("POST", "/games/takara-island/play", "level=novice")
        assert status == 303
        assert "QuotaExceededError" in browser.unsaved
        browser.house.close()

    run(play())


def test_a_slow_device_says_so(tmp_path, monkeypatch):
    """The time limit of a level holds, and the next page tells that it has cut the bots' thinking short."""

    thinking = thinker_in_page.bot_worker.answer
    thought = asyncio.Event()

    def answer(**job):
        thought.set()
        return thinking(**job)

    async def bots_answer(browser):
        thought.clear()
        _, headers, _ = await browser.ask("POST", "/games/paper-tales/play", "level=novice")
        leave = browser.house.house.tables.find(headers["location"].rpartition("/")[2]).watch(0.0)
        await asyncio.wait_for(thought.wait(), 20)
        leave()
        await asyncio.sleep(0.01)  # the answer is on its way
        return (await browser.ask("GET", "/"))[2]

    async def play():
        browser = Browser(tmp_path)
        monkeypatch.setattr(thinker_in_page.bot_worker, "answer", answer)
        monkeypatch.setattr(thinker_in_page, "perf_counter", lambda: 0.0)
        assert 'data-news="slow"' not in await bots_answer(browser)
        monkeypatch.setattr(thinker_in_page, "perf_counter", count(step=10).__next__)
        assert 'data-news="slow"' in await bots_answer(browser)
        browser.house.close()

    run(play())


async def first_event(browser, path):
    """Returns what a stream sends first."""
    parts, done = [], asyncio.Event()

    def send(kind, *rest):
        if kind == "body":
            parts.append(rest[0])
            if b"".join(parts).endswith(b"\n\n") and b"event: parts" in b"".join(parts):
                done.set()

    way, _, query = path.partition("?")
    leave = browser.house.start(PageRequest("GET", way, query, [], b""), send)
    await asyncio.wait_for(done.wait(), 20)
    leave()
    return b"".join(parts).decode()


async def begin_shared(folder, game):
    """Plays the first answers of a game of friends at one screen. Returns the table's address."""
    folder.mkdir()
    browser = Browser(folder)
    box = BOXES[game]
    body = "&".join(f"seat.{n}={'hotseat' if n else 'me'}&name.{n}=Zoe{n}" for n in range(box.usual))
    body += "".join(f"&seat.{n}=none" for n in range(box.usual, box.players[-1]))
    _, headers, _ = await browser.ask("POST", f"/games/{game}/tables", body)
    address = headers["location"].removeprefix(BASE)
    table = browser.house.house.tables.find(address.rpartition("/")[2])
    for _ in range(ANSWERS):
        seat = table.match.to_act[0]
        stamp, choice = table.stamp(seat), table.match.choices(seat)[-1].id
        status, _, _ = await browser.ask("POST", f"{address}/act", f"seat={seat}&stamp={stamp}&sure={stamp}&a={choice}")
        assert status in (204, 303)
    browser.house.close()
    return address


async def draw_shared(folder, address, seat, *, resample):
    """Returns what the seat is shown, what is shown while the screen is passed on and on a big screen, and the state that
    it was drawn from; resample: what the seat cannot know is replaced first."""
    browser = Browser(folder)
    match = browser.house.house.tables.find(address.rpartition("/")[2]).match
    if resample:
        match.state.determinize(seat, Rng(7))
    drawn = [(await browser.ask("GET", address + end))[2] for end in (f"?as={seat}", "", "/screen")]
    drawn += [await first_event(browser, address + end) for end in (f"/stream?as={seat}", "/screen/stream")]
    assert match.seed.hex() not in "".join(drawn)
    browser.house.close()
    return drawn, match.state.dump()


@pytest.mark.parametrize("game", BOXES)
def test_a_shared_screen_shows_each_seat_what_it_may_know(tmp_path, game):
    """Page and stream of a seat, the page while the screen is passed on, and the big screen are the same whatever the
    other seats hold. Each is drawn by a house of its own, so that nothing was kept from the draw before."""
    address = run(begin_shared(tmp_path / "begun", game))
    for seat in range(BOXES[game].usual):
        drawn = []
        for resample in (False, True):
            folder = tmp_path / f"{seat} {resample}"
            shutil.copytree(tmp_path / "begun", folder)
            drawn.append(run(draw_shared(folder, address, seat, resample=resample)))
        (shown, state), (again, other) = drawn
        assert state != other
        assert shown == again


@pytest.mark.parametrize("path", ["/evening", "/notices", "/api", "/healthz", "/day", "/lab"])
def test_rooms_that_need_a_server_are_not_there(tmp_path, path):
    async def play():
        browser = Browser(tmp_path)
        status, _, _ = await browser.ask("GET", path)
        assert status == 404
        browser.house.close()

    run(play())


def form(data):
    body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n' + data + b"\r\n--x--\r\n"
    return [("content-type", "multipart/form-data; boundary=x")], body


def test_a_page_moves_into_a_house_and_back(tmp_path):
    """The file of a page is restored as a house, and a backup of a house is brought back into a page."""

    async def ask_keep(browser, method, path, headers=(), body=b""):
        parts, done = [], asyncio.Event()

        def send(*part):
            parts.append(part)
            if part == ("end",):
                done.set()

        browser.house.start(PageRequest(method, path, "", list(headers), body), send)
        await done.wait()
        return parts[0][1], b"".join(part[1] for part in parts if part[0] == "body")

    async def play_and_save():
        browser = Browser(tmp_path / "page")
        _, headers, _ = await browser.ask("POST", "/games/takara-island/play", "level=novice")
        address = headers["location"].removeprefix(BASE)
        _, data = await ask_keep(browser, "GET", "/keep/veillee.sqlite3")
        browser.house.close()
        return address, data

    (tmp_path / "page").mkdir()
    address, data = run(play_and_save())
    (tmp_path / "file").write_bytes(data)
    backup.restore(tmp_path / "file", tmp_path / "house")
    house = House.open(tmp_path / "house", workers=0)
    table = house.tables.find(address.rpartition("/")[2])
    answers = list(table.match.answers)
    house.close()
    backup.backup(tmp_path / "house", tmp_path / "again")

    async def bring_back():
        (tmp_path / "other").mkdir()
        browser = Browser(tmp_path / "other")
        _, _, text = await browser.ask("GET", "/me")
        assert 'id="kept-file"' in text, "also in a browser where nothing was played yet"
        assert 'id="keep-file"' not in text
        status, said = await ask_keep(browser, "POST", "/keep", *form(b"no database"))
        assert status == 400
        assert "aucune partie" in said.decode()
        assert not browser.replaced
        status, _ = await ask_keep(browser, "POST", "/keep", *form((tmp_path / "again").read_bytes()))
        assert status == 303
        assert browser.replaced
        again = Browser(tmp_path / "other")
        _, _, text = await again.ask("GET", "/me")
        assert f"{BASE}{address}" in text
        assert list(again.house.house.tables.find(table.id).match.answers) == answers
        again.house.close()

    run(bring_back())
