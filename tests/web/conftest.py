"""Starts a web server and a real Chromium once; every test gets a `room` with guests, tables and pages."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import count, product
from pathlib import Path
from unittest.mock import patch

import pytest
import uvicorn
from axe_playwright_python.base import AXE_SCRIPT as AXE
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from helpers import EVERYTHING
from in_view import faults_at_every_size
from reused import reused_apps
from veillee.bots.evaluation import Budget
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.match import seeds
from veillee.match.match import Match
from veillee.web.app import create_app
from veillee.web.serving.server import open_socket

sys.path.insert(0, str(Path(__file__).parents[2] / "tools/setup"))
from find_chromium import find

__all__ = ["reused_apps"]

SIZES = {"desktop": (1440, 900), "phone": (390, 844), "small": (320, 640)}
LIGHTS = ("light", "dark")
LOOKS = (("desktop", "light", True), ("phone", "light", False), ("small", "dark", True))  # at a page; also at contrasts
expect.set_options(timeout=20_000)
LONGEST = 3000  # clicks: no game of ours needs more
PATIENCE = 20.0  # seconds for bots to answer
CONTRASTS = "color-contrast"  # more than half of what axe does
ALSO = {"target-size": {"enabled": True}}  # of WCAG 2.2 AA; axe leaves it out unless asked
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--js-flags=--single-threaded",  # the tests keep every core busy as it is
    "--animation-duration-scale=0",  # of the browser's own window, which is not visible
)
STAMP = "document.querySelector('#act [name=stamp]')?.value"

Choose = Callable[[Match, int], int]


def first_choice(match: Match, seat: int) -> int:
    """A plain way to play that ends every game: turn by turn another of the choices."""
    choices = match.choices(seat)
    return choices[len(match.answers) % len(choices)].id


class Windows:
    """Windows of the browser, each with cookies of its own.

    One that is not needed any more is emptied and handed on: a new one costs four times what the page in it does.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.hall = f"{url}/static/favicon.svg"  # where a window waits: nothing lives there
        self.url = url
        self.free: dict[bool, list[Page]] = {True: [], False: []}

    def take(
        self, *, js: bool, cookies: dict[str, str], width: int, height: int, motion: bool, clock: bool = False
    ) -> Page:
        """An empty window; `clock`: where time stands still until the test lets it go on (`hand_on` closes it)."""
        if self.free[js] and not clock:
            page = self.free[js].pop()
        else:
            context = self.browser.new_context(java_script_enabled=js, service_workers="block")
            context.set_default_timeout(20_000)
            page = context.new_page()
            if clock:
                page.clock.install(time=0)
                page.clock.pause_at(1000)
        page.context.add_cookies([{"name": name, "value": value, "url": self.url} for name, value in cookies.items()])
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
        return page

    def hand_on(self, page: Page, *, js: bool, clock: bool = False) -> None:
        """Its page, its cookies and what it keeps for a site are gone."""
        if clock:
            page.context.close()
            return
        try:
            page.unroute_all()
            page.goto(self.hall)  # ends the stream of a table
            page.context.clear_cookies()
            assert len(page.context.pages) == 1, "a test leaves windows open"
        except Error:  # it does not answer any more
            page.context.close()
        else:
            self.free[js].append(page)


class Room:
    """What a browser test needs."""

    def __init__(self, url: str, house: House, windows: Windows) -> None:
        self.url = url
        self.house = house
        self.windows = windows
        self.open: dict[Page, Callable[[], None]] = {}  # and how each is left
        self.complaints: list[str] = []

    # -- people and tables ----------------------------------------------------------------------------------
    def guest(self, name: str = "Ada") -> Guest:
        return self.house.guests.new(name)

    def table(self, guest: Guest, game: str, seats: int, plans: list[SeatPlan] | None = None, seed: int = 7) -> Table:
        """The guest and bots, unless `plans` says otherwise. The same seed shuffles the same way."""
        plans = plans or [SeatPlan("me"), *[SeatPlan("bot", level="novice")] * (seats - 1)]
        with patch.object(seeds, "new_seed", lambda: seeds.seed_from(seed)):
            return self.house.tables.create(guest, game, plans, public=False)

    def advance(self, table: Table, guest: Guest, answers: int, choose: Choose = first_choice) -> None:
        """Answer for the guest's seats, without a browser."""
        for _ in range(answers):
            if table.status != "playing":
                return
            match = table.match
            mine = [seat for seat in table.seats_of(guest) if seat in match.to_act]
            table.answer(guest, mine[0], table.stamp(mine[0]), [choose(match, mine[0])])

    # -- pages ----------------------------------------------------------------------------------------------
    def page(
        self,
        guest: Guest | None,
        path: str,
        *,
        lang: str = "fr",
        js: bool = True,
        size: str = "desktop",
        theme: str = "light",
        motion: bool = False,
        speed: str = "once",
        clock: bool = False,
    ) -> Page:
        """A window of its own for this guest, on that page; `speed`: how fast what happened is shown there; `clock`: time
        stands still."""
        width, height = SIZES[size]
        cookies = {"lang": lang, "theme": theme, "speed": speed} | ({"guest": guest.token} if guest else {})
        page = self.windows.take(js=js, cookies=cookies, width=width, height=height, motion=motion, clock=clock)

        def overhear(message: ConsoleMessage) -> None:
            """Errors on the console are kept, but for the browser's word about the status of the page itself."""
            if message.type == "error" and message.location["url"] != page.url:
                self.complaints.append(f"{page.url}: {message.text}")

        def stumble(error: Error) -> None:
            self.complaints.append(f"{page.url}: {error}")

        def leave() -> None:
            page.remove_listener("console", overhear)
            page.remove_listener("pageerror", stumble)
            self.windows.hand_on(page, js=js, clock=clock)

        page.on("console", overhear)
        page.on("pageerror", stumble)
        self.open[page] = leave
        page.goto(self.url + path)
        return page

    def leave(self, page: Page) -> None:
        self.open.pop(page)()

    def accessible(self, page: Page, within: str = "html", *, contrasts: bool = True) -> None:
        """axe finds nothing; `within`: look at this part of the page alone. What is pressed is large enough (WCAG 2.2 AA),
        too, but for what a bar covers that stays as the page scrolls. `contrasts`: look at those of colours, too."""
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE)
        options = {"resultTypes": ["violations"], "iframes": False, "preload": False}
        options["rules"] = ALSO | {CONTRASTS: {"enabled": contrasts}}
        found = page.evaluate("([where, o]) => axe.run(where, o).then(r => r.violations)", [within, options])
        told = [
            f"{v['id']}: {n['html'][:160]} {n['failureSummary'][:300]}"
            for v in found
            for n in v["nodes"][:3]
            if v["id"] != "target-size" or "partially obscured" not in n["failureSummary"]
        ]
        light = page.locator("html").get_attribute("data-theme")
        assert not told, f"{page.url} {page.viewport_size} {light}:\n" + "\n".join(told)

    def healthy(self, page: Page, within: str = "html", *, contrasts: bool = True) -> None:
        """axe finds nothing, nothing scrolls sideways, every name of a piece is unique, the console is silent."""
        self.accessible(page, within=within, contrasts=contrasts)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert page.viewport_size is not None
        assert width <= page.viewport_size["width"], f"{page.url} is {width} px wide"
        names = page.evaluate("[...document.querySelectorAll('[data-vt]')].map(e => e.dataset.vt)")
        assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
        assert len(ids) == len(set(ids)), sorted(name for name in ids if ids.count(name) > 1)
        assert not self.complaints, self.complaints

    def healthy_at_every_size(self, page: Page, within: str = "html") -> None:
        """The same at each size; the contrasts of colours are those of the first."""
        for number, _ in enumerate(self.sizes(page)):
            self.healthy(page, within=within, contrasts=EVERYTHING or not number)

    def look(self, game: str, seats: int, answers: int = 30) -> None:
        """A table some way into the game is healthy and in view at every size, light and dark."""
        guest = self.guest()
        table = self.table(guest, game, seats)
        self.advance(table, guest, answers)
        self.look_at(guest, f"/t/{table.id}")
        page = self.page(guest, f"/t/{table.id}")
        told = faults_at_every_size(page)
        assert not told, "\n".join(told)
        self.leave(page)

    def look_at(self, guest: Guest | None, path: str) -> None:
        """A page is healthy at every size; contrasts are enough in both lights."""
        page = self.page(guest, path, theme="light")
        for size, light, contrasts in product(SIZES, LIGHTS, [True]) if EVERYTHING else LOOKS:
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("light => document.documentElement.dataset.theme = light", light)
            self.healthy(page, contrasts=contrasts)
        self.leave(page)

    def glance_at(self, guest: Guest | None, path: str, before: Callable[[Page], None] | None = None) -> None:
        """The second look at a board: a page is healthy on a wide light screen and on a small dark one.

        `before`: what is done to it first.
        """
        page = self.page(guest, path, size="desktop", theme="light")
        if before is not None:
            before(page)
        self.healthy(page)
        width, height = SIZES["small"]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        self.healthy(page)
        self.leave(page)

    def sizes(self, page: Page) -> Iterator[None]:
        """The page at each size in turn."""
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            yield

    # -- playing --------------------------------------------------------------------------------------------
    def asked(self, table: Table, seats: Collection[int]) -> int | None:
        """The seat among these that is asked, once the bots have answered; none if the game is over."""
        changed = threading.Event()
        stop = table.subscribe(changed.set)
        try:
            while True:
                changed.clear()
                now = table.moment
                asked = [seat for seat in now.match.to_act if seat in seats]
                if asked or now.status == "over":
                    return asked[0] if asked else None
                assert changed.wait(PATIENCE), "the bots do not answer"
        finally:
            stop()

    def catch_up(self, page: Page, table: Table, seat: int) -> None:
        """Until the page shows the present question of the seat: a live page by itself, another one loaded again."""
        if page.locator("html.js").count():
            page.wait_for_function(f"stamp => {STAMP} === stamp", arg=table.stamp(seat))
        elif page.evaluate(STAMP) != table.stamp(seat):
            page.reload()

    def move(self, page: Page, table: Table, seat: int, choose: Choose = first_choice) -> list[str]:
        """Give the chosen answer by pressing what the page offers for it, and wait until it is given.

        Where the answer is a radio button (the first of several answers in one press), the answers after it are
        chosen too, up to the button that gives the last one, or that sends them all. The result: the verbs that were
        not placed on the board.
        """
        if self.asked(table, [seat]) is None:
            return []
        self.catch_up(page, table, seat)
        before = table.stamp(seat)
        trial = table.match.copy()
        in_list: list[str] = []
        for step in count(1):
            action = choose(trial, seat)
            verb, _ = trial.state.choice(action)
            alone = page.locator(f"button[name='a'][value='{action}']:not([aria-disabled])")
            last = page.locator(
                f"button[name^='a.'][value='{action}'], button[name^='a.'][value^='{action}|'], button[name^='a.'][value$='|{action}']"
            )
            radio = page.locator(
                f"input[type=radio]:is([name='a.{step}'], [name='a.{step}?'])[value='{action}']:enabled"
            )
            if trial.state.question is table.match.state.question and alone.count():
                if page.locator(f"#part-prompt .answers #do-{action}").count():
                    in_list.append(verb)
                alone.first.click()
                break
            if last.count():
                last.first.click()
                break
            if step > 1 and not radio.count():
                page.locator("button[form=act]:not([name], [formaction], [hidden])").last.click()
                break
            assert radio.count(), f"{page.url} offers no way to answer {action} ({verb})"
            radio.first.check(force=True)
            trial.play(seat, action)
        self.answered(page, before)
        return in_list

    def answered(self, page: Page, before: str) -> None:
        """Until the answer that was pressed is given; one who throws something away is sure of it."""
        live = page.locator("html.js").count()
        if live:
            page.wait_for_function(f"stamp => {STAMP} !== stamp || document.getElementById('sure').open", arg=before)
        if page.locator("#sure[open]").count():
            page.locator("#sure-yes").click()
            if live:
                page.wait_for_function(f"stamp => {STAMP} !== stamp", arg=before)

    def play_out(
        self,
        game: str,
        seats: int,
        *,
        js: bool = True,
        placed: tuple[str, ...] = (),
        choose: Choose = first_choice,
        each: int = LONGEST,
    ) -> Table:
        """Play to the end by pressing what the page offers. `placed`: verbs that must stand on the board itself.

        `each`: how often an answer of each kind is pressed; more of the same is given without a browser, for the sake
        of time.
        """
        guest = self.guest()
        table = self.table(guest, game, seats)
        page = self.page(guest, f"/t/{table.id}", js=js, size="desktop" if js else "phone")
        (seat,) = table.seats_of(guest)
        pressed: Counter[str] = Counter()
        for _ in range(LONGEST):
            if self.asked(table, [seat]) is None:
                break
            verb, _ = table.match.state.choice(choose(table.match, seat))
            if pressed[verb] >= each:
                self.advance(table, guest, 1, choose)
                continue
            pressed[verb] += 1
            in_list = self.move(page, table, seat, choose)
            assert not set(in_list) & set(placed), f"{in_list} is a button under the question only"
        if not js:
            page.reload()
        assert table.status == "over"
        expect(page.locator("#part-final .account")).to_have_count(seats)
        assert not self.complaints, self.complaints
        return table

    def close(self) -> None:
        for page in list(self.open):
            self.leave(page)


@pytest.fixture(scope="session")
def served() -> Iterator[tuple[str, House]]:
    """The house and its address."""
    with tempfile.TemporaryDirectory() as folder, serving(folder) as served:
        yield served


@contextmanager
def serving(place: str) -> Iterator[tuple[str, House]]:
    """Serves a house that is kept there."""
    house = House.open(place, workers=0)
    house.analyses.budget = Budget(2, 2, 2)  # a page on which a game ends has it analysed
    sock = open_socket("127.0.0.1", 0)
    config = uvicorn.Config(create_app(house), log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}", house
    finally:
        server.should_exit = True
        thread.join(10)
        sock.close()
        house.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def served_from(request: pytest.FixtureRequest, served: tuple[str, House]) -> Iterator[tuple[str, House]]:
    """The house and its address, from a file and from a PostgreSQL."""
    if request.param == "sqlite":
        yield served
    else:
        with serving(request.getfixturevalue("database")) as on_postgresql:
            yield on_postgresql


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find()
    assert path, "The browser tests need Chromium: run tools/setup/find_chromium.py."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def windows(served: tuple[str, House], chromium: Browser) -> Windows:
    return Windows(chromium, served[0])


@pytest.fixture
def room(served: tuple[str, House], windows: Windows) -> Iterator[Room]:
    room = Room(*served, windows)
    yield room
    room.close()
