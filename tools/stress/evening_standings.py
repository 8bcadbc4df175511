"""Standings of a championship as they follow from the records of its games, without what the house computes them by."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from veillee.match.verify import verify

BELIEVED = 20  # games, of the measured luck (docs/championships.md)


@dataclass
class Result:
    """A row of the standings' file."""

    entrant: int
    deal: int
    share: float
    points: int
    luck: float | None  # None: it is not what the order goes by, or the table was deleted before it was analysed
    table: str
    is_substituted: bool


def outcome(record: Mapping[str, Any], seat: int) -> tuple[float, int]:
    """Returns the share of the victory and the points of a seat, from the record; lost if the game did not end."""
    if not record:
        return 0.0, 0
    winners = verify(record).match.winners
    return 1 / len(winners) if seat in winners else 0.0, record["scores"][seat]


def standings(names: Sequence[str], results: Sequence[Result], *, is_by_skill: bool) -> list[tuple[Any, ...]]:
    """Returns the lines that follow from the results, by the rules of docs/championships.md: rank, name, less luck in
    percent, victories, points. names: of the entrants, from 1 on."""
    skill = less_luck(results) if is_by_skill else dict[int, float]()
    lines = []
    for number, name in enumerate(names, 1):
        mine = [one for one in results if one.entrant == number]
        victories, points = sum(one.share for one in mine), fmean(one.points for one in mine)
        key = (-skill.get(number, -math.inf) if skill else 0.0, -victories, -points)
        lines.append((key, number, name, victories, points))
    lines.sort()
    return [
        (1 + [other[0] for other in lines].index(key), name, percent(skill.get(number)))
        + (f"{victories:g}", f"{points:.1f}")
        for key, number, name, victories, points in lines
    ]


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"


def less_luck(results: Sequence[Result]) -> dict[int, float]:
    """Returns the share of the victories of each entrant, less luck: compared deal by deal, where all play against the
    same bots."""
    deals: defaultdict[int, list[tuple[int, float, float]]] = defaultdict(list)
    for one in results:
        if one.luck is not None:
            deals[one.deal].append((one.entrant, one.share, one.luck))
    centred: dict[int, list[tuple[float, float]]] = {}  # luck and share, as differences from the average of the deal
    for deal, games in deals.items():
        share, luck = (fmean(column) for column in list(zip(*games, strict=True))[1:])
        centred[deal] = [(its_luck - luck, its_share - share) for _, its_share, its_luck in games]
    adjusted: dict[tuple[int, int], float] = {}
    for deal, games in deals.items():
        others = [pair for other, pairs in centred.items() if other != deal for pair in pairs]
        square = sum(x * x for x, _ in others)
        slope = sum(x * y for x, y in others) / square if square else 1.0
        weight = (len(others) * min(1.0, max(0.0, slope)) + BELIEVED) / (len(others) + BELIEVED)
        adjusted |= {(entrant, deal): share - weight * luck for entrant, share, luck in games}
    middle = {deal: fmean(adjusted[entrant, deal] for entrant, _, _ in games) for deal, games in deals.items()}
    average = fmean(adjusted.values())
    own: defaultdict[int, list[float]] = defaultdict(list)
    for (entrant, deal), value in adjusted.items():
        own[entrant].append(value - middle[deal])
    return {entrant: average + fmean(values) for entrant, values in own.items()}
