"""PT-2.3 Phase 3, War, and PT-2.4 phase 4, Income."""

from __future__ import annotations

from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.events import FOUGHT
from veillee.games.paper_tales.rules.kingdom import Realm
from veillee.games.paper_tales.rules.pieces import (
    BARRACKS,
    BASE_INCOME,
    COLOSSUS,
    COMMANDER,
    FROM_BASE,
    FROM_BUILDING,
    FROM_WAR,
    INCOME,
    MASTER_ALCHEMIST,
    MINE,
    MORE_THAN_TWICE,
    ROGUE,
    TAVERN,
    TEMPLE,
    WAR,
    WAR_WON,
)
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.state import Phase


@mypyc_attr(acyclic=True, free_list_len=1)
class War(Phase):
    """PT-2.3.1 Compare strengths. PT-2.3.4 Then the phase-3 effects of units and buildings."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for realm in g.realms:
            realm.strength = realm.war_strength()
            realm.wars = 0
        if len(g.realms) == 2:
            duel(g, 0, 1)
            duel(g, 1, 0)
            # By the other reading exactly twice is a war like any other: the log says so by its rule.
            exactly = g.readings & MORE_THAN_TWICE != 0 and is_twice(g.realms[0].strength, g.realms[1].strength)
            rule = "PT-2.3.2" if exactly else "PT-2.3.3"
            g.note(rule, FOUGHT, 0, 1, g.realms[0].strength, g.realms[1].strength)
        else:
            for seat in range(len(g.realms)):
                wage_war(g, seat, g.left_of(seat))
        gained_by = "PT-2.3.3" if len(g.realms) == 2 else "PT-2.3.2"
        for seat in range(len(g.realms)):
            g.gain_legend(gained_by, WAR, seat, WAR_WON * g.realms[seat].wars, FROM_WAR)
        for seat in range(len(g.realms)):
            war_effects(g, seat, g.realms[seat])


def wage_war(g: PaperTales, seat: i64, other: i64) -> None:
    """PT-2.3.2 The stronger wins; in a tie both win."""
    mine = g.realms[seat].strength
    theirs = g.realms[other].strength
    g.note("PT-2.3.2", FOUGHT, seat, other, mine, theirs)
    if mine >= theirs:
        g.realms[seat].wars += 1
    if theirs >= mine:
        g.realms[other].wars += 1


def duel(g: PaperTales, seat: i64, other: i64) -> None:
    """PT-2.3.3 Two players: one war against the only opponent."""
    mine = g.realms[seat].strength
    theirs = g.realms[other].strength
    wars = wars_won(mine, theirs)
    if wars == 2 and mine == 2 * theirs and g.readings & MORE_THAN_TWICE != 0:
        wars = 1
    g.realms[seat].wars = wars


def is_twice(one: i64, other: i64) -> bool:
    return one == 2 * other or other == 2 * one


def wars_won(mine: i64, theirs: i64) -> i64:
    """PT-2.3.3 With at least twice the other's strength, and more than 0, two wars are won; in a tie both win one."""
    if mine > 0 and mine >= 2 * theirs:
        return 2
    return 1 if mine >= theirs else 0


def war_effects(g: PaperTales, seat: i64, realm: Realm) -> None:
    """PT-2.3.4 Per war won, and the level-2 buildings. For the Barracks every unit counts with its actual strength."""
    wars = realm.wars
    strong: i64 = 0
    for unit in realm.units:
        kind = unit.kind
        if kind == ROGUE:
            g.gain_gold("PT-2.3.4", WAR, seat, wars, ROGUE)
        elif kind in (COMMANDER, COLOSSUS):
            g.gain_legend("PT-2.3.4", WAR, seat, wars, kind)
        elif kind == MASTER_ALCHEMIST:
            g.gain_legend("PT-2.3.4", WAR, seat, wars * realm.crystal(), MASTER_ALCHEMIST)
        if at(realm.levels, BARRACKS) == 2 and realm.power(unit) >= 3:
            strong += 1
    g.gain_legend("PT-2.3.4", WAR, seat, strong, FROM_BUILDING + BARRACKS)
    if at(realm.levels, MINE) == 2:
        g.gain_legend("PT-2.3.4", WAR, seat, 2 * realm.crystal(), FROM_BUILDING + MINE)
    if at(realm.levels, TAVERN) == 2:
        g.gain_legend("PT-2.3.4", WAR, seat, realm.food(), FROM_BUILDING + TAVERN)
    if at(realm.levels, TEMPLE) == 2:
        g.gain_legend("PT-2.3.4", WAR, seat, 2, FROM_BUILDING + TEMPLE)


@mypyc_attr(acyclic=True, free_list_len=1)
class Income(Phase):
    """PT-2.4.1 Two gold each, and the phase-4 effects."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            g.gain_gold("PT-2.4.1", INCOME, seat, BASE_INCOME, FROM_BASE)
            for unit in realm.units:
                g.gain_gold("PT-2.4.1", INCOME, seat, realm.unit_income(unit), unit.kind)
            g.gain_gold("PT-2.4.1", INCOME, seat, realm.building_income(TAVERN), FROM_BUILDING + TAVERN)
            g.gain_gold("PT-2.4.1", INCOME, seat, realm.building_income(TEMPLE), FROM_BUILDING + TEMPLE)
