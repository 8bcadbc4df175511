"""Measures the page of a large championship: python benchmarks/championship_page.py [--entrants 500] [--deals 6] [--form duplicate]
[--pages 20] [--json]

A house in this process has a championship with that many entrants, all of whose games are finished and analysed; the
results are made up. In rounds each deal is a round of tables of three. Reported is the processor time of the page of its
standings, for an entrant: when nothing has changed, and when another game has just been analysed. Exit code 1: the first
median is above the target.
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
SEATS = 3  # of a table of a round


def fill(house: House, entrants: int, deals: int, form: str = "duplicate", game: str = GAME) -> tuple[str, list[str]]:
    """Creates a championship whose results are all there. Returns its address, and the tokens of the entrants."""
    guests = [house.guests.new(f"Player {number}") for number in range(1, entrants + 1)]
    made = house.championships.create(
        guests[0], game, "Large", {}, ChampionshipTerms(deals=deals, level="novice", hours=24, form=form)
    )
    chance, now = Random(1), house.store.now()
    everybody, games = [], []
    for number, guest in enumerate(guests, 1):
        everybody.append({"championship": made.id, "number": number, "guest": guest.id, "joined": now})
        for deal in made.deals:
            result = {"share": float(chance.random() < 1 / SEATS), "points": chance.randrange(10, 60)}
            when = {"begun": now, "ended": now, "luck": chance.gauss(0, 0.2)}
            group, seat = divmod((number * (deal + 1)) % entrants, SEATS)
            where = {"round": deal, "group": group + 1, "seat": seat, "seats": SEATS} if made.has_rounds else {}
            games.append({"championship": made.id, "entrant": number, "deal": deal, **result, **when, **where})
    rounds = [{"championship": made.id, "number": deal, "began": now, "closed": now} for deal in made.deals]
    with house.store.writing() as db:
        db.execute(schema.championship_entrants.insert(), everybody)
        db.execute(schema.championship_games.insert(), games)
        if made.has_rounds:
            db.execute(schema.championship_rounds.insert(), rounds)
    return f"/championships/{made.id}", [guest.token for guest in guests]


def change_luck(house: House, entrant: int, deal: int, luck: float | None) -> None:
    """Sets the luck in a game; None: it is not analysed."""
    games = schema.championship_games.c
    with house.store.writing() as db:
        this = schema.championship_games.update().where(games.entrant == entrant, games.deal == deal)
        db.execute(this.values(luck=luck))


def measure(entrants: int, deals: int, form: str, pages: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        house = House.open(Path(folder) / "house.sqlite3", workers=0)
        try:
            path, (token, *_) = fill(house, entrants, deals, form)
            for entrant in range(2, pages + 2):
                change_luck(house, entrant, deals, None)
            spent, changed = [], []
            with TestClient(create_app(house), cookies={"guest": token}) as client:

                def page() -> float:
                    start = time.process_time()
                    found = client.get(path)
                    taken = time.process_time() - start
                    assert found.status_code == 200, found.text
                    return taken

                first = page()
                for entrant in range(2, pages + 2):
                    spent.append(page())
                    change_luck(house, entrant, deals, 0.1)
                    changed.append(page())
                size = len(client.get(path).content)
        finally:
            house.close()
    return {"first": first, "median": median(spent), "longest": max(spent), "changed": median(changed), "bytes": size}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=500)
    parser.add_argument("--deals", type=int, default=6)
    parser.add_argument("--form", choices=("duplicate", "rounds"), default="duplicate")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.entrants, given.deals, given.form, given.pages)
    if given.json:
        print(json.dumps(found))
    else:
        told = ", ".join(f"{name} {1000 * found[name]:.0f} ms" for name in ("first", "median", "longest", "changed"))
        print(
            f"{given.form}, {given.entrants} entrants, {given.deals} deals: {told} of processor time; {found['bytes'] / 1000:.0f} kB"
        )
    return found["median"] > TARGET_SECONDS


if __name__ == "__main__":
    sys.exit(main())
