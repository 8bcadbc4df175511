"""Dumps a database as this version writes it, for the migration tests of later versions: run it before changing the schema.

usage: python tools/dev/keep_house.py [FOLDER]      writes FOLDER/<revision>.sql, by default in tests/house/houses

It has two guests and their devices, a running table of each game, a finished one with its rematch, and a waiting one. The
first line says what each table replays to: who is asked, what they may answer, how it ended.
tests/house/storage/test_migrations.py migrates every such database to the present schema and plays on.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from veillee.games.catalogue import BOXES
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table

FILE = "veillee.sqlite3"
HOUSES = Path(__file__).resolve().parents[2] / "tests" / "house" / "houses"
ME, BOT, OPEN = SeatPlan("me"), SeatPlan("bot", level="novice"), SeatPlan("open")


def played(table: Table, guests: list[Guest], answers: int, chance: random.Random) -> Table:
    while table.status == "playing" and answers:
        seat, guest = next((s, g) for g in guests for s in table.seats_of(g) if s in table.match.to_act)
        table.answer(guest, seat, table.stamp(seat), [chance.choice(table.match.choices(seat)).id])
        answers -= 1
    return table


def told(table: Table) -> Any:
    """Returns the facts that every later schema must preserve."""
    if table.status == "waiting":
        return {"status": table.status, "seats": [seat.kind for seat in table.seats]}
    match = table.match
    may = {seat: sorted(choice.id for choice in match.choices(seat)) for seat in match.to_act}
    return {"status": table.status, "answers": len(match.answers), "may": may, "scores": match.scores}


def furnished(folder: str, chance: random.Random) -> dict[str, Any]:
    house = House.open(folder, workers=0)
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    tables = []
    for game, box in sorted(BOXES.items()):
        bots = max(0, box.players[0] - 2)
        table = house.tables.create(ada, game, [ME, OPEN, *[BOT] * bots], luck="brume")
        table.sit(bob, 1)
        tables.append(played(table, [ada, bob], 10, chance))
    over = played(house.tables.create(ada, "takara-island", [ME, BOT]), [ada], 10_000, chance)
    again = played(house.tables.rematch(ada, over), [ada], 3, chance)
    tables += [over, again, house.tables.create(bob, "paper-tales", [ME, OPEN, BOT], public=True)]
    house.guests.make_recovery_link(ada)
    found = {table.id: told(table) for table in tables}
    house.close()
    return found


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSES
    with tempfile.TemporaryDirectory() as place:
        found = furnished(place, random.Random(1))
        with closing(sqlite3.connect(Path(place) / FILE)) as db:
            revision = db.execute("SELECT version_num FROM alembic_version").fetchone()[0]
            owner = db.execute("PRAGMA application_id").fetchone()[0]
            lines = [f"-- {json.dumps(found, sort_keys=True)}", f"PRAGMA application_id = {owner};", *db.iterdump()]
    file = folder / f"{revision}.sql"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
