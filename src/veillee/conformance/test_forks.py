"""Every game: what a seat answers in secret changes nothing for anybody else."""

from __future__ import annotations

from itertools import islice

from veillee.conformance.cases import Case
from veillee.conformance.forks import forks, look_alike

FORKS = 10  # of a game


def test_secret_answers_look_alike_to_everybody_else(case: Case) -> None:
    for fork in islice(forks(case.match(3), 3, every=4), FORKS):
        look_alike(fork)
