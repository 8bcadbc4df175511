"""Measures a step of a replay in a real browser: python benchmarks/replay.py [--game GAME] [--answers 400] [--steps 400] [--json]

A game of at least that many answers is played, and a server is started with it. A reader then steps through it with the
arrow key, with short pauses, forward and (half as far) back. A step is the time from the key to the frame that shows the
board of that moment. Then the slider jumps to moments that have not been fetched yet: reported, without a target. Exit code 1: the 95th percentile is above the target, or a page was loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from clicks import address
from playwright.sync_api import Page, sync_playwright

import veillee
from veillee.games.catalogue import BOXES
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/setup"))
from find_chromium import find  # noqa: E402

TARGET = 50.0  # milliseconds, at the 95th percentile
PAUSE = 100  # milliseconds between two steps
LEAPS = 20
TRIES = 50  # games, until one is long enough
GAME = "sourire-du-dragon"
STEP = """([key, value, pause]) => new Promise(done => {
  const bar = document.getElementById("replay"), slider = document.getElementById("at"), before = bar.dataset.at;
  const shown = () => requestAnimationFrame(() => setTimeout(() => {
    const taken = performance.now() - start;
    setTimeout(() => done(taken), pause);
  }));
  new MutationObserver((_, seen) => { if (bar.dataset.at !== before) { seen.disconnect(); shown(); } })
    .observe(bar, { attributes: true, attributeFilter: ["data-at"] });
  const start = performance.now();
  if (key) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  else { slider.value = value; slider.dispatchEvent(new Event("input", { bubbles: true })); }
})"""


def played(folder: Path, game: str, answers: int) -> tuple[str, int]:
    """Plays a game of at least that many answers in a house of that folder. Returns the id of its table, and the number of answers."""
    house = House.open(folder, workers=0)
    try:
        guest = house.guests.new("Ada")
        seats = BOXES[game].players[-1]
        for chance in map(random.Random, range(TRIES)):
            plans = [SeatPlan("me"), *[SeatPlan("hotseat", f"Ada {n}") for n in range(1, seats)]]
            table: Table = house.tables.create(guest, game, plans, public=False)
            while table.status == "playing":
                match = table.match
                seat = match.to_act[0]
                table.answer(guest, seat, table.stamp(seat), [chance.choice(match.choices(seat)).id])
            if len(table.match.answers) >= answers:
                return table.id, len(table.match.answers)
    finally:
        house.close()
    sys.exit(f"No game of {game} took {answers} answers.")


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Starts a server for that folder on a free port. Yields its address."""
    env = {**os.environ, "PYTHONPATH": str(Path(veillee.__file__).parent.parent), "VEILLEE_LANG": "en"}
    log = folder / "log"
    command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", str(folder / "data")]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, cwd=folder, env=env) as process:
        try:
            yield address(log, process)
        finally:
            process.terminate()
            process.wait(30)


def step(page: Page, key: str = "", to: int = 0) -> float:
    """Milliseconds until the browser shows the moment."""
    taken: float = page.evaluate(STEP, [key, to, PAUSE])
    return taken


def measure(page: Page, answers: int, steps: int) -> dict[str, Any]:
    loads: list[str] = []
    page.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    on = [step(page, "ArrowRight") for _ in range(min(steps, answers))]
    back = [step(page, "ArrowLeft") for _ in range(len(on) // 2)]
    at = int(page.locator("#replay").get_attribute("data-at") or 0)
    away = [n for n in range(0, answers, max(1, answers // LEAPS)) if n != at]
    random.Random(1).shuffle(away)
    leaps = [step(page, to=n) for n in away]
    return {"steps": figures(on + back), "leaps": figures(leaps), "page_loads": len(loads)}


def figures(taken: Sequence[float]) -> dict[str, float]:
    taken = sorted(taken)
    p95 = taken[min(len(taken) - 1, int(len(taken) * 0.95))]
    return {
        "n": len(taken),
        "median_ms": round(median(taken), 1),
        "p95_ms": round(p95, 1),
        "longest_ms": round(taken[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=GAME, choices=list(BOXES), help="%(default)s by default: the longest")
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    load = os.getloadavg()[0]  # of others, before this begins
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        table, answers = played(folder / "data", given.game, given.answers)
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox", "--disable-gpu"])
        with server(folder) as url:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{url}/t/{table}/replay")
            page.wait_for_timeout(1000)  # a reader looks at the board before the next step
            found = measure(page, answers, given.steps)
        browser.close()
    result = {
        "game": given.game,
        "answers": answers,
        **found,
        "cores": os.cpu_count(),
        "load_before": round(load, 2),
    }
    print(json.dumps(result) if given.json else "\n".join(f"{name}: {value}" for name, value in result.items()))
    if found["steps"]["p95_ms"] > TARGET:
        sys.exit(f"The 95th percentile is above {TARGET:.0f} ms.")
    if found["page_loads"]:
        sys.exit("A page was loaded.")


if __name__ == "__main__":
    main()
