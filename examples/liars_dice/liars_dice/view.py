"""LD-2.1 What one seat may see: its own dice, and how many the others have."""

from __future__ import annotations

from typing import Any

from liars_dice.rules import FACES, NO_BID, LiarsDice, WhichFace
from veillee.kernel.counts import spread


def view(g: LiarsDice, seat: int) -> dict[str, Any]:
    bid = None if g.count == NO_BID else {"count": g.count, "face": g.face, "seat": g.bidder}
    return {
        "round": g.rounds,
        "dice": g.dice(),
        "players": [{"dice": player.dice, "outlived": player.outlived} for player in g.players],
        "bid": bid,
        "saying": g.question.count if g.to_act and isinstance(g.question, WhichFace) else None,
        "mine": rolled(g.players[seat].faces) if seat >= 0 else None,
    }


def rolled(faces: int) -> list[int]:
    """The dice in order: [2, 3, 3, 6]."""
    return [face for face, number in enumerate(spread(faces, FACES), 1) for _ in range(number)]
