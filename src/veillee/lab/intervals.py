"""95 % intervals of shares of victories, clustered by deal."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

NORMAL_QUANTILE_95 = 1.96  # of a 95 % interval


def interval(deals: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Returns Wilson's 95 % interval for the share of victories, clustered by deal.

    The games of one deal, played from every seat, count for as many independent games as their variance from deal to
    deal implies: fewer than were played where a deal favours the same bot from every seat, more where luck of the seat
    cancels out. With few deals that variance is uncertain, so the interval is wider (Student's t). Its coverage is
    simulated in the tests.
    """
    played = sum(map(len, deals))
    share = sum(map(sum, deals)) / played
    spread = _spread(deals, share)
    games = share * (1 - share) / spread if spread else float(len(deals))
    z = student(len(deals) - 1)
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def around(deals: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Returns the mean of luck-corrected results and its interval: by deal like interval(), except that such a mean may
    lie slightly outside [0, 1]."""
    share = sum(map(sum, deals)) / sum(map(len, deals))
    if 0 < share < 1:
        return share, *interval(deals)
    reach = student(len(deals) - 1) * sqrt(_spread(deals, share))
    return share, max(0.0, share - reach), min(1.0, share + reach)


def _spread(deals: Sequence[Sequence[float]], share: float) -> float:
    """Returns the variance of that share, estimated from deal to deal."""
    played = sum(map(len, deals))
    spread = sum((sum(deal) - share * len(deal)) ** 2 for deal in deals) / played**2
    return spread * len(deals) / max(len(deals) - 1, 1)


def student(freedom: int) -> float:
    """Returns the Student's t quantile that replaces Z for so many degrees of freedom, to three decimals from five on
    (Cornish-Fisher)."""
    n = max(freedom, 1)
    return (
        NORMAL_QUANTILE_95
        + (NORMAL_QUANTILE_95**3 + NORMAL_QUANTILE_95) / (4 * n)
        + (5 * NORMAL_QUANTILE_95**5 + 16 * NORMAL_QUANTILE_95**3 + 3 * NORMAL_QUANTILE_95) / (96 * n * n)
    )
