"""What Liar's Dice tells the search about good play."""

from __future__ import annotations

from librt.vecs import vec

from liars_dice.rules import COUNT, DOUBT, FACE, FACES, NO_BID, LiarsDice, WhichFace
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.state import Moves

BOLD = 4  # one bid in so many says a die more than it must


class Bluffer(Advisor):
    """Believes what its own dice and a sixth of the others make likely. Looks ahead to the end of the round."""

    def __init__(self) -> None:
        super().__init__()
        self.whole_phases = True

    def choose(self, g: LiarsDice, seat: int, moves: Moves, rng: Rng) -> int:
        if isinstance(g.question, WhichFace):
            return self.best_face(g, seat, moves, rng)
        if g.count != NO_BID and g.count > self.likely(g, seat, g.face) + rng.below(2):
            return DOUBT
        most = max(self.likely(g, seat, face) for face in range(1, FACES + 1))
        least = max(g.count, 1)
        if (g.count != NO_BID and self.likely(g, seat, g.face) == most) or g.face == FACES:
            least += 1
        wanted = COUNT + least + (1 if rng.below(BOLD) == 0 else 0)
        return wanted if wanted in moves.all() else moves.random(rng)

    def best_face(self, g: LiarsDice, seat: int, moves: Moves, rng: Rng) -> int:
        """The face that it has most of, as far as it may be said."""
        mine = g.players[seat].faces
        return max(moves.all(), key=lambda action: 2 * at(mine, action - FACE - 1) + rng.below(3))

    def likely(self, g: LiarsDice, seat: int, face: int) -> int:
        """How many dice show the face, as far as one can tell from here."""
        player = g.players[seat]
        return at(player.faces, face - 1) + (g.dice() - player.dice) // FACES

    # -- where a game in the head stops, and what it is worth there -----------------------------------------
    def horizon(self, g: LiarsDice) -> int:
        return 1

    def phase(self, g: LiarsDice) -> int:
        return g.rounds

    def evaluate(self, g: LiarsDice) -> vec[float]:
        """Whoever has more of the dice wins more often."""
        if not g.to_act:
            return vec[float](g.returns())
        return vec[float]([player.dice / g.dice() for player in g.players])
