"""Estimates with 95 % intervals, clustered by deal: repeated counts within a deal are not independent. An estimate is a
ratio of each deal's amount and number of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from veillee.lab.intervals import interval, student

Deals = Sequence[tuple[float, int]]  # per deal: amount, number of cases


@dataclass(frozen=True)
class Figure:
    value: float
    low: float
    high: float

    def beside(self, mark: float) -> bool:
        """Returns whether the interval excludes that value."""
        return not self.low <= mark <= self.high


def share(deals: Deals) -> Figure:
    """Estimates a share between 0 and 1, as in the arena."""
    counted = [(much, of) for much, of in deals if of]
    low, high = interval([[much / of] * of for much, of in counted])
    return Figure(_ratio(counted), low, high)


def average(deals: Deals) -> Figure:
    """Estimates any other mean."""
    counted = [(much, of) for much, of in deals if of]
    value = _ratio(counted)
    reach = _reach([_pull(deal, value, _per_deal(counted)) for deal in counted])
    return Figure(value, value - reach, value + reach)


def difference(first: Deals, second: Deals) -> Figure:
    """Estimates how much more the second has than the first, paired by deal: what a deal does to both cancels out."""
    a, b = _ratio(first), _ratio(second)
    pulls = [
        _pull(right, b, _per_deal(second)) - _pull(left, a, _per_deal(first))
        for left, right in zip(first, second, strict=True)
    ]
    reach = _reach(pulls)
    return Figure(b - a, b - a - reach, b - a + reach)


def times(deals: Deals) -> int:
    """Returns the number of cases."""
    return sum(of for _, of in deals)


def _ratio(deals: Deals) -> float:
    return sum(much for much, _ in deals) / max(times(deals), 1)


def _per_deal(deals: Deals) -> float:
    return times(deals) / len(deals)


def _pull(deal: tuple[float, int], ratio: float, per_deal: float) -> float:
    """Returns the linearised contribution of one deal to a ratio."""
    much, of = deal
    return (much - ratio * of) / per_deal


def _reach(pulls: Sequence[float]) -> float:
    """Returns half the width of the interval of the mean of these, whose mean is 0."""
    n = len(pulls)
    return student(n - 1) * sqrt(sum(pull * pull for pull in pulls) / (n * max(n - 1, 1)))
