"""Advisor of Le Sourire du Dragon: heuristics, evaluation and prior for the search.

The race itself is solved: for a hero with given bonuses, `Plan` knows how many turns it takes to the Vortex from every
square and which announcement is the shorter way. It leaves out what cannot be planned (the other players, the cards
that will be kept), which the search finds out by playing.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.sourire_du_dragon.rules.course import (
    AGAIN,
    ARROW,
    BOOTS,
    CLUB,
    GREEN,
    HAT,
    MASTER,
    MISS,
    MONSTER,
    MOVE,
    NO_CARD,
    NO_SQUARE,
    NOBODY,
    OBJECTS,
    ORANGE,
    POTION,
    REROLL,
    RETREAT,
    SHIELD,
    STAFF,
    UNI,
    Course,
)
from veillee.games.sourire_du_dragon.rules.meetings import Fray, Meet, OfferFor, OfferWhat, Reply, Spoils, card_of
from veillee.games.sourire_du_dragon.rules.position import (
    ACCEPT,
    ATTACK,
    CARD,
    GO,
    GO_WITH_UNI,
    HIGH_MOVES,
    LOW_MOVES,
    OFFER,
    PASS,
    REFUSE,
    STEP_OUT,
    TO,
    USE_HAT,
    SourireDuDragon,
)
from veillee.games.sourire_du_dragon.rules.turn import Announce, Attempt, HelpTheLast, Stride
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves

REACH: Final = 1  # decisions of a playout before it is judged: the plan sees further, and with less luck, than dice do
NEAR: Final = 12.0  # turns to the Vortex of the nearest hero: the race is in its last part
SLIPS: Final = 10  # one answer in so many is given at random
SWEEPS: Final = 50  # of the squares, until the expected turns stand still
MORE_SWEEPS: Final = 15  # from those of a like hero
ROLLS: Final = 216
BOOTS_COST: Final = 0.6  # turns: what keeping the boots for later is worth
LOW: Final = -1  # bonuses are planned for from -1 …
HIGH: Final = 3  # … to +3
WIDTH: Final = HIGH - LOW + 1
NO_POWER: Final = 0
LEAPS: Final = 1  # the Acrobat's Staff
BREAKS: Final = 2  # the Barbarian's Club
HOLDS: Final = 3  # the Cavalier's Shield
POWERS: Final = 4


@mypyc_attr(acyclic=True)
class Pair:
    """The lowest and the highest of three dice, and in how many of 216 rolls they fall so."""

    def __init__(self, low: i64, high: i64, share: float) -> None:
        self.low = low
        self.high = high
        self.share = share


def pairs() -> list[Pair]:
    counts = [0] * 49
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                counts[7 * min(a, b, c) + max(a, b, c)] += 1
    return [Pair(place // 7, place % 7, count / ROLLS) for place, count in enumerate(counts) if count]


PAIRS: Final[list[Pair]] = pairs()


class Plan:
    """The expected turns to the Vortex for a hero with these bonuses, alone on the board."""

    def __init__(self, course: Course, combat: i64, adventure: i64, power: i64, like: Plan | None) -> None:
        squares = int(course.arrow) + 1
        self.course = course
        self.combat = combat
        self.adventure = adventure
        self.power = power
        # At the start of a turn, free or blocked, on each square; and after the move, by square and combat die.
        self.free = vec[float]([12.0 + (squares - square) / 4 for square in range(squares)])
        self.blocked = vec[float]([14.0 + (squares - square) / 4 for square in range(squares)])
        self.after = vec[float]([12.0 + (squares - place // 7) / 4 for place in range(squares * 7)])
        self.best_free = vec[i64]([HIGH_MOVES] * squares)
        self.best_blocked = vec[i64]([LOW_MOVES] * squares)
        # In shares of all cards: monsters that drive back or are held off, by the combat die; cards that move.
        self.driven = vec[float]([0.0] * 7)
        self.held = vec[float]([0.0] * 7)
        self.steps = vec[i64]()
        self.stepping = vec[float]()
        self.retreats = 0.0
        self.turns = 0.0
        self.count_cards()
        if like is not None:
            self.free = like.free[:]
            self.blocked = like.blocked[:]
            self.after = like.after[:]
        for _sweep in range(SWEEPS if like is None else MORE_SWEEPS):
            self.sweep()

    def count_cards(self) -> None:
        course = self.course
        total = float(sum(course.copies))
        for card in range(len(course.effects)):
            effect = course.effects[card]
            share = float(int(course.copies[card])) / total
            if effect == MONSTER:
                for die in range(1, 7):
                    if die + self.combat < course.powers[card]:
                        if self.power == HOLDS and not course.dreaded[card]:
                            self.held[die] += share
                        else:
                            self.driven[die] += share
            elif effect == MOVE:
                self.steps = append(self.steps, course.powers[card])
                self.stepping = append(self.stepping, share)
            elif effect == RETREAT:
                self.retreats += share
            elif effect == AGAIN:
                self.turns -= share
            elif effect == MISS:
                self.turns += share

    def sweep(self) -> None:
        square = self.course.arrow
        while square >= 0:
            known = 0.0
            die: i64 = 1
            while die <= 6:
                turns = self.landing(square, die)
                self.after[square * 7 + die] = turns
                known += turns
                die += 1
            self.after[square * 7] = known / 6  # a die that is still to be rolled
            high_free = low_free = high_blocked = low_blocked = 0.0
            for pair in PAIRS:
                low = pair.low
                high = pair.high
                share = pair.share
                high_free += share * self.moved(square, high, low)
                low_free += share * self.moved(square, low, high)
                high_blocked += share * self.tried(square, high, low)
                low_blocked += share * self.tried(square, low, high)
            self.best_free[square] = HIGH_MOVES if high_free <= low_free else LOW_MOVES
            self.free[square] = 1.0 + min(high_free, low_free)
            self.best_blocked[square] = HIGH_MOVES if high_blocked <= low_blocked else LOW_MOVES
            self.blocked[square] = 1.0 + min(high_blocked, low_blocked)
            square -= 1

    def moved(self, square: i64, steps: i64, die: i64) -> float:
        to = self.course.after(square, steps)
        if to == NO_SQUARE:
            return self.after[square * 7 + die] if self.course.kinds[square] == GREEN else self.free[square]
        return self.after[to * 7 + die]

    def tried(self, square: i64, steps: i64, die: i64) -> float:
        if square == self.course.arrow:  # a card led there: it draws now
            return self.after[square * 7 + die]
        if not self.passes(square, die):
            return self.blocked[square]
        if square == self.course.whirlpool:
            return self.blocked[self.course.castle]
        return self.moved(square, steps, 0)

    def passes(self, square: i64, die: i64) -> bool:
        course = self.course
        if self.power == LEAPS and course.staff_passes[square]:
            return True
        if self.power == BREAKS and course.club_passes[square]:
            return True
        bonus = self.combat if course.combats[square] else self.adventure
        if square == course.whirlpool and bonus < 0:
            bonus = 0
        return die + bonus >= course.numbers[square]

    def landing(self, square: i64, die: i64) -> float:
        """What is left after ending the move there with this combat die."""
        kind = self.course.kinds[square]
        if kind in (GREEN, ARROW):
            return self.drawing(square, die)
        if kind == ORANGE:
            return self.free[square] + 1.0
        if not self.course.blocks(square):
            return self.free[square]
        if not self.passes(square, die):
            return self.blocked[square]
        return self.blocked[self.course.castle] if square == self.course.whirlpool else self.free[square]

    def drawing(self, square: i64, die: i64) -> float:
        course = self.course
        on_arrow = square == course.arrow
        stay = 0.0 if on_arrow else self.free[square]
        leaves = self.driven[die] + self.retreats
        sum_ = leaves * self.standing(course.previous[square]) + self.held[die] * self.free[square]
        leaves += self.held[die]
        for i in range(len(self.steps)):
            steps = self.steps[i]
            to = course.after(square, steps) if steps > 0 else course.before(square, -steps)
            if to != NO_SQUARE:
                sum_ += self.stepping[i] * self.standing(to)
                leaves += self.stepping[i]
        sum_ += (1.0 - leaves) * stay
        return sum_ if on_arrow else sum_ + self.turns

    def standing(self, square: i64) -> float:
        """At the start of a turn on a square that a card or a monster led to."""
        if self.course.blocks(square) or square == self.course.arrow:
            return self.blocked[square]
        return self.free[square]


class Dragonish(Advisor):
    """Announces after the plan, uses help when it is short of it, brawls when it pays, trades for its own object."""

    def __init__(self, weights: list[list[float]] | None = None) -> None:
        super().__init__(weights)
        self.reach = REACH
        # Of each set of squares and cards: for every power and bonus, and for a hero without cards.
        self.plans: list[Plan | None] = []
        self.plain: list[Plan | None] = []

    def plan(self, g: SourireDuDragon, seat: i64) -> Plan:
        hero = g.heroes[seat]
        combat: i64 = 0
        adventure: i64 = 0
        power: i64 = NO_POWER
        if hero.has_cards():
            combat = within(g.bonus(seat, True, False))
            adventure = within(g.bonus(seat, False, False))
            if hero.has_own(STAFF):
                power = LEAPS
            elif hero.has_own(CLUB):
                power = BREAKS
            elif hero.has_own(SHIELD):
                power = HOLDS
        while len(self.plain) <= g.course.set:
            self.plans += [None] * (POWERS * WIDTH * WIDTH)
            self.plain.append(None)
        key = ((g.course.set * POWERS + power) * WIDTH + combat - LOW) * WIDTH + adventure - LOW
        known = self.plans[key]
        if known is not None:
            return known
        plan = Plan(g.course, combat, adventure, power, self.plain[g.course.set])
        if not hero.has_cards():
            self.plain[g.course.set] = plan
        self.plans[key] = plan
        return plan

    def choose(self, g: SourireDuDragon, seat: i64, moves: Moves, rng: Rng) -> i64:
        if moves.count == 1:
            return moves.at(0)
        if rng.below(SLIPS) == 0:
            return moves.random(rng)
        step = g.question
        if isinstance(step, Announce):
            hero = g.heroes[seat]
            plan = self.plan(g, seat)
            return plan.best_blocked[hero.square] if hero.blocked else plan.best_free[hero.square]
        if isinstance(step, Stride):
            return self.stride(g, seat, moves)
        if isinstance(step, (Attempt, Fray)):
            return help_wanted(g, moves)
        if isinstance(step, Meet):
            return meeting(g, seat, moves)
        if isinstance(step, OfferWhat):
            return gift(g, seat, step.partner, moves)
        if isinstance(step, (OfferFor, Spoils)):
            return dearest(g, seat, moves)
        if isinstance(step, Reply):
            return ACCEPT if worth(g, seat, step.give) >= worth(g, seat, step.want) else REFUSE
        if isinstance(step, HelpTheLast) and g.is_last(seat):
            return TO + seat
        return moves.random(rng)

    def stride(self, g: SourireDuDragon, seat: i64, moves: Moves) -> i64:
        """Where the fewest turns are left, the boots kept if they do not save enough."""
        plan = self.plan(g, seat)
        square = g.heroes[seat].square
        best: i64 = GO
        least = 1e9
        for place in range(moves.count):
            action = moves.at(place)
            if action == GO:
                turns = plan.moved(square, g.move, g.combat)
            elif action == GO_WITH_UNI:
                turns = plan.moved(square, g.move + 1, g.combat)
            else:
                turns = plan.moved(square, action - STEP_OUT + 1, g.combat) + BOOTS_COST
            if turns < least:
                least = turns
                best = action
        return best

    def quiet(self, g: SourireDuDragon) -> bool:
        """Between two turns: the plan counts from there."""
        return isinstance(g.question, Announce)

    def phase(self, g: SourireDuDragon) -> i64:
        """How near the end is."""
        return 1 if self.nearest(g, NOBODY) < NEAR else 0

    def features(self, g: SourireDuDragon, seat: i64) -> vec[float]:
        """How far it is to the Vortex, in turns and against the nearest rival, who plays sooner, and what is kept."""
        mine = self.turns(g, seat)
        rival = self.nearest(g, seat)
        hero = g.heroes[seat]
        players = len(g.heroes)
        master = potions = boots = uni = objects = 0.0
        for card in hero.cards:
            effect = g.course.effects[card]
            if effect == MASTER:
                master += 1.0
            elif effect in (POTION, REROLL):
                potions += 1.0
            elif effect == BOOTS:
                boots += 1.0
            elif effect == UNI:
                uni += 1.0
            elif card != HAT or hero.character == HAT:
                objects += 1.0
        return vec[float](
            [
                -mine / 5.0,
                4.0 / (mine + 2.0),
                (rival - mine) / 5.0,
                -float(int((seat - g.question.seat) % players)) / float(int(players)),
                master,
                potions,
                boots,
                uni,
                objects / 2.0,
            ]
        )

    def nearest(self, g: SourireDuDragon, but: i64) -> float:
        """Returns the fewest expected turns of the other seats."""
        least = 99.0
        for seat in range(len(g.heroes)):
            if seat != but:
                least = min(least, self.turns(g, seat))
        return least

    def turns(self, g: SourireDuDragon, seat: i64) -> float:
        """Expected turns of the seat to the Vortex, from the start of its next turn."""
        hero = g.heroes[seat]
        if hero.character == NOBODY:
            return 20.0
        plan = self.plan(g, seat)
        turns = plan.blocked[hero.square] if hero.blocked else plan.free[hero.square]
        return turns + float(int(hero.lost))


def meeting(g: SourireDuDragon, seat: i64, moves: Moves) -> i64:
    """Asks for the own object; attacks a weaker hero, or when there is nothing to lose."""
    hero = g.heroes[seat]
    mine = 2 * (g.bonus(seat, True, False) + g.combat) + (7 if g.combat == 0 else 0)
    for place in range(moves.count):
        action = moves.at(place)
        if OFFER <= action < TO and g.heroes[action - OFFER].holds(hero.character):
            return action
    for place in range(moves.count):
        action = moves.at(place)
        if ATTACK <= action < OFFER:
            theirs = 2 * g.bonus(action - ATTACK, True, False) + 7
            if mine > theirs or (not hero.has_cards() and mine + 4 > theirs):
                return action
    return PASS


def within(bonus: i64) -> i64:
    if bonus < LOW:
        return LOW
    if bonus > HIGH:
        return HIGH
    return bonus


def worth(g: SourireDuDragon, seat: i64, card: i64) -> i64:
    """What a card is to this seat, roughly: its own object most, the Hat in wrong hands a burden."""
    if card == NO_CARD:
        return 0
    if card == g.heroes[seat].character:
        return 6
    if card == HAT:
        return -2
    if card < OBJECTS:
        return 3
    return 4 if g.course.effects[card] == UNI else 2


def dearest(g: SourireDuDragon, seat: i64, moves: Moves) -> i64:
    """The card that is worth most; nothing if all of them are a burden."""
    best = moves.at(0)
    most = worth(g, seat, card_of(best))
    for place in range(1, moves.count):
        action = moves.at(place)
        value = worth(g, seat, action - CARD)
        if value > most:
            most = value
            best = action
    return best


def gift(g: SourireDuDragon, seat: i64, partner: i64, moves: Moves) -> i64:
    """Offers what the other can use best; never the own object."""
    best = moves.at(0)
    most: i64 = -9
    for place in range(moves.count):
        action = moves.at(place)
        value: i64 = -1
        if action != PASS:
            value = worth(g, partner, action - CARD) - worth(g, seat, action - CARD)
        if value > most:
            most = value
            best = action
    return best


def help_wanted(g: SourireDuDragon, moves: Moves) -> i64:
    """The Hat costs nothing; then potions, the clover, and the Dungeon Master last."""
    best: i64 = PASS
    rank: i64 = 9
    for place in range(moves.count):
        action = moves.at(place)
        if action == PASS:
            continue
        turn: i64 = 0
        if action != USE_HAT:
            effect = g.course.effects[action - CARD]
            turn = 1 if effect == POTION else (2 if effect == REROLL else 3)
        if turn < rank:
            rank = turn
            best = action
    return best
