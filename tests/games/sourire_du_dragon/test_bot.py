"""The advisor: the plan of the race, and first ideas."""

from __future__ import annotations

import pytest

from games.sourire_du_dragon.table import SQUARES, card, draws, play, position, put, turn
from veillee.games.sourire_du_dragon import BOX
from veillee.games.sourire_du_dragon.bot import LEAPS, NO_POWER, Plan
from veillee.games.sourire_du_dragon.rules import (
    ACCEPT,
    ACROBAT,
    ATTACK,
    BARBARIAN,
    COURSES,
    GO,
    HIGH_MOVES,
    LOW_MOVES,
    OFFER,
    PASS,
    RANGER,
    REFUSE,
    STEP_OUT,
)
from veillee.kernel.chance import Rng


def idea(g) -> int:
    """The advisor's first idea, without a slip."""
    rng = Rng(0)
    rng.next = lambda: 0.5
    seat = g.to_act[0]
    return BOX.advisor.first_idea(g, seat, rng)


@pytest.fixture(scope="module")
def plain() -> Plan:
    return Plan(COURSES[0], 0, 0, NO_POWER, None)


def test_the_plan_counts_fewer_turns_with_bonuses_and_powers(plain):
    turns = plain.free[0]
    assert 20 < turns < 40
    assert Plan(COURSES[0], 1, 0, NO_POWER, plain).free[0] < turns
    assert Plan(COURSES[0], 0, 1, NO_POWER, plain).free[0] < turns
    assert Plan(COURSES[0], -1, -1, NO_POWER, plain).free[0] > turns
    assert Plan(COURSES[0], 1, 1, LEAPS, plain).free[0] < Plan(COURSES[0], 1, 1, NO_POWER, plain).free[0]


def test_the_plan_agrees_with_dice(plain):
    """Two heroes who follow it, without meeting: the first home needs fewer turns than one alone, but not many fewer."""
    lengths = []
    for seed in range(40):
        rng = Rng(seed)
        g = BOX.new(2, rng, {}, None)
        while g.to_act:
            seat = g.to_act[0]
            g.apply(seat, BOX.advisor.first_idea(g, seat, rng), rng)
        lengths.append(g.turn / 2)
    assert plain.free[0] / 2 < sum(lengths) / len(lengths) < plain.free[0]


@pytest.mark.parametrize(
    ("square", "blocked", "announcement"),
    [
        ("windy-pass", False, LOW_MOVES),  # one square before the Whirlpool
        ("hourglass", False, LOW_MOVES),  # one before the arrow
        ("entrance", False, HIGH_MOVES),
        ("whirlpool", True, LOW_MOVES),  # a 6 is needed
        ("castle-of-shadows", True, LOW_MOVES),
    ],
)
def test_it_announces_what_the_plan_says(square, blocked, announcement):
    g = position(RANGER, ACROBAT)
    put(g, 0, square, blocked=blocked)
    turn(g, 0)
    assert idea(g) == announcement


def test_it_steps_onto_the_arrow_with_the_boots():
    g = position(RANGER, ACROBAT)
    put(g, 0, "graveyard", "boots")
    play(g, HIGH_MOVES, dice=(6, 6, 6))
    assert idea(g) == STEP_OUT + 3
    assert SQUARES["arrow"] - SQUARES["graveyard"] == 4


def test_it_keeps_the_boots_where_they_save_little():
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance", "boots")
    play(g, HIGH_MOVES, dice=(6, 6, 6))
    assert idea(g) == GO


def test_it_calls_for_help():
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance", "potion")
    draws(g, "orc")
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert idea(g) == card("potion")


def meeting(mine: tuple[str, ...], theirs: tuple[str, ...]):
    g = position(BARBARIAN, ACROBAT)
    put(g, 0, "entrance", *mine)
    put(g, 1, "platform", *theirs)
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    return g


def test_it_asks_for_its_own_object_and_offers_what_the_other_needs():
    g = meeting(("staff", "potion"), ("club",))
    assert idea(g) == OFFER + 1
    play(g, OFFER + 1)
    assert idea(g) == card("staff")
    play(g, card("staff"))
    assert idea(g) == card("club")
    play(g, card("club"))
    assert idea(g) == ACCEPT


def test_it_does_not_give_its_own_object_for_a_trifle():
    g = meeting(("potion",), ("staff",))
    play(g, OFFER + 1, card("potion"), card("staff"))
    assert idea(g) == REFUSE


def test_it_attacks_the_weaker_and_leaves_the_stronger_alone():
    g = meeting(("shield", "bow", "staff"), ("potion",))
    g.combat = 4
    assert idea(g) == ATTACK + 1
    g = meeting(("potion",), ("shield", "bow"))
    assert idea(g) == PASS


def test_its_hopes_add_up_and_favour_who_is_ahead():
    g = position(RANGER, ACROBAT, BARBARIAN)
    put(g, 1, "bell-tower")
    hopes = BOX.advisor.evaluate(g)
    assert sum(hopes) == pytest.approx(1)
    assert hopes[1] > 0.6
    assert BOX.advisor.quiet(g)
