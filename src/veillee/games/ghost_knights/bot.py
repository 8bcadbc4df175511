"""Advisor of Ghost Knights: heuristics, evaluation and prior for the search."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.ghost_knights.rules import (
    BLACK,
    COLOURS,
    DOLMENS,
    DRAW,
    EVERYWHERE_BONUS,
    OWNER,
    PASS,
    PLAY,
    PUT,
    TAKE,
    TOURNAMENTS,
    CardOr,
    DrawOrPlay,
    GhostKnights,
    PutGuard,
    Scoring,
    TakeGuard,
    worth,
)
from veillee.games.ghost_knights.signs import Stakes
from veillee.kernel.advisor import Advisor, Signs
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.state import Moves, offer, play

DRAWS: Final = 3  # in ten: how often a second card is drawn although one could be played
SLIPS: Final = 8  # one guard in so many goes anywhere


class Knightly(Advisor):
    """Moves guards where the next scoring gains most on the others; plays any card that can help.

    Points fall at scorings, so the quick games in the head are played to the end of the next one and judged there.
    """

    def __init__(self, weights: list[list[float]] | None = None, habits: list[float] | None = None) -> None:
        super().__init__(weights, habits)
        self.whole_phases = True
        self.stakes = Stakes()
        self.planned: GhostKnights | None = None  # the quick game in which a card was just chosen

    def choose(self, g: GhostKnights, seat: i64, moves: Moves, rng: Rng) -> i64:
        count = moves.count
        first = moves.at(0)
        if count == 1:
            return first
        if first == DRAW:
            if rng.below(10) < DRAWS:
                return DRAW
            return moves.at(1 + rng.below(count - 1))
        if first == PASS:
            action = moves.at(1 + rng.below(count - 1))
            return action if best_strike(g, seat, action - PLAY) > 0 else PASS
        if rng.below(SLIPS) == 0:
            return moves.random(rng)
        question = g.question
        if isinstance(question, PutGuard):
            return PUT + best_dolmen(g, seat, question.owner, 1, rng)
        if isinstance(question, TakeGuard):
            return TAKE + best_dolmen(g, seat, question.owner, -1, rng)
        return moves.random(rng)

    def hurry(self, g: GhostKnights, seat: i64, moves: Moves, rng: Rng) -> i64:
        offer(g, seat, moves)
        play(g, seat, self.rehearse(g, seat, moves, rng), rng)
        return 1

    def rehearse(self, g: GhostKnights, seat: i64, moves: Moves, rng: Rng) -> i64:
        """Cards as experts play them, and guards where they gain most, by who is likely to win.

        The choice of a card has computed where it gains: nothing has changed when the next question is asked.
        """
        if len(self.habits) == 0:
            return self.choose(g, seat, moves, rng)
        question = g.question
        stakes = self.stakes
        planned = self.planned is g
        self.planned = None
        if isinstance(question, CardOr):
            action = self.advise(g, seat, moves, rng)
            if action >= PLAY:
                self.planned = g
            return action
        if not planned:
            stakes.look(g, seat)
        if isinstance(question, PutGuard):
            return moves.random(rng) if rng.below(SLIPS) == 0 else PUT + stakes.best_to_put(g, question.owner)
        if isinstance(question, TakeGuard):
            return TAKE + stakes.best_to_take(question.owner)
        self.planned = g
        return OWNER + stakes.best_owner(g, stakes.struggle)

    def signs(self, g: GhostKnights, seat: i64, moves: Moves, place: i64, into: Signs) -> None:
        """What a card gains and keeps, whose guard it moves, how things stand at a dolmen.

        The answers of a question are asked about in order: at the first it is counted what all of them are worth.
        """
        stakes = self.stakes
        question = g.question
        if isinstance(question, CardOr):
            if place == 0:
                stakes.of_cards(g, seat, moves)
            stakes.card(g, seat, moves.at(place), place, into)
        elif isinstance(question, PutGuard):
            if place == 0:
                stakes.of_dolmens(g, seat, question.owner, 1)
            stakes.dolmen(seat, question.owner, moves.at(place) - PUT, 1, into)
        elif isinstance(question, TakeGuard):
            if place == 0:
                stakes.of_dolmens(g, seat, question.owner, -1)
            stakes.dolmen(seat, question.owner, moves.at(place) - TAKE, -1, into)
        else:
            if place == 0:
                stakes.of_owners(g, seat, moves)
            stakes.owner(g, seat, moves.at(place) - OWNER, place, into)

    def quiet(self, g: GhostKnights) -> bool:
        """Between two moves, outside a tournament."""
        return isinstance(g.question, DrawOrPlay)

    def phase(self, g: GhostKnights) -> i64:
        """How many scorings are still to come."""
        for place in range(g.depth):
            if isinstance(g.steps[place], Scoring):
                return TOURNAMENTS - g.tournaments + 1
        return TOURNAMENTS - g.tournaments

    def features(self, g: GhostKnights, seat: i64) -> vec[float]:
        """Glory, what the next scoring would bring, and the means: swords, cards, guards, presence."""
        knight = g.knights[seat]
        present: i64 = 0
        placed: i64 = 0
        own: i64 = 0
        if seat < COLOURS:
            own = at(knight.hand, seat) + at(knight.hand, BLACK)
        points: i64 = 0
        for dolmen in range(DOLMENS):
            guards = at(knight.guards, dolmen)
            placed += guards
            if guards > 0:
                present += 1
                points += worth(g, seat, dolmen)
        return vec[float](
            [
                int(knight.glory) / 10.0,
                int(points) / 10.0,
                1.0 if present == DOLMENS else 0.0,
                int(present) / 5.0,
                int(placed) / 10.0,
                int(knight.altar) / 4.0,
                int(knight.cards()) / 6.0,
                int(own) / 3.0,
                int(min(knight.altar, knight.cards())) / 4.0,
            ]
        )


def lead(players: i64, guards: i64, most: i64, tied: i64, present: i64, mine: i64) -> i64:
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


def gain(g: GhostKnights, seat: i64, dolmen: i64, owner: i64, change: i64) -> i64:
    """How much the seat gains on the others when a guard of the owner comes to the dolmen or goes."""
    knights = g.knights
    players = len(knights)
    most: i64 = 0
    tied: i64 = 0
    present: i64 = 0
    mine: i64 = 0
    standing: i64 = 0
    for i in range(players):
        guards = at(knights[i].guards, dolmen)
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
        missing: i64 = 0
        for d in range(DOLMENS):
            if at(row, d) == 0:
                missing += 1
        if change < 0:
            missing += 1
        bonus = change * EVERYWHERE_BONUS * players // missing
        if owner == seat:
            value += bonus
        else:
            value -= bonus // (players - 1)
    return value


def best_dolmen(g: GhostKnights, seat: i64, owner: i64, change: i64, rng: Rng) -> i64:
    best: i64 = 0
    best_value: i64 = -1000
    for dolmen in range(DOLMENS):
        if change < 0 and at(g.knights[owner].guards, dolmen) == 0:
            continue
        value = 2 * gain(g, seat, dolmen, owner, change) + rng.below(4)
        if value > best_value:
            best_value = value
            best = dolmen
    return best


def best_strike(g: GhostKnights, seat: i64, colour: i64) -> i64:
    """What a card played in a tournament can gain at best."""
    if colour == BLACK:
        return 1
    owner = g.owner_of(colour, seat)
    change: i64 = 1 if owner == seat else -1
    best: i64 = -1000
    for dolmen in range(DOLMENS):
        if change > 0 or at(g.knights[owner].guards, dolmen) > 0:
            value = gain(g, seat, dolmen, owner, change)
            best = max(best, value)
    return best
