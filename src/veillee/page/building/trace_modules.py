"""Runs in Pyodide at build time: opens the house, asks for every page that it links to, plays games of every box, and writes
the names of all imported modules to /lay/used.json: what is not among them is packed apart (pack.py). Templates that were
used are kept as bytecode.
"""

# ruff: noqa: E402, ASYNC240, T201

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, "/lay/py")
sys.dont_write_bytecode = True


class Asked:
    """Import finder that finds nothing and keeps the names of all modules that are asked for, also of those that then fail
    to be imported, as optional parts of a package do."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        self.names.add(name)


ASKED = Asked()
sys.meta_path.insert(0, ASKED)

import veillee
from veillee.bots.planning import resample_for_seat
from veillee.games.catalogue import BOXES
from veillee.page import thinker_in_page

MAX_PAGES = 400
MAX_TURNS = 240  # looks at a table, at each of which the guest may answer
ADDRESS = re.compile(r'(?:href|src)="(/[^"#]*)')
# Plain files of the page.
NOT_FOLLOWED = ("/static/", "/boards/", "/icons/", "/favicon.ico", "/apple-touch-icon.png", "/licences.txt")

Answer = tuple[int, dict[str, str], str]
Ask = Callable[[str, str, str], Awaitable[Answer]]


def imported() -> set[str]:
    """Returns the names of the modules that are imported from files, or that were tried."""
    return ASKED.names | {name for name, module in sys.modules.items() if getattr(module, "__file__", None)}


for box in BOXES.values():  # what the workers need that think
    match = veillee.new(box.id, seed=1)
    seat = match.to_act[0]
    position = resample_for_seat(match.state, seat, 1)
    job = {"box_id": box.id, "position": position, "seat": seat, "level": "expert", "seed": 1, "timed": True}
    for wanted in ("plan", "advise"):
        thinker_in_page.answer_line(json.dumps({"wanted": wanted, **job}))
ENGINE = imported()

from veillee.page.compiled_templates import FOLDER as COMPILED_TEMPLATES
from veillee.page.house_in_page import PageHouse, PageRequest


async def think(line: str) -> str:
    return thinker_in_page.answer_line(line)


async def analyse(line: str, send: Callable[[str], None]) -> None:
    thinker_in_page.analyse_line(line, send)


async def save() -> None:
    """Saves nothing."""


def asker(house: PageHouse) -> Ask:
    async def ask(method: str, path: str, body: str = "") -> Answer:
        """Returns status, headers and text of the answer."""
        done = asyncio.Event()
        heads: list[tuple[int, dict[str, str]]] = []
        parts: list[bytes] = []

        def send(kind: str, *rest: object) -> None:
            if kind == "head":
                heads.append((rest[0], dict(rest[1])))  # type: ignore[arg-type, call-overload]
            elif kind == "body":
                parts.append(rest[0])  # type: ignore[arg-type]
            else:
                done.set()

        way, _, query = path.partition("?")
        headers = [
            ("accept-language", "en"),
            *([("content-type", "application/x-www-form-urlencoded")] if body else []),
        ]
        end = house.start(PageRequest(method, way, query, headers, body.encode()), send)
        try:
            await asyncio.wait_for(done.wait(), 5 if way.endswith("/stream") else 60)
        except TimeoutError:  # a stream
            end()
        status, told = heads[0] if heads else (599, {})
        return status, told, b"".join(parts).decode("utf-8", "replace")

    return ask


async def main() -> None:
    COMPILED_TEMPLATES.mkdir()
    house = PageHouse(
        *("/home/house",),
        base="",
        think=think,
        analyse=analyse,
        save=save,
        on_unsaved=print,
        on_replaced=lambda: None,
        pause=0.0,
        is_building=True,
    )
    ask = asker(house)
    asked: set[str] = set()
    queue, broken = ["/", "/me", "/fair", "/link", "/nowhere"], []
    _, headers, _ = await ask("POST", f"/games/{next(iter(BOXES))}/by-link", "level=regular")
    queue += [address := headers.get("location", ""), f"{address}/link"]
    for box in BOXES.values():
        for wanted in ("play", "first"):
            _, headers, _ = await ask("POST", f"/games/{box.id}/{wanted}", "level=expert")
            address = headers.get("location", "")
            if not address:
                broken.append(f"{wanted} {box.id}")
                continue
            await play(house, ask, address)
            queue += [address, f"{address}/stream", f"{address}/replay", f"{address}/analysis"]
    while queue and len(asked) < MAX_PAGES:
        path = queue.pop(0).replace("&amp;", "&")
        if path in asked or path.startswith(NOT_FOLLOWED):
            continue
        asked.add(path)
        status, _, text = await ask("GET", path, "")
        if status >= 500 or (status == 404 and path != "/nowhere"):
            broken.append(f"{path} {status}")
        queue += [found for found in ADDRESS.findall(text) if found not in asked]
    found = {"used": sorted(imported()), "engine": sorted(ENGINE), "pages": len(asked), "broken": broken}
    Path("/lay/used.json").write_text(json.dumps(found), encoding="utf-8")
    print(len(asked), "pages,", len(sys.modules), "modules, broken:", broken)


async def play(house: PageHouse, ask: Ask, address: str) -> None:
    """Plays the guest's first choice again and again."""
    table = house.house.tables.find(address.rpartition("/")[2])
    guest = next(seat.guest for seat in table.seats if seat.guest)
    leave = table.watch(0.0)
    for _ in range(MAX_TURNS):
        if table.match.over:
            break
        mine = [seat for seat in table.match.to_act if table.seats[seat].guest == guest]
        if not mine:
            await asyncio.sleep(0.01)
            continue
        answer = table.match.choices(mine[0])[0].id
        await ask("POST", f"{address}/act", f"seat={mine[0]}&stamp={table.stamp(mine[0])}&a={answer}")
    leave()
