"""How strong a guest is in a box, for bots that are made to measure (ADR 31).

Whenever a finished game has been analysed, it is noted how well each person at the table has answered there: what better answers
would have promised, and what luck moved. The latest of these games, added up, say which strength answers alike
(bots/strength_scale.py). Nobody is shown anybody else's.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from veillee.bots import strength_scale as scale
from veillee.bots.levels import MARKS, MEASURE, made
from veillee.games.box import Box
from veillee.house.accounts.people import SUBSTITUTE, SeatPlan, is_made
from veillee.house.analysis.queue import Analyses
from veillee.house.storage import leases
from veillee.house.storage.leases import Question
from veillee.house.storage.schema import measures, seats, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.analysis import Account, revived
from veillee.match.errors import VeilleeError
from veillee.match.match import Match

log = logging.getLogger(__name__)

ENOUGH = 3  # analysed games, before a bot can be made to somebody's measure
LATEST = 10  # of them that count


@dataclass(frozen=True)
class Measure:
    """How well a guest has answered in a box, lately."""

    box: Box
    games: int = 0
    regret: float = 0.0
    stakes: float = 0.0

    @property
    def missing(self) -> int:
        """So many more games must be analysed."""
        return max(0, ENOUGH - self.games)

    @property
    def ratio(self) -> float:
        """What better answers would have promised / what luck moved."""
        return self.regret / self.stakes

    @property
    def strength(self) -> float | None:
        """None: it is not known yet."""
        if self.missing or not self.stakes or not scale.marks(self.box):
            return None
        return scale.strength(self.box, self.ratio)

    @property
    def level(self) -> str:
        """Of a bot that plays like them; like a regular, as long as nobody knows."""
        return made(MARKS[SUBSTITUTE] if self.strength is None else self.strength)


class Noted(NamedTuple):
    """One game of the guest's that counts."""

    table_id: str
    ended: float
    regret: float
    stakes: float


def noted(store: Store, guest: str, box: Box) -> list[Noted]:
    """The latest first."""
    columns = (measures.c.table_id, measures.c.ended, measures.c.regret, measures.c.stakes)
    mine = sa.and_(measures.c.guest == guest, measures.c.game == box.id)
    with store.reading() as db:
        found = db.execute(sa.select(*columns).where(mine).order_by(measures.c.ended.desc()).limit(LATEST))
        return [Noted(*row) for row in found]


def measure_of(store: Store, guest: str, box: Box) -> Measure:
    games = noted(store, guest, box)
    return Measure(box, len(games), sum(game.regret for game in games), sum(game.stakes for game in games))


class Measures:
    """Of one house. `find`: a table as it is now; `me`: this process; `closed`: the house is."""

    def __init__(
        self, store: Store, analyses: Analyses, find: Callable[[str], Table], me: str, closed: threading.Event
    ) -> None:
        self._store = store
        self._analyses = analyses
        self._find = find
        self._me = me
        self._closed = closed
        analyses.when_kept = self.note

    def fitted(self, guest: str, box: Box, plans: Sequence[SeatPlan]) -> list[SeatPlan]:
        """The seats as they will be taken: a bot to be made to measure is made for the guest. It stays like that.

        If not enough of their games are known, those are looked at meanwhile."""
        if not any(plan.kind == "bot" and plan.level == MEASURE for plan in plans):
            return list(plans)
        level = measure_of(self._store, guest, box).level
        threading.Thread(target=self._look_back, args=(guest, box), name="look back", daemon=True).start()
        return [
            SeatPlan("bot", plan.name, level) if plan.kind == "bot" and plan.level == MEASURE else plan
            for plan in plans
        ]

    def over(self, table: Table) -> None:
        """A game against a bot that was made to measure is analysed by itself, so that the next one fits better."""
        if any(seat.kind == "bot" and is_made(seat.level) for seat in table.seats):
            self._have_analysed(table.id)

    def look_back(self, guest: str, box: Box) -> None:
        """Have the guest's latest games in the box analysed, as many as are missing."""
        missing = measure_of(self._store, guest, box).missing
        theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest)
        known = sa.select(measures.c.table_id).where(measures.c.guest == guest)
        query = (
            sa.select(tables.c.id)
            .where(tables.c.id.in_(theirs), tables.c.id.not_in(known), tables.c.game == box.id)
            .where(tables.c.status == "over", tables.c.branch == "", tables.c.guide == "")
            .order_by(tables.c.touched.desc())
            .limit(LATEST)
        )
        with self._store.reading() as db:
            ids = list(db.execute(query).scalars())
        for table_id in ids:
            if missing <= 0:
                return
            with contextlib.suppress(VeilleeError):  # one that cannot be opened here
                missing -= self._have_analysed(table_id, guest)

    def note(self, table_id: str, match: Match, rows: Sequence[Mapping[str, Any]]) -> None:
        """What an analysis says about everybody who has played the whole game on one seat. Raises StoreError."""
        table = self._find(table_id)
        players = people(table)
        if not players:
            return
        account = Account(match.seats)
        for found in revived(match, rows):
            account.add(found)
        with (
            contextlib.suppress(Conflict),
            self._store.writing() as db,
        ):  # another process was faster, or somebody has left
            for guest, seat in players.items():
                row = {"guest": guest, "table_id": table_id, "game": table.box.id, "ended": table.now.row.touched}
                db.execute(
                    measures.insert().values(row | {"regret": account.regret[seat], "stakes": account.stakes[seat]})
                )

    def _look_back(self, guest: str, box: Box) -> None:
        try:
            if not self._closed.is_set():
                self.look_back(guest, box)
        except VeilleeError as error:
            log.warning("Nobody can look at the games that %s has played before: %s", guest, error)

    def _have_analysed(self, table_id: str, guest: str = "") -> bool:
        """By one of the house's processes, when nobody waits. False: it would say nothing about them."""
        table = self._find(table_id)
        players = people(table)
        if not players or (guest and guest not in players):
            return False
        found = self._analyses.find(table_id)
        if found.state == "done":  # from the days before anybody noted it
            self.note(table_id, table.match, found.rows)
        elif leases.claim(self._store, Question(table_id, NO_SEAT, 1), self._me):
            self._analyses.when_idle(table_id, table.match)
        return True


def people(table: Table) -> dict[str, int]:
    """Whose game it was, and on which seat: not where several shared a screen, where a bot stood in for them, nor where they
    were shown what to do, or began in the middle."""
    row = table.now.row
    if row.status != "over" or row.branch or row.guide:
        return {}
    left = {line.seat for line in row.lines if line.what != "back"} | {
        n for n, seat in enumerate(row.seats) if seat.away
    }
    often = Counter(seat.guest for seat in row.seats)
    return {
        seat.guest: n for n, seat in enumerate(row.seats) if seat.guest and often[seat.guest] == 1 and n not in left
    }
