"""Figures with 95 % intervals, counted by deal: what lies on the table once tells about luck once, however often it was
counted there. A figure is a ratio: of each deal, how much and of how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from veillee.lab.arena import interval, student

Deals = Sequence[tuple[float, int]]  # of each deal: how much, of how many


@dataclass(frozen=True)
class Figure:
    value: float
    low: float
    high: float

    def beside(self, mark: float) -> bool:
        """Does the interval leave that out?"""
        return not self.low <= mark <= self.high


def share(deals: Deals) -> Figure:
    """A share of 1, as in the arena."""
    counted = [(much, of) for much, of in deals if of]
    low, high = interval([[much / of] * of for much, of in counted])
    return Figure(_ratio(counted), low, high)


def average(deals: Deals) -> Figure:
    """Any other mean."""
    counted = [(much, of) for much, of in deals if of]
    value = _ratio(counted)
    reach = _reach([_pull(deal, value, _per_deal(counted)) for deal in counted])
    return Figure(value, value - reach, value + reach)


def difference(first: Deals, second: Deals) -> Figure:
    """How much more the second has than the first, of the same deals one by one: what a deal does to both falls out."""
    a, b = _ratio(first), _ratio(second)
    pulls = [
        _pull(right, b, _per_deal(second)) - _pull(left, a, _per_deal(first))
        for left, right in zip(first, second, strict=True)
    ]
    reach = _reach(pulls)
    return Figure(b - a, b - a - reach, b - a + reach)


def times(deals: Deals) -> int:
    """How often it was counted."""
    return sum(of for _, of in deals)


def _ratio(deals: Deals) -> float:
    return sum(much for much, _ in deals) / max(times(deals), 1)


def _per_deal(deals: Deals) -> float:
    return times(deals) / len(deals)


def _pull(deal: tuple[float, int], ratio: float, per_deal: float) -> float:
    """What one deal adds to a ratio, or takes from it (the ratio, made linear)."""
    much, of = deal
    return (much - ratio * of) / per_deal


def _reach(pulls: Sequence[float]) -> float:
    """Half the width of the interval of their mean; their mean is 0."""
    n = len(pulls)
    return student(n - 1) * sqrt(sum(pull * pull for pull in pulls) / (n * max(n - 1, 1)))
