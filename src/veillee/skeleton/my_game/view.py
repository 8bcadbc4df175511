"""View of one seat: a whitelist of what is shown, never everything minus what is hidden."""

from __future__ import annotations

from typing import Any

from my_game.rules import DRAW, MyGame


def view(g: MyGame, seat: int) -> dict[str, Any]:
    """MG-1.1 The rows, how many cards everybody holds, and one's own hand; a spectator (seat -1) has none."""
    return {
        "pile": len(g.pile),
        "players": [{"row": list(player.row), "cards": len(player.hand)} for player in g.players],
        "mine": sorted(g.players[seat].hand) if seat >= 0 else None,
        "answers": {"draw": DRAW},  # numbers that the board's templates ask for
    }
