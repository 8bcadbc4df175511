"""Collector of puzzles from games played here: selects the clearest positions of analysed games and has them judged
like the puzzles that a box ships (match/puzzle_judges.py), while no guest waits for other computations.

Uses only games that strangers could watch: of public tables, with the content of the box, from the day after they
ended. Never a deal of the day, nor a game that was played on from a position or guided. At most one puzzle per game. A
puzzle is stored as a position in its table's answers and the judges' verdict, so it is deleted with the table, and no
played answers are copied (ADR 32).

No game is examined twice and no position judged twice. With several processes a lease lets one at a time do it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.content import BUILT_IN
from veillee.games.owners import BROUGHT
from veillee.house import house_time
from veillee.house.analysis.puzzles import puzzle_seed
from veillee.house.background import PeriodicThread, logged
from veillee.house.errors import StoreError
from veillee.house.storage import leases
from veillee.house.storage.leases import Lease
from veillee.house.storage.schema import analyses, collected, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.table import Table
from veillee.house.workers.json_lines import JsonLinesProcess
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError
from veillee.match.match import Match
from veillee.match.owner_content import content_id
from veillee.match.puzzle_judges import OPEN_GAME_CHANCES, Judges
from veillee.match.puzzles import puzzles

log = logging.getLogger(__name__)

PUZZLE_WORKER_COMMAND = (sys.executable, "-m", "veillee.house.workers.puzzle_worker")
POLL_SECONDS = 30.0  # seconds between two polls for work
BUSY_POLL_SECONDS = 0.5  # seconds between two polls, during judging, whether guests wait for computations
POSITION_TIMEOUT_SECONDS = 120.0  # seconds per position: more than a slow machine needs without a compiled engine
MAX_CANDIDATES_PER_GAME = 12  # positions of a game: most are rejected quickly
MAX_PUZZLES_PER_BOX = 30  # puzzles of a box: the oldest are removed
MIN_PUZZLE_STANDARD_ERRORS = 3.0  # standard errors of the analysis
COLLECTOR_LEASE = Lease("puzzles", NO_SEAT, 1)  # the lease that a process holds while it judges


class Interrupted(Exception):
    """Raised when guests wait for other computations or the house closes: the positions are judged another time."""


class Waiting(NamedTuple):
    """A game with positions that are not judged yet."""

    table_id: str
    game: str
    text: str  # as stored

    @property
    def places(self) -> list[int]:
        return list(json.loads(self.text))


def find_clear_positions(match: Match, rows: Sequence[Mapping[str, Any]], margin: float) -> list[int]:
    """Returns the positions where the analysis finds one choice clearly best, as the number of answers before them.
    First those where the player missed it, then by how much better it is: what is best by far is often obvious to all
    players."""
    found = []
    if len(rows) != len(match.answers) + 1:
        return []
    for at, row in enumerate(rows[1:]):
        (best, wins, _), *others = row.get("options") or [(0, 0.0, 0.0)]
        if not (others and OPEN_GAME_CHANCES[0] < wins < OPEN_GAME_CHANCES[1]):
            continue
        if all(wins - other > max(margin, MIN_PUZZLE_STANDARD_ERRORS * error) for _, other, error in others):
            missed = best != match.answers[at][1]
            found.append((missed, wins - max(other for _, other, _ in others), at))
    return [at for _, _, at in sorted(found, reverse=True)[:MAX_CANDIDATES_PER_GAME]]


def is_standard_setup(box: Box, options: Mapping[str, str]) -> bool:
    """Returns whether it is played like the puzzles of the box: with the content of the box and without variants."""
    usual = all(options.get(one.id) in (None, next(iter(one.values))) for one in box.options)
    return usual and content_id(box, options) == BUILT_IN


class PuzzleCollector:
    """Puzzle collector of one process. read: returns a table replayed from its answers; busy: whether guests wait for
    computations."""

    def __init__(
        self,
        store: Store,
        read: Callable[[str], Table],
        me: str,
        busy: Callable[[], bool],
        command: Sequence[str] = PUZZLE_WORKER_COMMAND,
        judges: Judges = Judges(),  # noqa: B008 (it never changes)
    ) -> None:
        self.judges = judges
        self._store = store
        self._read = read
        self._process_id = me
        self._is_busy = busy
        self._command = command
        self._process: JsonLinesProcess | None = None
        self._starting = threading.Lock()  # guards _process
        self._thread = PeriodicThread(
            "puzzle-collector", self._poll, POLL_SECONDS, failure="No puzzles are collected for now"
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stops the thread and kills the judging process; unjudged positions stay queued."""
        self._thread.signal_stop()
        with self._starting:
            if self._process is not None:
                self._process.kill()
        self._thread.stop()

    def poll(self) -> bool:
        """Does one unit of work if no guest waits for other computations. Returns True if there may be more. Raises
        StoreError."""
        if self._is_busy() or not leases.acquire(self._store, COLLECTOR_LEASE, self._process_id):
            return False
        try:
            waiting = self._next()
            return self._judge_next_table() if waiting is None else self._judge_places(waiting)
        except Interrupted:
            return False
        finally:
            leases.release(self._store, COLLECTOR_LEASE, self._process_id)

    def _poll(self) -> float:
        """Polls once. Returns the seconds until the next poll."""
        return BUSY_POLL_SECONDS if self.poll() else POLL_SECONDS

    # -- selecting positions -------------------------------------------------------------------------------------------
    def _judge_next_table(self) -> bool:
        """Selects the positions of the next analysed game. Returns False if there is none."""
        midnight = datetime.combine(house_time.today(self._store.now), datetime.min.time(), UTC).timestamp()
        open_to_all = sa.and_(tables.c.public, tables.c.deal == "", tables.c.branch == "", tables.c.guide == "")
        with_a_page = [box.id for box in BOXES.values() if puzzles(box)]
        query = (
            sa.select(tables.c.id, tables.c.game, analyses.c.findings)
            .join(analyses, analyses.c.table_id == tables.c.id)
            .where(tables.c.status == "over", open_to_all, tables.c.touched < midnight, tables.c.game.in_(with_a_page))
            .where(tables.c.id.not_in(sa.select(collected.c.table_id)))
            .order_by(tables.c.touched)
            .limit(1)
        )
        with self._store.reading() as db:
            found = db.execute(query).first()
        if found is None:
            return False
        table, places = self._table(found.id), []
        if table is not None and is_standard_setup(table.box, table.options):
            with logged("No puzzle can be looked for in the game of table %s", found.id):
                places = find_clear_positions(table.match, json.loads(found.findings), self.judges.margin)
        row = {"table_id": found.id, "game": found.game, "waiting": json.dumps(places), "found": ""}
        with contextlib.suppress(Conflict), self._store.writing() as db:  # the table was deleted
            db.execute(collected.insert().values(row | {"made": self._store.now()}))
        return True

    def _next(self) -> Waiting | None:
        query = sa.select(collected.c.table_id, collected.c.game, collected.c.waiting)
        with self._store.reading() as db:
            row = db.execute(query.where(collected.c.waiting != "[]").order_by(collected.c.made).limit(1)).first()
        return None if row is None else Waiting(*row)

    def _table(self, table_id: str) -> Table | None:
        """Returns the table; None if it cannot be opened here. Raises StoreError."""
        try:
            return self._read(table_id)
        except StoreError:
            raise
        except VeilleeError:
            return None

    # -- judging -------------------------------------------------------------------------------------------------------
    def _judge_places(self, waiting: Waiting) -> bool:
        """Has the positions of that game judged until one is accepted. Raises Interrupted: the remaining positions stay
        queued."""
        places, table = waiting.places, self._table(waiting.table_id)
        if table is None or max(places) >= len(table.match.answers):
            self._write(waiting, [], None)
            return True
        said, cut_short = self._ask(table.match, [(at, puzzle_seed(table.id, at)) for at in places])
        judged, agreed = 0, None
        for line in said.splitlines(keepends=True):
            if not line.endswith("\n") or (agreed := json.loads(line)) is not None:
                break
            judged += 1
        if agreed is not None:
            at = places[judged]
            self._write(waiting, [], agreed | {"at": at, "seat": table.match.answers[at][0]})
        elif cut_short:
            self._write(waiting, places[judged:], None)
            raise Interrupted
        else:
            if judged < len(places):
                log.warning("A position of table %s could not be judged, and is left out.", table.id)
            self._write(waiting, places[judged + 1 :], None)
        return True

    def _write(self, waiting: Waiting, others: Sequence[int], agreed: Mapping[str, Any] | None) -> None:
        """Saves the result in one transaction: the puzzle, if accepted, and the positions still to be judged."""
        here = sa.and_(collected.c.table_id == waiting.table_id, collected.c.waiting == waiting.text)
        values: dict[str, Any] = {"waiting": json.dumps(others)}
        own = collected.c.game == waiting.game
        with contextlib.suppress(Conflict), self._store.writing() as db:
            if agreed is not None:
                last = db.execute(sa.select(sa.func.max(collected.c.number)).where(own)).scalar() or 0
                values |= {"number": last + 1, "found": json.dumps(agreed), "made": self._store.now()}
            db.execute(collected.update().where(here).values(values))
            newest = sa.select(collected.c.number).where(own, collected.c.number.is_not(None))
            oldest = newest.order_by(collected.c.number.desc()).offset(MAX_PUZZLES_PER_BOX).limit(1)
            if (number := db.execute(oldest).scalar()) is not None:
                old = sa.and_(own, collected.c.number <= number)
                db.execute(collected.update().where(old).values(number=None, found=""))

    def _ask(self, match: Match, places: Sequence[tuple[int, int]]) -> tuple[str, bool]:
        """Returns the judges' output, one line per position, and whether they were interrupted because guests wait or
        the house closes. Raises Interrupted: they were not started."""
        with self._starting:
            if self._thread.is_stopping:
                raise Interrupted
            process = self._process = JsonLinesProcess(self._command)
        job = {"files": BROUGHT, "match": match.save(), "places": places, "judges": asdict(self.judges)}
        said, stopped = process.ask_last(
            job,
            seconds=POSITION_TIMEOUT_SECONDS * len(places),
            poll_seconds=BUSY_POLL_SECONDS,
            should_stop=self._should_stop,
        )
        with self._starting:
            self._process = None
        return said, stopped or self._thread.is_stopping

    def _should_stop(self) -> bool:
        self._thread.beat()
        return self._is_busy()
