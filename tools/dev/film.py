"""Films whole turns in a browser: a contact sheet of what is on screen every tenth of a second, for inspection.

usage: python tools/dev/film.py [GAME …] [--answers N] [--turns N] [--size WIDTHxHEIGHT …] [--theme light] [--out FOLDER]

A film begins with the answer of the player and ends when the player is asked again, the bots having played in between.
Frames that look like the one before are left out; below each is its second, and the sentence that is told.
"""

from __future__ import annotations

import argparse
import html
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools/setup"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests/web"))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))  # the sources as they are, not the installed product

import uvicorn
from find_chromium import find
from playwright.sync_api import Browser, Page, sync_playwright

from conftest import FLAGS, Room, Windows  # type: ignore[import-not-found]
from veillee.games.catalogue import BOXES
from veillee.house.house import House
from veillee.match.match import Match
from veillee.web.app import create_app
from veillee.web.serving.server import open_socket

FRAME = 0.1  # seconds
LONGEST = 90.0  # seconds of a turn
TOLD = 'document.getElementById("now")?.hidden === false ? document.querySelector("#now .told").innerText : ""'
ASKED = 'document.querySelector("#part-prompt")?.dataset.turn === "you" && document.getElementById("now").hidden'
SHEET = """<style>body { margin: 8px; font: 11px sans-serif; display: grid; gap: 6px;
  grid-template-columns: repeat(%d, %dpx) } img { width: 100%% ; border: 1px solid #888 }
  p { margin: 0; height: 28px; overflow: hidden }</style>"""


@dataclass(frozen=True)
class Picture:
    """What the page looked like at one instant."""

    second: float
    told: str
    jpeg: str  # base64


def film(page: Page) -> list[Picture]:
    """Takes pictures until the player is asked again or the game is over."""
    shots: list[Picture] = []
    session = page.context.new_cdp_session(page)
    began = time.monotonic()
    last = ""
    while time.monotonic() - began < LONGEST:
        at = time.monotonic()
        jpeg = session.send("Page.captureScreenshot", {"format": "jpeg", "quality": 60, "optimizeForSpeed": True})[
            "data"
        ]
        told = page.evaluate(TOLD)
        if jpeg != last:
            shots.append(Picture(at - began, told, jpeg))
            last = jpeg
        elif page.evaluate(ASKED) and at - began > 2 * FRAME:
            break
        time.sleep(max(0.0, FRAME - (time.monotonic() - at)))
    session.detach()
    return shots


def choose(match: Match, seat: int) -> int:
    """Returns the answer that a first-time player might give: a bot's first idea."""
    return match.hint(seat, level="novice").choice.id


def sheets(browser: Browser, shots: list[Picture], width: int, out: Path) -> int:
    """Writes contact sheets of a few rows; returns their number."""
    columns, wide = (4, 470) if width > 600 else (10, 185)
    most = columns * (5 if width > 600 else 3)
    page = browser.new_page(viewport={"width": columns * (wide + 6) + 16, "height": 800})
    pages = [shots[i : i + most] for i in range(0, len(shots), most)]
    for number, some in enumerate(pages):
        cells = "".join(
            f"<div><img src='data:image/jpeg;base64,{one.jpeg}'><p><b>{one.second:.1f}</b> {html.escape(one.told)}</p></div>"
            for one in some
        )
        page.set_content(SHEET % (columns, wide) + cells)
        page.screenshot(path=f"{out}-{number}.png", full_page=True)
    page.close()
    return len(pages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--answers", type=int, default=12, help="given before the film begins")
    parser.add_argument("--seats", type=int, default=3, help="or the fewest that the box needs")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--size", nargs="+", default=["1440x900", "1280x720", "390x844"])
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument("--lang", default="fr", choices=("fr", "en"))
    parser.add_argument("--speed", default="normal")
    parser.add_argument("--out", type=Path, default=Path("films"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        house = House.open(folder, workers=0)
        sock = open_socket("127.0.0.1", 0)
        server = uvicorn.Server(uvicorn.Config(create_app(house), log_level="error", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
            url = f"http://127.0.0.1:{sock.getsockname()[1]}"
            for game in asked.games or BOXES:
                for size in asked.size:
                    width, height = (int(part) for part in size.split("x"))
                    room = Room(url, house, Windows(browser, url))
                    guest = room.guest("Gauvain")
                    table = room.table(guest, game, max(asked.seats, BOXES[game].players[0]))
                    (seat,) = table.seats_of(guest)
                    for _ in range(asked.answers):
                        room.asked(table, [seat])
                        room.advance(table, guest, 1)
                    room.asked(table, [seat])
                    page = room.page(
                        guest, f"/t/{table.id}?now", lang=asked.lang, theme=asked.theme, motion=True, speed=asked.speed
                    )
                    page.set_viewport_size({"width": width, "height": height})
                    shots: list[Picture] = []
                    turns = 0
                    while turns < asked.turns and table.status == "playing":
                        room.move(page, table, seat, choose)
                        taken = film(page)
                        turns += any(one.told for one in taken)  # else it was an own act alone
                        begins = shots[-1].second if shots else 0.0
                        shots += [Picture(one.second + begins, one.told, one.jpeg) for one in taken]
                    name = f"{game}-{size}-{asked.theme}"
                    number = sheets(browser, shots, width, asked.out / name)
                    print(f"{name}: {len(shots)} frames, {shots[-1].second:.1f} s, {number} sheets", flush=True)
                    room.close()
            browser.close()
        server.should_exit = True
        thread.join(10)
        house.close()


if __name__ == "__main__":
    main()
