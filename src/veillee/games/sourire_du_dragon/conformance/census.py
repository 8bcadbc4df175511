"""Census of Le Sourire du Dragon: counts every component; none is lost or duplicated during a game."""

from __future__ import annotations

from collections import Counter

from veillee.games.sourire_du_dragon.rules import SourireDuDragon


def census(g: SourireDuDragon) -> dict[str, int]:
    held = [card for hero in g.heroes for card in hero.cards]
    cards = Counter([*g.pile, *g.discards, *g.aside, *held])
    return {f"card {card}": number for card, number in sorted(cards.items())} | {
        "cards": cards.total(),
        "heroes": len(g.heroes),
    }
