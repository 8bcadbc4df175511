"""Puzzles from games that were played here: the house looks through what was analysed, and has the clearest positions of a game
judged as those that a box brings were (match/puzzle_judges.py), when nobody waits for anything else.

Only games that strangers could watch: of public tables, with what lies in the box, and from the day after they ended on. Never
a deal of the day, nor a game that began in the middle or with a guide. One puzzle of a game at most. It is a place in its
table's answers and what was agreed on; so it goes with the table, and nothing that was played is copied (ADR 32).

What was looked through is never looked through again, what was judged is never judged again. Of several processes one at a
time does it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.content import BUILT_IN
from veillee.games.owners import BROUGHT
from veillee.house.analysis.puzzles import known_by
from veillee.house.errors import StoreError
from veillee.house.results.daily_deals import today
from veillee.house.storage import leases
from veillee.house.storage.leases import Question
from veillee.house.storage.schema import analyses, collected, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.table import Table
from veillee.house.workers.pool import started
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError
from veillee.match.match import Match
from veillee.match.owner_content import named
from veillee.match.puzzle_judges import OPEN, Judges
from veillee.match.puzzles import puzzles

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "veillee.house.workers.puzzle_worker")
OFTEN = 30.0  # seconds between two looks whether there is anything to do
LOOK = 0.5  # seconds between two looks whether anybody waits, while a position is judged
PATIENCE = 120.0  # seconds for a position: more than a slow machine takes without a compiled engine
CANDIDATES = 12  # positions of a game: most of them are turned down in a moment
KEPT = 30  # puzzles of a box: the oldest go
SURE = 3.0  # standard errors, in the analysis
THE_ONE = Question("puzzles", NO_SEAT, 1)  # what a process claims while it judges


class Interrupted(Exception):
    """Somebody waits for something else, or the house closes: it is judged another time."""


class Waiting(NamedTuple):
    """A game with positions that nobody has judged yet."""

    table_id: str
    game: str
    text: str  # as it is written down

    @property
    def places(self) -> list[int]:
        return list(json.loads(self.text))


def clearest(match: Match, rows: Sequence[Mapping[str, Any]], margin: float) -> list[int]:
    """Where an analysis finds one choice clearly the best: how many answers came before. First where somebody has not found it,
    then by how much better it is: what is best by far is often what everybody sees."""
    found = []
    if len(rows) != len(match.answers) + 1:
        return []
    for at, row in enumerate(rows[1:]):
        (best, wins, _), *others = row.get("options") or [(0, 0.0, 0.0)]
        if not (others and OPEN[0] < wins < OPEN[1]):
            continue
        if all(wins - other > max(margin, SURE * error) for _, other, error in others):
            missed = best != match.answers[at][1]
            found.append((missed, wins - max(other for _, other, _ in others), at))
    return [at for _, _, at in sorted(found, reverse=True)[:CANDIDATES]]


def as_usual(box: Box, options: Mapping[str, str]) -> bool:
    """Is it played as the puzzles that lie in the box are: with what lies there, and without variants?"""
    usual = all(options.get(one.id) in (None, next(iter(one.values))) for one in box.options)
    return usual and named(box, options) == BUILT_IN


class Collector:
    """Of one process of the house. `read`: a table as its answers make it; `busy`: does anybody wait for something?"""

    def __init__(
        self,
        store: Store,
        read: Callable[[str], Table],
        me: str,
        busy: Callable[[], bool],
        command: Sequence[str] = COMMAND,
        judges: Judges = Judges(),  # noqa: B008 (it never changes)
    ) -> None:
        self.judges = judges
        self._store = store
        self._read = read
        self._me = me
        self._busy = busy
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._starting = threading.Lock()  # of it
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._tend, name="collector", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """What is being judged is judged another day."""
        self._stopped.set()
        with self._starting:
            if self._process is not None:
                self._process.kill()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> bool:
        """One thing to do, if nobody waits for anything else. True: something was done, there may be more. Raises
        StoreError."""
        if self._busy() or not leases.claim(self._store, THE_ONE, self._me):
            return False
        try:
            waiting = self._next()
            return self._look_through() if waiting is None else self._have_judged(waiting)
        except Interrupted:
            return False
        finally:
            leases.give_up(self._store, THE_ONE, self._me)

    def _tend(self) -> None:
        wait = OFTEN
        while not self._stopped.wait(wait):
            try:
                wait = LOOK if self.look() else OFTEN
            except StoreError as error:
                wait = OFTEN
                if not self._stopped.is_set():
                    log.warning("No puzzles are collected for now: %s", error)

    # -- which positions ------------------------------------------------------------------------------------------------
    def _look_through(self) -> bool:
        """The next analysed game. False: there is none."""
        midnight = datetime.combine(today(self._store), datetime.min.time(), UTC).timestamp()
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
        if table is not None and as_usual(table.box, table.options):
            places = clearest(table.match, json.loads(found.findings), self.judges.margin)
        row = {"table_id": found.id, "game": found.game, "waiting": json.dumps(places), "found": ""}
        with contextlib.suppress(Conflict), self._store.writing() as db:  # the table is gone
            db.execute(collected.insert().values(row | {"made": self._store.now()}))
        return True

    def _next(self) -> Waiting | None:
        query = sa.select(collected.c.table_id, collected.c.game, collected.c.waiting)
        with self._store.reading() as db:
            row = db.execute(query.where(collected.c.waiting != "[]").order_by(collected.c.made).limit(1)).first()
        return None if row is None else Waiting(*row)

    def _table(self, table_id: str) -> Table | None:
        """None: it cannot be opened here. Raises StoreError."""
        try:
            return self._read(table_id)
        except StoreError:
            raise
        except VeilleeError:
            return None

    # -- what the judges say --------------------------------------------------------------------------------------------
    def _have_judged(self, waiting: Waiting) -> bool:
        """The positions of that game, until one is agreed on. Raises Interrupted: what is not judged yet goes on waiting."""
        places, table = waiting.places, self._table(waiting.table_id)
        if table is None or max(places) >= len(table.match.answers):
            self._write(waiting, [], None)
            return True
        said, cut_short = self._ask(table.match, [(at, known_by(table.id, at)) for at in places])
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
        """What comes of it, all at once: the puzzle, if it is one, and what is still to be judged."""
        here = sa.and_(collected.c.table_id == waiting.table_id, collected.c.waiting == waiting.text)
        values: dict[str, Any] = {"waiting": json.dumps(others)}
        own = collected.c.game == waiting.game
        with contextlib.suppress(Conflict), self._store.writing() as db:
            if agreed is not None:
                last = db.execute(sa.select(sa.func.max(collected.c.number)).where(own)).scalar() or 0
                values |= {"number": last + 1, "found": json.dumps(agreed), "made": self._store.now()}
            db.execute(collected.update().where(here).values(values))
            newest = sa.select(collected.c.number).where(own, collected.c.number.is_not(None))
            oldest = newest.order_by(collected.c.number.desc()).offset(KEPT).limit(1)
            if (number := db.execute(oldest).scalar()) is not None:
                old = sa.and_(own, collected.c.number <= number)
                db.execute(collected.update().where(old).values(number=None, found=""))

    def _ask(self, match: Match, places: Sequence[tuple[int, int]]) -> tuple[str, bool]:
        """What the judges say, a line for a position; and whether they were cut short, for somebody waits or the house
        closes. Raises Interrupted: they were not even asked."""
        with self._starting:
            if self._stopped.is_set():
                raise Interrupted
            process = self._process = started(self._command)
        job = {"files": BROUGHT, "match": match.save(), "places": places, "judges": asdict(self.judges)}
        until = time.monotonic() + PATIENCE * len(places)
        given: str | None = json.dumps(job) + "\n"
        while True:
            try:
                said, _ = process.communicate(given, timeout=LOOK)
                break
            except subprocess.TimeoutExpired:
                given = None
                if time.monotonic() > until or self._busy():
                    break
        with self._starting:
            self._process = None
            ended = process.poll() is not None
            process.kill()
        if not ended:
            said, _ = process.communicate()
        return said, self._stopped.is_set() or (not ended and time.monotonic() <= until)
