"""SD-2 A turn."""

from __future__ import annotations

import pytest

from games.sourire_du_dragon.table import asked, at, draws, held, play, position, put, told, turn
from veillee.games.sourire_du_dragon.rules import (
    ACROBAT,
    ANNOUNCED,
    ATTACK,
    BARBARIAN,
    BRAWL_DIE,
    DICE,
    DREW,
    HIGH_MOVES,
    KEPT,
    LOST,
    LOW_MOVES,
    PASS,
    RANGER,
    WALKED,
)


@pytest.mark.parametrize(
    ("announced", "dice", "squares", "combat"),
    [
        (HIGH_MOVES, (2, 6, 1), 6, 1),
        (LOW_MOVES, (2, 6, 1), 1, 6),
        (HIGH_MOVES, (3, 1, 2), 3, 1),
        (LOW_MOVES, (1, 3, 2), 1, 3),
        (HIGH_MOVES, (3, 3, 1), 3, 1),  # a double
        (LOW_MOVES, (6, 3, 6), 3, 6),
        (HIGH_MOVES, (3, 3, 3), 3, 3),  # a triple
    ],
)
def test_sd_2_1_the_highest_and_the_lowest_die_serve_as_announced(announced, dice, squares, combat):
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance")
    log = play(g, announced, dice=dice)
    assert told(log, WALKED) == [(0, 0, squares, 0)]
    assert g.combat == combat
    assert g.move == squares


def test_sd_2_1_the_announcement_comes_before_the_dice():
    g = position(RANGER, ACROBAT)
    assert asked(g) == ("Announce", (0,))
    assert g.legal(0) == [HIGH_MOVES, LOW_MOVES]
    assert list(g.dice) == []


def test_sd_2_2_move_then_resolve_the_square_with_the_combat_die():
    g = position(RANGER, ACROBAT)
    put(g, 0, "orchard")  # 12; the castle (4) is 2 further
    play(g, LOW_MOVES, dice=(2, 4, 3))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle", False)
    g = position(RANGER, ACROBAT)
    put(g, 0, "orchard")
    play(g, LOW_MOVES, dice=(2, 3, 3))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle", True)


def test_sd_2_2_the_first_test_uses_the_combat_die_and_a_later_one_rolls():
    g = position(RANGER, ACROBAT)
    put(g, 0, "orchard")
    put(g, 1, "castle", "potion")
    play(g, LOW_MOVES, dice=(2, 4, 3))
    assert g.combat == 0
    log = play(g, ATTACK + 1, PASS, dice=(2, 1))  # a brawl: two new dice; the other could drink the potion
    assert told(log, BRAWL_DIE)[:2] == [(0, 2, 2), (1, 1, 1)]


def test_sd_2_2_passing_without_a_die_leaves_the_combat_die():
    g = position(ACROBAT, BARBARIAN)
    put(g, 0, "orchard", "staff")
    put(g, 1, "castle", "bow")
    play(g, LOW_MOVES, dice=(2, 4, 3))
    log = play(g, ATTACK + 1, dice=(6,))  # only the other one rolls
    assert told(log, BRAWL_DIE) == [(0, 4, 5), (1, 6, 7)]


def test_sd_2_3_blocked_the_combat_die_first_and_without_success_no_move():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", blocked=True)
    play(g, HIGH_MOVES, dice=(6, 3, 3))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)
    assert asked(g) == ("Announce", (1,))


def test_sd_2_3_with_success_the_move_and_a_new_die_for_the_next_test():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", blocked=True)
    play(g, HIGH_MOVES, dice=(5, 4, 4, 4))  # 4 passes the river, 5 squares to the castle, a new 4 passes it
    assert (at(g, 0), g.heroes[0].blocked) == ("castle", False)
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", blocked=True)
    play(g, HIGH_MOVES, dice=(5, 4, 4, 3))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle", True)


def test_sd_2_3_a_new_die_for_a_monster_too():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", blocked=True)
    draws(g, "goblin")
    log = play(g, LOW_MOVES, dice=(2, 6, 6, 1))  # two squares to the old mill; the goblin needs 2
    assert told(log, LOST)
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)


def test_sd_2_4_a_lost_turn_is_the_next_one_and_lost_turns_add_up():
    g = position(RANGER, ACROBAT)
    put(g, 0, "hollow-oak")
    put(g, 1, "entrance")
    play(g, LOW_MOVES, dice=(1, 1, 1))  # brambles: orange
    assert g.heroes[0].lost == 1
    g.heroes[0].lost += 1
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert asked(g) == ("Announce", (1,))
    assert (at(g, 0), g.heroes[0].lost) == ("brambles", 1)
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert asked(g) == ("Announce", (1,))
    assert g.heroes[0].lost == 0
    play(g, HIGH_MOVES, dice=(3, 3, 3))
    assert asked(g) == ("Announce", (0,))


def test_sd_2_5_adventure_or_card_first_then_the_meeting():
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance")
    put(g, 1, "tunnel", "bow")
    draws(g, "potion")
    log = play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert [e.kind for e in log.events] == [ANNOUNCED, DICE, WALKED, DREW, KEPT]
    assert held(g, 0) == ["potion"]
    assert asked(g) == ("Meet", (0,))


def test_sd_2_5_nobody_is_asked_when_nothing_can_be_done():
    g = position(RANGER, ACROBAT)
    put(g, 1, "platform")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert at(g, 0) == at(g, 1)
    assert asked(g) == ("Announce", (1,))  # no seat has a card


def test_sd_2_1_a_missed_turn_asks_nothing():
    g = position(RANGER, ACROBAT)
    g.heroes[0].lost = 1
    turn(g, 0)
    assert asked(g) == ("Announce", (1,))
