"""What Paper Tales tells the search about good play."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from veillee.games.paper_tales.rules.construction import Construct
from veillee.games.paper_tales.rules.deployment import Deploy
from veillee.games.paper_tales.rules.kingdom import Means, Realm, Unit
from veillee.games.paper_tales.rules.pieces import (
    ADVENTURER,
    AGE,
    ARCHER,
    BACK,
    BARRACKS,
    BUILD,
    BUILD_HIGH,
    BUILDINGS,
    COLOSSUS,
    COST,
    CRYSTAL,
    DEPLOY,
    FOOD,
    FRONT,
    GONE,
    HEAL,
    HUNTER,
    KEEP,
    KRAKEN,
    MILITIAMAN,
    MINE,
    MONKEY,
    NO_BUILDING,
    NO_CARD,
    NO_HEAL,
    PALM_READER,
    RELIC,
    SALAMANDER,
    SAVED,
    SCULPTOR,
    STRATEGIST,
    STRENGTH,
    TAVERN,
    TOSS,
    TURNS,
    UPGRADE,
    WOOD,
)
from veillee.games.paper_tales.rules.recruitment import Keep
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.state import Moves

# What a unit is worth to a kingdom that has nothing special for it, by kind, in halves of a legend point or so: half
# a guess, half counted (how much better than the others those ended who deployed it, in 2,400 games of quick choices).
WORTH: Final = vec[i64](
    [6, 8, 7, 10, 6, 6, 8, 10, 7, 9, 10, 5, 9, 10, 12]  # Monkey to Woodcutter
    + [12, 15, 11, 9, 10, 14, 11, 11, 11, 12, 12]  # Archer to Treefolk
    + [13, 16, 7, 11, 9, 9, 4, 12, 8, 12, 16]  # Colossus to Salamander
    + [7, 18, 7, 11, 17]  # Dragon to Kraken
)
GOLD: Final = 3  # what a coin is worth while there are turns to spend it in
CHANCE: Final = 3  # how much luck decides between choices that are near each other
FIRST_LEVEL: Final = vec[i64]([9, 10, 10, 11, 14])  # what a building is worth at the beginning
SECOND_LEVEL: Final = vec[i64]([16, 20, 16, 16, 14])


class Chronicler(Advisor):
    """Drafts what is worth most, fills its spots with the best it can pay, the strong in front, and builds."""

    def choose(self, g: PaperTales, seat: i64, moves: Moves, rng: Rng) -> i64:
        if moves.count == 1:
            return moves.at(0)
        question = g.question
        realm = g.realms[seat]
        if isinstance(question, Keep):
            return self.draft(g, realm, moves, rng)
        if isinstance(question, Deploy):
            return self.deploy(g, realm, moves, rng)
        if isinstance(question, Construct):
            return self.construct(g, realm, moves, rng)
        if moves.at(0) >= HEAL:
            return self.heal(realm, moves, rng)
        return self.grow_old(realm, moves, rng)

    def draft(self, g: PaperTales, realm: Realm, moves: Moves, rng: Rng) -> i64:
        """Keep the best for one's own kingdom; with two players, discard the best that is left."""
        best = moves.at(0)
        most: i64 = -1000
        base: i64 = KEEP if best < TOSS else TOSS
        for place in range(moves.count):
            action = moves.at(place)
            value = appeal(realm, action - base, realm.gold, g.turn) + rng.below(CHANCE)
            if value > most:
                most = value
                best = action
        return best

    def deploy(self, g: PaperTales, realm: Realm, moves: Moves, rng: Rng) -> i64:
        """A spot for it, unless those still to come would fill them better."""
        i = len(realm.plan)
        old = len(realm.units)
        mine = thing_worth(g, realm, i) + rng.below(CHANCE)
        strength = thing_strength(realm, i)
        better: i64 = 0
        stronger: i64 = 0
        for j in range(i + 1, old + len(realm.hand)):
            if j >= old and COST[realm.kind_at(j)] > realm.purse:
                continue
            worth = thing_worth(g, realm, j)
            if worth > mine:
                better += 1
            if thing_strength(realm, j) > strength and worth + 3 > mine:
                stronger += 1
        can_front = False
        can_back = False
        can_save = False
        for place in range(moves.count):
            action = moves.at(place)
            if action == DEPLOY + FRONT:
                can_front = True
            elif action == DEPLOY + BACK:
                can_back = True
            elif action == DEPLOY + SAVED:
                can_save = True
        if better < realm.front + realm.back:
            kind = realm.next_kind()
            shoots = kind in (ARCHER, STRATEGIST)
            if can_front and (not can_back or (stronger < realm.front and not shoots)):
                return DEPLOY + FRONT
            if can_back:
                return DEPLOY + BACK
        if can_save and rng.below(2) == 0:
            return DEPLOY + SAVED
        return DEPLOY + GONE

    def construct(self, g: PaperTales, realm: Realm, moves: Moves, rng: Rng) -> i64:
        """What the building brings in the turns that are left, less its price."""
        means = Means(realm)
        best: i64 = NO_BUILDING
        most: i64 = 3
        left = TURNS - g.turn
        for place in range(moves.count):
            action = moves.at(place)
            if action == NO_BUILDING:
                continue
            if action < BUILD_HIGH:
                worth = 3 + FIRST_LEVEL[action - BUILD] * left // 3
            elif action < UPGRADE:
                worth = 9 + (FIRST_LEVEL[action - BUILD_HIGH] + SECOND_LEVEL[action - BUILD_HIGH]) * left // 3
            else:
                worth = 6 + SECOND_LEVEL[action - UPGRADE] * left // 3
            if left > 0:
                worth -= GOLD * means.price_of(action)
            worth += rng.below(CHANCE)
            if worth > most:
                most = worth
                best = action
        return best

    def grow_old(self, realm: Realm, moves: Moves, rng: Rng) -> i64:
        """Age where age helps, or where it does no harm any more."""
        harvest: i64 = 3 if realm.has(PALM_READER) or realm.has(KRAKEN) else 0
        best = moves.at(0)
        most: i64 = -1000
        for place in range(moves.count):
            action = moves.at(place)
            unit = realm.units[action - AGE]
            value = rng.below(CHANCE) + harvest
            kind = unit.kind
            if kind in (RELIC, MONKEY):
                value += 8
            elif kind in (ADVENTURER, MILITIAMAN, COLOSSUS):
                value += 6
            elif kind == SALAMANDER and unit.age == 0:
                value += 2
            if unit.age == 0 and kind != RELIC:
                value -= WORTH[kind] // 2
            if value > most:
                most = value
                best = action
        return best

    def heal(self, realm: Realm, moves: Moves, rng: Rng) -> i64:
        """Save the best; let those die whose death is worth something."""
        best: i64 = NO_HEAL
        most: i64 = 4
        for place in range(moves.count):
            action = moves.at(place)
            if action == NO_HEAL:
                continue
            kind = realm.units[action - HEAL].kind
            if kind in (SCULPTOR, MONKEY):
                continue
            value = WORTH[kind] + rng.below(CHANCE)
            if value > most:
                most = value
                best = action
        return best

    def phase(self, g: PaperTales) -> i64:
        """The turn: what a kingdom is worth changes with the turns that are left."""
        return g.turn - 1

    def quiet(self, g: PaperTales) -> bool:
        """The beginning of a turn: nothing is planned, every kingdom is as everyone sees it."""
        return g.passes == 0 and isinstance(g.question, Keep)

    def features(self, g: PaperTales, seat: i64) -> vec[float]:
        """Points, gold, what stands, what it produces and how strong it still is."""
        realm = g.realms[seat]
        strength: i64 = 0
        ages: i64 = 0
        relic: i64 = 0
        for unit in realm.units:
            strength += realm.power(unit)
            ages += unit.age
            if unit.kind == RELIC:
                relic = unit.age
        figures = vec[float](
            [
                int(realm.legend) / 10.0,
                int(realm.gold) / 5.0,
                int(realm.income()) / 5.0,
                int(realm.wood()) / 2.0,
                int(realm.food()) / 2.0,
                int(realm.crystal()) / 2.0,
                float(len(realm.units)) / 3.0,
                int(strength) / 5.0,
                int(realm.war_strength()) / 5.0,
                int(ages) / 3.0,
                float(int(relic)),
                1.0 if realm.saved != NO_CARD else 0.0,
                1.0 if realm.high() > 0 else 0.0,
                1.0 if realm.has(PALM_READER) or realm.has(KRAKEN) else 0.0,
            ]
        )
        for building in range(BUILDINGS):
            figures = append(figures, 1.0 if at(realm.levels, building) > 0 else 0.0)
            figures = append(figures, 1.0 if at(realm.levels, building) > 1 else 0.0)
        return figures


def appeal(realm: Realm, kind: i64, gold: i64, turn: i64) -> i64:
    """What a card is worth to this kingdom."""
    value = WORTH[kind]
    if turn < TURNS:
        value -= GOLD * COST[kind] // 2
    if COST[kind] > gold:
        value -= 3 * (COST[kind] - gold)
    if (FOOD[kind] > 0 or kind == HUNTER) and at(realm.levels, TAVERN) > 0:
        value += at(realm.levels, TAVERN)
    if CRYSTAL[kind] > 0 and at(realm.levels, MINE) == 2:
        value += 5
    if WOOD[kind] > 0 and at(realm.levels, BARRACKS) > 0:
        value += 2 * WOOD[kind]
    return value


def thing_worth(g: PaperTales, realm: Realm, i: i64) -> i64:
    """What the i-th card or unit that the deployment asks about is worth on a spot this turn."""
    old = len(realm.units)
    if i >= old:
        worth = appeal(realm, realm.kind_at(i), realm.purse, g.turn)
        return worth + 2 if g.turn < TURNS else worth  # it will be there next turn too
    unit = realm.units[i]
    worth = WORTH[unit.kind]
    return worth + unit.age if age_helps(unit) else worth


def age_helps(unit: Unit) -> bool:
    return unit.kind in (RELIC, MONKEY, ADVENTURER, MILITIAMAN, COLOSSUS, SALAMANDER)


def thing_strength(realm: Realm, i: i64) -> i64:
    old = len(realm.units)
    if i < old:
        return realm.power(realm.units[i])
    kind = realm.kind_at(i)
    return STRENGTH[kind] + 1 if kind == HUNTER else STRENGTH[kind]
