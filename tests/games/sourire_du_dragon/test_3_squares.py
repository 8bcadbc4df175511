"""SD-3 Squares."""

from __future__ import annotations

import pytest

from games.sourire_du_dragon.table import CARDS, SQUARES, asked, at, card, draws, held, play, position, put, told
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.rules import (
    ACROBAT,
    ANNOUNCED,
    BARBARIAN,
    CAVALIER,
    DICE,
    DIE,
    GO,
    HIGH_MOVES,
    LOSES_A_TURN,
    LOW_MOVES,
    MAGICIAN,
    ORANGE,
    PASS,
    RANGER,
    STAYED,
    STEP_OUT,
    USE_HAT,
    WALKED,
)


@pytest.mark.parametrize(("die", "blocked"), [(3, True), (4, False), (5, False), (6, False)])
def test_sd_3_1_the_river_needs_4_5_or_6(die, blocked):
    g = position(RANGER, ACROBAT)
    put(g, 0, "brambles")  # one square before the river
    play(g, LOW_MOVES, dice=(1, die, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", blocked)


def test_sd_3_1_objects_for_adventures_count_and_the_others_do_not():
    g = position(RANGER, BARBARIAN)
    put(g, 0, "brambles", "cloak")
    play(g, LOW_MOVES, dice=(1, 3, 1))
    assert not g.heroes[0].blocked
    g = position(RANGER, BARBARIAN)
    put(g, 0, "brambles", "bow", "shield")  # C only
    play(g, LOW_MOVES, dice=(1, 3, 1))
    assert g.heroes[0].blocked


def test_sd_3_1_the_blocked_try_again_next_turn():
    g = position(RANGER, ACROBAT)
    put(g, 0, "brambles")
    play(g, LOW_MOVES, dice=(1, 2, 1))
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    play(g, LOW_MOVES, dice=(1, 4, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("reeds", False)


def test_sd_3_2_green_draws_a_card_and_does_what_it_says():
    g = position(RANGER, ACROBAT)
    draws(g, "potion")
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert at(g, 0) == "tunnel"
    assert held(g, 0) == ["potion"]


def test_sd_3_3_orange_loses_a_turn():
    g = position(RANGER, ACROBAT)
    put(g, 0, "hollow-oak")
    log = play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert g.heroes[0].lost == 1
    assert told(log, LOSES_A_TURN) == [(0,)]


def test_sd_3_4_yellow_does_nothing():
    g = position(RANGER, ACROBAT)
    before = len(g.pile)
    log = play(g, HIGH_MOVES, dice=(3, 3, 3))
    assert at(g, 0) == "meadow"
    assert [e.kind for e in log.events] == [ANNOUNCED, DICE, WALKED]
    assert (len(g.pile), g.heroes[0].lost, g.heroes[0].blocked) == (before, 0, False)


# -- SD-3.5 The Whirlpool ---------------------------------------------------------------------------------
def test_sd_3_5_exactly_on_the_whirlpool_and_a_6_leads_to_the_castle_of_shadows():
    g = position(RANGER, ACROBAT)
    put(g, 0, "magicians-peak")  # four squares before it
    play(g, LOW_MOVES, dice=(4, 6, 5))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle-of-shadows", True)
    assert asked(g) == ("Announce", (1,))


def test_sd_3_5_without_a_6_one_is_blocked_there_and_a_later_6_ends_the_turn_at_the_castle():
    g = position(RANGER, ACROBAT)
    put(g, 0, "magicians-peak")
    play(g, LOW_MOVES, dice=(4, 5, 5))
    assert (at(g, 0), g.heroes[0].blocked) == ("whirlpool", True)
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    play(g, LOW_MOVES, dice=(4, 6, 5))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle-of-shadows", True)  # no move by the 4


def test_sd_3_5_the_castle_of_shadows_is_overcome_from_the_next_turn_on():
    g = position(RANGER, ACROBAT)
    put(g, 0, "castle-of-shadows", blocked=True)
    play(g, LOW_MOVES, dice=(1, 5, 5))
    assert (at(g, 0), g.heroes[0].blocked) == ("moat", False)


def test_sd_3_5_a_move_past_the_whirlpool_is_not_made_and_green_draws_again():
    g = position(RANGER, ACROBAT)
    put(g, 0, "windy-pass")
    draws(g, "potion")
    log = play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert at(g, 0) == "windy-pass"
    assert held(g, 0) == ["potion"]
    assert told(log, STAYED)


def test_sd_3_5_a_monster_met_while_waiting_uses_the_combat_die():
    g = position(RANGER, ACROBAT)
    put(g, 0, "windy-pass")
    draws(g, "ogre")
    play(g, LOW_MOVES, dice=(2, 5, 2))
    assert (at(g, 0), g.heroes[0].blocked) == ("windy-pass", False)


def test_sd_3_5_elsewhere_nothing_happens_no_second_lost_turn_and_not_blocked_again():
    g = position(RANGER, ACROBAT)
    put(g, 0, "magicians-peak", blocked=True)
    play(g, HIGH_MOVES, dice=(6, 5, 5))  # the peak is overcome, but 6 squares are too many
    assert (at(g, 0), g.heroes[0].blocked) == ("magicians-peak", False)
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    play(g, HIGH_MOVES, dice=(5, 1, 1))  # still too many: no test, not blocked again
    assert (at(g, 0), g.heroes[0].blocked) == ("magicians-peak", False)
    g = position(RANGER, ACROBAT)
    yellow = g.course.kinds[SQUARES["ledge"]]
    g.course.kinds[SQUARES["ledge"]] = ORANGE  # as if it were
    try:
        put(g, 0, "ledge")
        play(g, HIGH_MOVES, dice=(6, 1, 1))
        assert (at(g, 0), g.heroes[0].lost) == ("ledge", 0)
    finally:
        g.course.kinds[SQUARES["ledge"]] = yellow


def test_sd_3_5_the_hat_does_not_count_at_the_whirlpool():
    g = position(RANGER, ACROBAT)
    put(g, 0, "whirlpool", "hat", blocked=True)
    play(g, LOW_MOVES, dice=(1, 6, 1))
    assert at(g, 0) == "castle-of-shadows"
    g = position(RANGER, ACROBAT)
    put(g, 0, "whirlpool", "hat", "cloak", blocked=True)  # the bonus counts, the penalty does not
    play(g, LOW_MOVES, dice=(1, 5, 1))
    assert at(g, 0) == "castle-of-shadows"


def test_sd_3_5_the_magicians_hat_helps_at_the_whirlpool_and_cannot_harm():
    g = position(MAGICIAN, ACROBAT)
    put(g, 0, "whirlpool", "hat", "potion", blocked=True)
    play(g, LOW_MOVES, dice=(1, 4, 1, 1))  # -3: does not count, so the potion still makes it a 6
    assert asked(g) == ("Attempt", (0,))
    play(g, card("potion"))
    assert at(g, 0) == "castle-of-shadows"
    g = position(MAGICIAN, ACROBAT, hat="gentle")
    put(g, 0, "whirlpool", "hat", "potion", blocked=True)
    play(g, LOW_MOVES, dice=(1, 4, 1))
    play(g, USE_HAT, dice=(1,))
    assert asked(g) == ("Attempt", (0,))
    play(g, card("potion"))
    assert at(g, 0) == "castle-of-shadows"


def test_sd_3_5_the_dungeon_master_helps_at_the_whirlpool():
    g = position(RANGER, ACROBAT)
    put(g, 0, "whirlpool", "dungeon-master", blocked=True)
    play(g, LOW_MOVES, dice=(1, 1, 1))
    play(g, card("dungeon-master"))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle-of-shadows", True)
    assert held(g, 0) == []


# -- SD-3.6 The Vortex ------------------------------------------------------------------------------------
def arriving(drawn: str, *cards: str, character: int = RANGER, combat: int = 1):
    """A hero lands on the arrow and draws that card."""
    g = position(character, ACROBAT)
    put(g, 0, "bell-tower", *cards)  # three squares before the arrow
    put(g, 1, "entrance")
    draws(g, drawn)
    dice = (3, 3, combat) if combat < 3 else (3, combat, combat)
    play(g, HIGH_MOVES if combat < 3 else LOW_MOVES, dice=dice)
    return g


@pytest.mark.parametrize("drawn", ["rainbow", "frog", "potion", "second-wind", "wagon", "goblin"])
def test_sd_3_6_whoever_gets_through_the_card_wins_at_once(drawn):
    g = arriving(drawn, combat=4)
    assert (g.winner, g.to_act) == (0, ())
    assert g.returns() == [1.0, 0.0]


def test_sd_3_6_losing_a_fight_goes_back_instead():
    g = arriving("orc", combat=2)
    assert (g.winner, at(g, 0), g.heroes[0].blocked) == (-1, "graveyard", True)


@pytest.mark.parametrize(
    ("drawn", "where"), [("tailwind", "moat"), ("slide", "bell-tower"), ("wrong-door", "graveyard")]
)
def test_sd_3_6_carried_away_by_the_card_one_has_not_won(drawn, where):
    g = arriving(drawn)
    assert (g.winner, at(g, 0)) == (-1, where)


def test_sd_3_6_a_cavalier_whose_shield_keeps_him_there_draws_again_next_turn():
    g = arriving("orc", "shield", character=CAVALIER, combat=2)
    assert (g.winner, at(g, 0)) == (-1, "arrow")
    draws(g, "goblin")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert asked(g) == ("Announce", (0,))
    play(g, HIGH_MOVES, dice=(6, 2, 2))  # no move: the card, and the combat die against it
    assert (g.winner, at(g, 0)) == (0, "arrow")


def test_sd_3_6_whoever_misses_the_arrow_goes_round_again():
    g = position(RANGER, ACROBAT)
    put(g, 0, "bell-tower")
    play(g, HIGH_MOVES, dice=(5, 5, 5))
    assert (g.winner, at(g, 0)) == (-1, "moat")


def carried_to_the_arrow(version: int):
    """A card carries seat 0 to the arrow; then it is its turn."""
    g = position(RANGER, ACROBAT, seat=1, version=version)
    put(g, 0, "graveyard")
    put(g, 1, "graveyard")
    draws(g, "wagon")  # the last one goes 4 squares forward
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (g.winner, at(g, 0)) == (-1, "arrow")
    return g


def test_sd_4_6_on_the_arrow_reached_by_a_card_the_hero_draws_at_the_next_turn():
    g = carried_to_the_arrow(3)
    draws(g, "ogre")
    play(g, HIGH_MOVES, dice=(2, 2, 2))  # the fight is lost: back to the adventure before
    assert (g.winner, at(g, 0), g.heroes[0].blocked) == (-1, "graveyard", True)
    g = carried_to_the_arrow(3)
    play(g, HIGH_MOVES, dice=(2, 2, 2))  # a rainbow
    assert g.winner == 0


def test_sd_4_6_by_version_2_a_hero_carried_to_the_arrow_moved_on():
    g = carried_to_the_arrow(2)
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert (g.winner, at(g, 0)) == (-1, "moat")


@pytest.mark.parametrize("things", [(), ("cloak",), ("bow",), ("shield", "bow")])
def test_sd_3_1_on_a_combat_square_the_c_bonuses_count_and_not_the_a_bonuses(things):
    g = position(BARBARIAN, ACROBAT)
    put(g, 0, "river", *things, blocked=True)
    log = play(g, LOW_MOVES, dice=(1, 1, 1))
    adventure = told(log, DIE)[0][2]
    g = position(BARBARIAN, ACROBAT)
    g.course = with_combat(g.course, "river")
    put(g, 0, "river", *things, blocked=True)
    log = play(g, LOW_MOVES, dice=(1, 1, 1))
    combat = told(log, DIE)[0][2]
    assert (adventure, combat) == (1 + things.count("cloak"), 1 + len(things) - things.count("cloak"))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)  # a lost combat blocks: the hero is not sent back


def with_combat(course: sd.Course, key: str) -> sd.Course:
    """The same course, one of whose adventure squares is a combat."""
    other = sd.Course(course.set)
    other.combats[SQUARES[key]] = True
    return other


def test_sd_3_1_the_dungeon_master_helps_on_a_combat_square_and_uni_does_not():
    g = position(RANGER, ACROBAT)
    g.course = with_combat(g.course, "river")
    put(g, 0, "river", "dungeon-master", "uni", blocked=True)
    play(g, LOW_MOVES, dice=(1, 3, 3))
    assert g.legal(0) == [PASS, card("dungeon-master")]


def test_sd_3_5_boots_and_uni_may_hit_the_whirlpool_but_not_pass_it():
    g = position(RANGER, ACROBAT)
    put(g, 0, "windy-pass", "boots", "uni")
    play(g, HIGH_MOVES, dice=(6, 2, 2))
    assert g.legal(0) == [GO, STEP_OUT]
    assert g.explain(0, STEP_OUT + 1) == "SD-3.5"
    play(g, STEP_OUT)
    assert at(g, 0) == "whirlpool"
    assert CARDS["boots"] in g.discards
