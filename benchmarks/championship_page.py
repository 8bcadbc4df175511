"""Measures the page of a large championship: python benchmarks/championship_page.py [--entrants 500] [--deals 6] [--pages 20] [--json]

A house in this process has a championship with that many entrants, all of whose games are finished and analysed; the
results are made up. Reported is the processor time of the page of its standings, for an entrant. Exit code 1: the median
is above the target.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

from litestar.testing import TestClient

from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.house import House
from veillee.house.storage import schema
from veillee.web.app import create_app

TARGET_SECONDS = 0.05
GAME = "takara-island"


def fill(house: House, entrants: int, deals: int) -> tuple[str, str]:
    """Creates a championship whose results are all there. Returns its address, and the token of one entrant."""
    guests = [house.guests.new(f"Player {number}") for number in range(1, entrants + 1)]
    terms = ChampionshipTerms(deals=deals, level="novice", hours=24)
    made = house.championships.create(guests[0], GAME, "Large", {}, terms)
    chance, now = Random(1), house.store.now()
    everybody, games = [], []
    for number, guest in enumerate(guests, 1):
        everybody.append({"championship": made.id, "number": number, "guest": guest.id, "joined": now})
        for deal in made.deals:
            result = {"share": float(chance.random() < 0.25), "points": chance.randrange(10, 60)}
            when = {"begun": now, "ended": now, "luck": chance.gauss(0, 0.2)}
            games.append({"championship": made.id, "entrant": number, "deal": deal, **result, **when})
    with house.store.writing() as db:
        db.execute(schema.championship_entrants.insert(), everybody)
        db.execute(schema.championship_games.insert(), games)
    return f"/championships/{made.id}", guests[0].token


def measure(entrants: int, deals: int, pages: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        house = House.open(Path(folder) / "house.sqlite3", workers=0)
        try:
            path, token = fill(house, entrants, deals)
            spent = []
            with TestClient(create_app(house), cookies={"guest": token}) as client:
                for _ in range(pages):
                    start = time.process_time()
                    found = client.get(path)
                    spent.append(time.process_time() - start)
                    assert found.status_code == 200, found.text
        finally:
            house.close()
    return {"first": spent[0], "median": median(spent[1:]), "longest": max(spent[1:]), "bytes": len(found.content)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=500)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.entrants, given.deals, given.pages)
    if given.json:
        print(json.dumps(found))
    else:
        told = ", ".join(f"{name} {1000 * found[name]:.0f} ms" for name in ("first", "median", "longest"))
        print(
            f"{given.entrants} entrants, {given.deals} deals: {told} of processor time; {found['bytes'] / 1000:.0f} kB"
        )
    return found["median"] > TARGET_SECONDS


if __name__ == "__main__":
    sys.exit(main())
