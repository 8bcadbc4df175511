"""Advisor of My Game: heuristics and evaluation for the search."""

from __future__ import annotations

from pathlib import Path

from librt.vecs import vec

from my_game.rules import CARDS, DRAW, LAY, MyGame
from veillee.games.box import learned
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves

STEP = 5  # how far above its row the bot likes to lay at most


class Climber(Advisor):
    """Lays what leaves most room above it, and draws where that would be a leap."""

    def choose(self, g: MyGame, seat: int, moves: Moves, rng: Rng) -> int:
        lowest = min((action for action in moves.all() if action != DRAW), default=DRAW)
        leap = lowest - LAY - g.players[seat].top()
        return lowest if lowest != DRAW and leap <= STEP + rng.below(STEP) else DRAW

    def features(self, g: MyGame, seat: int) -> vec[float]:
        """Returns the features, each around 1 in size; `python -m veillee.lab.value_learning my-game` learns their weights."""
        player = g.players[seat]
        room = (CARDS - player.top()) / CARDS
        fitting = sum(card > player.top() for card in player.hand)
        return vec[float]([len(player.row) / 4, len(player.hand) / 4, fitting / 4, room])


BOT = Climber(learned(Path(__file__).parent))
