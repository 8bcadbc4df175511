"""Who has solved which puzzle (match/puzzles.py): the first answer counts, and is kept. A puzzle is known by its deal, so that
a box may bring others one day."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import sqlalchemy as sa

from veillee.match.puzzles import Puzzle
from veillee.tables.schema import puzzled
from veillee.tables.store import Conflict, Store


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
