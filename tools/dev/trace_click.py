"""Traces one answer through the running application: which modules run, and how often the reader changes folder.

usage: PYTHONPATH=src python tools/dev/trace_click.py [--names]

One guest with an open stream answers a question over HTTP, against one bot, with SQLite. A function counts once, in the
order of the first call in its thread, as an engineer who follows the code would open the files; templates are not
counted. --names: lists the way.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, cast

import httpx

from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app
from veillee.web.http.request import RequestContext
from veillee.web.live import table_stream

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "veillee"
GAME = "takara-island"
FOLLOW_UP_SECONDS = 1.0  # for what the house does after the response

Calls = dict[int, dict[tuple[str, str], None]]  # by thread, in order


async def click(tracing: threading.Event) -> None:
    """Answers one question of a fresh game; `tracing` is set from the request until the follow-up work is done."""
    with tempfile.TemporaryDirectory() as folder, closing(House.open(folder, workers=1)) as house:
        guest = house.guests.new("Ada")
        table = house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot", level="novice")])
        while table.match.to_act != (0,):
            time.sleep(0.05)  # noqa: ASYNC251 - nothing else runs in this loop yet
        reader = cast(RequestContext, SimpleNamespace(house=house, guest=guest, lang="en", origin="", speed="normal"))

        async def listen() -> None:
            async for _ in table_stream.table_events(reader, table, None, ""):
                pass

        stream = asyncio.create_task(listen())
        transport = httpx.ASGITransport(app=cast(Any, create_app(house)))
        cookies = {"guest": guest.token}
        async with httpx.AsyncClient(transport=transport, base_url="http://house", cookies=cookies) as http:
            await http.get(f"/t/{table.id}")
            plain = next(one for one in table.match.choices(0) if "observe" in one.verb)
            form = {"seat": "0", "stamp": table.stamp(0), "a": str(plain.id)}
            tracing.set()
            answer = await http.post(f"/t/{table.id}/act", data=form, headers={"X-Live": "1", "Origin": "http://house"})
            await asyncio.sleep(FOLLOW_UP_SECONDS)
            tracing.clear()
            answer.raise_for_status()
        if stream.done():
            stream.result()  # raises what ended it
        stream.cancel()


def trace() -> list[list[Path]]:
    """Returns the files in reading order, one list per thread."""
    ran: Calls = defaultdict(dict)
    seen: set[tuple[str, str]] = set()
    tracing = threading.Event()

    def record(frame: FrameType, event: str, _: object) -> None:
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if event != "call" or not tracing.is_set() or not file.startswith(str(PACKAGE)) or name.endswith(">"):
            return  # a comprehension belongs to its function
        if (file, name) not in seen:
            seen.add((file, name))
            ran[threading.get_ident()].setdefault((file, name))

    threading.setprofile(record)
    sys.setprofile(record)
    try:
        asyncio.run(click(tracing))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return [[Path(file).relative_to(PACKAGE) for file, _ in calls if file.endswith(".py")] for calls in ran.values()]


def summarize(ways: list[list[Path]]) -> str:
    modules = {file for way in ways for file in way}
    changes = sum(one.parent != other.parent for way in ways for one, other in pairwise(way))
    packages = sum(one.parts[0] != other.parts[0] for way in ways for one, other in pairwise(way))
    return f"{len(modules)} modules, {changes} changes of folder, {packages} of top-level package"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--names", action="store_true")
    given = parser.parse_args()
    ways = trace()
    if given.names:
        for way in ways:
            print("\n".join(f"    {file}" for n, file in enumerate(way) if n == 0 or way[n - 1] != file), end="\n\n")
    print(summarize(ways))
    outside = [[file for file in way if file.parts[0] not in ("games", "kernel")] for way in ways]
    print(f"{summarize(outside)}, without games/ and kernel/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
