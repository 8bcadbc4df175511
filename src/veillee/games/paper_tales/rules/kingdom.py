"""PT-1 A unit, and a kingdom: what it produces, how strong it is, what it earns and what building would cost it."""

from __future__ import annotations

from typing import Any, ClassVar, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.pieces import (
    ADVENTURER,
    ARCHER,
    BACK,
    BACK_SPOTS,
    BARRACKS,
    BASE_INCOME,
    BLACKSMITH,
    BUILD,
    BUILD_HIGH,
    BUILDINGS,
    CERBERUS,
    COLOSSUS,
    COOK,
    COST,
    CRYSTAL,
    DRAGON,
    FOOD,
    FRONT,
    FRONT_SPOTS,
    GIANT_SNAKE,
    GOLD_AT_START,
    GRAND_ARCHITECT,
    HEALER,
    HUNTER,
    KIND,
    LAND,
    LANDLORD,
    LEVIATHAN,
    MANTICORE,
    MASTER_ALCHEMIST,
    MILITIAMAN,
    MINE,
    MOST_PLANNED,
    NEEDS_CRYSTAL,
    NEEDS_FOOD,
    NEEDS_WOOD,
    NO_BUILDING,
    NO_CARD,
    OGRE,
    OR_GOLD,
    OUT_OF_REACH,
    PEDDLER,
    RELIC,
    SALAMANDER,
    SAVED,
    STRATEGIST,
    STRENGTH,
    TAVERN,
    TEMPLE,
    TIME_MASTER,
    TOWN,
    UNDECIDED,
    UPGRADE,
    WOOD,
    WOOD_MERCHANT,
    sort_cards,
)
from veillee.kernel.counts import at
from veillee.kernel.plain import counts, flag, things
from veillee.kernel.state import Thing

NO_PICK: Final = 0  # of a hidden card: nothing is known about the pick that took it from a packet


@mypyc_attr(acyclic=True)
class Unit(Thing):
    """A unit in a kingdom."""

    shape: ClassVar[dict[str, Any]] = {"fresh": flag(), "healed": flag()}

    def __init__(self, card: i64, row: i64, age: i64, coming: i64, fresh: bool, healed: bool) -> None:
        self.card = card
        self.kind = KIND[card]
        self.row = row  # FRONT or BACK
        self.age = age  # PT-2.2.5 tokens on it
        self.coming = coming  # tokens that were chosen for it in secret and are not revealed yet
        self.fresh = fresh  # revealed this turn
        self.healed = healed  # chosen by a Healer

    def clone(self) -> Unit:
        return Unit(self.card, self.row, self.age, self.coming, self.fresh, self.healed)

    def dies(self) -> bool:
        """PT-2.6.1 With an age token; never the Relic, and the Salamander only with two."""
        if self.age == 0 or self.kind == RELIC:
            return False
        return self.kind != SALAMANDER or self.age > 1

    def can_be_healed(self) -> bool:
        """PT-2.6.2 About to die, with exactly 1 age, and not saved yet by another Healer."""
        return self.age == 1 and not self.healed and self.dies()


def new_unit(card: i64, row: i64, age: i64) -> Unit:
    return Unit(card, row, age, 0, True, False)


@mypyc_attr(acyclic=True)
class Realm(Thing):
    """One player's kingdom and cards."""

    shape: ClassVar[dict[str, Any]] = {"levels": counts(BUILDINGS), "units": things(Unit)}

    def __init__(
        self,
        gold: i64,
        legend: i64,
        levels: i64,
        units: vec[Unit],
        packet: vec[i64],
        kept: vec[i64],
        tossed: vec[i64],
        saved: i64,
        saved_pick: i64,
        hand: vec[i64],
        plan: vec[i64],
        front: i64,
        back: i64,
        purse: i64,
        answered: i64,
        construction: i64,
        strength: i64,
        wars: i64,
        ledger: vec[i64],
    ) -> None:
        self.gold = gold
        self.legend = legend
        self.levels = levels  # of each building; 0: not built
        self.units = units
        # cards, in secret
        self.packet = packet  # to choose from now
        self.kept = kept  # this turn's, in the order of keeping
        self.tossed = tossed  # PT-2.1.3 discarded in this turn's draft, in order
        self.saved = saved  # from the last turn, or NO_CARD
        self.saved_pick = saved_pick  # which pick of a draft it was: see PaperTales.pick()
        # the deployment, in secret
        self.hand = hand  # the kept cards and the saved one, the cheapest first
        self.plan = plan  # FRONT, BACK, SAVED or GONE: for each old unit, then for each card in hand
        self.front = front  # front spots still free in the plan
        self.back = back
        self.purse = purse  # the gold that the plan leaves
        # other secret answers
        self.answered = answered  # how many of the Time Masters', the Alchemist's or the Healers' questions
        self.construction = construction  # the action chosen, or UNDECIDED
        # the last war, and where this turn's points and gold came from
        self.strength = strength
        self.wars = wars
        self.ledger = ledger

    def clone(self) -> Realm:
        return Realm(
            self.gold,
            self.legend,
            self.levels,
            vec[Unit]([unit.clone() for unit in self.units]),
            self.packet[:],
            self.kept[:],
            self.tossed[:],
            self.saved,
            self.saved_pick,
            self.hand[:],
            self.plan[:],
            self.front,
            self.back,
            self.purse,
            self.answered,
            self.construction,
            self.strength,
            self.wars,
            self.ledger[:],
        )

    # -- PT-1.4, PT-1.5 what the kingdom shows at this moment ---------------------------------------------------
    def wood(self) -> i64:
        n: i64 = 1 if at(self.levels, TOWN) > 0 else 0
        for unit in self.units:
            n += WOOD[unit.kind]
        return n

    def food(self) -> i64:
        n: i64 = 1 if at(self.levels, TOWN) > 0 else 0
        for unit in self.units:
            kind = unit.kind
            n += FOOD[kind]
            if kind == HUNTER:
                if unit.row == FRONT:
                    n += 1
            elif kind == LEVIATHAN:
                if unit.age > 0:
                    n += 2
        return n

    def crystal(self) -> i64:
        n: i64 = 1 if at(self.levels, MINE) > 0 else 0
        if at(self.levels, TOWN) > 1:
            n += 1
        for unit in self.units:
            n += unit.age if unit.kind == ADVENTURER else CRYSTAL[unit.kind]
        return n

    def food_to_come(self) -> i64:
        """The food once the age tokens chosen by the Time Masters lie on their units: a Leviathan's may begin."""
        n = self.food()
        for unit in self.units:
            if unit.kind == LEVIATHAN and unit.age == 0 and unit.coming > 0:
                n += 2
        return n

    def has(self, kind: i64) -> bool:
        return any(unit.kind == kind for unit in self.units)

    def fresh(self, kind: i64) -> i64:
        """How many units of the kind were revealed this turn."""
        n: i64 = 0
        for unit in self.units:
            if unit.kind == kind and unit.fresh:
                n += 1
        return n

    def built(self) -> i64:
        n: i64 = 0
        for building in range(BUILDINGS):
            if at(self.levels, building) > 0:
                n += 1
        return n

    def high(self) -> i64:
        """How many buildings are of level 2."""
        n: i64 = 0
        for building in range(BUILDINGS):
            if at(self.levels, building) > 1:
                n += 1
        return n

    def front_spots(self) -> i64:
        """PT-1.3 Two, and a third with at least one level-2 building."""
        return FRONT_SPOTS + 1 if self.high() > 0 else FRONT_SPOTS

    # -- PT-2.3, PT-2.4 strength and income ---------------------------------------------------------------------
    def power(self, unit: Unit) -> i64:
        """PT-5 The actual strength of a unit."""
        kind = unit.kind
        base = STRENGTH[kind]
        if kind in (MILITIAMAN, SALAMANDER):
            return base + unit.age
        if kind == CERBERUS and self.food() > 0:
            return 3
        if kind in (MANTICORE, LEVIATHAN):
            return base + 2 * self.food()
        if kind == GIANT_SNAKE and unit.age > 0:
            return 0
        if kind == COLOSSUS and unit.age > 0:
            return 7
        if kind == OGRE:
            return base + self.income()
        if kind == DRAGON and self.crystal() > 0:
            return 7
        if kind == STRATEGIST:
            for other in self.units:
                base += other.age
        return base

    def fights(self, unit: Unit) -> bool:
        """PT-2.3.1 From a front spot, the Archer and the Strategist from the back too; never an aged Leviathan."""
        kind = unit.kind
        if unit.row == BACK:
            return kind in (ARCHER, STRATEGIST)
        return kind != LEVIATHAN or unit.age == 0

    def war_strength(self) -> i64:
        """PT-2.3.1 The units that fight, and what the Barracks add."""
        n: i64 = 0
        if at(self.levels, BARRACKS) > 0:
            n = self.wood()
        for unit in self.units:
            if self.fights(unit):
                n += self.power(unit)
        return n

    def unit_income(self, unit: Unit) -> i64:
        """PT-2.4.1 What a unit earns in phase 4."""
        kind = unit.kind
        if kind in (BLACKSMITH, PEDDLER):
            return 1
        if kind == COOK:
            return self.food()
        if kind == GIANT_SNAKE:
            return 3 if unit.age > 0 else 0
        if kind == MASTER_ALCHEMIST:
            return self.wood()
        return 0

    def building_income(self, building: i64) -> i64:
        """PT-2.4.1 What a building earns in phase 4."""
        if at(self.levels, building) == 0:
            return 0
        if building == TAVERN:
            return self.food()
        return 2 if building == TEMPLE else 0

    def income(self) -> i64:
        """PT-2.4.1 Two gold and the phase-4 effects."""
        n = BASE_INCOME + self.building_income(TAVERN) + self.building_income(TEMPLE)
        for unit in self.units:
            n += self.unit_income(unit)
        return n

    def enter(self, phase: i64, source: i64, legend: i64, gold: i64) -> None:
        """Write a row into the ledger."""
        self.ledger = append(append(append(append(self.ledger, phase), source), legend), gold)

    # -- PT-2.5 construction --------------------------------------------------------------------------------------
    def land(self) -> i64:
        """PT-2.5.1 Two gold per building already owned; nothing with the Landlord."""
        if self.has(LANDLORD):
            return 0
        return LAND * self.built()

    def has_site(self, action: i64) -> bool:
        """PT-2.5.1, PT-2.5.2 Is that building not there yet; PT-2.5.3 is it at level 1?"""
        if action < BUILD_HIGH:
            return at(self.levels, action - BUILD) == 0
        if action < UPGRADE:
            return at(self.levels, action - BUILD_HIGH) == 0
        return at(self.levels, action - UPGRADE) == 1

    def price_of(self, action: i64) -> i64:
        """The gold that a construction takes."""
        return Means(self).price_of(action)

    # -- PT-2.2.1 the deployment, question by question --------------------------------------------------------------
    def start_plan(self) -> None:
        """PT-2.1.4 The hand is the cards kept this turn and the one saved last turn; nothing is decided yet."""
        hand = self.kept[:]
        if self.saved != NO_CARD:
            hand = append(hand, self.saved)
        sort_cards(hand)
        self.hand = hand
        self.plan = vec[i64](capacity=MOST_PLANNED)
        self.front = self.front_spots()
        self.back = BACK_SPOTS
        self.purse = self.gold

    def planned(self) -> bool:
        return len(self.plan) == len(self.units) + len(self.hand)

    def saving(self) -> bool:
        return any(where == SAVED for where in self.plan)

    def next_kind(self) -> i64:
        """The kind of the card or unit asked about now."""
        return self.kind_at(len(self.plan))

    def kind_at(self, i: i64) -> i64:
        """The kind of the i-th card or unit that the deployment asks about."""
        old = len(self.units)
        if i < old:
            return self.units[i].kind
        card = self.hand[i - old]
        return KIND[card]

    def same_as_before(self) -> bool:
        """Is the card or unit asked about now equal to the one asked about before?"""
        i = len(self.plan)
        old = len(self.units)
        if i in (0, old) or self.kind_at(i) != self.kind_at(i - 1):
            return False
        return i > old or self.units[i].age == self.units[i - 1].age

    def settle(self, where: i64) -> None:
        """Note in the plan where the card or unit asked about goes."""
        if where == FRONT:
            self.front -= 1
        elif where == BACK:
            self.back -= 1
        if where <= BACK and len(self.plan) >= len(self.units):
            self.purse -= COST[self.next_kind()]
        self.plan = append(self.plan, where)

    # -- PT-2.2.4, PT-2.6.2 secret choices of phases 2 and 6 ----------------------------------------------------------
    def tokens_asked(self) -> i64:
        """The age tokens that the next question puts on a unit; 0: there is no further question."""
        masters = self.fresh(TIME_MASTER)
        if self.answered < masters:
            return 2
        if self.answered == masters and self.has(MASTER_ALCHEMIST):
            return self.food_to_come()
        return 0

    def healers_asked(self) -> i64:
        """How many Healers can still save a unit."""
        targets: i64 = 0
        healers = -self.answered
        for unit in self.units:
            if unit.kind == HEALER:
                healers += 1
            if unit.can_be_healed():
                targets += 1
        if targets == 0 or healers < 0:
            return 0
        return healers


def new_realm() -> Realm:
    """PT-1.1 Three gold, no LP, none of the five buildings built."""
    packet, kept, tossed, hand, plan = vec[i64](), vec[i64](), vec[i64](), vec[i64](), vec[i64]()
    units, ledger = vec[Unit](), vec[i64]()
    realm = Realm(
        0, 0, 0, units, packet, kept, tossed, NO_CARD, NO_PICK, hand, plan, 0, 0, 0, 0, UNDECIDED, 0, 0, ledger
    )
    realm.gold = GOLD_AT_START
    return realm


@final
@mypyc_attr(acyclic=True, free_list_len=1)
class Means:
    """PT-2.5 What a kingdom can build with at this moment."""

    def __init__(self, realm: Realm) -> None:
        self.wood = realm.wood()
        self.food = realm.food()
        self.crystal = realm.crystal()
        self.land = realm.land()
        self.merchant = realm.has(WOOD_MERCHANT)
        self.architect = realm.has(GRAND_ARCHITECT)

    def price_of(self, action: i64) -> i64:
        """The least gold that a construction takes, land included; OUT_OF_REACH if a resource is missing."""
        if action == NO_BUILDING:
            return 0
        if action < BUILD_HIGH:
            return self.land + self.price(action - BUILD, 0, 0)
        if action < UPGRADE:
            return self.land + self.price(action - BUILD_HIGH, 0, 1)
        return self.price(action - UPGRADE, 1, 1)

    def price(self, building: i64, first: i64, last: i64) -> i64:
        """PT-2.5.2 The cost of these levels together (0 is level 1)."""
        if building == TEMPLE:
            return self.temple_price(first, last)
        wood: i64 = 0
        food: i64 = 0
        crystal: i64 = 0
        for level in range(first, last + 1):
            wood += NEEDS_WOOD[level][building]
            food += NEEDS_FOOD[level][building]
            crystal += NEEDS_CRYSTAL[level][building]
        return self.bought(wood, food, crystal)

    def bought(self, wood: i64, food: i64, crystal: i64) -> i64:
        """The gold for what is needed and not produced: only the Wood Merchant and the Grand Architect buy."""
        wood = missing(wood, self.wood)
        others = missing(food, self.food) + missing(crystal, self.crystal)
        if wood + others == 0 or self.architect:
            return wood + others
        if others == 0 and self.merchant:
            return wood
        return OUT_OF_REACH

    def temple_price(self, first: i64, last: i64) -> i64:
        """PT-2.5.4 Each level of the Temple is paid on its own, in crystal or in gold: the cheapest way."""
        least: i64 = OUT_OF_REACH
        ways: i64 = 4 if first < last else 2  # a bit for each level: paid in gold
        for way in range(ways):
            gold: i64 = 0
            crystal: i64 = 0
            for level in range(first, last + 1):
                if (way >> (level - first)) & 1:
                    gold += OR_GOLD[level][TEMPLE]
                else:
                    crystal += NEEDS_CRYSTAL[level][TEMPLE]
            gold += self.bought(0, 0, crystal)
            least = min(least, gold)
        return least


def missing(needed: i64, produced: i64) -> i64:
    if produced >= needed:
        return 0
    return needed - produced
