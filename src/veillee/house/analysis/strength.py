"""Measured strength of a guest in a box, for bots of matching strength (ADR 31).

After each analysis of a finished game the quality of each player's answers is saved: what better answers would have
gained (regret), and how much luck moved (stakes). The totals of the latest games give the strength that answers equally
well (bots/strength_scale.py). Guests see only their own.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from veillee.bots import strength_scale as scale
from veillee.bots.levels import MEASURE, STRENGTH_MARKS, adaptive_level_name
from veillee.games.box import Box
from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.background import Background
from veillee.house.storage import leases
from veillee.house.storage.leases import Lease
from veillee.house.storage.schema import measures, seats, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, SeatPlan, is_adaptive_level
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.analysis import Account, restore_findings
from veillee.match.errors import VeilleeError
from veillee.match.match import Match

log = logging.getLogger(__name__)

MIN_ANALYSED_GAMES = 3  # analysed games before a bot can be matched to a guest
GAMES_COUNTED = 10  # games that count


@dataclass(frozen=True)
class GuestStrength:
    """Quality of a guest's recent answers in a box."""

    box: Box
    games: int = 0
    regret: float = 0.0
    stakes: float = 0.0

    @property
    def missing(self) -> int:
        """How many more games must be analysed."""
        return max(0, MIN_ANALYSED_GAMES - self.games)

    @property
    def ratio(self) -> float:
        """Regret / stakes."""
        return self.regret / self.stakes

    @property
    def strength(self) -> float | None:
        """The strength; None: not known yet."""
        if self.missing or not self.stakes or not scale.marks(self.box):
            return None
        return scale.strength(self.box, self.ratio)

    @property
    def level(self) -> str:
        """The level of a bot of that strength; a regular's while the strength is unknown."""
        return adaptive_level_name(STRENGTH_MARKS[SUBSTITUTE_LEVEL] if self.strength is None else self.strength)


class AnalysedGame(NamedTuple):
    """A game of the guest that counts."""

    table_id: str
    ended: float
    regret: float
    stakes: float


def load_analysed_games(store: Store, guest: str, box: Box) -> list[AnalysedGame]:
    """Returns the guest's games that count, latest first."""
    columns = (measures.c.table_id, measures.c.ended, measures.c.regret, measures.c.stakes)
    mine = sa.and_(measures.c.guest == guest, measures.c.game == box.id)
    with store.reading() as db:
        found = db.execute(sa.select(*columns).where(mine).order_by(measures.c.ended.desc()).limit(GAMES_COUNTED))
        return [AnalysedGame(*row) for row in found]


def load_strength(store: Store, guest: str, box: Box) -> GuestStrength:
    games = load_analysed_games(store, guest, box)
    return GuestStrength(box, len(games), sum(game.regret for game in games), sum(game.stakes for game in games))


class StrengthService:
    """Strength measurement of one house. find: returns the current table; me: id of this process; closed: set when the
    house is closed."""

    def __init__(
        self,
        store: Store,
        analyses: AnalysisQueue,
        find: Callable[[str], Table],
        me: str,
        background: Background,
        closed: threading.Event,
    ) -> None:
        self._store = store
        self._analyses = analyses
        self._find = find
        self._process_id = me
        self._background = background
        self._closed = closed

    def resolve_levels(self, guest: str, box: Box, plans: Sequence[SeatPlan]) -> list[SeatPlan]:
        """Returns the plans with every measured bot's level set to the guest's strength. The level does not change
        afterwards.

        If too few of their games are analysed, a thread queues the missing analyses meanwhile.
        """
        if not any(plan.kind == "bot" and plan.level == MEASURE for plan in plans):
            return list(plans)
        level = load_strength(self._store, guest, box).level
        self._background.run_apart("look back", partial(self._analyse_earlier_games, guest, box))
        return [
            SeatPlan("bot", plan.name, level) if plan.kind == "bot" and plan.level == MEASURE else plan
            for plan in plans
        ]

    def on_game_over(self, table: Table) -> None:
        """Queues the analysis of a finished game against a measured bot, so that the next one fits better."""
        if any(seat.kind == "bot" and is_adaptive_level(seat.level) for seat in table.seats):
            self._request_analysis(table.id)

    def analyse_earlier_games(self, guest: str, box: Box) -> None:
        """Queues analyses of the guest's latest games in the box, as many as are missing."""
        missing = load_strength(self._store, guest, box).missing
        theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest)
        known = sa.select(measures.c.table_id).where(measures.c.guest == guest)
        query = (
            sa.select(tables.c.id)
            .where(tables.c.id.in_(theirs), tables.c.id.not_in(known), tables.c.game == box.id)
            .where(tables.c.status == "over", tables.c.branch == "", tables.c.guide == "")
            .order_by(tables.c.touched.desc())
            .limit(GAMES_COUNTED)
        )
        with self._store.reading() as db:
            ids = list(db.execute(query).scalars())
        for table_id in ids:
            if missing <= 0:
                return
            with contextlib.suppress(VeilleeError):  # a table that cannot be opened here
                missing -= self._request_analysis(table_id, guest)

    def record_analysis(self, table_id: str, match: Match, rows: Sequence[Mapping[str, Any]]) -> None:
        """Saves the quality of answers of each guest who played the whole game on one seat. Raises StoreError."""
        table = self._find(table_id)
        players = guests_at(table)
        if not players:
            return
        account = Account(match.seats)
        for found in restore_findings(match, rows):
            account.add(found)
        with (
            contextlib.suppress(Conflict),
            self._store.writing() as db,
        ):  # another process was faster, or a guest was deleted
            for guest, seat in players.items():
                row = {"guest": guest, "table_id": table_id, "game": table.box.id, "ended": table.moment.row.touched}
                db.execute(
                    measures.insert().values(row | {"regret": account.regret[seat], "stakes": account.stakes[seat]})
                )

    def _analyse_earlier_games(self, guest: str, box: Box) -> None:
        try:
            if not self._closed.is_set():
                self.analyse_earlier_games(guest, box)
        except VeilleeError as error:
            log.warning("Nobody can look at the games that %s has played before: %s", guest, error)

    def _request_analysis(self, table_id: str, guest: str = "") -> bool:
        """Queues an analysis, in one process of the house, with low priority. Returns False if it would not count for
        the guest."""
        table = self._find(table_id)
        players = guests_at(table)
        if not players or (guest and guest not in players):
            return False
        found = self._analyses.find(table_id)
        if found.state == "done":  # analysed before this was saved
            self.record_analysis(table_id, table.match, found.rows)
        elif leases.acquire(self._store, Lease(table_id, NO_SEAT, 1), self._process_id):
            self._analyses.enqueue_idle(table_id, table.match)
        return True


def guests_at(table: Table) -> dict[str, int]:
    """Returns the guests whose game counts, with their seats: not in hot seat, with a substitute, in a guided game, or
    in one played on from a position."""
    row = table.moment.row
    if row.status != "over" or row.branch or row.guide:
        return {}
    left = {n for n, seat in enumerate(row.seats) if seat.away or seat_clocks.has_played_as_bot(row.lines, n)}
    often = Counter(seat.guest for seat in row.seats)
    return {
        seat.guest: n for n, seat in enumerate(row.seats) if seat.guest and often[seat.guest] == 1 and n not in left
    }
