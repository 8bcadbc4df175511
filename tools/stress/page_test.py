"""Tries a built page (`make page`) in a real Chromium, served as plain files from a sub-folder.

Plays the first answers of every box (or whole games: --whole) in English on a laptop and in French on a phone, reloads in the
middle of a game, opens a second window and closes the first one, goes offline, plays by link with a second browser, plays with
friends at the same screen and a big screen beside it, takes its tables into a house and back, updates to another version (or
from an older build: --older), kills a tab in the middle of an answer, plays a guided game, opens hint, undo, "why not?", replay,
analysis and puzzle, and checks that no request leaves the page's own folder's origin, that
none holds a link, and that no console error is logged.

usage: python tools/stress/page_test.py [FOLDER] [--answers 6 | --whole] [--older FOLDER] [--only PART …]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Frame, Page, sync_playwright

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src"), "VEILLEE_ENGINES": "off"}
sys.path.insert(0, str(ROOT / "tools/setup"))

from find_chromium import find  # noqa: E402

PARTS = ("boxes", "windows", "once", "link", "screen", "house", "killed", "update")
BOXES = ("gk", "pt", "ti", "tg", "sd")
VISITORS = (("en-GB", {"width": 1280, "height": 900}), ("fr-FR", {"width": 390, "height": 844}))
WHOLE_GAME = 10_000  # answers
ANSWERS_BEFORE_RELOAD = 3
GUIDED_ANSWERS = 12
MAX_STORED_CHARACTERS = 500  # in the storage of a window, which holds settings
SUB_FOLDER = "some/folder"
ANSWERS = "button[form=act][name=a]:not([disabled]):not([aria-disabled=true]), #deploy"
STAMP = (
    "document.querySelector('#part-prompt[data-turn=you]') && document.querySelector('#act [name=stamp]')?.value || ''"
)
SHOW_AT_ONCE = """
    fetch('/prefs', {method: 'POST', body: new URLSearchParams({speed: 'once'}), headers: {'X-Live': '1'}, redirect: 'manual'})
"""
TO_MY_TURN = "#now:not([hidden]) #skip"
SURE = "dialog[open] #sure-yes"
WAIT_SECONDS = 60.0
GAME_SECONDS = 1200.0  # for one whole game
ANSWER_SECONDS = 10.0  # until another question is shown, after a click
ANALYSIS_SECONDS = 600.0
MAX_ANSWERS_TO_FIND = 40  # until a button such as "Undo" is offered
LINK_ROUNDS = 3  # links that each side sends
COUNT = re.compile(r'data-at="\d+\.\d-(\d+)')  # of the changes that the guest's seat was shown


class Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Logs nothing."""


class Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Reports what is wrong, but not that a window was closed, which breaks its connections."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves the folder below a sub-folder; yields its address."""
    with tempfile.TemporaryDirectory() as root:
        place = Path(root) / SUB_FOLDER
        place.parent.mkdir(parents=True)
        place.symlink_to(folder.resolve())
        server = Server(("127.0.0.1", 0), partial(Files, directory=root))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/{SUB_FOLDER}/"
        finally:
            server.shutdown()


def wait_until(page: Page, done: Callable[[], object], what: str, seconds: float = WAIT_SECONDS) -> None:
    until = time.monotonic() + seconds
    while not done():
        if time.monotonic() > until:
            raise SystemExit(f"Not within {seconds:g} s: {what}")
        page.wait_for_timeout(50)  # which also lets events arrive


def house_frame(page: Page) -> Frame:
    """Returns the frame with a page of the house, once it is there."""

    def found() -> bool:
        return len(page.frames) > 1 and "shelf" not in page.frames[1].url and page.frames[1].url != "about:blank"

    wait_until(page, found, "a page of the house")
    page.frames[1].wait_for_load_state()
    return page.frames[1]


def stamp(page: Page) -> str:
    """Returns the stamp of the question that is shown; empty if there is none, as while bots play."""
    try:
        return str(page.frames[1].evaluate(STAMP))
    except Exception:  # noqa: BLE001 (the frame is being loaded)
        return ""


def answer(page: Page, first: int = 0) -> bool:
    """Gives one answer that can be pressed: the first one, or a later one. Returns whether another question is shown, or the game is over."""
    frame, before = page.frames[1], stamp(page)
    if not before:
        return False
    buttons = frame.locator(ANSWERS)
    count = buttons.count()
    for n in range(min(count, 12)):
        button = buttons.nth((first + n) % count)
        if not button.is_visible():
            continue
        try:
            button.click(timeout=1500)
        except Exception:  # noqa: BLE001 (covered, or gone meanwhile)
            continue
        until = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < until:
            if stamp(page) != before:
                return True
            if frame.locator(SURE).count():
                frame.locator(SURE).first.click()
            read_notes(page)
            page.wait_for_timeout(20)
    return False


def is_over(page: Page) -> bool:
    """Returns whether the game that is shown has ended."""
    try:
        return bool(page.frames[1].evaluate("!!document.querySelector('.final.panel')"))
    except Exception:  # noqa: BLE001 (the frame is being loaded)
        return False


def begin_box(page: Page, code: str) -> None:
    """Begins a game of a box that the shelf shows, without animations: these put buttons out of reach for a while."""
    house_frame(page).evaluate(SHOW_AT_ONCE)
    page.frames[1].locator(f"#play-{code}").click()
    wait_until(page, lambda: stamp(page) and "#/t/" in page.url, f"a question of {code}")


def play(page: Page, code: str, answers: int) -> int:
    """Begins a game of the box and gives so many answers, or all of them. Returns how many were given."""
    begin_box(page, code)
    return play_on(page, code, answers)


def play_on(page: Page, code: str, answers: int) -> int:
    """Gives so many answers, or all that the game asks for. Returns how many were given."""
    given, until = 0, time.monotonic() + GAME_SECONDS
    while given < answers and not is_over(page):
        if time.monotonic() > until:
            raise SystemExit(f"{code}: {given} answers within {GAME_SECONDS:g} s")
        given += answer(page)
        page.wait_for_timeout(50)
    return given


def watch(context: BrowserContext, address: str) -> tuple[list[str], list[str]]:
    """Returns the lists that console errors and requests to other places are added to."""
    errors: list[str] = []
    foreign: list[str] = []
    origin = "/".join(address.split("/")[:3])
    context.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    context.on(
        "request", lambda asked: foreign.append(asked.url) if not asked.url.startswith((origin, "blob:")) else None
    )
    return errors, foreign


def go(page: Page, address: str, path: str) -> Frame:
    """Opens an address in the house, and returns the frame once it is there."""
    page.goto(f"{address}#{path}")
    house_frame(page)
    wait_until(page, lambda: path.split("?", maxsplit=1)[0] in page.frames[1].url, f"the page {path}")
    page.frames[1].wait_for_load_state()
    return page.frames[1]


def has(page: Page, selector: str) -> bool:
    """Returns whether the page shows such an element."""
    try:
        return page.frames[1].locator(selector).first.is_visible()
    except Exception:  # noqa: BLE001 (the frame is being loaded)
        return False


def press(page: Page, selector: str, then: str) -> None:
    """Presses a button, and waits until another element is shown."""
    wait_until(page, lambda: has(page, selector), selector)
    page.frames[1].locator(selector).first.click()
    wait_until(page, lambda: has(page, then), f"{then} after {selector}")


def read_notes(page: Page) -> bool:
    """Goes on where a note of a guided game waits to be read. Returns whether none is left."""
    if not has(page, TO_MY_TURN):
        return True
    with suppress(Exception):  # gone meanwhile
        page.frames[1].locator(TO_MY_TURN).click(timeout=1500)
    return False


def answer_until(page: Page, selector: str) -> None:
    """Answers, each time with another button, until such an element is shown."""
    for n in range(MAX_ANSWERS_TO_FIND):
        until = time.monotonic() + 2
        while time.monotonic() < until and not has(page, selector) and not stamp(page):
            page.wait_for_timeout(50)
        if has(page, selector):
            return
        answer(page, n)
    raise SystemExit(f"No {selector} within {MAX_ANSWERS_TO_FIND} answers")


def begin(page: Page, address: str, code: str) -> None:
    """Begins a game of the box against bots, without animations."""
    page.goto(address)
    wait_until(page, lambda: has(page, f"#play-{code}"), "the shelf")
    begin_box(page, code)


def try_link(browser: Browser, page: Page, address: str) -> None:
    """Plays by link with a second browser."""
    sent: list[str] = []
    go(page, address, "/games/takara-island")
    press(page, "#by-link", "#table-link")
    with_friend = browser.new_context(viewport={"width": 390, "height": 844}, locale="fr-FR")
    asked: list[str] = []
    with_friend.on("request", lambda one: asked.append(one.url))
    friend = with_friend.new_page()

    def link_of(one: Page) -> str:
        sent.append(one.frames[1].locator("#table-link").input_value())
        return sent[-1]

    friend.goto(link_of(page))
    house_frame(friend)
    wait_until(friend, lambda: has(friend, "#sit-down"), "the invitation")
    friend.frames[1].locator("#my-name").fill("Lucie")
    press(friend, "#sit-down", "#table-link")
    page.goto(link_of(friend))
    wait_until(page, lambda: stamp(page) or has(page, "#send-table"), "the deal")
    for _ in range(LINK_ROUNDS):
        for one, other in ((page, friend), (friend, page)):
            answer_until(one, "#send-table")
            press(one, "#send-table", "#table-link")
            other.goto(link_of(one))
            wait_until(other, lambda other=other: stamp(other) or has(other, "#send-table"), "the friend's answers")  # type: ignore[misc]
    friend.goto(sent[-1][:-40])  # whose console is not watched: a refusal is logged there
    wait_until(friend, lambda: has(friend, ".oops:not(:empty)"), "what is wrong with the damaged link")
    told = [url for url in asked if any(link.rpartition("/")[2][:60] in url for link in sent)]
    if [url for url in told if "#" not in url]:
        raise SystemExit(f"A link was asked for as an address: {told[0][:120]}")
    print(f"by link: {len(sent)} links, the longest of {max(map(len, sent))} characters")
    with_friend.close()


def try_boxes(browser: Browser, address: str, answers: int) -> tuple[list[str], list[str]]:
    """Plays every box, in both languages and sizes. Returns console errors and requests to other places."""
    errors: list[str] = []
    foreign: list[str] = []
    for lang, size in VISITORS:
        context = browser.new_context(viewport=size, locale=lang)  # type: ignore[arg-type]
        seen = watch(context, address)
        page = context.new_page()
        begin = time.monotonic()
        page.goto(address)
        house_frame(page)
        print(f"{lang}: the shelf after {time.monotonic() - begin:.1f} s", flush=True)
        for code in BOXES:
            number = play(page, code, ANSWERS_BEFORE_RELOAD)
            reload_table(page, code)
            number += play_on(page, code, answers - number)
            print(f"{lang}, {code}: {number} answers", "to the end" if is_over(page) else "", flush=True)
            if number < answers and not is_over(page):
                raise SystemExit(f"{code} goes no further.")
            page.goto(address)
            house_frame(page)
        context.close()
        errors += seen[0]
        foreign += seen[1]
    return errors, foreign


def reload_table(page: Page, code: str) -> None:
    """Reloads a window: it must show the same table."""
    last, there = stamp(page), page.url
    page.reload()
    house_frame(page)
    wait_until(page, lambda: stamp(page) or is_over(page), f"the table of {code} after a reload")
    if page.url != there:
        raise SystemExit(f"After a reload the address is {page.url} instead of {there}.")
    print(f"{code}: the same table after a reload ({last[:8]} → {stamp(page)[:8]})")


def wait_until_kept(page: Page, folder: Path) -> None:
    """Waits until the service worker has cached all files."""
    kept = "caches.open(`veillee ${location.pathname} files`).then(kept => kept.keys()).then(keys => keys.length)"
    files = json.loads((folder / "files.js").read_text("utf-8").split("FILES = ")[1].rstrip(";\n"))
    wait_until(page, lambda: page.evaluate(kept) >= len(files), "all files are kept", 120)


def try_windows(context: BrowserContext, folder: Path, address: str) -> None:
    """Closes the first of two windows, and goes offline."""
    page, other = context.new_page(), context.new_page()
    for one in (page, other):
        one.goto(address)
        house_frame(one)
    page.close()
    other.frames[1].goto(address + "me")
    house_frame(other).locator("h1").wait_for()
    print("the second window goes on after the first was closed", flush=True)
    wait_until_kept(other, folder)
    context.set_offline(True)
    other.goto(address)
    number = play(other, "ti", 2)
    if number < 2:
        raise SystemExit(f"Offline only {number} answers could be given")
    print(f"offline: {number} answers", flush=True)
    context.set_offline(False)


def try_shared_screen(page: Page, address: str) -> None:
    """Plays with a friend at the same screen, with a big screen in another window."""
    go(page, address, "/games/ghost-knights")
    frame = page.frames[1]
    frame.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    names = ("Anna", "Ben")
    for number, name in enumerate(names):
        frame.locator(f"#seat-{number}").select_option("hotseat" if number else "me")
        if number:
            frame.locator(f"#name-{number}").fill(name)
    frame.locator("#set-table").click()
    wait_until(page, lambda: has(page, "#to-screen"), "the table with a friend at the same screen")
    with page.context.expect_page() as opened:
        page.frames[1].locator("#to-screen").click()
    screen = opened.value
    house_frame(screen)
    wait_until(screen, lambda: has(screen, "body.on-screen #part-log"), "the big screen")
    for _ in range(LINK_ROUNDS):
        wait_until(page, lambda: has(page, "[id^=its-me-]") or stamp(page), "a question, or the curtain")
        if has(page, "[id^=its-me-]"):
            page.frames[1].locator("[id^=its-me-]").first.click()
            wait_until(page, lambda: stamp(page), "the question behind the curtain")
        answer(page)
    if stamp(screen) and screen.frames[1].locator("button[form=act][name=a]").count():
        raise SystemExit("The big screen shows a seat's choices.")
    for one in (page, screen):
        for where in (one.main_frame, one.frames[1]):
            kept = str(where.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])"))
            if len(kept) > MAX_STORED_CHARACTERS:
                raise SystemExit(f"A window's storage holds {kept[:200]}")
    screen.close()
    print("a shared screen, and a big screen beside it")


def try_house_and_back(browser: Browser, page: Page, address: str) -> None:
    """Saves everything as a file, restores it as a house, and brings a backup of that house into another browser."""
    begin(page, address, "ti")
    answer(page)
    there = page.url.partition("#")[2]
    go(page, address, "/me")
    with tempfile.TemporaryDirectory() as place:
        file, house, backup = (Path(place) / name for name in ("saved", "house", "backup"))
        with page.expect_download() as saved:
            page.frames[1].locator("#keep-file").click()
        saved.value.save_as(file)
        for words in (["restore", str(file), "--data", str(house)], ["backup", str(backup), "--data", str(house)]):
            subprocess.run([sys.executable, "-m", "veillee", *words], check=True, env=ENVIRONMENT, capture_output=True)
        context = browser.new_context(locale="en-GB")
        other = context.new_page()
        begin(other, address, "ti")
        go(other, address, "/me")
        wait_until(other, lambda: has(other, "#kept-file"), "the form for a file")
        other.frames[1].locator("#kept-file").set_input_files(backup)
        other.frames[1].locator("#bring-back button").click()
        wait_until(other, lambda: not has(other, "#kept-file"), "the file is taken")
        other.wait_for_timeout(1000)
        go(other, address, there)
        wait_until(other, lambda: stamp(other), "the table that was in a house")
        answer(other)
        context.close()
    print("into a house and back")


def try_update(browser: Browser, folder: Path, older: Path | None) -> None:
    """Updates a page in the middle of a game: an older build, or this one under another version."""
    with tempfile.TemporaryDirectory() as place:
        copied = Path(place) / "page"
        shutil.copytree(older or folder, copied)
        with served(copied) as address:
            context = browser.new_context(locale="en-GB")
            page = context.new_page()
            page.goto(address)
            house_frame(page)
            begin(page, address, "ti")
            before, there = stamp(page), page.url
            if older:
                shutil.copytree(folder, copied, dirs_exist_ok=True)
            worker = copied / "sw.js"
            if not older:
                worker.write_text(
                    re.sub("VERSION = '[0-9a-f]+'", "VERSION = 'another'", worker.read_text("utf-8"), count=1)
                )
            os.utime(worker)  # a copy is as old as its source
            page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
            wait_until(page, lambda: page.locator("#renew").is_visible(), "the new version")
            if (now := stamp(page)) != before:
                raise SystemExit(f"A new version changed the page before it was wanted: {now!r} instead of {before!r}.")
            page.locator("#renew").click()
            page.wait_for_timeout(1000)
            house_frame(page)
            wait_until(page, lambda: stamp(page) == before, "the same question after the update")
            if page.url != there:
                raise SystemExit(f"After the update the address is {page.url} instead of {there}.")
            context.close()
    print("the same question after an update")


def shown_changes(page: Page) -> int:
    """Returns how many changes of the table the guest's seat has been shown, by the house."""
    text = str(page.frames[1].evaluate("fetch(location.pathname).then(one => one.text())"))
    found = COUNT.search(text)
    return int(found[1]) if found else -1


def try_killed_tab(browser: Browser, address: str) -> None:
    """Kills the only tab right after a press, several times: what was shown before is there again."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(address)
    house_frame(page)
    begin(page, address, "gk")
    for _ in range(3):
        page = kill_while_answering(context, page)
    context.close()
    print("three killed tabs: nothing lost")


def kill_while_answering(context: BrowserContext, page: Page) -> Page:
    """Closes the tab in the middle of an answer, and returns a new one that shows the same table."""
    wait_until(page, lambda: answer(page), "an answer is given")
    wait_until(page, lambda: stamp(page), "the next question")
    there, known = page.url, shown_changes(page)
    wait_until(page, lambda: has(page, ANSWERS), "an answer to press")
    page.frames[1].evaluate("choices => document.querySelector(choices).click()", ANSWERS)
    page.close()
    after = context.new_page()
    after.goto(there)
    house_frame(after)
    wait_until(after, lambda: stamp(after) or is_over(after), "the table after its tab was killed")
    if known < 0 or (now := shown_changes(after)) < known:
        raise SystemExit(f"After a killed tab the table is at {now} instead of {known}.")
    return after


def try_everything_once(page: Page, address: str) -> None:
    """Plays a guided game, opens hint, undo, "why not?", replay, analysis and a puzzle."""
    go(page, address, "/games/takara-island")
    press(page, "#first-game", "main[data-guided]")
    for _ in range(GUIDED_ANSWERS):
        wait_until(page, lambda: read_notes(page) and stamp(page), "the next question of the guided game")
        if not answer(page):
            raise SystemExit("The guided game goes no further.")
    print("guided game", flush=True)
    begin(page, address, "gk")
    press(page, "#ask-hint", ".advice p, .advice b")
    answer_until(page, "#undo")
    before = stamp(page)
    page.frames[1].locator("#undo").click()
    wait_until(page, lambda: stamp(page) != before, "the question before, after undo")
    answer_until(page, "#why-not summary")
    press(page, "#why-not summary", "#why-not li")
    print("hint, undo, why not", flush=True)
    go(page, address, "/games/takara-island/puzzles/1")
    press(page, "#answers button", "#weighed")
    print("puzzle", flush=True)
    page.goto(address)
    house_frame(page)
    play(page, "sd", 10_000)
    table = page.url.partition("#")[2].partition("?")[0].partition("#")[0]
    go(page, address, f"{table}/replay")
    wait_until(page, lambda: has(page, "main.table-page"), "the replay")
    print("replay", flush=True)
    go(page, address, f"{table}/analysis")
    if has(page, "#analyse"):
        page.frames[1].locator("#analyse").click()
    done = (
        "document.querySelector('.analysis-page') && !document.querySelector('[data-running], #analyse, [role=alert]')"
    )

    def is_analysed() -> bool:
        try:
            return bool(page.frames[1].evaluate(done))
        except Exception:  # noqa: BLE001 (the frame is being loaded)
            return False

    wait_until(page, is_analysed, "the analysis", ANALYSIS_SECONDS)
    print("analysis", flush=True)


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/page")
    words.add_argument("--answers", type=int, default=6)
    words.add_argument("--whole", action="store_true", help="plays whole games")
    words.add_argument("--older", type=Path, help="an older built page, which is updated")
    words.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))
    given = words.parse_args()
    if not (given.folder / "sw.js").exists():
        print(f"{given.folder} is no built page: `make page` builds it.")
        return 1
    with served(given.folder) as address, sync_playwright() as chromium:
        browser = chromium.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        errors: list[str] = []
        foreign: list[str] = []
        if "boxes" in given.only:
            errors, foreign = try_boxes(browser, address, WHOLE_GAME if given.whole else given.answers)
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
        seen = watch(context, address)
        tries: dict[str, Callable[[], None]] = {
            "windows": lambda: try_windows(context, given.folder, address),
            "once": lambda: try_everything_once(context.new_page(), address),
            "link": lambda: try_link(browser, context.new_page(), address),
            "screen": lambda: try_shared_screen(context.new_page(), address),
            "house": lambda: try_house_and_back(browser, context.new_page(), address),
            "killed": lambda: try_killed_tab(browser, address),
            "update": lambda: try_update(browser, given.folder, given.older),
        }
        for part, attempt in tries.items():
            if part in given.only:
                attempt()
                for page in context.pages:
                    page.close()
        browser.close()
    errors += seen[0]
    foreign += seen[1]
    for one in errors:
        print("console:", one)
    for one in foreign:
        print("asked elsewhere:", one)
    return int(bool(errors) or bool(foreign))


if __name__ == "__main__":
    sys.exit(main())
