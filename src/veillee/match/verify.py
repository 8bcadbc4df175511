"""Verifies a finished game: its seed is the one committed to, its moves are legal, its result is correct."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from veillee.match.errors import BadSave, t
from veillee.match.match import Match, digest
from veillee.match.saves import load
from veillee.words import Sentence


@dataclass(frozen=True)
class Verdict:
    """The replayed match and the outcome of each check."""

    match: Match
    checks: list[tuple[Sentence, bool]]  # what was checked, and whether it holds
    notes: list[Sentence] = field(default_factory=list)  # what a reader should know besides

    @property
    def holds(self) -> bool:
        return all(ok for _, ok in self.checks)


def verify(data: Any) -> Verdict:
    """Replays the record. Raises BadSave if that fails; an answer that a rule forbids is named there."""
    match = load(data)
    if not match.over:
        raise BadSave(t("The game is not over: its last answer is not the end."))
    added = match.contributions
    opened = [
        (
            t("what {n} of {all} players' pages added to the shuffle is what they had sealed", n=n, all=len(added)),
            all(one.holds for one in added),
        )
        for n in [sum(bool(one.opened) for one in added)]
        if added
    ]
    withheld = [
        t("Seat {seat} had sealed something for the shuffle and did not open it: made without it.", seat=one.seat + 1)
        for one in added
        if not one.opened
    ]
    return Verdict(
        match,
        [
            *opened,
            (
                t("the seed is the one that was committed to before the first move"),
                data.get("commitment") == match.commitment,
            ),
            (t("the scores are the ones that were announced"), data.get("scores") == match.scores),
            (t("the final position is the one that was announced"), data.get("final") == digest(match.state)),
        ],
        withheld,
    )
