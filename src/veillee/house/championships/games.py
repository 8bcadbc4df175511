"""Results of the games of championships, and the luck in them: each is saved once, by the first process that sees it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.championships import repository
from veillee.house.championships.repository import Championship, ChampionshipGame, SeatResult
from veillee.house.storage import leases
from veillee.house.storage.leases import Lease
from veillee.house.storage.store import Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError

MAX_REPLAYS_PER_REQUEST = 20  # games replayed per request, for results that are not saved yet


class GameResults:
    """Results of all championships of one house."""

    def __init__(self, store: Store, tables: Tables, analyses: AnalysisQueue, process_id: str) -> None:
        self._store = store
        self._tables = tables
        self._analyses = analyses
        self._process_id = process_id

    def save(self, table: Table) -> None:
        """Saves the results of a finished table, and queues its analysis."""
        games = repository.load_games_of_table(self._store, table.id)
        seats = {one.entrant: _seat_of(one, table) for one in games}
        shares, row = table.match.state.returns(), table.moment.row
        results = {
            entrant: SeatResult(shares[seat], table.match.scores[seat], is_substituted=_is_substituted(table, seat))
            for entrant, seat in seats.items()
        }
        repository.save_results(self._store, table.id, row.touched, results)
        if self._analyses.find(table.id).state == "done":
            repository.save_luck(self._store, table.id, seats)
        elif leases.acquire(self._store, Lease(table.id, NO_SEAT, 1), self._process_id):
            self._analyses.enqueue_idle(table.id, table.match)

    def load(self, championship: Championship) -> list[ChampionshipGame]:
        """Returns all begun games; saves results and luck that are known by now, and queues missing analyses: what was
        queued is lost when the house closes."""
        games = repository.load_games(self._store, championship.id)
        lacking = [one for one in games if one.is_over and one.table_id and one.luck is None]
        ids = list(dict.fromkeys(one.table_id for one in lacking if not self._is_only_waiting(one)))
        self._save_missing(ids[:MAX_REPLAYS_PER_REQUEST])
        return repository.load_games(self._store, championship.id) if lacking else games

    def save_missing(self, championship: Championship) -> None:
        """Saves all results that are not saved yet."""
        games = repository.load_games(self._store, championship.id)
        self._save_missing(list(dict.fromkeys(one.table_id for one in games if one.is_result_unsaved)))

    def _save_missing(self, ids: Sequence[str]) -> None:
        for table_id in ids:
            with contextlib.suppress(VeilleeError):  # the version of its rules is no longer supported
                self.save(self._tables.replay(table_id))

    def _is_only_waiting(self, game: ChampionshipGame) -> bool:
        """Returns whether it lacks nothing but its analysis, which is queued."""
        return game.share is not None and self._analyses.find(game.table_id).state in ("waiting", "running")


def _seat_of(game: ChampionshipGame, table: Table) -> int:
    """Returns the entrant's seat; of games from before it was saved: the only person's."""
    if game.seat is not None:
        return game.seat
    return next(number for number, seat in enumerate(table.seats) if seat.kind == "person")


def _is_substituted(table: Table, seat: int) -> bool:
    """Returns whether a bot has played for the player, also for one who has left the house."""
    return table.seats[seat].kind == "bot" or seat_clocks.has_played_as_bot(table.moment.row.lines, seat)
