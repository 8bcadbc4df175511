"""Advisor of Paper Tales: heuristics, evaluation and prior for the search."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from veillee.games.paper_tales.rules.ageing import Heal
from veillee.games.paper_tales.rules.construction import Construct
from veillee.games.paper_tales.rules.deployment import Deploy
from veillee.games.paper_tales.rules.effects import ChooseAge
from veillee.games.paper_tales.rules.kingdom import Means, Realm
from veillee.games.paper_tales.rules.pieces import (
    ADVENTURER,
    AGE,
    ARCHER,
    BACK,
    BUILD,
    BUILD_HIGH,
    BUILDINGS,
    COLOSSUS,
    COST,
    DEPLOY,
    FRONT,
    GONE,
    HEAL,
    KEEP,
    KINDS,
    KRAKEN,
    MILITIAMAN,
    MONKEY,
    MOST_PLANNED,
    NO_BUILDING,
    NO_CARD,
    NO_HEAL,
    PALM_READER,
    RELIC,
    SALAMANDER,
    SAVED,
    SCULPTOR,
    STRATEGIST,
    TOSS,
    TURNS,
    UNDECIDED,
    UPGRADE,
    sort_cards,
)
from veillee.games.paper_tales.rules.recruitment import Keep
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.games.paper_tales.signs import (
    FIRST_LEVEL,
    GOLD,
    SECOND_LEVEL,
    WORTH,
    Regard,
    appeal,
    thing_strength,
    thing_worth,
)
from veillee.kernel.advisor import Advisor, Signs
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.state import Moves, offer, play, proceed

CHANCE: Final = 3  # how much luck decides between choices that are near each other


class Chronicler(Advisor):
    """Drafts what is worth most, fills its spots with the best it can pay, the strong in front, and builds."""

    def __init__(self, weights: list[list[float]] | None = None, habits: list[float] | None = None) -> None:
        super().__init__(weights, habits)
        self.regard = Regard()
        self.values = vec[i64]([0] * MOST_PLANNED)

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
        """Keeps the best card for the own kingdom; with two players, discards the best that is left."""
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

    def signs(self, g: PaperTales, seat: i64, moves: Moves, place: i64, into: Signs) -> None:
        self.regard.signs(g, seat, moves, place, into)

    def sight(self, g: PaperTales, seat: i64) -> i64:
        """What a deployment asks about, and which units there are to age or to heal: with others, the same answer means
        something else."""
        question = g.question
        realm = g.realms[seat]
        if isinstance(question, Deploy):
            i = len(realm.plan)
            if i < len(realm.units):
                unit = realm.units[i]
                return 1 + unit.kind * 4 + min(3, unit.age)
            return 1 + realm.kind_at(i) * 4
        if isinstance(question, (ChooseAge, Heal)):
            seen: i64 = 1
            for unit in realm.units:
                seen = seen * KINDS + unit.kind
            return seen
        return 0

    def reopen(self, g: PaperTales, seat: i64) -> None:
        """What was kept of the packet that is here now, deployments and constructions: deployed at random, they are no match."""
        question = g.question
        for owner in range(len(g.realms)):
            if owner == seat:
                continue
            realm = g.realms[owner]
            if isinstance(question, Keep):
                if len(realm.kept) > g.passes:
                    realm.kept, card = pop(realm.kept)
                    realm.packet = append(realm.packet, card)
                    if len(realm.tossed) > g.passes:
                        realm.tossed, card = pop(realm.tossed)
                        realm.packet = append(realm.packet, card)
                    sort_cards(realm.packet)
                    g.ask_again(owner)
            elif isinstance(question, Deploy):
                realm.start_plan()
                g.ask_again(owner)
            elif isinstance(question, Construct) and realm.construction != UNDECIDED:
                realm.construction = UNDECIDED
                g.ask_again(owner)

    def hurry(self, g: PaperTales, seat: i64, moves: Moves, rng: Rng) -> i64:
        """A whole deployment at once, anything else as choose() would."""
        if isinstance(g.question, Deploy):
            answers = self.deploy_all(g, g.realms[seat], rng)
            g.waiting &= ~(1 << seat)
            proceed(g, rng)
            return answers
        offer(g, seat, moves)
        play(g, seat, self.choose(g, seat, moves, rng), rng)
        return 1

    def deploy_all(self, g: PaperTales, realm: Realm, rng: Rng) -> i64:
        """The rest of the plan: the best that can be paid on the spots that are free, the strong in front; the best card that
        is left is saved. How many questions that answers."""
        first = len(realm.plan)
        old = len(realm.units)
        end = old + len(realm.hand)
        plan = realm.plan
        for i in range(first, end):
            plan = append(plan, GONE)
            self.values[i] = thing_worth(g, realm, i) + rng.below(CHANCE)
        purse = realm.purse
        for _spot in range(realm.front + realm.back):
            best: i64 = -1
            most: i64 = -1000
            for i in range(first, end):
                if plan[i] == GONE and self.values[i] > most and (i < old or COST[realm.kind_at(i)] <= purse):
                    best = i
                    most = self.values[i]
            if best < 0:
                break
            plan[best] = BACK
            if best >= old:
                purse -= COST[realm.kind_at(best)]
        for i in range(first, end):
            if plan[i] == BACK:
                kind = realm.kind_at(i)
                self.values[i] = -1 if kind in (ARCHER, STRATEGIST) else thing_strength(realm, i)
        for _spot in range(realm.front):
            best = -1
            most = -1000
            for i in range(first, end):
                if plan[i] == BACK and self.values[i] > most:
                    best = i
                    most = self.values[i]
            if best < 0:
                break
            plan[best] = FRONT
        if g.turn < TURNS and not realm.saving():
            best = -1
            most = 0
            for i in range(max(first, old), end):
                if plan[i] == GONE and WORTH[realm.kind_at(i)] > most:
                    best = i
                    most = WORTH[realm.kind_at(i)]
            if best >= 0:
                plan[best] = SAVED
        realm.plan = plan
        return end - first

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
