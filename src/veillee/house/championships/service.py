"""Championships of a house: the same sealed deals for all entrants.

The deals are drawn when the championship is created, and the commitments to them are published then. Each entrant plays
them once, alone against the same bots (duplicate), or against other entrants in rounds or seasons (rounds.py). An entrant
sees of a deal what the others made of it only after playing it; visitors see nothing of it until the end, or until its
round is over. Then its seed is opened. Bots think without a time limit, so that equal play gets equal answers, and hints
are off.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import partial

from veillee.bots.levels import MEASURE
from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import MAX_RAW_FACTOR, keep_visible_characters, mixes_scripts
from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.championships import repository
from veillee.house.championships.games import GameResults
from veillee.house.championships.repository import UNTIL_CLOSED, Championship, Entrant
from veillee.house.championships.review import Likeness, find_likenesses
from veillee.house.championships.rounds import Rounds
from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.championships.view import ResultsCache, Standings, view
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours, t
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.creation import TableTerms, find_box, new_id
from veillee.house.tables.seats import BOT_NAMES, SeatPlan
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.match import seeds
from veillee.match.errors import VeilleeError
from veillee.match.setup import complete

LONGEST_TITLE = 60  # characters
MAX_ENTRANTS = 500
MAX_RUNNING = 5  # championships of one organiser at a time
MAX_LISTED = 20
HOUR_SECONDS = 3600.0


class Championships:
    """Championships of one house. Safe to use from any thread."""

    def __init__(self, store: Store, tables: Tables, analyses: AnalysisQueue, process_id: str) -> None:
        self._store = store
        self._tables = tables
        self._results = GameResults(store, tables, analyses, process_id)
        self._cache = ResultsCache()
        self.rounds = Rounds(store, tables, self._results)

    # -- changes -------------------------------------------------------------------------------------------------
    def create(
        self, guest: Guest, game: str, name: str, options: Mapping[str, str], terms: ChampionshipTerms
    ) -> Championship:
        """Creates a championship and seals its deals. Raises BadRequest, NotNow."""
        box = find_box(game)
        if not self._tables.is_on_shelf(box.id):
            raise BadRequest(t("{game} is not on the shelf of this house.", game=box.title))
        form, scoring = terms.check()
        if repository.count_running(self._store, guest.id) >= MAX_RUNNING:
            raise NotNow(t("You already run {most} championships: wait until one of them is over.", most=MAX_RUNNING))
        now, has_rounds = self._store.now(), terms.deals_per_round > 0
        championship = Championship(
            new_id(),  # it is found by its link alone
            clean_title(name),
            box.id,
            box.version,
            complete(box, options),
            terms.level,
            guest.id,
            now,
            UNTIL_CLOSED if has_rounds else now + terms.hours * HOUR_SECONDS,
            tuple(seeds.new_seed() for _ in range(terms.total_deals)),
            form,
            scoring,
            terms.deals_per_round,
            terms.pace,
            terms.hours * HOUR_SECONDS if has_rounds else 0.0,
            now + terms.hours_before * HOUR_SECONDS if has_rounds and terms.hours_before is not None else None,
        )
        repository.add(self._store, championship)
        return championship

    def enter(self, guest: Guest, championship: Championship) -> Entrant:
        """Returns the guest as an entrant; adds them if they are none yet. In rounds they play from the next one on, also if
        they had withdrawn. Raises NotNow."""
        if self._store.now() >= championship.ends:
            raise NotNow(t("This championship is over."))
        level = self._measured_level(guest, championship)
        with contextlib.suppress(Conflict):  # entered at the same moment by another request
            if not repository.enter(self._store, championship.id, guest.id, level=level, most=MAX_ENTRANTS):
                raise NotNow(t("This championship is full: it has {most} players.", most=MAX_ENTRANTS))
        entrants = repository.load_entrants(self._store, championship.id)
        found = next((one for one in entrants if one.guest == guest.id), None)
        if found is None:  # as many entered at the same moment
            raise NotNow(t("Too many changes at once: please try again."))
        return found

    def withdraw(self, guest: Guest, championship: Championship) -> None:
        """Takes the entrant out of all further rounds; bots go on at their tables. Raises NotYours, NotNow."""
        me = self._find_entrant(championship, guest)
        if not championship.has_rounds or self._store.now() >= championship.ends:
            raise NotNow(t("There is no further round."))
        repository.withdraw(self._store, championship.id, me.number)
        for one in repository.load_games(self._store, championship.id):
            if one.entrant == me.number and not one.is_over:
                with contextlib.suppress(VeilleeError):  # the game has ended meanwhile
                    table = self._tables.find(one.table_id)
                    table.leave(guest, table.seats_of(guest)[0])

    def open_table(self, guest: Guest, championship: Championship, deal: int) -> Table:
        """Returns the entrant's table with that deal; creates it if they have not begun it. Raises NotYours, NotNow,
        NotFound."""
        if deal not in championship.deals:
            raise NotFound(t("This championship has no such deal."))
        me = self._find_entrant(championship, guest)
        if repository.find_game(self._store, championship.id, me.number, deal) is None:
            if championship.has_rounds:
                raise NotNow(t("You do not play this deal: your next table is there when the next round begins."))
            if self._store.now() >= championship.ends:
                raise NotNow(t("This championship is over."))
            with contextlib.suppress(Conflict):  # begun at the same moment by another request
                return self._tables.create_on(
                    guest,
                    TableTerms(
                        find_box(championship.game),
                        seat_plans(find_box(championship.game), deal, me.level or championship.level),
                        championship.options,
                        hints=False,
                        seed=championship.seed(deal),
                        version=championship.version,
                        deal=championship.id,
                        sealed_until=championship.ends,
                    ),
                    register=partial(repository.register_game, championship.id, me.number, deal),
                )
        begun = repository.find_game(self._store, championship.id, me.number, deal)
        if begun is None or not begun.table_id:
            raise NotNow(t("You have played this deal, and deleted its table."))
        return self._tables.find(begun.table_id)

    def on_game_over(self, table: Table) -> None:
        """Saves the results of a championship's game, queues its analysis, and closes its round if it was the last."""
        if table.moment.row.sealed_until is None:
            return
        self._results.save(table)
        championship = repository.find(self._store, table.moment.row.deal)
        if championship is not None and championship.has_rounds:
            self.rounds.advance(championship)

    def on_analysed(self, table_id: str) -> None:
        """Saves the luck in a championship's game, and queues others of it that are not analysed."""
        self._results.on_analysed(table_id)

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
        """Returns the championship as this reader may see it."""
        return view(
            championship,
            repository.load_entrants(self._store, championship.id),
            self._results.load(championship),
            repository.load_rounds(self._store, championship.id),
            guest,
            now=self._store.now(),
            cache=self._cache,
        )

    def may_look(self, guest: Guest, table: Table) -> bool:
        """Returns whether the guest may look at another entrant's sealed table: they have finished the same deal."""
        found = repository.load_games_of_table(self._store, table.id)
        if not found:
            return False
        entrants = repository.load_entrants(self._store, found[0].championship)
        me = next((one for one in entrants if one.guest == guest.id), None)
        if me is None:
            return False
        mine = repository.find_game(self._store, found[0].championship, me.number, found[0].deal)
        return mine is not None and mine.is_over

    def review(self, championship: Championship, guest: Guest | None) -> list[Likeness]:
        """Returns what hints at the same person among the entrants. Raises NotYours for all but the organiser."""
        if guest is None or championship.organiser != guest.id:
            raise NotYours(t("Only the organiser sees this page."))
        entrants = repository.load_entrants(self._store, championship.id)
        games = repository.load_games(self._store, championship.id)
        return find_likenesses(self._store, self._tables, entrants, games)

    # -- internals -----------------------------------------------------------------------------------------------
    def _find_entrant(self, championship: Championship, guest: Guest) -> Entrant:
        """Raises NotYours."""
        entrants = repository.load_entrants(self._store, championship.id)
        me = next((one for one in entrants if one.guest == guest.id), None)
        if me is None:
            raise NotYours(t("Join the championship first."))
        return me

    def _measured_level(self, guest: Guest, championship: Championship) -> str:
        """Returns the level of bots made to measure for the guest, the same for all their deals; empty if all entrants
        have bots of one level."""
        if championship.level != MEASURE:
            return ""
        (plan,) = self._tables.resolve_levels(guest.id, find_box(championship.game), [SeatPlan("bot", level=MEASURE)])
        return plan.level


def clean_title(name: str) -> str:
    """Returns the name of a championship as it may be displayed. Raises BadRequest."""
    shown = keep_visible_characters(name[: MAX_RAW_FACTOR * LONGEST_TITLE])
    if not shown or len(shown) > LONGEST_TITLE:
        raise BadRequest(t("A championship needs a name of at most {most} letters.", most=LONGEST_TITLE))
    if mixes_scripts(shown):
        raise BadRequest(t("A name is written in one alphabet: letters of several can look the same."))
    return shown


def seat_plans(box: Box, deal: int, level: str) -> list[SeatPlan]:
    """Returns the seats of a deal against bots: the box's usual number of players, the entrant on another seat in every
    deal."""
    own = deal % box.usual
    return [
        SeatPlan("me") if seat == own else SeatPlan("bot", BOT_NAMES[(deal + seat) % len(BOT_NAMES)], level)
        for seat in range(box.usual)
    ]
