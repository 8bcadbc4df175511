"""GK-7.1 What one seat may see: hands and the order of the pile are private, everything else is public."""

from __future__ import annotations

from typing import Any

from veillee.games.ghost_knights.rules import COLOURS, DOLMEN_CARD, DOLMENS, LAP, TOURNAMENTS, GhostKnights

COLOUR_NAMES = ("white", "blue", "green", "yellow", "red", "black")


def view(g: GhostKnights, seat: int) -> dict[str, Any]:
    upper = max(0, len(g.pile) - g.lower_half)
    return {
        "knights": [
            {
                "colour": COLOUR_NAMES[s],
                "reserve": k.reserve,
                "swords": k.swords,
                "altar": k.altar,
                "glory": k.glory,
                "space": (k.glory - 1) % LAP + 1,  # GK-1.4 on the ring of 30
                "laps": (k.glory - 1) // LAP,
                "cards": k.cards(),
                "out": bool((g.out >> s) & 1),
            }
            for s, k in enumerate(g.knights)
        ],
        "dolmens": [[k.guards[d] for k in g.knights] for d in range(DOLMENS)],
        "common": COLOUR_NAMES[len(g.knights)] if len(g.knights) < COLOURS - 1 else None,
        "pile": len(g.pile),
        "upper_half": upper,
        "upper_dolmen_cards": g.pile[g.lower_half :].count(DOLMEN_CARD),
        "lower_dolmen_cards": g.pile[: g.lower_half].count(DOLMEN_CARD),
        "discards": list(g.discards),
        "top": COLOUR_NAMES[g.top] if g.top >= 0 else None,
        "tournament": g.tournaments,
        "tournaments": TOURNAMENTS,
        "asks": type(g.question).__name__ if g.to_act else None,
        "hand": list(g.knights[seat].hand) if seat >= 0 else None,
    }
