"""Results of the games of championships, and the luck in them: each is saved once, by the first process that sees it."""

from __future__ import annotations

import contextlib
import threading
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile

from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.championships import repository
from veillee.house.championships.repository import Championship, ChampionshipGame, GamesVersion, SeatResult
from veillee.house.storage import leases
from veillee.house.storage.leases import Lease
from veillee.house.storage.store import Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError

MAX_LOADED = 8  # championships whose games are in memory
MAX_LOOKED_AT = 100  # games that are not analysed, when there is room in the queue
MAX_REPLAYS_PER_REQUEST = 20  # games replayed per request, for results that are not saved yet


@dataclass(frozen=True)
class LoadedGames:
    """All begun games of a championship, by entrant and deal, and the version that they have."""

    version: GamesVersion
    games: Sequence[ChampionshipGame]

    def of_entrant(self, entrant: int) -> dict[int, ChampionshipGame]:
        """Returns the games of an entrant, by deal."""
        first = bisect_left(self.games, entrant, key=lambda one: one.entrant)
        return {one.deal: one for one in takewhile(lambda one: one.entrant == entrant, islice(self.games, first, None))}

    @cached_property
    def ended(self) -> Counter[int]:
        """How many games each entrant has finished."""
        return Counter(one.entrant for one in self.games if one.is_over)


class GameResults:
    """Results of all championships of one house."""

    def __init__(self, store: Store, tables: Tables, analyses: AnalysisQueue, process_id: str) -> None:
        self._store = store
        self._tables = tables
        self._analyses = analyses
        self._process_id = process_id
        self._loaded: OrderedDict[str, LoadedGames] = OrderedDict()  # by championship, latest last
        self._lock = threading.Lock()  # guards it

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
        if self._is_analysed(table.id):
            repository.save_luck(self._store, table.id, seats)
        elif self._analyses.idle_room() and self._is_ours(table.id):
            self._analyses.enqueue_idle(table.id, table.match)

    def on_analysed(self, table_id: str) -> None:
        """Saves the luck in a game that was analysed, and queues games of its championship that are not."""
        games = repository.load_games_of_table(self._store, table_id)
        if games:
            self.save(self._tables.load(table_id))
            self._queue_missing(games[0].championship)

    def load(self, championship: Championship) -> LoadedGames:
        """Returns all begun games; saves results that are known by now, and queues missing analyses: what was queued is
        lost when the house closes."""
        found = self._load(championship.id)
        unsaved = list(dict.fromkeys(one.table_id for one in found.games if one.is_result_unsaved))
        self._save_missing(unsaved[:MAX_REPLAYS_PER_REQUEST])
        if found.version.with_result > found.version.with_luck:
            self._queue_missing(championship.id)
        elif not unsaved:
            return found
        return self._load(championship.id)

    def save_missing(self, championship: Championship) -> None:
        """Saves all results that are not saved yet."""
        games = repository.load_games(self._store, championship.id)
        self._save_missing(list(dict.fromkeys(one.table_id for one in games if one.is_result_unsaved)))

    def _save_missing(self, ids: Sequence[str]) -> None:
        for table_id in ids:
            with contextlib.suppress(VeilleeError):  # the version of its rules is no longer supported
                self.save(self._tables.replay(table_id))

    def _queue_missing(self, championship_id: str) -> None:
        """Queues analyses that are missing, as many as there is room for: at other times this costs nothing. Luck that is
        known already, as another process has analysed the game, is saved."""
        room = self._analyses.idle_room()
        for table_id in repository.find_unanalysed(self._store, championship_id, MAX_LOOKED_AT) if room else ():
            is_waiting = self._analyses.is_pending(table_id)
            if room and not is_waiting and (self._is_analysed(table_id) or self._is_ours(table_id)):
                room -= 1
                self._save_missing([table_id])

    def _is_analysed(self, table_id: str) -> bool:
        return self._analyses.find(table_id).state == "done"

    def _is_ours(self, table_id: str) -> bool:
        """Returns whether the analysis is left to this process."""
        return leases.acquire(self._store, Lease(table_id, NO_SEAT, 1), self._process_id)

    def _load(self, championship_id: str) -> LoadedGames:
        """Returns all begun games. They are read again if any has changed, but for those of earlier rounds, which do not
        change any more."""
        version = repository.load_version(self._store, championship_id)
        with self._lock:
            known = self._loaded.get(championship_id)
        if known is None or known.version != version:
            settled = _settled_games(known, version)
            after = settled[-1].round if settled else -1
            fresh = repository.load_games(self._store, championship_id, after_round=after)
            known = LoadedGames(version, sorted([*settled, *fresh], key=lambda one: (one.entrant, one.deal)))
        with self._lock:
            self._loaded[championship_id] = known
            self._loaded.move_to_end(championship_id)
            while len(self._loaded) > MAX_LOADED:
                self._loaded.popitem(last=False)
        return known


def _settled_games(known: LoadedGames | None, version: GamesVersion) -> list[ChampionshipGame]:
    """Returns the known games of the first rounds in which each has a result and its luck, by round. None if a table was
    deleted meanwhile: it can be any."""
    if known is None or known.version.deleted != version.deleted:
        return []
    open_rounds = [one.round for one in known.games if one.share is None or one.luck is None]
    # The latest round that is known may not have been known whole.
    until = min([*open_rounds, max((one.round for one in known.games), default=0)])
    return sorted((one for one in known.games if one.round < until), key=lambda one: one.round)


def _seat_of(game: ChampionshipGame, table: Table) -> int:
    """Returns the entrant's seat; of games from before it was saved: the only person's."""
    if game.seat is not None:
        return game.seat
    return next(number for number, seat in enumerate(table.seats) if seat.kind == "person")


def _is_substituted(table: Table, seat: int) -> bool:
    """Returns whether a bot has played for the player, also for one who has left the house."""
    return table.seats[seat].kind == "bot" or seat_clocks.has_played_as_bot(table.moment.row.lines, seat)
