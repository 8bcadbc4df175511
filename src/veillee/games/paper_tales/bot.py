"""What Paper Tales tells the search about good play."""

from __future__ import annotations

from veillee.games.paper_tales.rules import PaperTales
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng


class Chronicler(Advisor):
    """Plays at random."""

    def choose(self, g: PaperTales, seat: int, legal: list[int], rng: Rng) -> int:
        return legal[rng.below(len(legal))]
