"""What Le Sourire du Dragon tells the search about good play.

The race itself is solved: for a hero with given bonuses, `Plan` knows how many turns it takes to the Vortex from every
square and which announcement is the shorter way. It leaves out what cannot be planned (the other players, the cards
that will be kept), which the search finds out by playing.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from veillee.games.sourire_du_dragon.rules import (
    ACCEPT,
    ADVENTURE,
    AGAIN,
    ARROW,
    ATTACK,
    BOOTS,
    CARD,
    CLUB,
    GO,
    GO_WITH_UNI,
    GREEN,
    HAT,
    HIGH_MOVES,
    LOW_MOVES,
    MASTER,
    MISS,
    MONSTER,
    MOVE,
    NO_CARD,
    NO_SQUARE,
    NOBODY,
    OBJECTS,
    OFFER,
    ORANGE,
    PASS,
    POTION,
    REFUSE,
    REROLL,
    RETREAT,
    SHIELD,
    STAFF,
    STEP_OUT,
    TO,
    UNI,
    USE_HAT,
    WHIRLPOOL,
    Announce,
    Attempt,
    Course,
    Fray,
    HelpTheLast,
    Meet,
    OfferFor,
    OfferWhat,
    Reply,
    SourireDuDragon,
    Spoils,
    Stride,
)
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng

REACH: Final = 1  # decisions of a playout before it is judged: the plan sees further, and with less luck, than dice do
NEAR: Final = 12.0  # turns to the Vortex for whoever is nearest: the race is in its last part
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


@mypyc_attr(acyclic=True)
class Pair:
    """The lowest and the highest of three dice, and in how many of 216 rolls they fall so."""

    low: int
    high: int
    share: float


def pairs() -> list[Pair]:
    counts = [0] * 49
    for a in range(1, 7):
        for b in range(1, 7):
            for c in range(1, 7):
                counts[7 * min(a, b, c) + max(a, b, c)] += 1
    found = []
    for place, count in enumerate(counts):
        if count:
            pair = Pair()
            pair.low = place // 7
            pair.high = place % 7
            pair.share = count / ROLLS
            found.append(pair)
    return found


PAIRS: Final[list[Pair]] = pairs()


class Plan:
    """The expected turns to the Vortex for a hero with these bonuses, alone on the board."""

    def __init__(self, course: Course, combat: int, adventure: int, power: int, like: Plan | None) -> None:
        squares = course.arrow + 1
        self.course = course
        self.combat = combat
        self.adventure = adventure
        self.power = power
        # At the start of a turn, free or blocked, on each square; and after the move, by square and combat die.
        self.free: list[float] = [12.0 + (squares - square) / 4 for square in range(squares)]
        self.blocked: list[float] = [14.0 + (squares - square) / 4 for square in range(squares)]
        self.after: list[float] = [12.0 + (squares - place // 7) / 4 for place in range(squares * 7)]
        self.best_free: list[int] = [HIGH_MOVES] * squares
        self.best_blocked: list[int] = [LOW_MOVES] * squares
        self.count_cards()
        if like is not None:
            self.free = like.free[:]
            self.blocked = like.blocked[:]
            self.after = like.after[:]
        for _ in range(SWEEPS if like is None else MORE_SWEEPS):
            self.sweep()

    def count_cards(self) -> None:
        """In shares of all cards: monsters that drive back or are held off, by the combat die; cards that move."""
        course = self.course
        self.driven: list[float] = [0.0] * 7
        self.held: list[float] = [0.0] * 7
        self.steps: list[int] = []
        self.stepping: list[float] = []
        self.retreats = self.turns = 0.0
        total = 0.0
        for copies in course.copies:
            total += copies
        for card, effect in enumerate(course.effects):
            share = course.copies[card] / total
            if effect == MONSTER:
                for die in range(1, 7):
                    if die + self.combat < course.powers[card]:
                        if self.power == HOLDS and not course.dreaded[card]:
                            self.held[die] += share
                        else:
                            self.driven[die] += share
            elif effect == MOVE:
                self.steps.append(course.powers[card])
                self.stepping.append(share)
            elif effect == RETREAT:
                self.retreats += share
            elif effect == AGAIN:
                self.turns -= share
            elif effect == MISS:
                self.turns += share

    def sweep(self) -> None:
        for square in range(self.course.arrow, -1, -1):
            known = 0.0
            for die in range(1, 7):
                turns = self.landing(square, die)
                self.after[square * 7 + die] = turns
                known += turns
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
            self.free[square] = 1.0 + (min(high_free, low_free))
            self.best_blocked[square] = HIGH_MOVES if high_blocked <= low_blocked else LOW_MOVES
            self.blocked[square] = 1.0 + (min(high_blocked, low_blocked))

    def moved(self, square: int, steps: int, die: int) -> float:
        to = self.course.after(square, steps)
        if to == NO_SQUARE:
            return self.after[square * 7 + die] if self.course.kinds[square] == GREEN else self.free[square]
        return self.after[to * 7 + die]

    def tried(self, square: int, steps: int, die: int) -> float:
        if not self.passes(square, die):
            return self.blocked[square]
        if square == self.course.whirlpool:
            return self.blocked[self.course.castle]
        return self.moved(square, steps, 0)

    def passes(self, square: int, die: int) -> bool:
        course = self.course
        if self.power == LEAPS and course.staff_passes[square]:
            return True
        if self.power == BREAKS and course.club_passes[square]:
            return True
        bonus = self.adventure
        if square == course.whirlpool and bonus < 0:
            bonus = 0
        return die + bonus >= course.numbers[square]

    def landing(self, square: int, die: int) -> float:
        """What is left after ending the move there with this combat die."""
        kind = self.course.kinds[square]
        if kind in (GREEN, ARROW):
            return self.drawing(square, die)
        if kind == ORANGE:
            return self.free[square] + 1.0
        if kind == ADVENTURE:
            return self.free[square] if self.passes(square, die) else self.blocked[square]
        if kind == WHIRLPOOL:
            return self.blocked[self.course.castle] if self.passes(square, die) else self.blocked[square]
        return self.free[square]

    def drawing(self, square: int, die: int) -> float:
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

    def standing(self, square: int) -> float:
        """At the start of a turn on a square that a card or a monster led to."""
        kind = self.course.kinds[square]
        return self.blocked[square] if kind in (ADVENTURE, WHIRLPOOL) else self.free[square]


class Dragonish(Advisor):
    """Announces after the plan, uses help when it is short of it, brawls when it pays, trades for its own object."""

    def __init__(self, weights: list[list[float]] | None = None) -> None:
        super().__init__(weights)
        self.reach = REACH
        self.plans: dict[int, Plan] = {}
        self.plain: dict[int, Plan] = {}  # of a hero without cards, for each set of squares and cards

    def plan(self, g: SourireDuDragon, seat: int) -> Plan:
        hero = g.heroes[seat]
        combat = adventure = power = 0
        if hero.cards:
            combat = within(g.bonus(seat, True, False))
            adventure = within(g.bonus(seat, False, False))
            if hero.has_own(STAFF):
                power = LEAPS
            elif hero.has_own(CLUB):
                power = BREAKS
            elif hero.has_own(SHIELD):
                power = HOLDS
        key = ((g.course.set * 4 + power) * WIDTH + combat - LOW) * WIDTH + adventure - LOW
        known = self.plans.get(key)
        if known is not None:
            return known
        plan = Plan(g.course, combat, adventure, power, self.plain.get(g.course.set))
        if not hero.cards:
            self.plain[g.course.set] = plan
        self.plans[key] = plan
        return plan

    def choose(self, g: SourireDuDragon, seat: int, legal: list[int], rng: Rng) -> int:
        count = len(legal)
        if count == 1:
            return legal[0]
        if rng.below(SLIPS) == 0:
            return legal[rng.below(count)]
        step = g.question
        if isinstance(step, Announce):
            hero = g.heroes[seat]
            plan = self.plan(g, seat)
            return plan.best_blocked[hero.square] if hero.blocked else plan.best_free[hero.square]
        if isinstance(step, Stride):
            return self.stride(g, seat, legal)
        if isinstance(step, (Attempt, Fray)):
            return help_wanted(g, legal)
        if isinstance(step, Meet):
            return self.meeting(g, seat, legal, rng)
        if isinstance(step, OfferWhat):
            return gift(g, seat, step.partner, legal)
        if isinstance(step, OfferFor):
            return dearest(g, seat, legal)
        if isinstance(step, Reply):
            give = worth(g, seat, step.give) if step.give != NO_CARD else 0
            want = worth(g, seat, step.want) if step.want != NO_CARD else 0
            return ACCEPT if give >= want else REFUSE
        if isinstance(step, Spoils):
            return dearest(g, seat, legal)
        if isinstance(step, HelpTheLast) and TO + seat in legal:
            return TO + seat
        return legal[rng.below(count)]

    def stride(self, g: SourireDuDragon, seat: int, legal: list[int]) -> int:
        """Where the fewest turns are left, the boots kept if they do not save enough."""
        plan = self.plan(g, seat)
        square = g.heroes[seat].square
        best = GO
        least = 1e9
        for action in legal:
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

    def meeting(self, g: SourireDuDragon, seat: int, legal: list[int], rng: Rng) -> int:
        """Ask for one's own object; attack whoever is weaker, or whenever there is nothing to lose."""
        hero = g.heroes[seat]
        mine = 2 * (g.bonus(seat, True, False) + g.combat) + (7 if g.combat == 0 else 0)
        for action in legal:
            if OFFER <= action < TO and g.heroes[action - OFFER].holds(hero.character):
                return action
        for action in legal:
            if ATTACK <= action < OFFER:
                theirs = 2 * g.bonus(action - ATTACK, True, False) + 7
                if mine > theirs or (not hero.cards and mine + 4 > theirs):
                    return action
        return PASS

    def quiet(self, g: SourireDuDragon) -> bool:
        """Between two turns: the plan counts from there."""
        return isinstance(g.question, Announce)

    def phase(self, g: SourireDuDragon) -> int:
        """How near the end is."""
        nearest = 99.0
        for seat in range(len(g.heroes)):
            turns = self.turns(g, seat)
            nearest = min(nearest, turns)
        return 1 if nearest < NEAR else 0

    def features(self, g: SourireDuDragon, seat: int) -> list[float]:
        """How far it is to the Vortex, in turns and against the nearest rival, who plays sooner, and what is kept."""
        mine = self.turns(g, seat)
        nearest = 99.0
        for other in range(len(g.heroes)):
            if other != seat:
                turns = self.turns(g, other)
                nearest = min(nearest, turns)
        master = potions = boots = uni = objects = 0
        for card in g.heroes[seat].cards:
            effect = g.course.effects[card]
            if effect == MASTER:
                master += 1
            elif effect in (POTION, REROLL):
                potions += 1
            elif effect == BOOTS:
                boots += 1
            elif effect == UNI:
                uni += 1
            elif card != HAT or g.heroes[seat].character == HAT:
                objects += 1
        return [
            -mine / 5.0,
            4.0 / (mine + 2.0),
            (nearest - mine) / 5.0,
            -((seat - g.question.seat) % len(g.heroes)) / len(g.heroes),
            float(master),
            float(potions),
            float(boots),
            float(uni),
            objects / 2.0,
        ]

    def turns(self, g: SourireDuDragon, seat: int) -> float:
        """Expected turns of the seat to the Vortex, from the start of its next turn."""
        hero = g.heroes[seat]
        if hero.character == NOBODY:
            return 20.0
        plan = self.plan(g, seat)
        turns = plan.blocked[hero.square] if hero.blocked else plan.free[hero.square]
        return turns + hero.lost


def within(bonus: int) -> int:
    return LOW if bonus < LOW else (min(bonus, HIGH))


def worth(g: SourireDuDragon, seat: int, card: int) -> int:
    """What a card is to this seat, roughly: its own object most, the Hat in wrong hands nothing."""
    if card == g.heroes[seat].character:
        return 6
    if card == HAT:
        return -2
    if card < OBJECTS:
        return 3
    return 4 if g.course.effects[card] == UNI else 2


def dearest(g: SourireDuDragon, seat: int, legal: list[int]) -> int:
    """The card that is worth most; nothing if all of them are a burden."""
    best = legal[0]
    most = 0 if best == PASS else worth(g, seat, best - CARD)
    for action in legal:
        if action != PASS and worth(g, seat, action - CARD) > most:
            most = worth(g, seat, action - CARD)
            best = action
    return best


def gift(g: SourireDuDragon, seat: int, partner: int, legal: list[int]) -> int:
    """Offer what the other can use best; never one's own object."""
    best = legal[0]
    most = -9
    for action in legal:
        if action == PASS:
            value = -1
        else:
            card = action - CARD
            value = worth(g, partner, card) - worth(g, seat, card)
        if value > most:
            most = value
            best = action
    return best


def help_wanted(g: SourireDuDragon, legal: list[int]) -> int:
    """The Hat costs nothing; then potions, the clover, and the Dungeon Master last."""
    best = PASS
    rank = 9
    for action in legal:
        if action == PASS:
            continue
        place = 0
        if action != USE_HAT:
            effect = g.course.effects[action - CARD]
            place = 1 if effect == POTION else (2 if effect == REROLL else 3)
        if place < rank:
            rank = place
            best = action
    return best
