"""A championship as one reader may see it: what is sealed for them is not in it."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from veillee.house.accounts.guest import Guest
from veillee.house.championships.games import LoadedGames
from veillee.house.championships.repository import Championship, ChampionshipGame, Entrant, GamesVersion, Round
from veillee.house.championships.rounds import ranked_divisions
from veillee.house.championships.standings import (
    Certainty,
    GameResult,
    Line,
    certainty_of_first,
    rank_entrants,
)

MAX_CACHED_ROUNDS = 200
MAX_CACHED_RESULTS = 32
MIN_ANALYSED = 0.75  # of the games of a deal, before it tells luck from skill


class ResultsKey(NamedTuple):
    """All that decides what readers see of the results of a championship."""

    championship: str
    version: GamesVersion
    deals: tuple[int, ...]  # whose results they may see
    rounds: int  # that have begun
    closed: int  # of them
    is_over: bool


@dataclass(frozen=True)
class RoundTable:
    """A table of a round."""

    group: int
    deal: int
    table_id: str  # empty: it was deleted
    is_over: bool
    seating: Sequence[int]  # the entrants by seat; 0: a bot


@dataclass(frozen=True)
class ShownResults:
    """What all readers see who may see the results of the same deals. Two with the same key are equal."""

    key: ResultsKey
    championship: Championship
    is_over: bool
    deals: Sequence[int]  # the deals whose results they may see: the standings are of these
    games: Sequence[ChampionshipGame]  # finished ones of these deals
    lines: Sequence[Line]
    certainty: Certainty | None
    unanalysed: int  # games that are not analysed yet; a deleted one will not be
    analysing: Sequence[int]  # deals of which too few games are analysed to tell luck
    tables: Sequence[RoundTable]  # of the latest round
    places: Mapping[int, Sequence[int | None]]  # of entrants after each closed round
    divisions: Sequence[Sequence[int]]  # of the latest season of a league: the entrants from first to last


@dataclass(frozen=True)
class Standings(ShownResults):
    """A championship as one reader may see it."""

    entrants: Sequence[Entrant]
    me: Entrant | None
    mine: Mapping[int, ChampionshipGame]  # the reader's games, by deal
    ended: Mapping[int, int]  # number of games that each entrant has finished
    opened: Sequence[int]  # the deals whose seeds are open
    rounds: Sequence[Round]  # that have begun


def view(
    championship: Championship,
    entrants: Sequence[Entrant],
    loaded: LoadedGames,
    rounds: Sequence[Round],
    guest: Guest | None,
    *,
    now: float,
    cache: ResultsCache,
) -> Standings:
    """Returns the championship as this reader may see it: the deals that they have played, and those that are open."""
    is_over = now >= championship.ends
    closed = {one.number for one in rounds if one.closed is not None}
    opened = [
        deal
        for deal in championship.deals
        if is_over or any(deal in championship.deals_of_round(number) for number in closed)
    ]
    me = next((one for one in entrants if guest is not None and one.guest == guest.id), None)
    mine = loaded.of_entrant(me.number) if me is not None else {}
    deals = tuple(deal for deal in championship.deals if deal in opened or (deal in mine and mine[deal].is_over))
    key = ResultsKey(championship.id, loaded.version, deals, len(rounds), len(closed), is_over)
    shown = cache.load(key, lambda: _shown_results(key, championship, loaded.games, rounds, cache))
    ended = {one.number: loaded.ended[one.number] for one in entrants}
    return Standings(**vars(shown), entrants=entrants, me=me, mine=mine, ended=ended, opened=opened, rounds=rounds)


def _shown_results(
    key: ResultsKey,
    championship: Championship,
    games: Sequence[ChampionshipGame],
    rounds: Sequence[Round],
    cache: ResultsCache,
) -> ShownResults:
    counted = _counted(championship, [one for one in games if one.deal in key.deals], is_over=key.is_over)
    results = _results(counted)
    lines = rank_entrants(results, championship.scoring)
    latest = rounds[-1].number if rounds else 0
    closed = [one.number for one in rounds if one.closed is not None]
    return ShownResults(
        key,
        championship,
        key.is_over,
        key.deals,
        counted,
        lines,
        certainty_of_first(results, lines) if championship.scoring == "skill" else None,
        sum(one.luck is None and bool(one.table_id) for one in counted),
        sorted(_deals_being_analysed(counted)),
        tables_of_round(games, latest),
        cache.after_rounds(championship, [one for one in counted if one.round in closed], closed),
        _divisions(championship, latest, games, counted) if championship.form == "league" and rounds else (),
    )


def tables_of_round(games: Sequence[ChampionshipGame], number: int) -> list[RoundTable]:
    """Returns the tables of a round, by group and deal."""
    found: defaultdict[tuple[int, int], list[ChampionshipGame]] = defaultdict(list)
    for one in games:
        if one.round == number and one.seat is not None:
            found[one.group, one.deal].append(one)
    tables = []
    for (group, deal), around in sorted(found.items()):
        by_seat = {one.seat: one.entrant for one in around}
        seating = [by_seat.get(seat, 0) for seat in range(around[0].seats)]
        tables.append(RoundTable(group, deal, around[0].table_id, around[0].is_over, seating))
    return tables


class ResultsCache:
    """What readers see of results, and places after closed rounds, cached. Safe to use from any thread."""

    def __init__(self) -> None:
        self._shown: OrderedDict[ResultsKey, ShownResults] = OrderedDict()
        self._places: OrderedDict[tuple[str, int, int, int], Mapping[int, int]] = OrderedDict()
        self._lock = threading.Lock()  # guards both

    def load(self, key: ResultsKey, build: Callable[[], ShownResults]) -> ShownResults:
        with self._lock:
            known = self._shown.get(key)
        if known is None:
            known = build()
            with self._lock:
                self._shown[key] = known
                while len(self._shown) > MAX_CACHED_RESULTS:
                    self._shown.popitem(last=False)
        return known

    def after_rounds(
        self, championship: Championship, games: Sequence[ChampionshipGame], closed: Sequence[int]
    ) -> dict[int, list[int | None]]:
        """Returns each entrant's place after each of these rounds; None: they had not played yet. In a league the places
        go on from division to division. games: with a result."""
        found: dict[int, list[int | None]] = {one.entrant: [None] * len(closed) for one in games}
        for column, number in enumerate(closed):
            until = [one for one in games if one.round <= number]
            for entrant, place in self._places_after(championship, until, number).items():
                found[entrant][column] = place
        return found

    def _places_after(
        self, championship: Championship, games: Sequence[ChampionshipGame], number: int
    ) -> Mapping[int, int]:
        analysed = sum(one.luck is not None for one in games) if championship.scoring == "skill" else 0
        key = championship.id, number, len(games), analysed  # games get a result and an analysis once
        with self._lock:
            known = self._places.get(key)
        if known is None:
            known = _places(championship, games, number)
            with self._lock:
                self._places[key] = known
                while len(self._places) > MAX_CACHED_ROUNDS:
                    self._places.popitem(last=False)
        return known


def _counted(championship: Championship, games: Sequence[ChampionshipGame], *, is_over: bool) -> list[ChampionshipGame]:
    """Returns the games that count, of deals that the reader may see. Against bots, what was begun and not finished in
    time counts as lost; in rounds nothing is begun that is not finished by bots."""
    if championship.has_rounds:
        return [one for one in games if one.share is not None]
    return [
        one if one.is_finished_before(championship.ends) else one.as_lost()
        for one in games
        if (is_over or one.is_over) and not one.is_result_unsaved
    ]


def _results(games: Sequence[ChampionshipGame]) -> list[GameResult]:
    """Returns the results, without the luck in deals that are being analysed: compared with the few that are known, a
    result would jump with each further one."""
    analysing = _deals_being_analysed(games)
    results = [result for one in games if (result := one.result) is not None]
    return [replace(one, luck=None) if one.deal in analysing else one for one in results]


def _deals_being_analysed(games: Iterable[ChampionshipGame]) -> set[int]:
    """Returns the deals of which less than MIN_ANALYSED of the games are analysed; a deleted game never will be."""
    analysed, waiting = Counter[int](), Counter[int]()
    for one in games:
        analysed[one.deal] += one.luck is not None
        waiting[one.deal] += one.luck is None and bool(one.table_id)
    return {deal for deal in analysed if analysed[deal] < MIN_ANALYSED * (analysed[deal] + waiting[deal])}


def _divisions(
    championship: Championship,
    number: int,
    games: Sequence[ChampionshipGame],
    counted: Sequence[ChampionshipGame],
) -> list[list[int]]:
    """Returns the divisions of a season in the order of the results that the reader may see."""
    shown = {(one.entrant, one.deal) for one in counted}
    known = [one if (one.entrant, one.deal) in shown else replace(one, share=None) for one in games]
    return ranked_divisions(championship, number, known)


def _places(championship: Championship, games: Sequence[ChampionshipGame], number: int) -> dict[int, int]:
    if championship.form == "league":
        order = [one for division in ranked_divisions(championship, number, games) for one in division]
        return {entrant: place for place, entrant in enumerate(order, 1)}
    return {line.entrant: line.rank for line in rank_entrants(_results(games), championship.scoring)}
