"""Rounds of championships: they begin with all their tables, and are closed when all their games are over.

Every process looks every two seconds (the timeout thread) whether a round is to begin or to be closed. Both are one
transaction, and the first process to write it wins. All times are house time: a round lasts longer by the time during
which the house was closed.

The order of the first round is drawn from the sealed seed of its first deal. After that, in rounds, entrants who are near
each other in the standings meet; in a league they stay in their division, but for the first and the last.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from veillee.games import catalogue
from veillee.house.accounts.guest import Guest
from veillee.house.background import logged
from veillee.house.championships import pairing, repository
from veillee.house.championships.games import GameResults
from veillee.house.championships.pairing import BOT
from veillee.house.championships.repository import (
    Championship,
    ChampionshipGame,
    Entrant,
    PlannedTable,
    Round,
)
from veillee.house.championships.standings import SORT_KEYS, Scoring, rank_entrants
from veillee.house.errors import NotNow, NotYours, t
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.creation import TableTerms, find_box
from veillee.house.tables.seats import BOT_NAMES, SeatPlan
from veillee.house.tables.service import Tables
from veillee.match.owner_content import missing
from veillee.words import Sentence

MIN_ENTRANTS = 2
BREAK_SECONDS = 60.0  # between two rounds
PATIENCE_SECONDS = 600.0  # that bots have to finish the games of a round whose time is over
MAX_WAIT_SECONDS = 31 * 86_400.0  # for an organiser who does not start it


class Rounds:
    """Rounds of all championships of one house."""

    def __init__(self, store: Store, tables: Tables, results: GameResults) -> None:
        self._store = store
        self._tables = tables
        self._results = results

    def poll(self) -> None:
        """Begins and closes what is due."""
        for championship in repository.find_running_rounds(self._store):
            with logged("The championship %s cannot go on", championship.id):
                self.advance(championship)

    def start(self, guest: Guest, championship: Championship) -> None:
        """Begins the first round, for the organiser; for any entrant if the organiser has left the house. Raises
        NotYours, NotNow."""
        entrants = repository.load_entrants(self._store, championship.id)
        if not may_start(guest, championship, entrants):
            raise NotYours(t("Only the organiser can start the championship."))
        if self._store.now() >= championship.ends or repository.load_rounds(self._store, championship.id):
            raise NotNow(t("This championship has begun already."))
        if sum(one.is_active for one in entrants) < MIN_ENTRANTS:
            raise NotNow(t("A championship needs at least two players: send the link to others first."))
        self._begin(championship, 1)

    def advance(self, championship: Championship) -> None:
        """Begins or closes a round if it is due. Raises VeilleeError."""
        rounds = repository.load_rounds(self._store, championship.id)
        now, last = self._store.now(), rounds[-1] if rounds else None
        is_between = last is None or last.closed is not None
        if now >= championship.ends or (is_between and why_blocked(championship) is not None):
            return
        if last is None:
            if championship.begins is not None and now >= championship.begins:
                self._begin(championship, 1)
            elif now >= championship.created + MAX_WAIT_SECONDS:
                repository.end(self._store, championship)
        elif last.closed is None:
            self._close_if_over(championship, last)
        elif now >= last.closed + BREAK_SECONDS:
            self._begin(championship, last.number + 1)

    def end_of(self, championship: Championship, of: Round) -> float:
        """Returns when the time of a round is over, in wall time."""
        return self._later(of.began, championship.round_seconds)

    # -- internals -----------------------------------------------------------------------------------------------
    def _later(self, wall: float, seconds: float) -> float:
        """Returns the wall time so many seconds of house time after that one."""
        downtime = self._store.downtime
        return downtime.wall_seconds(downtime.house_seconds(wall) + seconds)

    def _close_if_over(self, championship: Championship, last: Round) -> None:
        playing = repository.find_tables_in_play(self._store, championship.id, last.number)
        now = self._store.now()
        if playing and now >= self.end_of(championship, last):
            self._let_bots_finish(playing)
            playing = repository.find_tables_in_play(self._store, championship.id, last.number)
        is_late = now >= self._later(last.began, championship.round_seconds + PATIENCE_SECONDS)
        if playing and not is_late:
            return
        self._results.save_missing(championship)
        for table_id in repository.close_round(self._store, championship, last.number):
            if (table := self._tables.cache.find(table_id)) is not None:
                table.catch_up()

    def _let_bots_finish(self, playing: Sequence[str]) -> None:
        """Lets bots play the games at these tables to their end."""
        for table_id in playing:
            with logged("Bots cannot finish table %s", table_id):
                table = self._tables.load(table_id)
                table.let_bots_finish()
                self._tables.follow_up(table)

    def _begin(self, championship: Championship, number: int) -> None:
        """Begins a round with the active entrants; ends the championship if there are not enough of them."""
        entrants = [one for one in repository.load_entrants(self._store, championship.id) if one.is_active]
        if len(entrants) < MIN_ENTRANTS:
            repository.end(self._store, championship)
            return
        self._results.save_missing(championship)
        games = repository.load_games(self._store, championship.id)
        planned = plan_round(championship, number, [one.number for one in entrants], games)
        guests = {one.number: Guest(one.guest, one.name, shield=one.shield) for one in entrants}
        terms = [self._terms(championship, plan, guests) for plan in planned]
        with contextlib.suppress(Conflict):  # another process was faster
            self._tables.create_all(terms, partial(repository.register_round, championship, number, planned))

    def _terms(self, championship: Championship, plan: PlannedTable, guests: Mapping[int, Guest]) -> TableTerms:
        plans = [
            SeatPlan("bot", BOT_NAMES[(plan.deal + seat) % len(BOT_NAMES)], championship.level)
            if entrant == BOT
            else SeatPlan("guest", level=championship.level, guest=guests[entrant])
            for seat, entrant in enumerate(plan.seating)
        ]
        return TableTerms(
            find_box(championship.game),
            plans,
            championship.options,
            hints=False,
            pace=championship.pace,
            seed=championship.seed(plan.deal),
            version=championship.version,
            deal=championship.id,
            sealed_until=repository.UNTIL_CLOSED,
        )


def why_blocked(championship: Championship) -> Sentence | None:
    """Returns why no round can begin in this house; None: it can."""
    box = catalogue.find(championship.game)
    if box is None or championship.version not in box.versions:
        return t("It was begun under older rules, which this house no longer plays.")
    return missing(box, championship.options)


def may_start(guest: Guest | None, championship: Championship, entrants: Sequence[Entrant]) -> bool:
    """Returns whether the guest may start the championship."""
    if guest is None:
        return False
    return championship.organiser == guest.id if championship.organiser else guest.id in [e.guest for e in entrants]


def plan_round(
    championship: Championship, number: int, entrants: Sequence[int], games: Sequence[ChampionshipGame]
) -> list[PlannedTable]:
    """Returns the tables of a round. games: all of the rounds before."""
    box = find_box(championship.game)
    shapes = pairing.table_shapes(len(entrants), box.usual, box.players)
    draw = pairing.draw_order(championship.seed(championship.deals_of_round(number)[0]), entrants)
    past = _seatings(games)
    if championship.form == "rounds":
        order = standing_order(games, draw, championship.scoring)
        seatings = pairing.swiss_tables(order, shapes, box.usual, past)
        (deal,) = championship.deals_of_round(number)
        return [PlannedTable(group, deal, seating) for group, seating in enumerate(seatings, 1)]
    order = league_order(championship, number, draw, games)
    planned = []
    for group, (division, shape) in enumerate(zip(pairing.divisions(order, shapes), shapes, strict=True), 1):
        seen = list(past)
        for deal in championship.deals_of_round(number):
            seen.append(pairing.seat_group(division, shape.seats, seen))
            planned.append(PlannedTable(group, deal, seen[-1]))
    return planned


def standing_order(games: Iterable[ChampionshipGame], draw: Sequence[int], scoring: Scoring) -> list[int]:
    """Returns the entrants of the draw in the order of their results, equals as drawn. It is known when the last game
    ends, before any is analysed: by victories, or points if they are what counts."""
    key = SORT_KEYS["points" if scoring == "points" else "victories"]
    drawn = set(draw)
    results = [one.result for one in games if one.result is not None and one.entrant in drawn]
    lines = {line.entrant: key(line) for line in rank_entrants(results)}
    return sorted(draw, key=lambda one: (one not in lines, lines.get(one, ())))


def league_order(
    championship: Championship, number: int, draw: Sequence[int], games: Iterable[ChampionshipGame]
) -> list[int]:
    """Returns the entrants of the draw in the order of the divisions of a season: those of the season before, with
    promotion and relegation; newcomers come last."""
    order = pairing.promoted_order(ranked_divisions(championship, number - 1, games)) if number > 1 else []
    return [one for one in order if one in draw] + [one for one in draw if one not in order]


def ranked_divisions(championship: Championship, number: int, games: Iterable[ChampionshipGame]) -> list[list[int]]:
    """Returns the entrants of each division of a season, from first to last; equals as drawn for that season."""
    seed = championship.seed(championship.deals_of_round(number)[0])
    groups: defaultdict[int, list[ChampionshipGame]] = defaultdict(list)
    for one in games:
        if one.round == number:
            groups[one.group].append(one)
    return [
        standing_order(
            groups[group],
            pairing.draw_order(seed, {one.entrant for one in groups[group]}),
            championship.scoring,
        )
        for group in sorted(groups)
    ]


def _seatings(games: Iterable[ChampionshipGame]) -> list[pairing.Seating]:
    """Returns the tables that were played, by seat."""
    found: dict[tuple[int, int], list[int]] = {}
    for one in games:
        if one.seat is not None:
            found.setdefault((one.deal, one.group), [BOT] * one.seats)[one.seat] = one.entrant
    return [tuple(table) for table in found.values()]
