"""Check a finished game: that its seed is the one committed to, that its moves are legal, that its result is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veillee.match.errors import BadSave, t
from veillee.match.match import Match, digest, load
from veillee.words import Sentence


@dataclass(frozen=True)
class Verdict:
    match: Match
    checks: list[tuple[Sentence, bool]]  # what was looked at, and whether it is so

    @property
    def holds(self) -> bool:
        return all(ok for _, ok in self.checks)


def verify(data: Any) -> Verdict:
    """Play the record again. Raises BadSave where it cannot be: an answer that a rule forbids is named there."""
    match = load(data)
    if not match.over:
        raise BadSave(t("The game is not over: its last answer is not the end."))
    return Verdict(
        match,
        [
            (
                t("the seed is the one that was committed to before the first move"),
                data.get("commitment") == match.commitment,
            ),
            (t("the scores are the ones that were announced"), data.get("scores") == match.scores),
            (t("the final position is the one that was announced"), data.get("final") == digest(match.state)),
        ],
    )
