"""Measures the bytes that a table sends for an answer: python benchmarks/stream.py [--before COMMIT] [--answers 120] [--json]

In every box random games are played; a seat and a spectator listen, as pages do. The bytes of their streams are divided by
the number of answers. With --before COMMIT the same is done with the sources of that commit. Nothing here depends on the
clock. Exit code 1: the total is larger than with that commit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
SEATS = 5  # or as many as can play
TURNS = 50  # of the loop, after which a stream has said all that it has to say
LISTENERS = ("seat", "spectator")


async def listened(game: str, answers: int) -> dict[str, float]:
    """Bytes for an answer, on the sources that are on the path: these, or those of an earlier commit."""
    from veillee.games.catalogue import BOXES  # noqa: PLC0415
    from veillee.house.house import House  # noqa: PLC0415
    from veillee.house.tables.seats import SeatPlan  # noqa: PLC0415
    from veillee.match import seeds  # noqa: PLC0415
    from veillee.web.live.table_stream import table_events  # noqa: PLC0415
    from veillee.web.pages import table as table_page  # noqa: PLC0415

    seats = min(SEATS, BOXES[game].players[-1])
    house = House.open(tempfile.mkdtemp(), workers=0)
    guests = [house.guests.new(name) for name in ("Ada", "Ben", "Cléa", "Dov", "Eve")[:seats]]
    with patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)):
        plans = [SeatPlan("me"), *[SeatPlan("open")] * (seats - 1)]
        table = house.tables.create(guests[0], game, plans, public=False)
    for seat in range(1, seats):
        table.sit(guests[seat], seat)
    heard = dict.fromkeys(LISTENERS, 0)

    async def listen(who: str, guest: Any) -> None:
        page = SimpleNamespace(guest=guest, lang="fr", origin="", speed="normal")
        async for said in table_events(page, table, None, ""):
            heard[who] += len(said)

    async def at_once(do: Callable[..., Any], *args: Any) -> Any:
        return do(*args)

    async def silence() -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)

    table_page.to_thread = at_once  # type: ignore[assignment]
    streams = [asyncio.create_task(listen("seat", guests[0])), asyncio.create_task(listen("spectator", None))]
    await silence()
    first, pick, given = dict(heard), Random(3), 0
    while given < answers and table.status == "playing":
        seat = pick.choice(table.match.to_act)
        table.answer(guests[seat], seat, table.stamp(seat), [pick.choice(table.match.choices(seat)).id])
        given += 1
        await silence()
    for stream in streams:
        stream.cancel()
    await asyncio.wait(streams)
    house.close()
    return {who: (heard[who] - first[who]) / given for who in LISTENERS}


def sources(commit: str) -> Path:
    """Checks out the sources of that commit into a separate folder."""
    folder = ROOT / "build" / "sources" / commit
    if not folder.exists():
        folder.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", commit, "src", "benchmarks"], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    return folder / "src"


def measured(source: Path, answers: int) -> dict[str, dict[str, float]]:
    env = {**os.environ, "PYTHONPATH": str(source), "VEILLEE_ENGINES": "off"}
    command = [sys.executable, __file__, "--here", "--answers", str(answers)]
    ran = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE)
    found: dict[str, dict[str, float]] = json.loads(ran.stdout)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="COMMIT")
    parser.add_argument("--answers", type=int, default=120)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        from veillee.games.catalogue import BOXES  # noqa: PLC0415

        print(json.dumps({game: asyncio.run(listened(game, given.answers)) for game in BOXES}))
        return 0
    now = measured(ROOT / "src", given.answers)
    then = measured(sources(given.before), given.answers) if given.before else {}
    if given.json:
        print(json.dumps({"now": now, "before": then}))
    for game, figures in now.items() if not given.json else ():
        for who, size in figures.items():
            before = then.get(game, {}).get(who)
            told = f", {given.before}: {before:,.0f} ({size / before:.0%})" if before else ""
            print(f"{game:20} {who:10} {size:8,.0f} bytes an answer{told}")
    return 1 if then and total(now) > total(then) else 0


def total(figures: dict[str, dict[str, float]]) -> float:
    return sum(sum(sizes.values()) for sizes in figures.values())


if __name__ == "__main__":
    sys.exit(main())
