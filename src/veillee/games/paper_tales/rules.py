"""Paper Tales (2-5 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from veillee.games.paper_tales import content
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import ALLOWED, State, Step

# PT-5 The kinds of units, in the order of content.toml: the cheapest first.
MONKEY: Final = 0
ADVENTURER: Final = 1
BLACKSMITH: Final = 2
CERBERUS: Final = 3
COOK: Final = 4
FARMER: Final = 5
HUNTER: Final = 6
MILITIAMAN: Final = 7
HEALER: Final = 8
SCULPTOR: Final = 9
SHAPESHIFTER: Final = 10
TIME_MASTER: Final = 11
VETERAN: Final = 12
WOOD_MERCHANT: Final = 13
WOODCUTTER: Final = 14
ARCHER: Final = 15
CAVE_SPIRIT: Final = 16
FOREST_CHILD: Final = 17
GIANT_SNAKE: Final = 18
GRAND_ARCHITECT: Final = 19
KNIGHT: Final = 20
MINER: Final = 21
NECROMANCER: Final = 22
PEDDLER: Final = 23
ROGUE: Final = 24
TREEFOLK: Final = 25
COLOSSUS: Final = 26
COMMANDER: Final = 27
DEMON: Final = 28
GOLEM: Final = 29
LANDLORD: Final = 30
MANTICORE: Final = 31
MASTER_ALCHEMIST: Final = 32
OGRE: Final = 33
PALM_READER: Final = 34
RELIC: Final = 35
SALAMANDER: Final = 36
DRAGON: Final = 37
FOREST_SPIRIT: Final = 38
LEVIATHAN: Final = 39
STRATEGIST: Final = 40
KRAKEN: Final = 41
KINDS: Final = 42
CARDS: Final = 81
NO_CARD: Final = -1
NO_PICK: Final = 0  # of a hidden card: nothing is known about the pick that took it from a packet
ONLOOKERS: Final = 1 << 5  # beside 1 << seat for each seat: those who have none
ALL_EYES: Final = (1 << 6) - 1

# PT-6 The buildings.
BARRACKS: Final = 0
MINE: Final = 1
TAVERN: Final = 2
TEMPLE: Final = 3
TOWN: Final = 4
BUILDINGS: Final = 5

COST: Final[list[int]] = content.COST
STRENGTH: Final[list[int]] = content.STRENGTH
WOOD: Final[list[int]] = content.WOOD
FOOD: Final[list[int]] = content.FOOD
CRYSTAL: Final[list[int]] = content.CRYSTAL
KIND: Final[list[int]] = content.KIND  # of each card
NEEDS_WOOD: Final[list[list[int]]] = content.NEEDS_WOOD
NEEDS_FOOD: Final[list[list[int]]] = content.NEEDS_FOOD
NEEDS_CRYSTAL: Final[list[list[int]]] = content.NEEDS_CRYSTAL
OR_GOLD: Final[list[list[int]]] = content.OR_GOLD

TURNS: Final = 4
GOLD_AT_START: Final = 3
DEALT: Final = 5
DEALT_TO_TWO: Final = 9
PASSES: Final = 4  # after the fourth, one card is left and is kept
FRONT_SPOTS: Final = 2
BACK_SPOTS: Final = 2
WAR_WON: Final = 3
BASE_INCOME: Final = 2
LAND: Final = 2
OUT_OF_REACH: Final = 99  # a price that no kingdom can pay
SHAPES_UP_TO: Final = 3  # the costliest unit that the Shapeshifter turns into

# Rows, and what a deployment does with a card: the answers in this order (equal cards never go back in it).
FRONT: Final = 0
BACK: Final = 1
SAVED: Final = 2
GONE: Final = 3

# Where points and gold come from, in the log and the report: a kind of unit, a building, or one of these.
FROM_BUILDING: Final = 42  # + building
FROM_WAR: Final = 47
FROM_BASE: Final = 48
FROM_FLOOR: Final = 49  # PT-1.1 what a loss did not take, because points never fall below 0
LEDGER_ROW: Final = 4  # a ledger is rows of: phase, source, legend points, gold

# Actions. A choice has the same number whatever the position.
KEEP: Final = 0  # + kind
TOSS: Final = 42  # + kind
DEPLOY: Final = 84  # + FRONT, BACK, SAVED, GONE
AGE: Final = 88  # + place in the kingdom
HEAL: Final = 93  # + place in the kingdom
NO_HEAL: Final = 98
BUILD: Final = 99  # + building
BUILD_HIGH: Final = 104  # + building, straight to level 2
UPGRADE: Final = 109  # + building
NO_BUILDING: Final = 114
UNDECIDED: Final = -1

DEPLOY_OLD: Final = [DEPLOY + FRONT, DEPLOY + BACK, DEPLOY + GONE]
DEPLOY_NEW: Final = [DEPLOY + FRONT, DEPLOY + BACK, DEPLOY + SAVED, DEPLOY + GONE]
CONSTRUCTIONS: Final = (
    [NO_BUILDING]
    + [BUILD + b for b in range(BUILDINGS)]
    + [BUILD_HIGH + b for b in range(BUILDINGS)]
    + [UPGRADE + b for b in range(BUILDINGS)]
)
EVERYONE: Final[list[tuple[int, ...]]] = [tuple(range(n)) for n in range(6)]


@mypyc_attr(acyclic=True)
class Unit:
    """A unit in a kingdom."""

    card: int
    kind: int
    row: int  # FRONT or BACK
    age: int  # PT-2.2.5 tokens on it
    coming: int  # tokens that were chosen for it in secret and are not revealed yet
    fresh: bool  # revealed this turn
    healed: bool  # chosen by a Healer

    def clone(self) -> Unit:
        u = Unit()
        u.card = self.card
        u.kind = self.kind
        u.row = self.row
        u.age = self.age
        u.coming = self.coming
        u.fresh = self.fresh
        u.healed = self.healed
        return u

    def dies(self) -> bool:
        """PT-2.6.1 With an age token; never the Relic, and the Salamander only with two."""
        if self.age == 0 or self.kind == RELIC:
            return False
        return self.kind != SALAMANDER or self.age > 1

    def can_be_healed(self) -> bool:
        """PT-2.6.2 About to die, with exactly 1 age, and not saved yet by another Healer."""
        return self.age == 1 and not self.healed and self.dies()


def new_unit(card: int, row: int, age: int) -> Unit:
    unit = Unit()
    unit.card = card
    unit.kind = KIND[card]
    unit.row = row
    unit.age = age
    unit.coming = 0
    unit.fresh = True
    unit.healed = False
    return unit


@mypyc_attr(acyclic=True)
class Realm:
    """One player's kingdom and cards."""

    gold: int
    legend: int
    levels: list[int]  # of each building; 0: not built
    units: list[Unit]
    # cards, in secret
    packet: list[int]  # to choose from now
    kept: list[int]  # this turn's, in the order of keeping
    tossed: list[int]  # PT-2.1.3 discarded in this turn's draft, in order
    saved: int  # from the last turn, or NO_CARD
    saved_pick: int  # which pick of a draft it was: see pick()
    # the deployment, in secret
    hand: list[int]  # the kept cards and the saved one, the cheapest first
    plan: list[int]  # FRONT, BACK, SAVED or GONE: for each old unit, then for each card in hand
    front: int  # front spots still free in the plan
    back: int
    purse: int  # the gold that the plan leaves
    # other secret answers
    answered: int  # how many of the Time Masters', the Alchemist's or the Healers' questions
    construction: int  # the action chosen, or UNDECIDED
    # the last war, and where this turn's points and gold came from
    strength: int
    wars: int
    ledger: list[int]

    def clone(self) -> Realm:
        r = Realm()
        r.gold = self.gold
        r.legend = self.legend
        r.levels = self.levels[:]
        r.units = [unit.clone() for unit in self.units]
        r.packet = self.packet[:]
        r.kept = self.kept[:]
        r.tossed = self.tossed[:]
        r.saved = self.saved
        r.saved_pick = self.saved_pick
        r.hand = self.hand[:]
        r.plan = self.plan[:]
        r.front = self.front
        r.back = self.back
        r.purse = self.purse
        r.answered = self.answered
        r.construction = self.construction
        r.strength = self.strength
        r.wars = self.wars
        r.ledger = self.ledger[:]
        return r

    # -- PT-1.4, PT-1.5 what the kingdom shows at this moment ---------------------------------------------------
    def wood(self) -> int:
        n = 1 if self.levels[TOWN] > 0 else 0
        for unit in self.units:
            n += WOOD[unit.kind]
        return n

    def food(self) -> int:
        n = 1 if self.levels[TOWN] > 0 else 0
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

    def crystal(self) -> int:
        n = 1 if self.levels[MINE] > 0 else 0
        if self.levels[TOWN] > 1:
            n += 1
        for unit in self.units:
            n += unit.age if unit.kind == ADVENTURER else CRYSTAL[unit.kind]
        return n

    def food_to_come(self) -> int:
        """The food once the age tokens chosen by the Time Masters lie on their units: a Leviathan's may begin."""
        n = self.food()
        for unit in self.units:
            if unit.kind == LEVIATHAN and unit.age == 0 and unit.coming > 0:
                n += 2
        return n

    def has(self, kind: int) -> bool:
        return any(unit.kind == kind for unit in self.units)

    def fresh(self, kind: int) -> int:
        """How many units of the kind were revealed this turn."""
        n = 0
        for unit in self.units:
            if unit.kind == kind and unit.fresh:
                n += 1
        return n

    def built(self) -> int:
        n = 0
        for level in self.levels:
            if level > 0:
                n += 1
        return n

    def high(self) -> int:
        """How many buildings are of level 2."""
        n = 0
        for level in self.levels:
            if level > 1:
                n += 1
        return n

    def front_spots(self) -> int:
        """PT-1.3 Two, and a third with at least one level-2 building."""
        return FRONT_SPOTS + 1 if self.high() > 0 else FRONT_SPOTS

    # -- PT-2.3, PT-2.4 strength and income ----------------------------------------------------------------------
    def power(self, unit: Unit) -> int:
        """PT-5 The actual strength of a unit."""
        kind = unit.kind
        base = STRENGTH[kind]
        if kind in (MILITIAMAN, SALAMANDER):
            return base + unit.age
        if kind == CERBERUS:
            return 3 if self.food() > 0 else base
        if kind in (MANTICORE, LEVIATHAN):
            return base + 2 * self.food()
        if kind == GIANT_SNAKE:
            return 0 if unit.age > 0 else base
        if kind == COLOSSUS:
            return 7 if unit.age > 0 else base
        if kind == OGRE:
            return base + self.income()
        if kind == DRAGON:
            return 7 if self.crystal() > 0 else base
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

    def war_strength(self) -> int:
        """PT-2.3.1 The units that fight, and what the Barracks add."""
        n = self.wood() if self.levels[BARRACKS] > 0 else 0
        for unit in self.units:
            if self.fights(unit):
                n += self.power(unit)
        return n

    def unit_income(self, unit: Unit) -> int:
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

    def building_income(self, building: int) -> int:
        """PT-2.4.1 What a building earns in phase 4."""
        if self.levels[building] == 0:
            return 0
        if building == TAVERN:
            return self.food()
        return 2 if building == TEMPLE else 0

    def income(self) -> int:
        """PT-2.4.1 Two gold and the phase-4 effects."""
        n = BASE_INCOME + self.building_income(TAVERN) + self.building_income(TEMPLE)
        for unit in self.units:
            n += self.unit_income(unit)
        return n

    # -- PT-2.5 construction -------------------------------------------------------------------------------------
    def land(self) -> int:
        """PT-2.5.1 Two gold per building already owned; nothing with the Landlord."""
        return 0 if self.has(LANDLORD) else LAND * self.built()

    def price(self, building: int, first: int, last: int) -> int:
        """PT-2.5.4 The least gold for these levels (0 is level 1), land included; OUT_OF_REACH if a resource is missing."""
        land = self.land() if first == 0 else 0
        if building == TEMPLE:
            return land + self.temple_price(first, last)
        wood = 0
        food = 0
        crystal = 0
        for level in range(first, last + 1):
            wood += NEEDS_WOOD[level][building]
            food += NEEDS_FOOD[level][building]
            crystal += NEEDS_CRYSTAL[level][building]
        return land + self.bought(wood, food, crystal)

    def bought(self, wood: int, food: int, crystal: int) -> int:
        """The gold for what is needed and not produced: only the Wood Merchant and the Grand Architect buy."""
        wood = max(0, wood - self.wood())
        others = max(0, food - self.food()) + max(0, crystal - self.crystal())
        if wood + others == 0 or self.has(GRAND_ARCHITECT):
            return wood + others
        return wood if others == 0 and self.has(WOOD_MERCHANT) else OUT_OF_REACH

    def temple_price(self, first: int, last: int) -> int:
        """PT-2.5.4 Each level of the Temple is paid on its own, in crystal or in gold: the cheapest way."""
        least = OUT_OF_REACH
        for ways in range(1 << (last - first + 1)):  # a bit for each level: paid in gold
            gold = 0
            crystal = 0
            for level in range(first, last + 1):
                if (ways >> (level - first)) & 1:
                    gold += OR_GOLD[level][TEMPLE]
                else:
                    crystal += NEEDS_CRYSTAL[level][TEMPLE]
            gold += self.bought(0, 0, crystal)
            least = min(least, gold)
        return least

    def price_of(self, action: int) -> int:
        """The gold that a construction takes."""
        if action == NO_BUILDING:
            return 0
        if action < BUILD_HIGH:
            return self.price(action - BUILD, 0, 0)
        if action < UPGRADE:
            return self.price(action - BUILD_HIGH, 0, 1)
        return self.price(action - UPGRADE, 1, 1)

    # -- PT-2.2.1 the deployment, question by question ---------------------------------------------------------------
    def start_plan(self) -> None:
        self.plan.clear()
        self.front = self.front_spots()
        self.back = BACK_SPOTS
        self.purse = self.gold

    def planned(self) -> bool:
        return len(self.plan) == len(self.units) + len(self.hand)

    def saving(self) -> bool:
        return any(where == SAVED for where in self.plan)

    def same_as_before(self) -> bool:
        """Is the card or unit asked about now equal to the one asked about before?"""
        i = len(self.plan)
        old = len(self.units)
        if i < old:
            return i > 0 and self.units[i].kind == self.units[i - 1].kind and self.units[i].age == self.units[i - 1].age
        i -= old
        return i > 0 and KIND[self.hand[i]] == KIND[self.hand[i - 1]]

    def settle(self, where: int) -> None:
        """Note in the plan where the card or unit asked about goes."""
        i = len(self.plan)
        if where == FRONT:
            self.front -= 1
        elif where == BACK:
            self.back -= 1
        if where <= BACK and i >= len(self.units):
            self.purse -= COST[KIND[self.hand[i - len(self.units)]]]
        self.plan.append(where)

    # -- PT-2.2.4, PT-2.6.2 secret choices of phases 2 and 6 ----------------------------------------------------------
    def tokens_asked(self) -> int:
        """The age tokens that the next question puts on a unit; 0: there is no further question."""
        if self.answered < self.fresh(TIME_MASTER):
            return 2
        if self.answered == self.fresh(TIME_MASTER) and self.has(MASTER_ALCHEMIST):
            return self.food_to_come()
        return 0

    def healers_asked(self) -> int:
        """How many Healers can still save a unit."""
        targets = 0
        healers = -self.answered
        for unit in self.units:
            if unit.kind == HEALER:
                healers += 1
            if unit.can_be_healed():
                targets += 1
        if targets == 0:
            return 0
        return max(0, healers)


class PaperTales(State):
    """PT-1 What is on the table."""

    realms: list[Realm]
    turn: int  # 1 to 4
    passes: int  # how often the packets were passed this turn
    pile: list[int]  # the next card is the last of the list
    discards: list[int]  # face up: discarded from a kingdom, or dead
    buried: list[int]  # discarded face down
    buriers: list[int]  # by whom, in the same order
    picks: list[int]  # which pick of a draft each of them was, in the same order: see pick()
    seen: list[int]  # of each card, who saw it since it left the pile: the sum of 1 << seat
    # PT-1.2 after a reshuffle, up to the next reveal of the kingdoms: who knows what about the cards (else empty)
    turned: list[int]  # of each card, who knows that it was shuffled into the new pile
    aside: list[int]  # of each card, who knows that it was not in the old pile any more
    early: int  # how many packets of this turn were dealt before the reshuffle

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.realms)

    def right_of(self, seat: int) -> int:
        return seat - 1 if seat > 0 else len(self.realms) - 1

    def draw(self, rng: Rng) -> int:
        """PT-1.2 The next card; when there is none, the discard pile is shuffled."""
        if not self.pile:
            self.note("PT-1.2", "reshuffle", -1, len(self.discards) + len(self.buried))
            self.remember_the_old_pile()
            self.pile = self.discards + self.buried
            self.discards = []
            self.buried = []
            self.buriers = []
            self.picks = []
            rng.shuffle(self.pile)
            for card in self.pile:
                self.seen[card] = 0
            for realm in self.realms:
                if realm.saved != NO_CARD:
                    self.seen[realm.saved] = 0  # the others cannot tell it from a card of the pile any more
        return self.pile.pop()

    def remember_the_old_pile(self) -> None:
        """Before a reshuffle: what each seat knows not to have been in the old pile's last cards."""
        turned = [0] * CARDS
        aside = [0] * CARDS
        for card in self.discards:
            turned[card] = ALL_EYES
        for card, burier in zip(self.buried, self.buriers, strict=True):
            turned[card] = 1 << burier
            aside[card] = self.seen[card]
        for realm in self.realms:
            if realm.saved != NO_CARD:
                aside[realm.saved] = self.seen[realm.saved]
        self.turned = turned
        self.aside = aside

    def forget_the_old_pile(self) -> None:
        self.turned = []
        self.aside = []
        self.early = 0

    def see_packet(self, seat: int) -> None:
        for card in self.realms[seat].packet:
            self.seen[card] |= 1 << seat

    def bury(self, seat: int, card: int, pick: int = NO_PICK) -> None:
        """Discard a card face down."""
        self.buried.append(card)
        self.buriers.append(seat)
        self.picks.append(pick)

    def earn(self, rule: str, phase: int, seat: int, gold: int, source: int) -> None:
        if gold != 0:
            realm = self.realms[seat]
            realm.gold += gold
            realm.ledger += [phase, source, 0, gold]
            self.note(rule, "gold", seat, gold, source)

    def tell(self, rule: str, phase: int, seat: int, legend: int, source: int) -> None:
        """Legend points, gained or lost; PT-1.1 never below 0."""
        realm = self.realms[seat]
        if realm.legend + legend < 0:
            legend = -realm.legend
        if legend != 0:
            realm.legend += legend
            realm.ledger += [phase, source, legend, 0]
            self.note(rule, "legend", seat, legend, source)

    def holder(self, origin: int, passes: int) -> int:
        """PT-2.1.2 Who has the packet dealt to `origin` after so many passes."""
        players = len(self.realms)
        return (origin + passes) % players if self.turn % 2 == 1 else (origin - passes) % players

    def pick(self, seat: int, passes: int) -> int:
        """This turn's pick of a seat after so many passes, as a number: the turn, whose packet, the passes.

        It is even; 1 is added once everyone knows that the card of this pick is discarded.
        """
        players = len(self.realms)
        origin = (seat - passes) % players if self.turn % 2 == 1 else (seat + passes) % players
        return ((self.turn * 5 + origin) * 5 + passes) * 2

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> PaperTales:
        g = PaperTales()
        g.copy_flow(self)
        g.realms = [realm.clone() for realm in self.realms]
        g.turn = self.turn
        g.passes = self.passes
        g.pile = self.pile[:]
        g.discards = self.discards[:]
        g.buried = self.buried[:]
        g.buriers = self.buriers[:]
        g.picks = self.picks[:]
        g.seen = self.seen[:]
        g.turned = self.turned[:]
        g.aside = self.aside[:]
        g.early = self.early
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """PT-4.1 Deal anew what the seat cannot know: the pile, hidden discards, saved cards, the others' draft.

        What it can know is kept: of a packet that it held, which cards went on, and that each of the next holders
        took one of them; of a card seen in a draft, that it is not in the pile; of the last cards of a pile, that
        none of them lay in the discards. The others' answers that are still secret are then chosen at random.

        Three things it could work out are left open. A saved card may be any that its owner has discarded face
        down from the hand since it last had none saved, also where a later deployment tells which it must have
        been. After a reshuffle, whose a card was that is neither seen in the new draft nor known to be shuffled in.
        And that the packet whose deal the reshuffle interrupts has at least one card of the old pile.
        """
        resample(self, seat, rng)
        for owner, realm in enumerate(self.realms):
            if owner != seat:
                self.resample_answers(owner, realm, rng)

    def resample_answers(self, owner: int, realm: Realm, rng: Rng) -> None:
        question = self.question
        done = owner not in self.to_act
        if isinstance(question, Deploy):
            realm.hand = hand_of(realm)
            realm.start_plan()
            while done and not realm.planned():
                legal = question.legal(self, owner)
                realm.settle(legal[rng.below(len(legal))] - DEPLOY)
        elif isinstance(question, ChooseAge):
            asked = realm.answered > 0 or not done
            realm.answered = 0
            for unit in realm.units:
                unit.coming = 0
            if asked:
                while done and realm.tokens_asked() > 0:
                    put_tokens(realm, rng.below(len(realm.units)))
        elif isinstance(question, Construct):
            if done and realm.construction != UNDECIDED:
                realm.construction = UNDECIDED
                legal = question.legal(self, owner)
                realm.construction = legal[rng.below(len(legal))]
        elif isinstance(question, Heal):
            if realm.answered > 0:
                realm.answered = 0
                for unit in realm.units:
                    unit.healed = False
                while done and realm.healers_asked() > 0:
                    legal = question.legal(self, owner)
                    heal(realm, legal[rng.below(len(legal))])

    def seats(self) -> int:
        return len(self.realms)

    def score(self, seat: int) -> int:
        return self.realms[seat].legend

    def standing(self, seat: int) -> list[int]:
        """PT-3.2 Most legend points; then most gold; then a shared victory."""
        realm = self.realms[seat]
        return [realm.legend, realm.gold]

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        if action < TOSS:
            return "keep", {"kind": action - KEEP}
        if action < DEPLOY:
            return "toss", {"kind": action - TOSS}
        if action < AGE:
            return ("front", "back", "save", "discard")[action - DEPLOY], {}
        if action < HEAL:
            return "age", {"place": action - AGE}
        if action < NO_HEAL:
            return "heal", {"place": action - HEAL}
        if action == NO_HEAL:
            return "let die", {}
        if action < BUILD_HIGH:
            return "build", {"building": action - BUILD}
        if action < UPGRADE:
            return "build high", {"building": action - BUILD_HIGH}
        if action < NO_BUILDING:
            return "upgrade", {"building": action - UPGRADE}
        return "build nothing", {}

    def dump(self) -> dict[str, Any]:
        return {
            "flow": self.dump_flow(),
            "realms": [dump_realm(realm) for realm in self.realms],
            "turn": self.turn,
            "passes": self.passes,
            "pile": self.pile[:],
            "discards": self.discards[:],
            "buried": self.buried[:],
            "buriers": self.buriers[:],
            "picks": self.picks[:],
            "seen": self.seen[:],
            "turned": self.turned[:],
            "aside": self.aside[:],
            "early": self.early,
        }


# -- PT-2 A turn: six phases --------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Turn(Step):
    """PT-2.0 Four turns of six phases; everyone plays each phase at the same time."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        g.turn += 1
        g.note("PT-2.0", "turn", -1, g.turn)
        g.push(FinalScoring(0) if g.turn == TURNS else Turn(0))
        g.push(Ageing(0))
        g.push(Heal(0))
        g.push(RevealConstructions(0))
        g.push(Construct(0))
        g.push(Income(0))
        g.push(War(0))
        g.push(KrakenToll(0))
        g.push(PutAge(0))
        g.push(ChooseAge(0))
        g.push(RevealEffects(0))
        g.push(RevealKingdoms(0))
        g.push(Deploy(0))
        g.push(Recruitment(0))


# -- PT-2.1 Recruitment -------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Recruitment(Step):
    """PT-2.1.1 Deal 5 cards each; PT-2.1.3 nine each to two players. Keep 1, pass the rest, until 5 are kept."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        n = DEALT_TO_TWO if len(g.realms) == 2 else DEALT
        for seat, realm in enumerate(g.realms):
            for _ in range(n):
                if not g.pile:
                    g.early = seat
                realm.packet.append(g.draw(rng))
            realm.packet.sort()
        for seat in range(len(g.realms)):
            g.see_packet(seat)
            g.reveal("PT-2.1.3" if len(g.realms) == 2 else "PT-2.1.1", "dealt", seat, n, to=1 << seat)
        for _ in range(PASSES):
            g.push(PassPackets(0))
            g.push(Keep(0))


@mypyc_attr(acyclic=True, free_list_len=1)
class Keep(Step):
    """PT-2.1.1 Keep 1 card secretly. PT-2.1.3 With two players, then also discard 1, face down."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        g.ask(self, EVERYONE[len(g.realms)])

    def options(self, g: PaperTales, seat: int) -> list[int]:
        realm = g.realms[seat]
        base = TOSS if len(realm.kept) > g.passes else KEEP
        options: list[int] = []
        before = NO_CARD
        for card in realm.packet:  # sorted: equal cards are neighbours
            kind = KIND[card]
            if kind != before:
                options.append(base + kind)
                before = kind
        return options

    def legal(self, g: PaperTales, seat: int) -> list[int]:
        return self.options(g, seat)

    def answer(self, g: PaperTales, seat: int, action: int, rng: Rng) -> None:
        realm = g.realms[seat]
        if action >= TOSS:
            realm.tossed.append(take(realm.packet, action - TOSS))
            g.note("PT-2.1.3", "toss", seat, action - TOSS, to=1 << seat)
            return
        realm.kept.append(take(realm.packet, action - KEEP))
        g.note("PT-2.1.1", "keep", seat, action - KEEP, to=1 << seat)
        if len(g.realms) == 2:
            g.ask_again(seat)


def take(packet: list[int], kind: int) -> int:
    """Take a card of the kind out of the packet."""
    i = 0
    while KIND[packet[i]] != kind:
        i += 1
    return packet.pop(i)


@mypyc_attr(acyclic=True, free_list_len=1)
class PassPackets(Step):
    """PT-2.1.2 Turns 1 and 3 pass to the left, turns 2 and 4 to the right. The last card is kept without a choice."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        packets = [realm.packet for realm in g.realms]
        g.passes += 1
        for seat, realm in enumerate(g.realms):
            giver = g.right_of(seat) if g.turn % 2 == 1 else g.left_of(seat)
            realm.packet = packets[giver]
            g.see_packet(seat)
            g.reveal("PT-2.1.2", "receive", seat, giver, len(realm.packet), to=1 << seat)
        if g.passes == PASSES:
            for seat, realm in enumerate(g.realms):
                card = realm.packet.pop()
                realm.kept.append(card)
                g.note("PT-2.1.1", "keep last", seat, KIND[card], to=1 << seat)


# -- PT-2.2 Deployment --------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Deploy(Step):
    """PT-2.2.1 In secret: for each old unit, then each card in hand: in front, in the back, saved, or discarded.

    PT-2.1.4 The card saved last turn joins the hand. Equal cards take an equal or a later option than the one
    before, so that every deployment is given exactly once.
    """

    def run(self, g: PaperTales, rng: Rng) -> None:
        for realm in g.realms:
            realm.hand = hand_of(realm)
            realm.start_plan()
        g.ask(self, EVERYONE[len(g.realms)])

    def options(self, g: PaperTales, seat: int) -> list[int]:
        realm = g.realms[seat]
        return DEPLOY_OLD if len(realm.plan) < len(realm.units) else DEPLOY_NEW

    def forbids(self, g: PaperTales, seat: int, action: int) -> str:
        realm = g.realms[seat]
        where = action - DEPLOY
        if where == SAVED and (g.turn == TURNS or realm.saving()):
            return "PT-2.2.6"
        if (where == FRONT and realm.front == 0) or (where == BACK and realm.back == 0):
            return "PT-1.3"
        if where <= BACK and len(realm.plan) >= len(realm.units):
            if COST[KIND[realm.hand[len(realm.plan) - len(realm.units)]]] > realm.purse:
                return "PT-2.2.3"
        if realm.plan and where < realm.plan[-1] and realm.same_as_before():
            return "PT-2.2.1"
        return ALLOWED

    def answer(self, g: PaperTales, seat: int, action: int, rng: Rng) -> None:
        realm = g.realms[seat]
        realm.settle(action - DEPLOY)
        if not realm.planned():
            g.ask_again(seat)


def hand_of(realm: Realm) -> list[int]:
    """PT-2.1.4 The cards kept this turn and the one saved last turn, the cheapest first."""
    hand = realm.kept[:]
    if realm.saved != NO_CARD:
        hand.append(realm.saved)
    hand.sort()
    return hand


@mypyc_attr(acyclic=True, free_list_len=1)
class RevealKingdoms(Step):
    """PT-2.2.2 All reveal at once and pay. PT-2.2.6 One card may be saved; the others are discarded, face down."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            realm.ledger.clear()
            if realm.saved == NO_CARD:
                close_discards(g, seat)
            carry_out_plan(g, seat, realm)
            for passes, card in enumerate(realm.tossed):
                g.bury(seat, card, g.pick(seat, passes) + 1)
            realm.kept.clear()
            realm.tossed.clear()
            realm.hand.clear()
            realm.plan.clear()
        g.passes = 0
        g.forget_the_old_pile()


def close_discards(g: PaperTales, seat: int) -> None:
    """A seat that has saved nothing has discarded all its earlier cards that are not in its kingdom."""
    for i, burier in enumerate(g.buriers):
        if burier == seat:
            g.picks[i] |= 1


def pick_of(g: PaperTales, seat: int, realm: Realm, card: int) -> int:
    """With which pick a card in hand was taken."""
    if card == realm.saved:
        return realm.saved_pick
    for passes, kept in enumerate(realm.kept):
        if kept == card:
            return g.pick(seat, passes)
    return NO_PICK


def carry_out_plan(g: PaperTales, seat: int, realm: Realm) -> None:
    """PT-2.2.1, PT-2.2.2 Old units stay, move or go; new ones are paid for."""
    units: list[Unit] = []
    for i, unit in enumerate(realm.units):
        where = realm.plan[i]
        if where == GONE:
            g.reveal("PT-2.2.1", "dismiss", seat, unit.kind, unit.age)
            g.discards.append(unit.card)
            continue
        if where != unit.row:
            g.reveal("PT-2.2.1", "move", seat, unit.kind, where)
            unit.row = where
        units.append(unit)
    old = len(realm.units)
    realm.units = units
    saved_card = NO_CARD
    saved_pick = NO_PICK
    buried = 0
    for i, card in enumerate(realm.hand):
        where = realm.plan[old + i]
        if where == SAVED:
            saved_card = card
            saved_pick = pick_of(g, seat, realm, card)
        elif where == GONE:
            g.bury(seat, card, pick_of(g, seat, realm, card))
            buried += 1
        else:
            units.append(new_unit(card, where, 0))
            g.reveal("PT-2.2.2", "deploy", seat, KIND[card], where, COST[KIND[card]])
            g.earn("PT-2.2.2", 2, seat, -COST[KIND[card]], KIND[card])
    realm.saved = saved_card
    realm.saved_pick = saved_pick
    saved = 1 if saved_card != NO_CARD else 0
    g.reveal("PT-2.2.6", "leftovers", seat, saved, buried)


@mypyc_attr(acyclic=True, free_list_len=1)
class RevealEffects(Step):
    """PT-2.2.4 A player's effects in this order: Shapeshifter, Golem, age tokens that need no choice."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            for i, unit in enumerate(realm.units):
                if unit.kind == SHAPESHIFTER:
                    shift_shape(g, seat, realm, i, rng)
            if realm.fresh(GOLEM) > 0:
                raise_buildings(g, seat, realm)
            for unit in realm.units:
                if unit.fresh:
                    age_on_reveal(g, seat, realm, unit)


def shift_shape(g: PaperTales, seat: int, realm: Realm, place: int, rng: Rng) -> None:
    """PT-2.2.4 Draw and discard until a unit of cost 3 or less; it is deployed here, free, with 1 age."""
    old = realm.units[place]
    card = g.draw(rng)
    while COST[KIND[card]] > SHAPES_UP_TO:
        g.reveal("PT-2.2.4", "shape refused", seat, KIND[card])
        g.discards.append(card)
        card = g.draw(rng)
    g.reveal("PT-2.2.4", "shape", seat, KIND[card])
    realm.units[place] = new_unit(card, old.row, 1)
    g.discards.append(old.card)


def raise_buildings(g: PaperTales, seat: int, realm: Realm) -> None:
    """PT-2.2.4 Golem: all level-1 buildings become level 2, free; the fifth spot opens next turn."""
    for building in range(BUILDINGS):
        if realm.levels[building] == 1:
            realm.levels[building] = 2
            g.note("PT-2.2.4", "raise", seat, building)


def age_on_reveal(g: PaperTales, seat: int, realm: Realm, unit: Unit) -> None:
    """PT-2.2.4 Veteran, Cave Spirit and Demon: 1 age on themselves; Necromancer and Kraken: on each other unit."""
    if unit.kind in (VETERAN, CAVE_SPIRIT, DEMON):
        unit.age += 1
        g.note("PT-2.2.4", "age", seat, unit.kind, 1, unit.kind)
    elif unit.kind in (NECROMANCER, KRAKEN):
        for other in realm.units:
            if other is not unit:
                other.age += 1
                g.note("PT-2.2.4", "age", seat, other.kind, 1, unit.kind)


@mypyc_attr(acyclic=True, free_list_len=1)
class ChooseAge(Step):
    """PT-2.2.4 Time Masters revealed this turn: 2 age on one own unit each; then the Master Alchemist, every turn: as
    many as food produced. Chosen in secret by all at once; 0 food: no question; a single unit: no question either."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        asked: list[int] = []
        for seat, realm in enumerate(g.realms):
            realm.answered = 0
            if len(realm.units) == 1:
                while realm.tokens_asked() > 0:
                    put_tokens(realm, 0)
            elif realm.tokens_asked() > 0:
                asked.append(seat)
        if asked:
            g.ask(self, tuple(asked))

    def options(self, g: PaperTales, seat: int) -> list[int]:
        return [AGE + place for place in range(len(g.realms[seat].units))]

    def legal(self, g: PaperTales, seat: int) -> list[int]:
        return self.options(g, seat)

    def answer(self, g: PaperTales, seat: int, action: int, rng: Rng) -> None:
        realm = g.realms[seat]
        put_tokens(realm, action - AGE)
        if realm.tokens_asked() > 0:
            g.ask_again(seat)


def put_tokens(realm: Realm, place: int) -> None:
    realm.units[place].coming += realm.tokens_asked()
    realm.answered += 1


@mypyc_attr(acyclic=True, free_list_len=1)
class PutAge(Step):
    """PT-2.2.4 The chosen tokens are revealed together."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            realm.answered = 0
            for unit in realm.units:
                if unit.coming > 0:
                    unit.age += unit.coming
                    g.reveal("PT-2.2.4", "age", seat, unit.kind, unit.coming, -1)
                    unit.coming = 0


@mypyc_attr(acyclic=True, free_list_len=1)
class KrakenToll(Step):
    """PT-2.2.4 Last of all: the Kraken revealed this turn takes 3 LP per own level-2 building."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            if realm.fresh(KRAKEN) > 0:
                g.tell("PT-2.2.4", 2, seat, -3 * realm.high(), KRAKEN)


# -- PT-2.3 War ---------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class War(Step):
    """PT-2.3.1 Compare strengths. PT-2.3.4 Then the phase-3 effects of units and buildings."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for realm in g.realms:
            realm.strength = realm.war_strength()
            realm.wars = 0
        if len(g.realms) == 2:
            duel(g, 0, 1)
            duel(g, 1, 0)
            g.note("PT-2.3.3", "war", 0, 1, g.realms[0].strength, g.realms[1].strength)
        else:
            for seat in range(len(g.realms)):
                wage_war(g, seat, g.left_of(seat))
        rule = "PT-2.3.3" if len(g.realms) == 2 else "PT-2.3.2"
        for seat, realm in enumerate(g.realms):
            g.tell(rule, 3, seat, WAR_WON * realm.wars, FROM_WAR)
        for seat, realm in enumerate(g.realms):
            war_effects(g, seat, realm)


def wage_war(g: PaperTales, seat: int, other: int) -> None:
    """PT-2.3.2 The stronger wins; in a tie both win."""
    mine = g.realms[seat].strength
    theirs = g.realms[other].strength
    g.note("PT-2.3.2", "war", seat, other, mine, theirs)
    if mine >= theirs:
        g.realms[seat].wars += 1
    if theirs >= mine:
        g.realms[other].wars += 1


def duel(g: PaperTales, seat: int, other: int) -> None:
    """PT-2.3.3 Two players: one war; with at least twice the other's strength, and more than 0, two wars are won."""
    mine = g.realms[seat].strength
    theirs = g.realms[other].strength
    if mine > 0 and mine >= 2 * theirs:
        g.realms[seat].wars = 2
    elif mine >= theirs:
        g.realms[seat].wars = 1


def war_effects(g: PaperTales, seat: int, realm: Realm) -> None:
    """PT-2.3.4 Per war won, and the level-2 buildings. For the Barracks every unit counts with its actual strength."""
    wars = realm.wars
    strong = 0
    for unit in realm.units:
        kind = unit.kind
        if kind == ROGUE:
            g.earn("PT-2.3.4", 3, seat, wars, ROGUE)
        elif kind in (COMMANDER, COLOSSUS):
            g.tell("PT-2.3.4", 3, seat, wars, kind)
        elif kind == MASTER_ALCHEMIST:
            g.tell("PT-2.3.4", 3, seat, wars * realm.crystal(), MASTER_ALCHEMIST)
        if realm.levels[BARRACKS] == 2 and realm.power(unit) >= 3:
            strong += 1
    g.tell("PT-2.3.4", 3, seat, strong, FROM_BUILDING + BARRACKS)
    if realm.levels[MINE] == 2:
        g.tell("PT-2.3.4", 3, seat, 2 * realm.crystal(), FROM_BUILDING + MINE)
    if realm.levels[TAVERN] == 2:
        g.tell("PT-2.3.4", 3, seat, realm.food(), FROM_BUILDING + TAVERN)
    if realm.levels[TEMPLE] == 2:
        g.tell("PT-2.3.4", 3, seat, 2, FROM_BUILDING + TEMPLE)


# -- PT-2.4 Income ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Income(Step):
    """PT-2.4.1 Two gold each, and the phase-4 effects."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            g.earn("PT-2.4.1", 4, seat, BASE_INCOME, FROM_BASE)
            for unit in realm.units:
                g.earn("PT-2.4.1", 4, seat, realm.unit_income(unit), unit.kind)
            g.earn("PT-2.4.1", 4, seat, realm.building_income(TAVERN), FROM_BUILDING + TAVERN)
            g.earn("PT-2.4.1", 4, seat, realm.building_income(TEMPLE), FROM_BUILDING + TEMPLE)


# -- PT-2.5 Construction ------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Construct(Step):
    """PT-2.5.1 Build, PT-2.5.2 straight to level 2, or PT-2.5.3 upgrade: one action or none, chosen by all at once.

    Whoever can build nothing is not asked: everyone can see why.
    """

    def run(self, g: PaperTales, rng: Rng) -> None:
        asked: list[int] = []
        for seat, realm in enumerate(g.realms):
            realm.construction = UNDECIDED
            if len(self.legal(g, seat)) > 1:
                asked.append(seat)
            else:
                g.note("PT-2.5.1", "cannot build", seat)
        if asked:
            g.ask(self, tuple(asked))

    def options(self, g: PaperTales, seat: int) -> list[int]:
        return CONSTRUCTIONS

    def forbids(self, g: PaperTales, seat: int, action: int) -> str:
        if action == NO_BUILDING:
            return ALLOWED
        realm = g.realms[seat]
        if action < BUILD_HIGH:
            possible = realm.levels[action - BUILD] == 0
            rule = "PT-2.5.1"
        elif action < UPGRADE:
            possible = realm.levels[action - BUILD_HIGH] == 0
            rule = "PT-2.5.2"
        else:
            possible = realm.levels[action - UPGRADE] == 1
            rule = "PT-2.5.3"
        return ALLOWED if possible and realm.price_of(action) <= realm.gold else rule

    def answer(self, g: PaperTales, seat: int, action: int, rng: Rng) -> None:
        g.realms[seat].construction = action


@mypyc_attr(acyclic=True, free_list_len=1)
class RevealConstructions(Step):
    """PT-2.5.1 The constructions are revealed together and paid for; resources are shown, not spent."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            action = realm.construction
            realm.construction = UNDECIDED
            if action == NO_BUILDING:
                g.reveal("PT-2.5.1", "no building", seat, 0)
            elif action != UNDECIDED:
                price = realm.price_of(action)
                if action < BUILD_HIGH:
                    rule, building, level = "PT-2.5.1", action - BUILD, 1
                elif action < UPGRADE:
                    rule, building, level = "PT-2.5.2", action - BUILD_HIGH, 2
                else:
                    rule, building, level = "PT-2.5.3", action - UPGRADE, 2
                realm.levels[building] = level
                g.reveal(rule, "build", seat, building, level, price)
                g.earn(rule, 5, seat, -price, FROM_BUILDING + building)


# -- PT-2.6 Ageing ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Heal(Step):
    """PT-2.6.2 Each Healer may save one own unit that is about to die with exactly 1 age, herself too."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        asked: list[int] = []
        for seat, realm in enumerate(g.realms):
            realm.answered = 0
            if realm.healers_asked() > 0:
                asked.append(seat)
        if asked:
            g.ask(self, tuple(asked))

    def options(self, g: PaperTales, seat: int) -> list[int]:
        return [HEAL + place for place in range(len(g.realms[seat].units))] + [NO_HEAL]

    def forbids(self, g: PaperTales, seat: int, action: int) -> str:
        if action == NO_HEAL or g.realms[seat].units[action - HEAL].can_be_healed():
            return ALLOWED
        return "PT-2.6.2"

    def answer(self, g: PaperTales, seat: int, action: int, rng: Rng) -> None:
        realm = g.realms[seat]
        heal(realm, action)
        if realm.healers_asked() > 0:
            g.ask_again(seat)


def heal(realm: Realm, action: int) -> None:
    if action == NO_HEAL:
        realm.answered = len(realm.units)  # more than there are Healers left to ask
        return
    realm.units[action - HEAL].healed = True
    realm.answered += 1


@mypyc_attr(acyclic=True, free_list_len=1)
class Ageing(Step):
    """PT-2.6.1 Units with an age token die, unless an effect says otherwise. PT-2.6.2 The survivors get one."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            if realm.answered > 0:
                reveal_healing(g, seat, realm)
            bury_the_dead(g, seat, realm)
            for unit in realm.units:
                unit.age += 1
                unit.fresh = False
                unit.healed = False
            sort_units(realm.units)
        g.note("PT-2.6.2", "aged", -1)


def reveal_healing(g: PaperTales, seat: int, realm: Realm) -> None:
    """PT-2.6.2 What the Healers chose is revealed together."""
    realm.answered = 0
    nobody = True
    for unit in realm.units:
        if unit.healed:
            g.reveal("PT-2.6.2", "heal", seat, unit.kind)
            nobody = False
    if nobody:
        g.reveal("PT-2.6.2", "let die", seat, 0)


def bury_the_dead(g: PaperTales, seat: int, realm: Realm) -> None:
    """PT-2.6.1 Effects on death. PT-2.6.2 Gains and losses are added up before the floor of 0 applies."""
    survivors: list[Unit] = []
    dead: list[Unit] = []
    for unit in realm.units:
        if unit.dies() and not unit.healed:
            dead.append(unit)
        else:
            survivors.append(unit)
    if not dead:
        return
    ages = 0
    sum_of_all = 0
    for unit in dead:
        g.note("PT-2.6.1", "dies", seat, unit.kind, unit.age)
        realm.ledger += [6, unit.kind, 0, 0]
        g.discards.append(unit.card)
        ages += unit.age
        if unit.kind == MONKEY:
            g.earn("PT-2.6.1", 6, seat, unit.age, MONKEY)
        elif unit.kind == SCULPTOR:
            sum_of_all += told(g, seat, 3, SCULPTOR)
        elif unit.kind == DEMON and unit.age == 1:
            sum_of_all += told(g, seat, -3, DEMON)
    for unit in realm.units:  # the dying Palm Reader and Kraken included
        if unit.kind in (PALM_READER, KRAKEN):
            sum_of_all += told(g, seat, ages, unit.kind)
    realm.units = survivors
    realm.legend += sum_of_all
    if realm.legend < 0:
        g.note("PT-1.1", "legend", seat, -realm.legend, FROM_FLOOR)
        realm.ledger += [6, FROM_FLOOR, -realm.legend, 0]
        realm.legend = 0


def told(g: PaperTales, seat: int, legend: int, source: int) -> int:
    """Write down points of this phase, which count only when all of them are added up."""
    g.note("PT-2.6.1", "legend", seat, legend, source)
    g.realms[seat].ledger += [6, source, legend, 0]
    return legend


def sort_units(units: list[Unit]) -> None:
    """By kind, then by age: the order in which the next deployment asks about them."""
    for i in range(1, len(units)):
        unit = units[i]
        j = i
        while j > 0 and (
            units[j - 1].kind > unit.kind or (units[j - 1].kind == unit.kind and units[j - 1].age > unit.age)
        ):
            units[j] = units[j - 1]
            j -= 1
        units[j] = unit


# -- PT-3 End -----------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class FinalScoring(Step):
    """PT-3.1 Each building scores 1 LP at level 1, 3 LP at level 2; the Relic 2 LP per age on it."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat, realm in enumerate(g.realms):
            for building in range(BUILDINGS):
                level = realm.levels[building]
                if level > 0:
                    g.tell("PT-3.1", 7, seat, 3 if level == 2 else 1, FROM_BUILDING + building)
            for unit in realm.units:
                if unit.kind == RELIC:
                    g.tell("PT-3.1", 7, seat, 2 * unit.age, RELIC)
        g.end_game("PT-3.2")


# -- PT-1 Setup -------------------------------------------------------------------------------------------
def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> PaperTales:
    """A game about to be asked its first question."""
    g = PaperTales()
    g.start_flow()
    g.log = log
    g.turn = 0
    g.passes = 0
    g.pile = list(range(CARDS))
    rng.shuffle(g.pile)
    g.discards = []
    g.buried = []
    g.buriers = []
    g.picks = []
    g.seen = [0] * CARDS
    g.forget_the_old_pile()
    g.realms = [new_realm() for _ in range(players)]
    g.push(Turn(0))
    g.proceed(rng)
    g.log = None
    return g


def new_realm() -> Realm:
    """PT-1.1 Three gold, no LP, none of the five buildings built."""
    realm = Realm()
    realm.gold = GOLD_AT_START
    realm.legend = 0
    realm.levels = [0] * BUILDINGS
    realm.units = []
    realm.packet = []
    realm.kept = []
    realm.tossed = []
    realm.saved = NO_CARD
    realm.saved_pick = NO_PICK
    realm.hand = []
    realm.plan = []
    realm.front = 0
    realm.back = 0
    realm.purse = 0
    realm.answered = 0
    realm.construction = UNDECIDED
    realm.strength = 0
    realm.wars = 0
    realm.ledger = []
    return realm


# -- PT-4.1 What a seat cannot know, dealt anew ---------------------------------------------------------------
def resample(g: PaperTales, seat: int, rng: Rng) -> None:
    """Move cards between the places that the seat cannot tell apart; how many lie where never changes."""
    for owner, realm in enumerate(g.realms):
        if owner != seat and realm.saved != NO_CARD:
            swap_saved(g, owner, realm, rng)
    swap_within_packets(g, seat, rng)
    unknown = g.pile[:]
    for owner, realm in enumerate(g.realms):
        if owner != seat and realm.saved != NO_CARD and not was_seen(g, realm.saved, seat):
            unknown.append(realm.saved)
    for card, burier in zip(g.buried, g.buriers, strict=True):
        if burier != seat and not was_seen(g, card, seat):
            unknown.append(card)
    collect_draft(g, seat, unknown)
    if g.turned:
        unknown = deal_old_cards(g, seat, unknown, rng)
    else:
        rng.shuffle(unknown)
        deal_hidden(g, seat, unknown)
    deal_draft(g, seat, unknown, g.early, rng)
    g.pile = unknown


def was_seen(g: PaperTales, card: int, seat: int) -> bool:
    return seat >= 0 and (g.seen[card] >> seat) & 1 == 1


def swap_within_packets(g: PaperTales, seat: int, rng: Rng) -> None:
    """The hidden cards of a packet that the seat handed on: each later holder took as many of them as before."""
    places: list[int] = []  # i: the discard of that number; -1 - owner: a saved card
    looks: list[int] = []  # the packet, and how often the seat had held it before the pick: unlike for unlike sets
    for i, burier in enumerate(g.buriers):
        if burier != seat and was_seen(g, g.buried[i], seat):
            places.append(i)
            looks.append(look(g.picks[i], seat, len(g.realms)))
    for owner, realm in enumerate(g.realms):
        if owner != seat and realm.saved != NO_CARD and was_seen(g, realm.saved, seat):
            places.append(-1 - owner)
            looks.append(look(realm.saved_pick, seat, len(g.realms)))
    for i, packet in enumerate(looks):
        if packet == NO_PICK or packet in looks[:i]:
            continue
        same = [place for place, other in zip(places, looks, strict=True) if other == packet]
        cards = [card_at(g, place) for place in same]
        rng.shuffle(cards)
        for place in same:
            put_card(g, place, cards.pop())


def look(pick: int, seat: int, players: int) -> int:
    """Equal for the picks from a packet between two looks of the seat at it; NO_PICK: it is not known which pick."""
    pick >>= 1
    if pick == NO_PICK:
        return NO_PICK
    packet = pick // 5  # the turn and the origin
    origin = packet % 5
    way = 1 if (packet // 5) % 2 == 1 else -1
    looks = 0
    for passes in range(pick % 5):
        if (origin + way * passes) % players == seat:
            looks += 1
    return packet * 5 + looks


def card_at(g: PaperTales, place: int) -> int:
    return g.buried[place] if place >= 0 else g.realms[-1 - place].saved


def put_card(g: PaperTales, place: int, card: int) -> None:
    if place >= 0:
        g.buried[place] = card
    else:
        g.realms[-1 - place].saved = card


def swap_saved(g: PaperTales, owner: int, realm: Realm, rng: Rng) -> None:
    """Which of an owner's hidden cards is the saved one: any that is not known to be discarded."""
    places = [-1 - owner]
    hidden = [realm.saved_pick * CARDS + realm.saved]  # a pick and its card stay together
    for i, burier in enumerate(g.buriers):
        if burier == owner and g.picks[i] & 1 == 0:
            places.append(i)
            hidden.append(g.picks[i] * CARDS + g.buried[i])
    rng.shuffle(hidden)
    for place in places:
        both = hidden.pop()
        put_card(g, place, both % CARDS)
        if place >= 0:
            g.picks[place] = both // CARDS
        else:
            realm.saved_pick = both // CARDS


def deal_hidden(g: PaperTales, seat: int, unknown: list[int]) -> None:
    """Saved and discarded cards of the others that the seat has never seen: any of those unknown to it."""
    for owner, realm in enumerate(g.realms):
        if owner != seat and realm.saved != NO_CARD and not was_seen(g, realm.saved, seat):
            realm.saved = unknown.pop()
    for i, burier in enumerate(g.buriers):
        if burier != seat and not was_seen(g, g.buried[i], seat):
            g.buried[i] = unknown.pop()


def deal_old_cards(g: PaperTales, seat: int, unknown: list[int], rng: Rng) -> list[int]:
    """After a reshuffle: packets of the old pile, then saved cards, without what cannot be there; gives the rest."""
    eye = 1 << seat if seat >= 0 else ONLOOKERS
    free: list[int] = []
    aside: list[int] = []
    turned: list[int] = []
    for card in unknown:
        if g.turned[card] & eye:
            turned.append(card)
        elif g.aside[card] & eye:
            aside.append(card)
        else:
            free.append(card)
    rng.shuffle(free)
    for origin in range(g.early):
        deal_packet(g, seat, origin, free, rng)
    free.extend(aside)
    rng.shuffle(free)
    deal_hidden(g, seat, free)
    free.extend(turned)
    rng.shuffle(free)
    return free


def collect_draft(g: PaperTales, seat: int, unknown: list[int]) -> None:
    """The cards of this turn's packets that the seat has never seen: those taken out before it held the packet."""
    for origin in range(len(g.realms)):
        for passes in range(g.passes + 1):
            owner = g.holder(origin, passes)
            if owner == seat:
                break
            realm = g.realms[owner]
            if passes < len(realm.kept):
                unknown.append(realm.kept[passes])
            if passes < len(realm.tossed):
                unknown.append(realm.tossed[passes])
            if passes == g.passes:
                unknown.extend(realm.packet)


def deal_draft(g: PaperTales, seat: int, unknown: list[int], first: int, rng: Rng) -> None:
    """Fill the same places again, from the packet dealt to the seat `first` on."""
    for origin in range(first, len(g.realms)):
        deal_packet(g, seat, origin, unknown, rng)


def deal_packet(g: PaperTales, seat: int, origin: int, unknown: list[int], rng: Rng) -> None:
    """What the seat saw going on changes places within the packet's later way."""
    held = False
    passes = 0
    while passes <= g.passes:
        end = passes
        while end <= g.passes and g.holder(origin, end) != seat:
            end += 1
        if held:
            cards: list[int] = []
            gather(g, origin, passes, end, cards)
            rng.shuffle(cards)
            hand_out(g, origin, passes, end, cards)
        else:
            hand_out(g, origin, passes, end, unknown)
        held = True
        passes = end + 1


def gather(g: PaperTales, origin: int, start: int, end: int, cards: list[int]) -> None:
    """The cards taken from a packet between two passes, and what is left of it if that goes up to now."""
    for passes in range(start, end):
        realm = g.realms[g.holder(origin, passes)]
        if passes < len(realm.kept):
            cards.append(realm.kept[passes])
        if passes < len(realm.tossed):
            cards.append(realm.tossed[passes])
        if passes == g.passes:
            cards.extend(realm.packet)


def hand_out(g: PaperTales, origin: int, start: int, end: int, cards: list[int]) -> None:
    """The reverse of gather: take as many from the end of `cards`."""
    for passes in range(start, end):
        realm = g.realms[g.holder(origin, passes)]
        if passes < len(realm.kept):
            realm.kept[passes] = cards.pop()
        if passes < len(realm.tossed):
            realm.tossed[passes] = cards.pop()
        if passes == g.passes:
            for i in range(len(realm.packet)):
                realm.packet[i] = cards.pop()
            realm.packet.sort()


# -- JSON -----------------------------------------------------------------------------------------------------
STEPS: Final[dict[str, Callable[..., Step]]] = {
    "Turn": Turn,
    "Recruitment": Recruitment,
    "Keep": Keep,
    "PassPackets": PassPackets,
    "Deploy": Deploy,
    "RevealKingdoms": RevealKingdoms,
    "RevealEffects": RevealEffects,
    "ChooseAge": ChooseAge,
    "PutAge": PutAge,
    "KrakenToll": KrakenToll,
    "War": War,
    "Income": Income,
    "Construct": Construct,
    "RevealConstructions": RevealConstructions,
    "Heal": Heal,
    "Ageing": Ageing,
    "FinalScoring": FinalScoring,
}


def dump_realm(realm: Realm) -> dict[str, Any]:
    return {
        "gold": realm.gold,
        "legend": realm.legend,
        "levels": realm.levels[:],
        "units": [[u.card, u.row, u.age, u.coming, int(u.fresh), int(u.healed)] for u in realm.units],
        "packet": realm.packet[:],
        "kept": realm.kept[:],
        "tossed": realm.tossed[:],
        "saved": realm.saved,
        "saved_pick": realm.saved_pick,
        "hand": realm.hand[:],
        "plan": realm.plan[:],
        "front": realm.front,
        "back": realm.back,
        "purse": realm.purse,
        "answered": realm.answered,
        "construction": realm.construction,
        "strength": realm.strength,
        "wars": realm.wars,
        "ledger": realm.ledger[:],
    }


def load_realm(data: dict[str, Any]) -> Realm:
    realm = Realm()
    realm.gold = data["gold"]
    realm.legend = data["legend"]
    realm.levels = list(data["levels"])
    realm.units = []
    for card, row, age, coming, fresh, healed in data["units"]:
        unit = new_unit(card, row, age)
        unit.coming = coming
        unit.fresh = fresh == 1
        unit.healed = healed == 1
        realm.units.append(unit)
    realm.packet = list(data["packet"])
    realm.kept = list(data["kept"])
    realm.tossed = list(data["tossed"])
    realm.saved = data["saved"]
    realm.saved_pick = data["saved_pick"]
    realm.hand = list(data["hand"])
    realm.plan = list(data["plan"])
    realm.front = data["front"]
    realm.back = data["back"]
    realm.purse = data["purse"]
    realm.answered = data["answered"]
    realm.construction = data["construction"]
    realm.strength = data["strength"]
    realm.wars = data["wars"]
    realm.ledger = list(data["ledger"])
    return realm


def load(data: dict[str, Any]) -> PaperTales:
    """The state that dump() wrote."""
    g = PaperTales()
    g.load_flow(data["flow"], STEPS)
    g.realms = [load_realm(realm) for realm in data["realms"]]
    g.turn = data["turn"]
    g.passes = data["passes"]
    g.pile = list(data["pile"])
    g.discards = list(data["discards"])
    g.buried = list(data["buried"])
    g.buriers = list(data["buriers"])
    g.picks = list(data["picks"])
    g.seen = list(data["seen"])
    g.turned = list(data["turned"])
    g.aside = list(data["aside"])
    g.early = data["early"]
    return g
