"""Checks that all clients are sent the same bytes as by an earlier commit: python benchmarks/same_bytes.py COMMIT [--answers 60] [--game GAME]

For changes of the rendering. In every box the same random games are played with the sources of that commit and with these:
each seat by its own guest, and all on one screen. All messages of the streams, for each seat and for a spectator, and
samples of pages, API and replay are compared. Exit code 1: there is a difference; the first one is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from stream import ROOT, sources

TURNS = 60  # of the loop, after which a stream has said all that it has to say
MAX_DIFF_LINES = 60  # lines of a difference
ANSWERS_PER_LOOK = 5  # answers between two looks at the pages
NAMES = ("Ada", "Ben", "Cléa", "<Dov>", "Eve")
SPACE = re.compile(r"(?<=[^\n]) +")
FINGERPRINT = re.compile(r"\?[0-9a-f]{8,10}\b")  # of files: they are others
ASSET = re.compile(r"/static/[\w./-]+")  # a file may be renamed
SHIELD = re.compile(r"/shields/\w+\.svg")  # of guests: they are new ones each time


def plain(text: str) -> str:
    """Returns the text with white space, names and fingerprints of assets, and URLs of shields normalized."""
    return SPACE.sub(" ", SHIELD.sub("/shields/", ASSET.sub("/static/", FINGERPRINT.sub("?", text))))


async def recorded(game: str, answers: int, *, around: bool, lang: str) -> list[tuple[str, str]]:
    """Returns everything that was sent, with names, using the sources on the path."""
    import httpx  # noqa: PLC0415

    from veillee.games.catalogue import BOXES  # noqa: PLC0415
    from veillee.house.house import House  # noqa: PLC0415
    from veillee.house.tables.seats import SeatPlan  # noqa: PLC0415
    from veillee.match import seeds  # noqa: PLC0415
    from veillee.web.app import create_app  # noqa: PLC0415
    from veillee.web.live.table_stream import table_events  # noqa: PLC0415
    from veillee.web.pages import table as table_page  # noqa: PLC0415

    seats = min(len(NAMES), BOXES[game].players[-1])
    house = House.open(tempfile.mkdtemp(), workers=0)
    guests = [house.guests.new(name) for name in NAMES[:seats]]
    found: list[tuple[str, str]] = []
    with (
        patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)),
        patch.object(secrets, "choice", lambda letters: letters[0]),  # the name of the table
    ):
        others = [SeatPlan("hotseat", name) for name in NAMES[1:seats]] if around else [SeatPlan("open")] * (seats - 1)
        table = house.tables.create(guests[0], game, [SeatPlan("me"), *others], public=False)
    for seat in range(1, seats) if not around else ():
        table.sit(guests[seat], seat)

    async def listen(who: str, guest: Any, wanted: int | None) -> None:
        page = SimpleNamespace(guest=guest, lang=lang, origin="", speed="normal")
        async for said in table_events(page, table, wanted, ""):
            found.append((who, plain(said.decode())))

    async def at_once(do: Callable[..., Any], *args: Any) -> Any:
        return do(*args)

    async def silence() -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)

    table_page.to_thread = at_once  # type: ignore[assignment]
    listeners = [("spectator", None, None)]
    if around:
        listeners += [("screen", guests[0], None), ("screen of 1", guests[0], 1)]
    else:
        listeners += [(f"seat {seat}", guest, None) for seat, guest in enumerate(guests)]
    streams = [asyncio.create_task(listen(*listener)) for listener in listeners]
    app = create_app(house)
    transport = httpx.ASGITransport(app=app)

    async def look() -> None:
        for who, guest in (("spectator", None), ("seat 0", guests[0]), (f"seat {seats - 1}", guests[-1])):
            cookies = {"guest": guest.token} if guest else {}
            headers = {"Accept-Language": lang}
            async with httpx.AsyncClient(
                transport=transport, base_url="http://house", cookies=cookies, headers=headers
            ) as http:
                place = "watch" if guest is None else f"seats/{who[5:]}"
                last = table.history.last
                for path in (
                    f"/t/{table.id}",
                    f"/t/{table.id}?as=1",
                    f"/api/tables/{table.id}/{place}",
                    f"/t/{table.id}/replay?at={last}",
                    f"/t/{table.id}/replay/moments?at={last}&to={last}&of={last}",
                ):
                    answer = await http.get(path)
                    found.append((f"{who} {path} {answer.status_code}", plain(answer.text)))

    await silence()
    pick, given = Random(3), 0
    while given < answers and table.status == "playing":
        seat = pick.choice(table.match.to_act)
        owner = guests[0 if around else seat]
        if pick.random() < 0.1 and any(table.match.can_undo(n) for n in range(seats)):
            seat = next(n for n in range(seats) if table.match.can_undo(n))
            table.undo(guests[0 if around else seat], seat, table.stamp(seat))
        elif pick.random() < 0.03 and not around:
            (table.come_back if table.seats[seat].away else table.leave)(owner, seat)
        elif not table.seats[seat].away:
            table.answer(owner, seat, table.stamp(seat), [pick.choice(table.match.choices(seat)).id])
        given += 1
        found.append(("answers", str(given)))
        await silence()
        if given % ANSWERS_PER_LOOK == 0 or table.status == "over":
            await look()
    for stream in streams:
        stream.cancel()
    await asyncio.wait(streams)
    house.close()
    return found


def record(root: Path, answers: int, game: str) -> dict[str, list[tuple[str, str]]]:
    """Returns what the sources in `root` send, recorded by their own version of this script: modules may be renamed."""
    env = {**os.environ, "PYTHONPATH": str(root / "src"), "VEILLEE_ENGINES": "off"}
    script = root / "benchmarks" / Path(__file__).name
    command = [sys.executable, str(script), "--here", "--answers", str(answers), "--game", game]
    ran = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE)
    found: dict[str, list[tuple[str, str]]] = json.loads(ran.stdout)
    return {name: [(who, plain(text)) for who, text in sent] for name, sent in found.items()}


def here(answers: int, only: str) -> dict[str, list[tuple[str, str]]]:
    from veillee.games.catalogue import BOXES  # noqa: PLC0415

    games = [
        (game, around, lang) for game in BOXES for around, lang in ((False, "fr"), (True, "en")) if only in ("", game)
    ]
    return {
        f"{game}{' around one screen' if around else ''}": asyncio.run(
            recorded(game, answers, around=around, lang=lang)
        )
        for game, around, lang in games
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default="HEAD")
    parser.add_argument("--answers", type=int, default=60)
    parser.add_argument("--game", default="", help="this one alone")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        sys.stdout.write(json.dumps(here(given.answers, given.game)))
        return 0
    then = record(sources(given.commit).parent, given.answers, given.game)
    now = record(ROOT, given.answers, given.game)
    for game, before in then.items():
        after = now[game]
        for n, (was, said) in enumerate(zip(before, after, strict=False)):
            if was != said:
                was_lines, is_lines = (one[1].replace("<", "\n<").splitlines() for one in (was, said))
                print(f"{game}: message {n} is another one ({was[0]}; {said[0]}):")
                print("\n".join(islice(difflib.unified_diff(was_lines, is_lines, lineterm="", n=2), MAX_DIFF_LINES)))
                return 1
        if len(before) != len(after):
            print(f"{game}: {len(after)} messages instead of {len(before)}.")
            return 1
        print(f"{game}: {len(before):,} messages, {sum(len(text) for _, text in before):,} letters, the same.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
