"""What Ghost Knights tells the search about good play."""

from __future__ import annotations

from typing import Final

from veillee.games.ghost_knights.rules import (
    BLACK,
    DOLMENS,
    DRAW,
    EVERYWHERE_BONUS,
    PASS,
    PLAY,
    PUT,
    TAKE,
    TOURNAMENTS,
    DrawOrPlay,
    Fight,
    GhostKnights,
    PutGuard,
    Scoring,
    TakeGuard,
)
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng

DRAWS: Final = 3  # in ten: how often a second card is drawn although one could be played
SLIPS: Final = 8  # one guard in so many goes anywhere


class Knightly(Advisor):
    """Moves guards where the next scoring gains most on the others; plays any card that can help."""

    def choose(self, g: GhostKnights, seat: int, legal: list[int], rng: Rng) -> int:
        count = len(legal)
        if count == 1:
            return legal[0]
        first = legal[0]
        if first == DRAW:
            if rng.below(10) < DRAWS:
                return DRAW
            return legal[1 + rng.below(count - 1)]
        if first == PASS:
            action = legal[1 + rng.below(count - 1)]
            return action if best_strike(g, seat, action - PLAY) > 0 else PASS
        if rng.below(SLIPS) == 0:
            return legal[rng.below(count)]
        question = g.question
        if isinstance(question, PutGuard):
            return PUT + best_dolmen(g, seat, question.owner, 1, rng)
        if isinstance(question, TakeGuard):
            return TAKE + best_dolmen(g, seat, question.owner, -1, rng)
        return legal[rng.below(count)]

    def quiet(self, g: GhostKnights) -> bool:
        """Between two moves."""
        question = g.question
        return isinstance(question, (DrawOrPlay, Fight))

    def phase(self, g: GhostKnights) -> int:
        """How many dolmen cards are still to come, and whether a tournament is being fought."""
        for step in g.agenda:
            if isinstance(step, Scoring):
                return 2 * (TOURNAMENTS - g.tournaments) + 1
        return 2 * (TOURNAMENTS - g.tournaments)

    def features(self, g: GhostKnights, seat: int) -> list[float]:
        """Glory, what the next scoring would bring, and the means: swords, cards, guards, presence."""
        knight = g.knights[seat]
        present = 0
        placed = 0
        own = 0
        if seat < len(knight.hand):
            own = knight.hand[seat] + knight.hand[BLACK]
        points = 0
        for dolmen in range(DOLMENS):
            guards = knight.guards[dolmen]
            placed += guards
            if guards > 0:
                present += 1
                points += worth(g, seat, dolmen)
        return [
            knight.glory / 10.0,
            points / 10.0,
            1.0 if present == DOLMENS else 0.0,
            present / 5.0,
            placed / 10.0,
            knight.altar / 4.0,
            knight.cards() / 6.0,
            own / 3.0,
            min(knight.altar, knight.cards()) / 4.0,
        ]


def worth(g: GhostKnights, seat: int, dolmen: int) -> int:
    """What the dolmen would score for the seat now."""
    most = 0
    tied = 0
    present = 0
    for knight in g.knights:
        guards = knight.guards[dolmen]
        if guards > 0:
            present += 1
            if guards > most:
                most = guards
                tied = 1
            elif guards == most:
                tied += 1
    mine = g.knights[seat].guards[dolmen]
    if mine == 0:
        return 0
    if tied > 1:
        return most
    if present == 1:
        return 2 * most
    return most if mine == most else 0


def lead(g: GhostKnights, seat: int, dolmen: int, owner: int, change: int) -> int:
    """What the dolmen would score for the seat, times the players, less what it would score for everybody,
    if so many guards of the owner came."""
    most = 0
    tied = 0
    present = 0
    mine = 0
    knights = g.knights
    for i in range(len(knights)):
        guards = knights[i].guards[dolmen]
        if i == owner:
            guards += change
        if guards > 0:
            if i == seat:
                mine = guards
            present += 1
            if guards > most:
                most = guards
                tied = 1
            elif guards == most:
                tied += 1
    if tied > 1:
        return (len(knights) * most if mine > 0 else 0) - present * most
    if present == 1:
        most += most
        mine += mine
    return (len(knights) * most if mine == most else 0) - most


def gain(g: GhostKnights, seat: int, dolmen: int, owner: int, change: int) -> int:
    """How much the seat gains on the others when a guard of the owner comes to the dolmen or goes."""
    value = lead(g, seat, dolmen, owner, change) - lead(g, seat, dolmen, owner, 0)
    guards = g.knights[owner].guards
    if guards[dolmen] == 0 or guards[dolmen] + change == 0:
        missing = 0
        for d in range(DOLMENS):
            if guards[d] == 0:
                missing += 1
        if change < 0:
            missing += 1
        bonus = change * EVERYWHERE_BONUS * len(g.knights) // missing
        if owner == seat:
            value += bonus
        else:
            value -= bonus // (len(g.knights) - 1)
    return value


def best_dolmen(g: GhostKnights, seat: int, owner: int, change: int, rng: Rng) -> int:
    best = 0
    best_value = -1000
    for dolmen in range(DOLMENS):
        if change < 0 and g.knights[owner].guards[dolmen] == 0:
            continue
        value = 2 * gain(g, seat, dolmen, owner, change) + rng.below(4)
        if value > best_value:
            best_value = value
            best = dolmen
    return best


def best_strike(g: GhostKnights, seat: int, colour: int) -> int:
    """What a card played in a tournament can gain at best."""
    if colour == BLACK:
        return 1
    owner = g.owner_of(colour, seat)
    change = 1 if owner == seat else -1
    best = -1000
    for dolmen in range(DOLMENS):
        if change > 0 or g.knights[owner].guards[dolmen] > 0:
            value = gain(g, seat, dolmen, owner, change)
            best = max(best, value)
    return best
