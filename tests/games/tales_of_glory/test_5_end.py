"""TG-5 End, after 10 rounds."""

from __future__ import annotations

import pytest
from librt.vecs import append, pop

from games.tales_of_glory.table import has, lay, position
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory import words
from veillee.games.tales_of_glory.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.words import Words


def end(g: tg.TalesOfGlory) -> Log:
    g.round = tg.ROUNDS
    g.agenda = [tg.NextRound(0)]
    g.to_act = ()
    log = Log()
    g.log = log
    g.proceed(Rng(0))
    g.log = None
    return log


@pytest.mark.parametrize("kind", ["combat", "magic", "potions", "coins"])
def test_tg_5_1_four_prestige_for_the_most(kind):
    g = position()
    has(g, 1, **{kind: 2})
    has(g, 2, **{kind: 3})
    end(g)
    assert [a.prestige for a in g.adventurers] == [0, 0, 4, 0]
    assert [told["majorities"] for told in view(g, 2)["adventurers"]] == [[], [], [kind], []]


def test_tg_5_1_all_tied_players_get_it_and_at_least_1_is_needed():
    g = position()
    has(g, 0, coins=2, magic=1)
    has(g, 3, coins=2)
    end(g)
    assert [a.prestige for a in g.adventurers] == [8, 0, 0, 4]


def test_tg_5_2_end_gains_come_after_the_majorities_and_may_count_them():
    g = position(herald={"top": "open", "gain": "end: 3 prestige per majority"})
    has(g, 0, coins=2, magic=1)
    lay(g, 0, "herald", 0, 1)
    log = end(g)
    assert g.adventurers[0].prestige == 2 * 4 + 2 * 3
    assert [e.rule for e in log.events if e.kind in (tg.MAJORITY_WON, tg.GAINED)] == ["TG-5.1", "TG-5.1", "TG-5.2"]


def test_tg_5_2_each_seat_in_turn_each_gain_once():
    g = position(herald={"top": "open", "gain": "end: 3 prestige"}, bard={"top": "open", "gain": "end: 2 prestige"})
    lay(g, 3, "bard", 0, 1)
    lay(g, 0, "herald", 0, 1)
    log = end(g)
    assert [(e.seat, e.amount) for e in log.events if e.rule == "TG-5.2"] == [(0, 3), (3, 2)]
    assert [a.prestige for a in g.adventurers] == [3, 0, 0, 2]


def test_tg_5_2_those_of_open_chests_too():
    g = position(paladin={"top": "open", "chests": ["end: 2 prestige per combat", "end: 5 prestige"]})
    has(g, 0, combat=3)
    a = g.adventurers[0]
    a.shut, first = pop(a.shut, 0)
    a.open = append(a.open, first)
    end(g)
    assert a.prestige == 4 + 6


def test_tg_5_2_a_key_at_the_end_opens_a_chest_with_all_that_is_in_it():
    g = position(
        paladin={"bottom": "open", "chests": ["1 prestige, end: 2 prestige", "1 prestige, end: 2 prestige"]},
        bard={"top": "open", "gain": "end: 1 key"},
    )
    lay(g, 0, "bard", 0, 1)
    end(g)
    assert g.to_act == (0,)
    g.apply(0, g.legal(0)[0], Rng(0))
    assert g.adventurers[0].prestige == 3
    assert g.to_act == ()


def test_tg_5_3_most_prestige_wins():
    g = position()
    has(g, 0, prestige=9, coins=1)
    has(g, 2, prestige=14)
    end(g)
    assert [g.score(seat) for seat in range(4)] == [13, 0, 14, 0]
    assert g.returns() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("kind", "others"),
    [
        ("combat", {"magic": 9, "potions": 9, "coins": 9}),
        ("magic", {"potions": 9, "coins": 9}),
        ("potions", {"coins": 9}),
        ("coins", {}),
    ],
)
def test_tg_5_3_ties_by_combat_magic_potions_coins_in_turn(kind, others):
    g = position(2)
    has(g, 0, prestige=20, **{kind: 2})
    has(g, 1, prestige=20, **{kind: 1}, **others)
    assert g.standing(0) > g.standing(1)


def test_tg_5_3_then_the_victory_is_shared():
    g = position(2)
    has(g, 0, prestige=20, combat=1)
    has(g, 1, prestige=20, combat=1)
    end(g)
    assert g.returns() == [0.5, 0.5]


def test_tg_5_the_account_tells_the_end_line_by_line():
    g = position(2, herald={"top": "open", "gain": "end: 3 prestige per majority"})
    has(g, 0, coins=2, magic=1)
    lay(g, 0, "herald", 0, 1)
    log = end(g)
    lines = words.account(g, log.events, ["A", "B"], Words("en", {}))
    assert [(line.rule, line.text, line.points) for line in lines[0]] == [
        ("TG-5.1", "Majority: magic", 4),
        ("TG-5.1", "Majority: coins", 4),
        ("TG-5.2", "At the end: The Herald of the Crown", 6),
    ]
    assert sum(line.points for line in lines[0]) == g.score(0)
