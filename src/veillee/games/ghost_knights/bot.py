"""What Ghost Knights tells the search about good play."""

from __future__ import annotations

from veillee.games.ghost_knights.rules import GhostKnights
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng


class Knightly(Advisor):
    """Plays at random; its estimate of a position is the share of glory."""

    def choose(self, g: GhostKnights, seat: int, legal: list[int], rng: Rng) -> int:
        return legal[rng.below(len(legal))]
