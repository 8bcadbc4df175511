"""Puzzles from games that were played in the house (collector.py); and who has solved which (match/puzzles.py): the first answer
counts, and is kept. A puzzle is known by its seed, so that a box may bring others one day."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.house.storage.schema import collected as kept
from veillee.house.storage.schema import puzzled, tables
from veillee.house.storage.store import Conflict, Store
from veillee.match.puzzles import Puzzle, found


@dataclass(frozen=True)
class Collected(Puzzle):
    """One of the house's own. What was played is at its table, and is copied nowhere: nobody is told which one."""

    table_id: str
    at: int  # how many answers came before


def collected(store: Store, box: Box) -> list[Collected]:
    """Those of a box that can be played here, the oldest first."""
    query = (
        sa.select(kept.c.table_id, kept.c.number, kept.c.found)
        .join(tables, tables.c.id == kept.c.table_id)
        .where(kept.c.game == box.id, kept.c.number.is_not(None), tables.c.version.in_(box.versions))
        .order_by(kept.c.number)
    )
    with store.reading() as db:
        rows = db.execute(query).all()
    return [_read(row.table_id, row.number, row.found) for row in rows]


def _read(table_id: str, number: int, text: str) -> Collected:
    data = json.loads(text)
    at = data["at"]
    return Collected(number, known_by(table_id, at), data["seat"], *found(data), table_id, at)


def known_by(table_id: str, at: int) -> int:
    """What guests' answers are kept under: nothing that tells the table."""
    return int.from_bytes(sha256(f"veillee puzzle {table_id} {at}".encode()).digest()[:7], "big")


@dataclass(frozen=True)
class Tried:
    """A guest's answer to one."""

    choice: int
    solved: bool


def tried(store: Store, guest: str, game: str) -> dict[int, Tried]:
    """The guest's answers to the puzzles of a box, by the seeds of these."""
    mine = sa.select(puzzled).where(puzzled.c.guest == guest, puzzled.c.game == game)
    with store.reading() as db:
        return {row.seed: Tried(row.choice, row.solved) for row in db.execute(mine)}


def keep(store: Store, guest: str, game: str, puzzle: Puzzle, choice: int) -> None:
    """The guest's answer, if it is the first."""
    row = {"guest": guest, "game": game, "seed": puzzle.seed, "choice": choice, "solved": choice == puzzle.best}
    with contextlib.suppress(Conflict), store.writing() as db:
        db.execute(puzzled.insert().values(row))
