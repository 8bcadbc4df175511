"""SD-5 Objects: both columns, and the powers."""

from __future__ import annotations

import pytest

from games.sourire_du_dragon.table import CARDS, SQUARES, asked, at, draws, play, position, put, told
from veillee.games.sourire_du_dragon.rules import (
    ACROBAT,
    ATTACK,
    BARBARIAN,
    CAVALIER,
    DIE,
    HAT_ROLLED,
    HIGH_MOVES,
    LOW_MOVES,
    MAGICIAN,
    NO_DIE_NEEDED,
    NO_SQUARE,
    PASS,
    RANGER,
    THIEF,
    USE_HAT,
)


def bonuses(character: int, thing: str) -> tuple[int, int]:
    """In combat, in adventures."""
    g = position(character, (character + 1) % 6)
    put(g, 0, "entrance", thing)
    return g.bonus(0, True, False), g.bonus(0, False, False)


def test_sd_5_1_the_bow():
    assert bonuses(ACROBAT, "bow") == (1, 0)
    assert bonuses(RANGER, "bow") == (2, 0)


def test_sd_5_2_the_staff():
    assert bonuses(RANGER, "staff") == (1, 1)
    assert bonuses(ACROBAT, "staff") == (1, 1)


def test_sd_5_3_the_cloak():
    assert bonuses(RANGER, "cloak") == (0, 1)
    assert bonuses(THIEF, "cloak") == (0, 1)


def test_sd_5_4_the_club():
    assert bonuses(RANGER, "club") == (1, 1)
    assert bonuses(BARBARIAN, "club") == (1, 1)


def test_sd_5_5_the_shield():
    assert bonuses(RANGER, "shield") == (1, 0)
    assert bonuses(CAVALIER, "shield") == (1, 0)


def test_sd_5_6_the_hat():
    assert bonuses(RANGER, "hat") == (-1, -1)
    assert bonuses(MAGICIAN, "hat") == (0, 0)


def passed(character: int, thing: str) -> list[str]:
    """The adventures that the hero gets through although every die shows 1."""
    through = []
    for square in ("forest", "river", "castle", "crevasse", "wall", "swamp", "magicians-peak", "castle-of-shadows"):
        g = position(character, (character + 1) % 6)
        put(g, 0, square, thing, blocked=True)
        draws(g, "rainbow")
        play(g, HIGH_MOVES, dice=(1, 1, 1))
        if g.heroes[0].square == SQUARES[square] + 1:
            through.append(square)
    return through


def test_sd_5_2_the_acrobats_staff_passes():
    assert passed(ACROBAT, "staff") == ["river", "castle", "crevasse", "wall", "magicians-peak"]
    assert passed(RANGER, "staff") == []


def test_sd_5_4_the_barbarians_club_passes():
    assert passed(BARBARIAN, "club") == ["castle", "wall", "magicians-peak", "castle-of-shadows"]
    assert passed(RANGER, "club") == []


def test_sd_5_2_landing_on_it_is_passed_too():
    g = position(ACROBAT, RANGER)
    put(g, 0, "brambles", "staff")
    log = play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", False)
    assert told(log, NO_DIE_NEEDED)
    assert g.combat == 1  # not used


def meeting(*characters: int):
    """Seat 0 walks onto the square of seat 1, who holds a cloak."""
    g = position(*characters)
    put(g, 1, "platform", "cloak")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    return g


def test_sd_5_3_the_cloaked_thief_cannot_be_attacked():
    g = meeting(RANGER, THIEF)
    assert g.explain(0, ATTACK + 1) == "SD-5.3"
    assert ATTACK + 1 not in g.legal(0)


def test_sd_5_3_anyone_else_under_the_cloak_can():
    g = meeting(RANGER, ACROBAT)
    assert ATTACK + 1 in g.legal(0)


def test_sd_5_3_the_thief_without_the_cloak_can():
    g = position(RANGER, THIEF)
    put(g, 1, "platform", "bow")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert ATTACK + 1 in g.legal(0)


@pytest.mark.parametrize(
    ("monster", "character", "thing", "stays"),
    [
        ("giant", CAVALIER, "shield", True),
        ("tiamat", CAVALIER, "shield", False),
        ("venger", CAVALIER, "shield", False),
        ("giant", CAVALIER, "bow", False),
        ("giant", RANGER, "shield", False),
    ],
)
def test_sd_5_5_the_cavaliers_shield_holds_except_against_tiamat_and_venger(monster, character, thing, stays):
    g = position(character, ACROBAT)
    put(g, 0, "forest", thing)
    draws(g, monster)
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    if stays:
        assert (at(g, 0), g.heroes[0].blocked) == ("hollow-oak", True)  # he draws again next turn
    else:
        assert (at(g, 0), g.heroes[0].blocked) == ("forest", True)


def held_on_green(version: int):
    """The Cavalier with the Shield has lost a fight on a green square; it is his turn again."""
    g = position(CAVALIER, ACROBAT, version=version)
    put(g, 0, "forest", "shield")
    draws(g, "giant")
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), asked(g)) == ("hollow-oak", ("Announce", (0,)))
    return g


def test_sd_5_5_on_a_green_square_the_cavalier_draws_again_and_moves_if_he_gets_through():
    g = held_on_green(3)
    play(g, HIGH_MOVES, dice=(1, 1, 1))  # a rainbow, then one square on
    assert (at(g, 0), g.heroes[0].blocked) == ("brambles", False)
    g = held_on_green(3)
    draws(g, "giant")
    play(g, HIGH_MOVES, dice=(1, 1, 1))  # lost again: he stays
    assert (at(g, 0), g.heroes[0].blocked) == ("hollow-oak", True)
    g = held_on_green(3)
    draws(g, "eagle")
    play(g, HIGH_MOVES, dice=(1, 1, 1))  # the card carries him: that was his move
    assert (at(g, 0), g.landed) == ("mill", NO_SQUARE)


def test_sd_5_5_by_version_2_he_went_on_without_a_card():
    g = held_on_green(2)
    draws(g, "giant")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), list(g.discards).count(CARDS["giant"])) == ("brambles", 1)


@pytest.mark.parametrize(("face", "magic"), [(1, -3), (2, -2), (3, -1), (4, 1), (5, 2), (6, 3)])
def test_sd_5_6_the_magician_must_roll_for_the_hat_before_the_result(face, magic):
    g = position(MAGICIAN, ACROBAT)
    put(g, 0, "river", "hat", "clover", "potion", blocked=True)  # so that something is left to decide
    log = play(g, LOW_MOVES, dice=(1, 3, 3, face))
    assert told(log, HAT_ROLLED) == [(0, face, magic)]
    assert told(log, DIE)[0] == (0, 3, 3 + magic, 4)
    if magic < 1:
        assert USE_HAT not in g.legal(0)


def test_sd_5_6_a_success_is_lost_by_a_bad_roll_of_the_hat():
    g = position(MAGICIAN, ACROBAT)
    put(g, 0, "river", "hat", blocked=True)
    play(g, LOW_MOVES, dice=(1, 4, 4, 1))  # 4 - 3
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)


def test_sd_5_6_in_a_fight_and_for_each_test_of_a_turn():
    g = position(MAGICIAN, ACROBAT)
    put(g, 0, "river", "hat", blocked=True)
    draws(g, "ogre")
    log = play(g, LOW_MOVES, dice=(2, 4, 4, 4, 3, 5))  # 4 + 1 passes; to the mill; a new die, 3 + 2, against the ogre
    assert told(log, HAT_ROLLED) == [(0, 4, 1), (0, 5, 2)]
    assert at(g, 0) == "mill"


@pytest.mark.parametrize("options", [{"version": 2}, {"hat": "gentle"}])
@pytest.mark.parametrize(("face", "magic"), [(1, -3), (2, -2), (3, -1), (4, 1), (5, 2), (6, 3)])
def test_sd_5_6_the_magician_rolls_for_the_gentle_hat(options, face, magic):
    g = position(MAGICIAN, ACROBAT, **options)
    put(g, 0, "river", "hat", "clover", "potion", blocked=True)  # so that something is left to decide
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    log = play(g, USE_HAT, dice=(face,))
    assert told(log, HAT_ROLLED) == [(0, face, magic)]
    assert told(log, DIE) == [(0, 1, 1 + magic, 4)]
    if magic < 3:
        assert asked(g) == ("Attempt", (0,))
        assert USE_HAT not in g.legal(0)  # once only


def test_sd_5_6_gentle_the_magician_decides_after_the_dice_and_only_if_not_winning():
    g = position(MAGICIAN, ACROBAT, hat="gentle")
    put(g, 0, "river", "hat", blocked=True)
    play(g, LOW_MOVES, dice=(1, 4, 4))  # a success without it: no question
    assert at(g, 0) == "reeds"
    g = position(MAGICIAN, ACROBAT, hat="gentle")
    put(g, 0, "river", "hat", blocked=True)
    play(g, LOW_MOVES, dice=(1, 3, 3))
    assert g.legal(0) == [PASS, USE_HAT]
    play(g, PASS)
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)


def test_sd_5_6_for_the_others_the_penalty_is_compulsory():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", "hat", blocked=True)
    play(g, LOW_MOVES, dice=(1, 4, 4))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)


def test_sd_5_6_gentle_once_more_in_the_next_fight_of_the_same_turn():
    g = position(MAGICIAN, ACROBAT, hat="gentle")
    put(g, 0, "river", "hat", blocked=True)
    draws(g, "ogre")
    play(g, LOW_MOVES, dice=(2, 3, 3))
    play(g, USE_HAT, dice=(4, 3))  # 3 + 1 passes; two squares to the mill; a new die, 3, against the ogre
    assert asked(g) == ("Attempt", (0,))
    assert USE_HAT in g.legal(0)
