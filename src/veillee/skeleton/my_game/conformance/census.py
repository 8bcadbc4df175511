"""Census of My Game: counts every card; none is lost or duplicated during a game."""

from __future__ import annotations

from my_game.rules import MyGame


def census(g: MyGame) -> dict[str, int]:
    cards = [*g.pile, *(card for player in g.players for card in [*player.hand, *player.row])]
    return {f"card {card}": cards.count(card) for card in sorted(cards)}
