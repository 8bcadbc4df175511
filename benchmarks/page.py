"""Measures the house in a page (`make page-compiled`): bytes and seconds to the shelf, to the first board and to the first
answer, on a first and on a second visit; and seconds per answer of every level of every box, beside the native engine.

usage: python benchmarks/page.py [FOLDER] [--cache FOLDER] [--runs 5] [--megabits 50] [--positions 12] [--only visits|answers]

Visits: a real Chromium, the folder served below a sub-folder by a server on this machine, which compresses scripts and styles
as hosts do, and sends at most so many megabits a second to all connections together. (Chromium's own throttling does not
reach service workers and workers.) Every run has a browser context of its own; medians are printed.

Answers: the same questions, with the same seeds, to `veillee.page.thinker_in_page` in Node's Pyodide and in this Python.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools/setup"), str(ROOT / "tools/stress")]

import page_test  # noqa: E402
from find_chromium import find  # noqa: E402

BOX = "pt"  # all are asked at once: no wait for another's turn
TEXT = (".html", ".js", ".mjs", ".css", ".svg", ".json", ".webmanifest", ".txt")
CHUNK_BYTES = 16_384
MEMORIES = 2  # of Python, kept in the browser: one with the house, one with bots
TARGETS = {"megabytes": 10.0, "shelf": 1.0, "first answer, cold": 8.0, "first answer, warm": 2.5}


class Line:
    """A line of limited speed, shared by all connections."""

    def __init__(self, megabits: float) -> None:
        self.bytes_a_second = megabits * 1e6 / 8
        self.sent = 0
        self._free = 0.0
        self._lock = threading.Lock()

    def wait(self, size: int) -> None:
        with self._lock:
            self.sent += size
            begin = max(self._free, time.monotonic())
            self._free = begin + size / self.bytes_a_second
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


class Files(SimpleHTTPRequestHandler):
    """Serves files as a static host does: text compressed, an hour of caching."""

    protocol_version = "HTTP/1.1"
    line: Line
    packed: dict[Path, bytes] = {}  # noqa: RUF012 (shared)

    def log_message(self, *_: object) -> None:
        """Logs nothing."""

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        if file.is_dir():
            file /= "index.html"
        if not file.is_file():
            self.send_error(404)
            return
        data, is_text = file.read_bytes(), file.suffix in TEXT
        if is_text:
            data = self.packed.setdefault(file, gzip.compress(data, 6))
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(file)))
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "max-age=3600")
        if is_text:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        for begin in range(0, len(data), CHUNK_BYTES):
            part = data[begin : begin + CHUNK_BYTES]
            self.line.wait(len(part))
            self.wfile.write(part)


@contextmanager
def served(folder: Path, line: Line) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as root:
        (Path(root) / "some").mkdir()
        (Path(root) / "some/folder").symlink_to(folder.resolve())
        handler = type("LimitedFiles", (Files,), {"line": line})
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=root))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/some/folder/"
        finally:
            server.shutdown()


def visit(page: Page, address: str, line: Line) -> dict[str, float]:
    """Opens the shelf, plays the box and gives one answer. Returns seconds and megabytes since the address was entered."""
    before, begin, found = line.sent, time.monotonic(), {}

    def note(what: str) -> None:
        found[what] = time.monotonic() - begin

    page.goto(address, wait_until="commit")
    page.frame_locator("#house").locator(f"#play-{BOX}").wait_for()
    note("shelf")
    page.frame_locator("#house").locator(
        f"#play-{BOX}"
    ).click()  # also on the static shelf: done when the house is there
    page_test.wait_until(page, lambda: page_test.stamp(page), "a question")
    note("first board")
    found["megabytes"] = (line.sent - before) / 1e6
    page.frames[1].evaluate("window.addEventListener('unhandledrejection', () => {})")
    while not page_test.answer(page):
        page.wait_for_timeout(20)
    note("first answer")
    return found


def measure_visits(folder: Path, runs: int, megabits: float) -> dict[str, dict[str, float]]:
    """Returns medians of first and second visits."""
    rows: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    with sync_playwright() as chromium:
        browser = chromium.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for _ in range(runs):
            line = Line(megabits)
            with served(folder, line) as address:
                context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
                page = context.new_page()
                rows["cold"].append(visit(page, address, line))
                wait_until_kept(page, folder)
                page.close()
                page = context.new_page()
                rows["warm"].append(visit(page, address, line))
                context.close()
        browser.close()
    return {
        kind: {name: statistics.median(run[name] for run in measured) for name in measured[0]}
        for kind, measured in rows.items()
    }


def wait_until_kept(page: Page, folder: Path) -> None:
    """Waits until all files are cached, and the memory of the house and of bots is kept."""
    page_test.wait_until_kept(page, folder)
    memories = "caches.open(`veillee ${location.pathname} memory`).then(kept => kept.keys()).then(keys => keys.length)"
    page_test.wait_until(page, lambda: page.evaluate(memories) >= MEMORIES, "the memories are kept", 120)


# -- answers ------------------------------------------------------------------------------------------------------------
QUESTIONS = """
import json, sys, time
def prepare():
    if sys.platform == "emscripten":
        sys.path.insert(0, "/lay/py")
        sys.dont_write_bytecode = True
def measure(positions):
    import veillee
    from veillee.bots.levels import LEVELS
    from veillee.bots.planning import resample_for_seat
    from veillee.games.catalogue import BOXES
    from veillee.kernel.chance import Rng
    from veillee.page import thinker_in_page
    found = {}
    for box in BOXES.values():
        asked = []
        match, rng = veillee.new(box.id, seed=1), Rng(1)
        step = 0
        while not match.over and len(asked) < positions:
            seat = match.to_act[0]
            choices = match.choices(seat)
            if len(choices) > 1 and step % 3 == 0:
                asked.append((resample_for_seat(match.state, seat, 1), seat))
            match.play(seat, choices[rng.below(len(choices))])
            step += 1
            if match.over and len(asked) < positions:
                match = veillee.new(box.id, seed=step)
        for level in LEVELS:
            job = {"wanted": "plan", "box_id": box.id, "level": level, "seed": 1, "timed": True}
            seconds = []
            for position, seat in asked:
                line = json.dumps({**job, "position": position, "seat": seat})
                begin = time.perf_counter()
                thinker_in_page.answer_line(line)
                seconds.append(time.perf_counter() - begin)
            found[f"{box.id} {level}"] = sorted(seconds)
    return found
"""


def measure_answers(cache: Path, positions: int) -> dict[str, tuple[list[float], list[float]]]:
    """Returns the sorted seconds per answer, native and in Pyodide."""
    lay = cache / "lay"
    script = lay / "questions.py"
    script.write_text(
        f"{QUESTIONS}\nprepare()\nasync def main():\n"
        f"    open('/lay/answers.json', 'w').write(json.dumps(measure({positions})))\n",
        "utf-8",
    )
    run = ROOT / "src/veillee/page/building/run_pyodide.mjs"
    subprocess.run(["node", str(run), str(cache / "pyodide/package"), str(lay), str(script)], check=True)
    there = json.loads((lay / "answers.json").read_text("utf-8"))
    told = subprocess.run(
        [sys.executable, "-c", f"{QUESTIONS}\nprint(json.dumps(measure({positions})))"],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"},
    ).stdout
    here = json.loads(told)
    return {name: (here[name], there[name]) for name in here}


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/page")
    words.add_argument("--cache", type=Path, default=ROOT / "build/page-cache")
    words.add_argument("--runs", type=int, default=5)
    words.add_argument("--megabits", type=float, default=50)
    words.add_argument("--positions", type=int, default=12)
    words.add_argument("--only", choices=("visits", "answers"))
    given = words.parse_args()
    missed = []
    if given.only != "answers":
        found = measure_visits(given.folder, given.runs, given.megabits)
        print(f"| median of {given.runs}, {given.megabits:g} Mbit/s | first visit | second visit |\n|---|--:|--:|")
        for name, unit in (("shelf", "s"), ("first board", "s"), ("first answer", "s"), ("megabytes", "MB")):
            print(f"| {name} | {found['cold'][name]:.1f} {unit} | {found['warm'][name]:.1f} {unit} |")
        measured = {
            "megabytes": found["cold"]["megabytes"],
            "shelf": found["cold"]["shelf"],
            "first answer, cold": found["cold"]["first answer"],
            "first answer, warm": found["warm"]["first answer"],
        }
        missed = [f"{name}: {measured[name]:.1f} ({most:g})" for name, most in TARGETS.items() if measured[name] > most]
    if given.only != "visits":
        print("\n| seconds an answer, median (longest) | native | page |\n|---|--:|--:|")
        for name, (here, there) in measure_answers(given.cache, given.positions).items():
            row = [f"{statistics.median(one):.3f} ({one[-1]:.2f})" for one in (here, there)]
            print(f"| {name} | {row[0]} | {row[1]} |")
    for one in missed:
        print("missed:", one)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
