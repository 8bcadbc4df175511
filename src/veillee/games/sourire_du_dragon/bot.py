"""What Le Sourire du Dragon tells the search about good play."""

from __future__ import annotations

from veillee.games.sourire_du_dragon import rules as sd
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng


class Dragonish(Advisor):
    """Plays at random."""

    def choose(self, g: sd.SourireDuDragon, seat: int, legal: list[int], rng: Rng) -> int:
        return legal[rng.below(len(legal))]
