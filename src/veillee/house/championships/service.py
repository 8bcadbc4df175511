"""Championships of a house: each entrant plays the same sealed deals, once, against the same bots.

The deals are drawn when the championship is created, and the commitments to them are published then. Until it ends, an
entrant sees of a deal what the others made of it only after playing it; visitors see nothing of it. When it ends, all
seeds are opened. Bots think without a time limit, so that equal play gets equal answers, and hints are off.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from veillee.bots.levels import OFFERED
from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import MAX_RAW_FACTOR, keep_visible_characters, mixes_scripts
from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.championships import repository
from veillee.house.championships.repository import Championship, ChampionshipGame, Entrant
from veillee.house.championships.standings import Certainty, Line, certainty_of_first, rank_entrants
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours, t
from veillee.house.storage import leases
from veillee.house.storage.leases import Lease
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.creation import TableTerms, find_box, new_id
from veillee.house.tables.seats import BOT_NAMES, SeatPlan
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match import seeds
from veillee.match.errors import VeilleeError
from veillee.match.setup import complete

LONGEST_TITLE = 60  # characters
MIN_DEALS, MAX_DEALS = 1, 24
MAX_ENTRANTS = 500
MAX_RUNNING = 5  # championships of one organiser at a time
MAX_LISTED = 20
HOUR_SECONDS = 3600.0
MIN_HOURS, MAX_HOURS = 1, 24 * 92
MAX_REPLAYS_PER_REQUEST = 20  # games replayed per request, for results that are not saved yet


@dataclass(frozen=True)
class Standings:
    """A championship as one reader may see it."""

    championship: Championship
    is_over: bool
    entrants: Sequence[Entrant]
    me: Entrant | None
    mine: Mapping[int, ChampionshipGame]  # the reader's games, by deal
    ended: Mapping[int, int]  # number of games that each entrant has finished
    deals: Sequence[int]  # the deals whose results the reader may see: the standings are of these
    games: Sequence[ChampionshipGame]  # finished ones of these deals
    lines: Sequence[Line]
    certainty: Certainty | None
    unanalysed: int  # games that are not analysed yet


class Championships:
    """Championships of one house. Safe to use from any thread."""

    def __init__(self, store: Store, tables: Tables, analyses: AnalysisQueue, process_id: str) -> None:
        self._store = store
        self._tables = tables
        self._analyses = analyses
        self._process_id = process_id

    # -- changes -------------------------------------------------------------------------------------------------
    def create(
        self, guest: Guest, game: str, name: str, options: Mapping[str, str], *, deals: int, level: str, hours: int
    ) -> Championship:
        """Creates a championship and seals its deals. hours: until it ends. Raises BadRequest, NotNow."""
        box = find_box(game)
        if not self._tables.is_on_shelf(box.id):
            raise BadRequest(t("{game} is not on the shelf of this house.", game=box.title))
        if not MIN_DEALS <= deals <= MAX_DEALS:
            raise BadRequest(t("A championship has {least} to {most} deals.", least=MIN_DEALS, most=MAX_DEALS))
        if not MIN_HOURS <= hours <= MAX_HOURS:
            raise BadRequest(t("A championship lasts from one hour to three months."))
        if level not in OFFERED:
            raise BadRequest(
                t("There is no level {level}: the levels are {levels}.", level=level[:40], levels=", ".join(OFFERED))
            )
        if repository.count_running(self._store, guest.id) >= MAX_RUNNING:
            raise NotNow(t("You already run {most} championships: wait until one of them is over.", most=MAX_RUNNING))
        now = self._store.now()
        championship = Championship(
            new_id(),  # it is found by its link alone
            clean_title(name),
            box.id,
            box.version,
            complete(box, options),
            level,
            guest.id,
            now,
            now + hours * HOUR_SECONDS,
            tuple(seeds.new_seed() for _ in range(deals)),
        )
        repository.add(self._store, championship)
        return championship

    def enter(self, guest: Guest, championship: Championship) -> Entrant:
        """Returns the guest as an entrant; adds them if they are none yet. Raises NotNow."""
        if self._store.now() >= championship.ends:
            raise NotNow(t("This championship is over."))
        with contextlib.suppress(Conflict):  # entered at the same moment by another request
            if not repository.enter(self._store, championship.id, guest.id, MAX_ENTRANTS):
                raise NotNow(t("This championship is full: it has {most} players.", most=MAX_ENTRANTS))
        entrants = repository.load_entrants(self._store, championship.id)
        found = next((one for one in entrants if one.guest == guest.id), None)
        if found is None:  # as many entered at the same moment
            raise NotNow(t("Too many changes at once: please try again."))
        return found

    def open_table(self, guest: Guest, championship: Championship, deal: int) -> Table:
        """Returns the entrant's table with that deal; creates it if they have not begun it. Raises NotYours, NotNow,
        NotFound."""
        if deal not in championship.deals:
            raise NotFound(t("This championship has no such deal."))
        entrants = repository.load_entrants(self._store, championship.id)
        me = next((one for one in entrants if one.guest == guest.id), None)
        if me is None:
            raise NotYours(t("Join the championship first."))
        if self._find_game(championship, me, deal) is None:
            if self._store.now() >= championship.ends:
                raise NotNow(t("This championship is over."))
            with contextlib.suppress(Conflict):  # begun at the same moment by another request
                return self._tables.create_on(
                    guest,
                    TableTerms(
                        find_box(championship.game),
                        seat_plans(find_box(championship.game), championship, deal),
                        championship.options,
                        hints=False,
                        seed=championship.seed(deal),
                        version=championship.version,
                        deal=championship.id,
                        sealed_until=championship.ends,
                    ),
                    register=partial(repository.register_game, championship.id, me.number, deal),
                )
        begun = self._find_game(championship, me, deal)
        if begun is None or not begun.table_id:
            raise NotNow(t("You have played this deal, and deleted its table."))
        return self._tables.find(begun.table_id)

    def on_game_over(self, table: Table) -> None:
        """Saves the result of a championship's game, and queues its analysis."""
        if table.moment.row.sealed_until is not None:
            self._save_result(table)
            self._request_analysis(table)

    # -- reading -------------------------------------------------------------------------------------------------
    def find(self, championship_id: str) -> Championship:
        """Raises NotFound."""
        found = repository.find(self._store, championship_id)
        if found is None:
            raise NotFound(t("There is no such championship: is the link complete?"))
        return found

    def list_mine(self, guest: Guest) -> list[Championship]:
        """Returns the championships that the guest organises or has entered, latest first."""
        return repository.find_by_guest(self._store, guest.id, MAX_LISTED)

    def standings(self, championship: Championship, guest: Guest | None) -> Standings:
        """Returns the standings as this reader may see them: of the deals that they have played, or of all when the
        championship is over."""
        entrants = repository.load_entrants(self._store, championship.id)
        games = self._with_results(championship)
        is_over = self._store.now() >= championship.ends
        me = next((one for one in entrants if guest is not None and one.guest == guest.id), None)
        mine = {one.deal: one for one in games if me is not None and one.entrant == me.number}
        deals = [deal for deal in championship.deals if is_over or (deal in mine and mine[deal].is_over)]
        counted = [
            one if one.is_finished_before(championship.ends) else one.as_lost()
            for one in games
            if one.deal in deals and (is_over or one.is_over) and not one.is_result_unsaved
        ]
        results = [one.result for one in counted if one.result is not None]
        lines = rank_entrants(results)
        return Standings(
            championship,
            is_over,
            entrants,
            me,
            mine,
            {one.number: sum(game.entrant == one.number and game.is_over for game in games) for one in entrants},
            deals,
            counted,
            lines,
            certainty_of_first(results, lines),
            sum(one.luck is None for one in results),
        )

    def may_look(self, guest: Guest, table: Table) -> bool:
        """Returns whether the guest may look at another entrant's sealed table: they have finished the same deal."""
        found = repository.find_game_of_table(self._store, table.id)
        if found is None:
            return False
        championship_id, _, deal = found
        entrants = {one.number: one.guest for one in repository.load_entrants(self._store, championship_id)}
        games = repository.load_games(self._store, championship_id)
        return any(one.deal == deal and one.is_over and entrants[one.entrant] == guest.id for one in games)

    # -- internals -----------------------------------------------------------------------------------------------
    def _find_game(self, championship: Championship, entrant: Entrant, deal: int) -> ChampionshipGame | None:
        games = repository.load_games(self._store, championship.id)
        return next((one for one in games if (one.entrant, one.deal) == (entrant.number, deal)), None)

    def _with_results(self, championship: Championship) -> list[ChampionshipGame]:
        """Returns all begun games; saves results and luck that are known by now, and queues missing analyses: what was
        queued is lost when the house closes."""
        games = repository.load_games(self._store, championship.id)
        lacking = [one for one in games if one.is_over and one.table_id and one.luck is None]
        for one in lacking[:MAX_REPLAYS_PER_REQUEST]:
            if one.share is not None and self._analyses.find(one.table_id).state in ("waiting", "running"):
                continue
            with contextlib.suppress(VeilleeError):  # the version of its rules is no longer supported
                self.on_game_over(self._tables.replay(one.table_id))
        return repository.load_games(self._store, championship.id) if lacking else games

    def _save_result(self, table: Table) -> None:
        seat, match = _players_seat(table), table.match
        share = match.state.returns()[seat]
        repository.save_result(self._store, table.id, table.moment.row.touched, share, match.scores[seat])

    def _request_analysis(self, table: Table) -> None:
        if self._analyses.find(table.id).state == "done":
            repository.save_luck(self._store, table.id, _players_seat(table))
        elif leases.acquire(self._store, Lease(table.id, NO_SEAT, 1), self._process_id):
            self._analyses.enqueue_idle(table.id, table.match)


def clean_title(name: str) -> str:
    """Returns the name of a championship as it may be displayed. Raises BadRequest."""
    shown = keep_visible_characters(name[: MAX_RAW_FACTOR * LONGEST_TITLE])
    if not shown or len(shown) > LONGEST_TITLE:
        raise BadRequest(t("A championship needs a name of at most {most} letters.", most=LONGEST_TITLE))
    if mixes_scripts(shown):
        raise BadRequest(t("A name is written in one alphabet: letters of several can look the same."))
    return shown


def seat_plans(box: Box, championship: Championship, deal: int) -> list[SeatPlan]:
    """Returns the seats of a deal: the box's usual number of players, the entrant on another seat in every deal."""
    own = deal % box.usual
    return [
        SeatPlan("me")
        if seat == own
        else SeatPlan("bot", BOT_NAMES[(deal + seat) % len(BOT_NAMES)], championship.level)
        for seat in range(box.usual)
    ]


def _players_seat(table: Table) -> int:
    """Returns the entrant's seat: the only person's."""
    return next(number for number, seat in enumerate(table.seats) if seat.kind == "person")
