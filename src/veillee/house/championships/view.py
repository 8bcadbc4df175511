"""A championship as one reader may see it: what is sealed for them is not in it."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from veillee.house.accounts.guest import Guest
from veillee.house.championships.repository import Championship, ChampionshipGame, Entrant, Round
from veillee.house.championships.rounds import ranked_divisions
from veillee.house.championships.standings import (
    Certainty,
    GameResult,
    Line,
    certainty_of_first,
    rank_entrants,
)

Ranking = tuple[Sequence[Line], Certainty | None]
MAX_CACHED_ROUNDS = 200
MAX_CACHED_STANDINGS = 32


@dataclass(frozen=True)
class RoundTable:
    """A table of a round."""

    group: int
    deal: int
    table_id: str  # empty: it was deleted
    is_over: bool
    seating: Sequence[int]  # the entrants by seat; 0: a bot


@dataclass(frozen=True)
class Standings:
    """A championship as one reader may see it."""

    championship: Championship
    is_over: bool
    entrants: Sequence[Entrant]
    me: Entrant | None
    mine: Mapping[int, ChampionshipGame]  # the reader's games, by deal
    ended: Mapping[int, int]  # number of games that each entrant has finished
    opened: Sequence[int]  # the deals whose seeds are open
    deals: Sequence[int]  # the deals whose results the reader may see: the standings are of these
    games: Sequence[ChampionshipGame]  # finished ones of these deals
    lines: Sequence[Line]
    certainty: Certainty | None
    unanalysed: int  # games that are not analysed yet
    rounds: Sequence[Round] = ()  # that have begun
    tables: Sequence[RoundTable] = ()  # of the latest round
    places: Mapping[int, Sequence[int | None]] = field(default_factory=dict)  # of entrants after each closed round
    divisions: Sequence[Sequence[int]] = ()  # of the latest season of a league: the entrants from first to last


def view(
    championship: Championship,
    entrants: Sequence[Entrant],
    games: Sequence[ChampionshipGame],
    rounds: Sequence[Round],
    guest: Guest | None,
    *,
    now: float,
    places: PlaceCache,
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
    mine = {one.deal: one for one in games if me is not None and one.entrant == me.number}
    deals = [deal for deal in championship.deals if deal in opened or (deal in mine and mine[deal].is_over)]
    counted = _counted(championship, [one for one in games if one.deal in deals], is_over=is_over)
    results = _results(counted)
    lines, certainty = places.rank(championship, deals, results, is_over=is_over)
    ended: dict[int, int] = defaultdict(int)
    for one in games:
        ended[one.entrant] += one.is_over
    latest = rounds[-1].number if rounds else 0
    return Standings(
        championship,
        is_over,
        entrants,
        me,
        mine,
        {one.number: ended[one.number] for one in entrants},
        opened,
        deals,
        counted,
        lines,
        certainty,
        sum(one.luck is None for one in results),
        rounds,
        tables_of_round(games, latest),
        places.after_rounds(championship, [one for one in counted if one.round in closed], sorted(closed)),
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


class PlaceCache:
    """Standings, and places after closed rounds, cached: games each get a result and an analysis once, so their numbers
    tell whether anything is new. Safe to use from any thread."""

    def __init__(self) -> None:
        self._places: OrderedDict[tuple[str, int, int, int], Mapping[int, int]] = OrderedDict()
        self._lines: OrderedDict[tuple[object, ...], Ranking] = OrderedDict()
        self._lock = threading.Lock()  # guards both

    def rank(
        self, championship: Championship, deals: Sequence[int], results: Sequence[GameResult], *, is_over: bool
    ) -> Ranking:
        """Returns the standings of these deals, from all their results."""
        analysed = sum(one.luck is not None for one in results)
        key = championship.id, tuple(deals), len(results), analysed, is_over
        with self._lock:
            known = self._lines.get(key)
        if known is None:
            lines = rank_entrants(results, championship.scoring)
            known = lines, certainty_of_first(results, lines) if championship.scoring == "skill" else None
            with self._lock:
                self._lines[key] = known
                while len(self._lines) > MAX_CACHED_STANDINGS:
                    self._lines.popitem(last=False)
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
        key = championship.id, number, len(games), sum(one.luck is not None for one in games)
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


def _results(games: Iterable[ChampionshipGame]) -> list[GameResult]:
    return [result for one in games if (result := one.result) is not None]


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
