"""What Takara Island tells the search about good play."""

from __future__ import annotations

from veillee.games.takara_island.rules import Takara
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng


class Digger(Advisor):
    """Plays at random."""

    def choose(self, g: Takara, seat: int, legal: list[int], rng: Rng) -> int:
        return legal[rng.below(len(legal))]
