"""What hints at the same person among the entrants of a championship, for its organiser: the same browser, or exactly the
same answers in a deal. Addresses are not stored."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from veillee.house.accounts import browsers
from veillee.house.championships.repository import ChampionshipGame, Entrant
from veillee.house.storage.store import Store
from veillee.house.tables.service import Tables
from veillee.match.errors import VeilleeError

MAX_REPLAYS = 200  # of games with the same result


@dataclass(frozen=True)
class Likeness:
    """Two entrants who may be the same person."""

    entrants: tuple[int, int]
    is_same_browser: bool
    equal_deals: Sequence[int]  # deals in which all answers were the same


def find_likenesses(
    store: Store, tables: Tables, entrants: Sequence[Entrant], games: Sequence[ChampionshipGame]
) -> list[Likeness]:
    """Returns the pairs of entrants with such hints; games: finished ones, each alone against bots."""
    numbers = {one.guest: one.number for one in entrants if one.guest}
    with store.reading() as db:
        pairs = browsers.sharing_pairs(db, numbers)
    sharing = {_pair(numbers[one], numbers[other]) for one, other in pairs}
    equal: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for deal, one, other in _equal_games(tables, games):
        equal[_pair(one, other)].append(deal)
    return [Likeness(pair, pair in sharing, equal.get(pair, [])) for pair in sorted(sharing | equal.keys())]


def _equal_games(tables: Tables, games: Sequence[ChampionshipGame]) -> Iterator[tuple[int, int, int]]:
    """Yields deal and entrants of games with the same answers. Only games with the same result are replayed."""
    alike: defaultdict[tuple[int, float, int], list[ChampionshipGame]] = defaultdict(list)
    for one in games:
        if one.result is not None and one.table_id and one.seat is None:
            alike[one.deal, one.result.share, one.result.points].append(one)
    left = MAX_REPLAYS
    for group in sorted((group for group in alike.values() if len(group) > 1), key=len):
        left -= len(group)
        if left < 0:
            return
        by_answers: defaultdict[tuple[tuple[int, int], ...], list[int]] = defaultdict(list)
        for one in group:
            with contextlib.suppress(VeilleeError):  # the table was deleted, or its rules are no longer supported
                by_answers[tuple(tables.replay(one.table_id).match.answers)].append(one.entrant)
        for same in by_answers.values():
            for first, second in combinations(sorted(same), 2):
                yield group[0].deal, first, second


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
