"""GK-7.1 What one seat may see: hands and the order of the pile are private, everything else is public."""

from __future__ import annotations

from typing import Any

from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.rules import GhostKnights
from veillee.kernel.counts import at, spread

COLOUR_NAMES = ("white", "blue", "green", "yellow", "red", "black")

# The number of each answer: a board puts them on their things, and a move of several answers names later ones.
ANSWERS = {
    "draw": gk.DRAW,
    "pass": gk.PASS,
    "play": [gk.PLAY + colour for colour in range(gk.COLOURS)],
    "owner": [gk.OWNER + seat for seat in range(gk.MOST_PLAYERS)],
    "put": [gk.PUT + dolmen for dolmen in range(gk.DOLMENS)],
    "take": [gk.TAKE + dolmen for dolmen in range(gk.DOLMENS)],
}


def view(g: GhostKnights, seat: int) -> dict[str, Any]:
    turn = bool(g.to_act) and isinstance(g.question, gk.DrawOrPlay)  # the last question stays when the game is over
    fight = bool(g.to_act) and isinstance(g.question, gk.Fight)
    return {
        "knights": [
            {
                "colour": COLOUR_NAMES[s],
                "reserve": k.reserve,
                "swords": k.swords,
                "altar": k.altar,
                "glory": k.glory,
                "space": (k.glory - 1) % gk.LAP + 1,  # GK-1.4 on the ring of 30
                "laps": (k.glory - 1) // gk.LAP,
                "ahead": (k.glory - 1) // gk.LAP * gk.LAP,  # glory of the laps that are complete
                "cards": k.cards(),
                "out": bool((g.out >> s) & 1),
                "fights": not (g.out >> s) & 1 and k.can_fight(),  # GK-4.3 may be asked in this tournament
            }
            for s, k in enumerate(g.knights)
        ],
        "dolmens": [[at(k.guards, d) for k in g.knights] for d in range(gk.DOLMENS)],
        "stacks": [stacks(g, d) for d in range(gk.DOLMENS)],
        "common": COLOUR_NAMES[len(g.knights)] if len(g.knights) < gk.COLOURS - 1 else None,
        "pile": len(g.pile),
        "upper_half": max(0, len(g.pile) - g.lower_half),
        "upper_dolmen_cards": list(g.pile[g.lower_half :]).count(gk.DOLMEN_CARD),
        "lower_dolmen_cards": list(g.pile[: g.lower_half]).count(gk.DOLMEN_CARD),
        "discards": list(g.discards),
        "discarded": sum(g.discards),
        "colours": COLOUR_NAMES,
        "top": COLOUR_NAMES[g.top] if g.top >= 0 else None,
        "tournament": g.tournaments,
        "tournaments": gk.TOURNAMENTS,
        "fighting": g.fighting(),
        "asks": type(g.question).__name__ if g.to_act else None,
        "answers": ANSWERS,
        "hand": spread(g.knights[seat].hand, gk.COLOURS) if seat >= 0 else None,
        "cards": cards(g, seat, turn=turn) if seat >= 0 else None,
        "black": black(g, seat, turn=turn) if seat >= 0 and (turn or fight) and seat in g.to_act else None,
    }


def stacks(g: GhostKnights, dolmen: int) -> list[dict[str, int]]:
    """The guards at a dolmen, the most first: whose, how many, and what they would gain if it were scored now (GK-5)."""
    found = []
    for seat, knight in enumerate(g.knights):
        guards = at(knight.guards, dolmen)
        if guards:
            found.append({"seat": seat, "guards": guards, "gain": gk.worth(g, seat, dolmen)})
    return sorted(found, key=lambda stack: -stack["guards"])


def cards(g: GhostKnights, seat: int, *, turn: bool) -> list[dict[str, Any]]:
    """GK-2.3 The cards that the seat holds, each colour once: how many, whose guard it moves, and what it earns now."""
    found = []
    for colour, number in enumerate(spread(g.knights[seat].hand, gk.COLOURS)):
        if number:
            owner = None if colour == gk.BLACK else g.owner_of(colour, seat)
            rewarded = turn and owner not in (None, seat)
            found.append(
                {
                    "colour": COLOUR_NAMES[colour],
                    "count": number,
                    "owner": owner,
                    "reward": gk.OTHERS_COLOUR if rewarded else 0,
                    "sword": rewarded and g.knights[seat].swords > 0,
                    "answer": gk.PLAY + colour,
                }
            )
    return found


def black(g: GhostKnights, seat: int, *, turn: bool) -> dict[str, Any] | None:
    """GK-2.5, GK-4.4 Whose guard a black card could move, if the seat holds one that can be played."""
    if at(g.knights[seat].hand, gk.BLACK) == 0:
        return None
    can = [g.knights[s].reserve > 0 if turn else g.can_strike(seat, s) for s in range(len(g.knights))]
    if not any(can):
        return None
    others = [s for s, may in enumerate(can) if may and s != seat]
    own_first = can[seat] and (turn or not others)  # in a tournament a black card is mostly struck against an opponent
    return {"can": can, "first": seat if own_first else others[0], "rule": "GK-2.5" if turn else "GK-4.4"}
