"""Puzzles from games played in the house (puzzle_collector.py), and guests' answers to puzzles (match/puzzles.py): only
the first answer counts and is saved. A puzzle is identified by its seed, so that a box may ship others later."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.house.errors import StoreError
from veillee.house.storage.schema import collected as kept
from veillee.house.storage.schema import puzzled, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError
from veillee.match.match import Match
from veillee.match.puzzles import Puzzle, earlier, parse_verdict


@dataclass(frozen=True)
class CollectedPuzzle(Puzzle):
    """A puzzle from a game played in the house. Its answers are read from its table, whose id is not disclosed to
    guests."""

    table_id: str
    at: int  # number of answers before it


def load_collected(store: Store, box: Box) -> list[CollectedPuzzle]:
    """Returns the puzzles of a box that can be played here, oldest first."""
    query = (
        sa.select(kept.c.table_id, kept.c.number, kept.c.found)
        .join(tables, tables.c.id == kept.c.table_id)
        .where(kept.c.game == box.id, kept.c.number.is_not(None), tables.c.version.in_(box.versions))
        .order_by(kept.c.number)
    )
    with store.reading() as db:
        rows = db.execute(query).all()
    return [_parse_puzzle(row.table_id, row.number, row.found) for row in rows]


def _parse_puzzle(table_id: str, number: int, text: str) -> CollectedPuzzle:
    data = json.loads(text)
    at = data["at"]
    return CollectedPuzzle(number, puzzle_seed(table_id, at), data["seat"], *parse_verdict(data), table_id, at)


def puzzle_seed(table_id: str, at: int) -> int:
    """Returns the id under which guests' answers are saved: a hash that does not reveal the table."""
    return int.from_bytes(sha256(f"veillee puzzle {table_id} {at}".encode()).digest()[:7], "big")


@dataclass(frozen=True)
class Attempt:
    """A guest's answer to a puzzle."""

    choice: int
    is_solved: bool


def load_attempts(store: Store, guest: str, game: str) -> dict[int, Attempt]:
    """Returns the guest's answers to the puzzles of a box, by the puzzles' seeds."""
    mine = sa.select(puzzled).where(puzzled.c.guest == guest, puzzled.c.game == game)
    with store.reading() as db:
        return {row.seed: Attempt(row.choice, row.solved) for row in db.execute(mine)}


def save_first_answer(store: Store, guest: str, game: str, puzzle: Puzzle, choice: int) -> None:
    """Saves the guest's answer if it is the first."""
    row = {"guest": guest, "game": game, "seed": puzzle.seed, "choice": choice, "solved": choice == puzzle.best}
    with contextlib.suppress(Conflict), store.writing() as db:
        db.execute(puzzled.insert().values(row))


class PuzzleCollection:
    """The puzzles collected in one house. replay: returns a table replayed from its answers."""

    def __init__(self, store: Store, replay: Callable[[str], Table], is_closed: Callable[[str], bool]) -> None:
        self.is_shown = True  # the operator may turn it off
        self._store = store
        self._replay = replay
        self._is_closed = is_closed

    def load(self, box: Box) -> list[CollectedPuzzle]:
        """Returns the puzzles collected here, oldest first, without those from tables that a moderator closed."""
        every = load_collected(self._store, box) if self.is_shown else []
        return [one for one in every if not self._is_closed(one.table_id)]

    def load_position(self, puzzle: CollectedPuzzle) -> Match | None:
        """Returns the match of a puzzle at its position, read-only. None: this version can no longer replay it. Raises
        StoreError.
        """
        try:
            match = earlier(self._replay(puzzle.table_id).match, puzzle.at)
        except StoreError:
            raise
        except VeilleeError:
            return None
        return match if puzzle.seat in match.to_act else None
