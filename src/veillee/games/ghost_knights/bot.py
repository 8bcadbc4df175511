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
    GhostKnights,
    PutGuard,
    Scoring,
    TakeGuard,
    tally,
)
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng

DRAWS: Final = 3  # in ten: how often a second card is drawn although one could be played
SLIPS: Final = 8  # one guard in so many goes anywhere


class Knightly(Advisor):
    """Moves guards where the next scoring gains most on the others; plays any card that can help.

    Points fall at scorings, so the quick games in the head are played to the end of the next one and judged there.
    """

    def __init__(self, weights: list[list[float]] | None = None) -> None:
        super().__init__(weights)
        self.whole_phases = True

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
        """Between two moves, outside a tournament."""
        return isinstance(g.question, DrawOrPlay)

    def phase(self, g: GhostKnights) -> int:
        """How many scorings are still to come."""
        for step in g.agenda:
            if isinstance(step, Scoring):
                return TOURNAMENTS - g.tournaments + 1
        return TOURNAMENTS - g.tournaments

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
    mine = g.knights[seat].guards[dolmen]
    if mine == 0:
        return 0
    most, tied, present = tally(g, dolmen)
    if tied > 1:
        return most
    if present == 1:
        return 2 * most
    return most if mine == most else 0


def lead(players: int, guards: int, most: int, tied: int, present: int, mine: int) -> int:
    """What a dolmen would score for the seat, times the players, less what it would score for everybody.

    `guards` stand there of one owner; of the others present, `tied` have the most. `mine`: the seat's own guards.
    """
    if guards > 0:
        present += 1
        if guards > most:
            most = guards
            tied = 1
        elif guards == most:
            tied += 1
    if tied > 1:
        return (players * most if mine > 0 else 0) - present * most
    if present == 1:
        most += most
        mine += mine
    return (players * most if mine == most else 0) - most


def gain(g: GhostKnights, seat: int, dolmen: int, owner: int, change: int) -> int:
    """How much the seat gains on the others when a guard of the owner comes to the dolmen or goes."""
    knights = g.knights
    players = len(knights)
    most = 0
    tied = 0
    present = 0
    mine = 0
    standing = 0
    for i in range(players):
        guards = knights[i].guards[dolmen]
        if i == owner:
            standing = guards
        elif guards > 0:
            if i == seat:
                mine = guards
            present += 1
            if guards > most:
                most = guards
                tied = 1
            elif guards == most:
                tied += 1
    after = standing + change
    if owner == seat:
        value = lead(players, after, most, tied, present, after) - lead(
            players, standing, most, tied, present, standing
        )
    else:
        value = lead(players, after, most, tied, present, mine) - lead(players, standing, most, tied, present, mine)
    if standing == 0 or after == 0:
        row = knights[owner].guards
        missing = 0
        for d in range(DOLMENS):
            if row[d] == 0:
                missing += 1
        if change < 0:
            missing += 1
        bonus = change * EVERYWHERE_BONUS * players // missing
        if owner == seat:
            value += bonus
        else:
            value -= bonus // (players - 1)
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
