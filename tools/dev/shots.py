"""Takes screenshots of every page, desktop and phone, light and dark, for inspection.

usage: python tools/dev/shots.py [GAME …] [--answers N] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1] / "setup"))
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))  # the sources as they are, not the installed product

import uvicorn
from find_chromium import find
from playwright.sync_api import Browser, sync_playwright

from veillee.games.catalogue import BOXES
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.match import seeds
from veillee.web.app import create_app
from veillee.web.serving.server import open_socket

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
ROOMS = {"shelf": "/", "me": "/me", "day": "/day", "fair": "/fair", "programs": "/api", "lost": "/nowhere"}


def advance(table: Table, guest: Guest, answers: int) -> None:
    """Answers for the guest, with another choice each time."""
    for _ in range(answers):
        if table.status != "playing":
            return
        match = table.match
        seat = next(s for s in table.seats_of(guest) if s in match.to_act)
        choices = match.choices(seat)
        table.answer(guest, seat, table.stamp(seat), [choices[len(match.answers) % len(choices)].id])


def tables(house: House, guest: Guest, game: str, answers: int) -> dict[str, str]:
    """Returns tables of this game at the start, in the middle, at the end, and waiting."""
    most = BOXES[game].players[-1]
    pages = {f"{game}-box": f"/games/{game}", f"{game}-rules": f"/rules/{game}"}
    bots = [SeatPlan("bot", level="novice")] * (most - 1)
    for name, count in {"start": 0, "middle": answers, "end": 100_000}.items():
        with patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)):
            table = house.tables.create(guest, game, [SeatPlan("me"), *bots], public=False)
        advance(table, guest, count)
        pages[f"{game}-{name}"] = f"/t/{table.id}"
    pages[f"{game}-replay"] = f"{pages[f'{game}-end']}/replay?at=40"
    waiting = house.tables.create(guest, game, [SeatPlan("me"), SeatPlan("open"), *bots[1:]])
    pages[f"{game}-lobby"] = f"/t/{waiting.id}"
    around = house.tables.create(guest, game, [SeatPlan("me"), SeatPlan("hotseat", "Léa"), *bots[1:]])
    pages[f"{game}-curtain"] = f"/t/{around.id}"
    return pages


def take(browser: Browser, url: str, guest: Guest, pages: dict[str, str], out: Path, lang: str) -> None:
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
            for name, value in {"lang": lang, "theme": theme, "guest": guest.token}.items():
                context.add_cookies([{"name": name, "value": value, "url": url}])
            page = context.new_page()
            for name, path in pages.items():
                page.goto(url + path)
                page.screenshot(path=out / f"{name}-{size}-{theme}.png", full_page=size == "phone")
            context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only the tables of these games")
    parser.add_argument("--answers", type=int, default=12, help="how far the table in the middle is")
    parser.add_argument("--lang", default="fr", choices=("fr", "en"))
    parser.add_argument("--out", type=Path, default=Path("shots"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        house = House.open(folder, workers=0)
        sock = open_socket("127.0.0.1", 0)
        server = uvicorn.Server(uvicorn.Config(create_app(house), log_level="error", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        guest = house.guests.new("Gauvain")
        pages = {} if asked.games else dict(ROOMS)
        for game in asked.games or BOXES:
            pages |= tables(house, guest, game, asked.answers)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find(), args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            )
            url = f"http://127.0.0.1:{sock.getsockname()[1]}"
            take(browser, url, guest, pages, asked.out, asked.lang)
            browser.close()
        server.should_exit = True
        thread.join(10)
        house.close()
    print(f"{len(pages) * 4} screenshots in {asked.out}/")


if __name__ == "__main__":
    main()
