"""Census of Ghost Knights: counts every component; none is lost or duplicated during a game."""

from __future__ import annotations

from veillee.games.ghost_knights.rules import COLOURS, DOLMEN_CARD, DOLMENS, GhostKnights
from veillee.kernel.counts import at, spread


def census(g: GhostKnights) -> dict[str, int]:
    counts: dict[str, int] = {"dolmen cards": list(g.pile).count(DOLMEN_CARD) + g.tournaments}
    for colour in range(COLOURS):
        hands = sum(at(knight.hand, colour) for knight in g.knights)
        counts[f"cards {colour}"] = list(g.pile).count(colour) + hands + g.discards[colour]
    for seat, knight in enumerate(g.knights):
        counts[f"guards {seat}"] = knight.reserve + sum(spread(knight.guards, DOLMENS))
    return counts
