"""What speaks for an answer in Paper Tales, and what cards, units and constructions are worth."""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
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
    BASE_INCOME,
    BUILD,
    BUILD_HIGH,
    BUILDINGS,
    CERBERUS,
    COLOSSUS,
    COOK,
    COST,
    CRYSTAL,
    DEPLOY,
    DRAGON,
    FOOD,
    GOLEM,
    GRAND_ARCHITECT,
    HEAL,
    HEALER,
    HUNTER,
    KEEP,
    KIND,
    KINDS,
    KRAKEN,
    LANDLORD,
    LEVIATHAN,
    MANTICORE,
    MASTER_ALCHEMIST,
    MILITIAMAN,
    MINE,
    MONKEY,
    NECROMANCER,
    NO_BUILDING,
    NO_CARD,
    NO_HEAL,
    OGRE,
    PALM_READER,
    RELIC,
    SALAMANDER,
    SAVED,
    STRATEGIST,
    STRENGTH,
    TAVERN,
    TIME_MASTER,
    TOSS,
    TOWN,
    TURNS,
    UPGRADE,
    WOOD,
    WOOD_MERCHANT,
)
from veillee.games.paper_tales.rules.recruitment import Keep
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.kernel.advisor import Signs
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
FIRST_LEVEL: Final = vec[i64]([9, 10, 10, 11, 14])  # what a building is worth at the beginning
SECOND_LEVEL: Final = vec[i64]([16, 20, 16, 16, 14])

WAYS: Final = 4  # that a deployment has for a card

# What speaks for an answer, in blocks of signs: each begins where the one before ends.
KEEP_KIND: Final = 0  # by turn and kind
KEEP_MORE: Final = KEEP_KIND + TURNS * KINDS
KEEP_FIT: Final = KEEP_MORE + 16
KEEP_GOODS: Final = KEEP_FIT + 24  # by turn, by what is produced already, wood, food or crystal
KEEP_BUILT: Final = KEEP_GOODS + 36  # by building, by level, what it makes use of
TOSS_KIND: Final = KEEP_BUILT + 40  # in the first two turns and in the last two, by kind
TOSS_MORE: Final = TOSS_KIND + 2 * KINDS
DEPLOY_KIND: Final = TOSS_MORE + 4  # by turn, by where it goes, by kind
DEPLOY_KNOWN: Final = DEPLOY_KIND + TURNS * WAYS * KINDS  # by where it goes, by kind: of units that are there already
DEPLOY_IDEA: Final = DEPLOY_KNOWN + WAYS * KINDS  # by what the quick choice would be
DEPLOY_RANK: Final = DEPLOY_IDEA + 12  # by how many spots those leave that are worth more
DEPLOY_FRONT: Final = DEPLOY_RANK + 28  # by how many front spots those leave that are stronger
DEPLOY_ROOM: Final = DEPLOY_FRONT + 28  # by how many spots are left for how many
DEPLOY_SPOTS: Final = DEPLOY_ROOM + 28  # by the front spots left, then by those in the back
DEPLOY_MORE: Final = DEPLOY_SPOTS + 28
DEPLOY_FIT: Final = DEPLOY_MORE + 48
DEPLOY_GOODS: Final = DEPLOY_FIT + 24
DEPLOY_ONLY: Final = DEPLOY_GOODS + 36  # by turn, wood, food or crystal that nothing else would produce
DEPLOY_BUILT: Final = DEPLOY_ONLY + 12
BUILD_WHAT: Final = DEPLOY_BUILT + 40  # by turn, each construction and none
BUILD_LEFT: Final = BUILD_WHAT + TURNS * 16  # by turn, the gold that is left
BUILD_YIELD: Final = BUILD_LEFT + 16  # by construction, what the kingdom will still produce
BUILD_MORE: Final = BUILD_YIELD + 45
AGE_KIND: Final = BUILD_MORE + 24  # by age, by kind
AGE_LAST: Final = AGE_KIND + 2 * KINDS  # in the last turn, by kind
AGE_MORE: Final = AGE_LAST + KINDS
HEAL_KIND: Final = AGE_MORE + 4  # by turn, by kind
HEAL_MORE: Final = HEAL_KIND + TURNS * KINDS
SIGNS: Final = HEAL_MORE + 7

# 1 << kind: compiled, a shift of a plain 1 has 32 bits, and there are more kinds.
KIND_BIT: Final = vec[i64]([2**kind for kind in range(KINDS)])
# Sums of these.
AGE_LOVERS: Final = (
    1 << RELIC
    | 1 << MONKEY
    | 1 << ADVENTURER
    | 1 << MILITIAMAN
    | 1 << COLOSSUS
    | 1 << SALAMANDER
    | 1 << STRATEGIST
    | 1 << LEVIATHAN
)
AGE_EATERS: Final = 1 << PALM_READER | 1 << KRAKEN
AGE_GIVERS: Final = 1 << TIME_MASTER | 1 << NECROMANCER | 1 << MASTER_ALCHEMIST
FOOD_LOVERS: Final = 1 << COOK | 1 << CERBERUS | 1 << MANTICORE | 1 << LEVIATHAN | 1 << MASTER_ALCHEMIST


@final
class Regard:
    """What speaks for each answer to a question, as far as its seat can see: the advisor owns one and has it look again and
    again."""

    def __init__(self) -> None:
        # What all answers to a question have in common, counted when the signs of the first one are asked for.
        self.wood: i64 = 0  # what the kingdom will show, with what was kept or has a spot so far
        self.food: i64 = 0
        self.crystal: i64 = 0
        self.kinds: i64 = 0  # the kinds of these units: the sum of 1 << kind
        self.left: i64 = 0  # the gold that they leave
        self.weakest: i64 = 0  # the strength that a unit must have more of to be of use in front
        self.idea: i64 = 0  # what the quick choice would be, luck left out
        self.most: i64 = 0  # how much it is worth
        self.rank: i64 = 0  # of what is asked about, among what is still to come: see Chronicler.deploy(), clamped
        self.front: i64 = 0
        self.room: i64 = 0  # spots for all that is still to come, clamped
        self.strength: i64 = 0
        self.costly: i64 = 0  # how many better ones could not be paid any more
        self.lone: i64 = 0  # 1 wood, 2 food, 4 crystal: nothing else would produce it
        self.coming: i64 = 0  # food that those still to come may bring

    def signs(self, g: PaperTales, seat: i64, moves: Moves, place: i64, into: Signs) -> None:
        """Of its own cards and of what lies open: the first answer's are asked for first."""
        question = g.question
        realm = g.realms[seat]
        action = moves.at(place)
        if isinstance(question, Keep):
            if action >= TOSS:
                other = g.realms[g.receiver(seat)]
                kind = action - TOSS
                into.add(TOSS_KIND + (g.turn - 1) // 2 * KINDS + kind, 1.0)
                into.add(TOSS_MORE, tenth(2 * appeal(other, kind, other.gold, g.turn)))
                into.add(TOSS_MORE + 1, tenth(2 * appeal(realm, kind, realm.gold, g.turn)))
                into.add(TOSS_MORE + 2, tenth(2 * STRENGTH[kind]))
                return
            if place == 0:
                self.look_at_draft(g, realm, moves)
            self.keep_signs(g, realm, action - KEEP, into)
        elif isinstance(question, Deploy):
            if place == 0:
                self.look_at_plan(g, realm)
            self.deploy_signs(g, realm, action - DEPLOY, into)
        elif isinstance(question, Construct):
            if place == 0:
                self.look_at_sites(g, realm, moves)
            self.build_signs(g, realm, action, into)
        elif action >= HEAL:
            heal_signs(g, realm, action, into)
        else:
            age_signs(g, realm, action, into)

    def look_at_draft(self, g: PaperTales, realm: Realm, moves: Moves) -> None:
        """What the units and the cards kept so far produce, cost and fight with."""
        self.wood = realm.wood()
        self.food = realm.food()
        self.crystal = realm.crystal()
        self.kinds = 0
        self.left = realm.gold
        for unit in realm.units:
            self.kinds |= KIND_BIT[unit.kind]
        for card in realm.kept:
            self.count_in(KIND[card])
        if realm.saved != NO_CARD:
            self.count_in(KIND[realm.saved])
        first: i64 = 0  # the strongest
        second: i64 = 0
        third: i64 = 0
        old = len(realm.units)
        kept = len(realm.kept)
        for i in range(old + kept + 1):
            if i < old:
                strength = realm.power(realm.units[i])
            elif i < old + kept:
                strength = self.might(KIND[realm.kept[i - old]])
            elif realm.saved != NO_CARD:
                strength = self.might(KIND[realm.saved])
            else:
                strength = 0
            if strength > first:
                third = second
                second = first
                first = strength
            elif strength > second:
                third = second
                second = strength
            elif strength > third:
                third = strength
        self.weakest = third if realm.high() > 0 else second
        self.most = -1000
        for place in range(moves.count):
            value = appeal(realm, moves.at(place) - KEEP, realm.gold, g.turn)
            self.most = max(self.most, value)

    def count_in(self, kind: i64) -> None:
        self.wood += WOOD[kind]
        self.food += FOOD[kind]
        if kind == HUNTER:
            self.food += 1
        self.crystal += CRYSTAL[kind]
        self.kinds |= KIND_BIT[kind]
        self.left -= COST[kind]

    def might(self, kind: i64) -> i64:
        """How strong a new unit would be in such a kingdom."""
        strength = STRENGTH[kind]
        if kind in (MANTICORE, LEVIATHAN):
            return strength + 2 * self.food
        if kind == CERBERUS and self.food > 0:
            return 3
        if kind == DRAGON and self.crystal > 0:
            return 7
        if kind == OGRE:
            return strength + 3
        return strength

    def keep_signs(self, g: PaperTales, realm: Realm, kind: i64, into: Signs) -> None:
        turn = g.turn - 1
        into.add(KEEP_KIND + turn * KINDS + kind, 1.0)
        value = appeal(realm, kind, realm.gold, g.turn)
        into.add(KEEP_MORE, tenth(2 * value))
        if value == self.most:
            into.add(KEEP_MORE + 1, 1.0)
        if COST[kind] > realm.gold:
            into.add(KEEP_MORE + 2, tenth(3 * (COST[kind] - realm.gold)))
        if COST[kind] > 0 and COST[kind] > self.left:
            into.add(KEEP_MORE + 3, tenth(3 * min(COST[kind], COST[kind] - self.left)))
        if (self.kinds >> kind) & 1:
            into.add(KEEP_MORE + 4, 1.0)
        strength = self.might(kind)
        if strength > self.weakest:
            into.add(KEEP_MORE + 5 + turn, tenth(2 * (strength - self.weakest)))
            into.add(KEEP_MORE + 9 + g.passes, tenth(2 * (strength - self.weakest)))
        if len(g.realms) == 2:
            into.add(KEEP_MORE + 13, tenth(2 * strength))
        self.fit_signs(KEEP_FIT, realm, kind, self.food, into)
        self.goods_signs(KEEP_GOODS + turn * 9, kind, into)
        built_signs(KEEP_BUILT, realm, kind, strength, into)

    def fit_signs(self, base: i64, realm: Realm, kind: i64, food: i64, into: Signs) -> None:
        """What fits the units that are there: 24 signs."""
        plenty = tenth(5 * min(food, 4))
        if kind == COOK:
            into.add(base, plenty)
        elif kind == CERBERUS:
            into.add(base + 1, 1.0 if food > 0 else 0.0)
        elif kind == MANTICORE:
            into.add(base + 2, plenty)
        elif kind == LEVIATHAN:
            into.add(base + 3, plenty)
        elif kind == MASTER_ALCHEMIST:
            into.add(base + 4, plenty)
            into.add(base + 5, tenth(5 * min(self.crystal, 4)))
        elif kind == DRAGON:
            into.add(base + 6, 1.0 if self.crystal > 0 else 0.0)
        elif kind == GOLEM:
            into.add(base + 7, tenth(5 * (realm.built() - realm.high())))
        elif kind == KRAKEN:
            into.add(base + 8, tenth(5 * realm.high()))
        elif kind == LANDLORD:
            into.add(base + 9, tenth(5 * realm.built()))
        elif kind == OGRE:
            into.add(base + 10, tenth(2 * realm.income()))
        elif kind in (WOOD_MERCHANT, GRAND_ARCHITECT):
            into.add(base + 11, tenth(3 * min(4, max(0, self.left))))
        elif kind in (TIME_MASTER, NECROMANCER):
            if self.kinds & AGE_LOVERS:
                into.add(base + 12, 1.0)
            if self.kinds & AGE_EATERS:
                into.add(base + 13, 1.0)
            ages: i64 = 0
            for unit in realm.units:
                if unit.age == 0:
                    ages += 1
            into.add(base + 14, tenth(5 * ages))
        elif kind == HEALER:
            into.add(base + 15, tenth(3 * len(realm.units)))
        if (AGE_LOVERS >> kind) & 1 and self.kinds & AGE_GIVERS:
            into.add(base + 16, 1.0)
        if (AGE_EATERS >> kind) & 1:
            into.add(base + 17, tenth(3 * len(realm.units)))
            if self.kinds & AGE_GIVERS:
                into.add(base + 18, 1.0)
        if FOOD[kind] > 0 or kind == HUNTER:
            if self.kinds & FOOD_LOVERS:
                into.add(base + 19, 1.0)
        if CRYSTAL[kind] > 0 and (self.kinds >> DRAGON) & 1:
            into.add(base + 20, 1.0)
        if CRYSTAL[kind] > 0 and (self.kinds >> MASTER_ALCHEMIST) & 1:
            into.add(base + 21, 1.0)

    def goods_signs(self, base: i64, kind: i64, into: Signs) -> None:
        """What it produces, and how much of it there is already: 9 signs."""
        if WOOD[kind] > 0:
            into.add(base + min(2, self.wood), tenth(10 * WOOD[kind]))
        if FOOD[kind] > 0 or kind == HUNTER:
            into.add(base + 3 + min(2, self.food), 1.0)
        if CRYSTAL[kind] > 0:
            into.add(base + 6 + min(2, self.crystal), 1.0)

    def look_at_plan(self, g: PaperTales, realm: Realm) -> None:
        """The quick choice without its luck, and what those with a spot so far produce."""
        i = len(realm.plan)
        old = len(realm.units)
        self.wood = 1 if at(realm.levels, TOWN) > 0 else 0
        self.food = self.wood
        self.crystal = 1 if at(realm.levels, MINE) > 0 else 0
        if at(realm.levels, TOWN) > 1:
            self.crystal += 1
        self.kinds = 0
        for j in range(i):
            if realm.plan[j] <= BACK:
                self.count_in(realm.kind_at(j))
        mine = thing_worth(g, realm, i)
        strength = thing_strength(realm, i)
        kind = realm.kind_at(i)
        left = realm.purse
        if i >= old:
            left -= COST[kind]
        better: i64 = 0
        stronger: i64 = 0
        self.costly = 0
        self.coming = 0
        wood = self.wood
        for j in range(i + 1, old + len(realm.hand)):
            other = realm.kind_at(j)
            if j >= old and COST[other] > realm.purse:
                continue
            worth = thing_worth(g, realm, j)
            if worth > mine:
                better += 1
                if j >= old and COST[other] > left:
                    self.costly += 1
            if worth + 3 > mine and thing_strength(realm, j) > strength:
                stronger += 1
            wood += WOOD[other]
            if FOOD[other] > 0 or other == HUNTER:
                self.coming += 1
            if CRYSTAL[other] > 0:
                self.crystal += 1
            self.kinds |= KIND_BIT[other]
        self.lone = 0
        if wood == 0 and WOOD[kind] > 0:
            self.lone |= 1
        if self.food + self.coming == 0 and (FOOD[kind] > 0 or kind == HUNTER):
            self.lone |= 2
        if self.crystal == 0 and CRYSTAL[kind] > 0:
            self.lone |= 4
        self.left = left
        self.most = mine
        self.strength = strength
        self.rank = clamped(realm.front + realm.back - better)
        self.front = clamped(realm.front - stronger)
        self.room = clamped(realm.front + realm.back + i - old - len(realm.hand))
        self.idea = 2
        if better < realm.front + realm.back:
            shoots = kind in (ARCHER, STRATEGIST)
            if realm.front > 0 and (realm.back == 0 or (stronger < realm.front and not shoots)):
                self.idea = 0
            elif realm.back > 0:
                self.idea = 1

    def deploy_signs(self, g: PaperTales, realm: Realm, where: i64, into: Signs) -> None:
        turn = g.turn - 1
        i = len(realm.plan)
        kind = realm.kind_at(i)
        into.add(DEPLOY_KIND + (turn * 4 + where) * KINDS + kind, 1.0)
        if i < len(realm.units):
            into.add(DEPLOY_KNOWN + where * KINDS + kind, 1.0)
        into.add(DEPLOY_IDEA + self.idea * 4 + where, 1.0)
        into.add(DEPLOY_RANK + self.rank * 4 + where, 1.0)
        into.add(DEPLOY_FRONT + self.front * 4 + where, 1.0)
        into.add(DEPLOY_ROOM + self.room * 4 + where, 1.0)
        into.add(DEPLOY_SPOTS + realm.front * 4 + where, 1.0)
        into.add(DEPLOY_SPOTS + 16 + realm.back * 4 + where, 1.0)
        into.add(DEPLOY_MORE + turn * 4 + where, tenth(2 * self.strength))
        into.add(DEPLOY_MORE + 16 + turn * 4 + where, tenth(self.most))
        if where <= BACK:
            if self.costly > 0:
                into.add(DEPLOY_MORE + 32 + where, tenth(5 * self.costly))
            into.add(DEPLOY_MORE + 34 + turn, tenth(3 * min(4, self.left)))
            self.fit_signs(DEPLOY_FIT, realm, kind, self.food + self.coming, into)
            self.goods_signs(DEPLOY_GOODS + turn * 9, kind, into)
            for good in range(3):
                if (self.lone >> good) & 1:
                    into.add(DEPLOY_ONLY + turn * 3 + good, 1.0)
            built_signs(DEPLOY_BUILT, realm, kind, self.strength, into)
        elif where == SAVED and COST[kind] > realm.purse:
            into.add(DEPLOY_MORE + 38 + turn, 1.0)

    def look_at_sites(self, g: PaperTales, realm: Realm, moves: Moves) -> None:
        """What those will produce who do not die this turn, and the quick choice without its luck."""
        self.wood = 1 if at(realm.levels, TOWN) > 0 else 0
        self.food = self.wood
        self.crystal = 1 if at(realm.levels, MINE) > 0 else 0
        if at(realm.levels, TOWN) > 1:
            self.crystal += 1
        self.kinds = 0
        self.strength = 0
        for unit in realm.units:
            if not unit.dies():
                self.count_in(unit.kind)
                if realm.power(unit) >= 3:
                    self.strength += 1
        means = Means(realm)
        self.idea = NO_BUILDING
        self.most = 4
        for place in range(moves.count):
            action = moves.at(place)
            if action != NO_BUILDING:
                worth = site_worth(g, action, means.price_of(action))
                if worth > self.most:
                    self.most = worth
                    self.idea = action

    def build_signs(self, g: PaperTales, realm: Realm, action: i64, into: Signs) -> None:
        turn = g.turn - 1
        into.add(BUILD_WHAT + turn * 16 + action - BUILD, 1.0)
        price = realm.price_of(action)
        into.add(BUILD_LEFT + turn * 4 + min(3, realm.gold - price), 1.0)
        into.add(BUILD_MORE + turn, tenth(3 * price))
        if action == self.idea:
            into.add(BUILD_MORE + 4, 1.0)
        if action == NO_BUILDING:
            into.add(BUILD_MORE + 5, tenth(5 * realm.built()))
            return
        into.add(BUILD_MORE + 6, tenth(site_worth(g, action, price)))
        if realm.saved != NO_CARD and COST[KIND[realm.saved]] > realm.gold - price + BASE_INCOME:
            into.add(BUILD_MORE + 7, 1.0)
        base = BUILD_YIELD + (action - BUILD) * 3
        into.add(base, tenth(5 * self.wood))
        into.add(base + 1, tenth(5 * self.food))
        into.add(base + 2, tenth(5 * self.crystal))
        if action < BUILD_HIGH:
            into.add(BUILD_MORE + 8, tenth(5 * realm.built()))
            return
        if realm.high() == 0:
            into.add(BUILD_MORE + 9 + turn, 1.0)
        if (action - BUILD) % BUILDINGS == BARRACKS:
            into.add(BUILD_MORE + 13, tenth(5 * self.strength))
        into.add(BUILD_MORE + (14 if action < UPGRADE else 15), tenth(5 * realm.built()))


def tenth(n: i64) -> float:
    return float(int(n)) / 10.0


def clamped(n: i64) -> i64:
    """From -3 to 3, as 0 to 6."""
    return min(6, max(0, n + 3))


def built_signs(base: i64, realm: Realm, kind: i64, strength: i64, into: Signs) -> None:
    """What the buildings that stand make use of: 40 signs."""
    for building in range(BUILDINGS):
        for level in range(at(realm.levels, building)):
            first = base + (building * 2 + level) * 4
            if WOOD[kind] > 0:
                into.add(first, tenth(10 * WOOD[kind]))
            if FOOD[kind] > 0 or kind == HUNTER:
                into.add(first + 1, 1.0)
            if CRYSTAL[kind] > 0:
                into.add(first + 2, 1.0)
            if strength >= 3:
                into.add(first + 3, 1.0)


def site_worth(g: PaperTales, action: i64, price: i64) -> i64:
    """What a construction is worth to the quick choice, on average."""
    left = TURNS - g.turn
    if action < BUILD_HIGH:
        worth = 4 + FIRST_LEVEL[action - BUILD] * left // 3
    elif action < UPGRADE:
        worth = 10 + (FIRST_LEVEL[action - BUILD_HIGH] + SECOND_LEVEL[action - BUILD_HIGH]) * left // 3
    else:
        worth = 7 + SECOND_LEVEL[action - UPGRADE] * left // 3
    return worth - GOLD * price if left > 0 else worth


def age_signs(g: PaperTales, realm: Realm, action: i64, into: Signs) -> None:
    unit = realm.units[action - AGE]
    kind = unit.kind
    old: i64 = 1 if unit.age + unit.coming > 0 else 0
    into.add(AGE_KIND + old * KINDS + kind, 1.0)
    if g.turn == TURNS:
        into.add(AGE_LAST + kind, 1.0)
    if old == 0:
        into.add(AGE_MORE, tenth(WORTH[kind]))
        if realm.has(PALM_READER) or realm.has(KRAKEN):
            into.add(AGE_MORE + 1, 1.0)
    into.add(AGE_MORE + 2, tenth(2 * realm.power(unit)))


def heal_signs(g: PaperTales, realm: Realm, action: i64, into: Signs) -> None:
    turn = g.turn - 1
    if action == NO_HEAL:
        into.add(HEAL_MORE + 3 + turn, 1.0)
        return
    unit = realm.units[action - HEAL]
    into.add(HEAL_KIND + turn * KINDS + unit.kind, 1.0)
    into.add(HEAL_MORE, tenth(WORTH[unit.kind]))
    into.add(HEAL_MORE + 1, tenth(2 * realm.power(unit)))
    if realm.has(PALM_READER) or realm.has(KRAKEN):
        into.add(HEAL_MORE + 2, 1.0)


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
