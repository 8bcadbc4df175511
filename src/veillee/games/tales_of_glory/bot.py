"""What Tales of Glory tells the search about good play."""

from __future__ import annotations

from veillee.games.tales_of_glory.rules import TalesOfGlory
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng


class Storyteller(Advisor):
    """Plays at random."""

    def choose(self, g: TalesOfGlory, seat: int, legal: list[int], rng: Rng) -> int:
        return legal[rng.below(len(legal))]
