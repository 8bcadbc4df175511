"""SD-4 Cards."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.sourire_du_dragon.table import CARDS, SQUARES, asked, at, card, draws, held, play, position, put, told
from helpers import apply_all
from veillee.games.sourire_du_dragon.rules import (
    ACROBAT,
    BARBARIAN,
    CAVALIER,
    DIE,
    GO,
    GO_WITH_UNI,
    HIGH_MOVES,
    LOW_MOVES,
    MAGICIAN,
    NO_SQUARE,
    NOT_CARRIED,
    PASS,
    RANGER,
    RULES,
    STEP_OUT,
    THIEF,
    TO,
    USE_HAT,
)
from veillee.kernel.chance import Rng

ROLL_2 = {"dice": (2, 2, 2)}  # from the entrance to the tunnel, which is green; the combat die shows 2 as well


def drawing(
    *cards: str, holding: tuple[str, ...] = (), character: int = RANGER, die: int = 2, version: int = RULES, **options
):
    """Seat 0 lands on the tunnel and draws; its combat die shows `die`."""
    g = position(character, ACROBAT, THIEF, version=version, **options)
    put(g, 0, "entrance", *holding)
    put(g, 1, "meadow")
    put(g, 2, "meadow")
    draws(g, *cards)
    low = die >= 2
    play(g, LOW_MOVES if low else HIGH_MOVES, dice=(2, 2, die))
    return g


@pytest.mark.parametrize("thing", ["bow", "staff", "cloak", "club", "shield", "hat"])
def test_sd_4_1_a_magic_object_is_kept(thing):
    g = drawing(thing)
    assert held(g, 0) == [thing]
    assert CARDS[thing] not in g.discards


def test_sd_4_1_several_objects_add_up():
    g = drawing("ogre", holding=("bow", "shield", "staff"), character=BARBARIAN)  # 2 + 3 = 5
    assert at(g, 0) == "tunnel"
    g = drawing("ogre", holding=("bow", "shield", "cloak"), character=BARBARIAN)  # the cloak is for adventures only
    assert at(g, 0) == "entrance"


def test_sd_4_1_help_is_asked_for_only_when_it_could_change_the_result():
    g = drawing("orc", holding=("potion",))  # 2 + 2 = 4: it could
    assert asked(g) == ("Attempt", (0,))
    assert g.legal(0) == [PASS, card("potion")]
    g = drawing("ogre", holding=("potion",))  # 2 + 2 < 5: it could not
    assert asked(g) == ("Announce", (1,))
    assert held(g, 0) == ["potion"]
    g = drawing("goblin", holding=("potion",))  # already won
    assert asked(g) == ("Announce", (1,))
    g = drawing("ogre", holding=("dungeon-master",))  # he helps in adventures only
    assert asked(g) == ("Announce", (1,))


def test_sd_4_1_a_help_that_alone_or_with_the_others_cannot_do_is_not_offered():
    g = position(RANGER, ACROBAT)
    put(g, 0, "ledge", "potion", "dungeon-master", blocked=False)
    play(g, LOW_MOVES, dice=(3, 3, 3))  # the Whirlpool needs 6; 3 + 2 is not enough
    assert g.legal(0) == [PASS, card("dungeon-master")]
    assert g.explain(0, card("potion")) == "SD-4.1"


def test_sd_4_1_two_helps_together():
    g = drawing("giant", holding=("potion", "potion"))  # 2 + 2 + 2
    play(g, card("potion"))
    assert asked(g) == ("Attempt", (0,))
    play(g, card("potion"))
    assert (at(g, 0), held(g, 0)) == ("tunnel", [])


@pytest.mark.parametrize(("die", "won"), [(3, False), (4, True), (5, True)])
def test_sd_4_2_the_monsters_number_or_more_wins(die, won):
    g = drawing("orc", die=die)
    assert at(g, 0) == ("tunnel" if won else "entrance")
    assert list(g.discards) == [CARDS["orc"]]


def test_sd_4_2_the_loser_goes_back_to_the_previous_adventure_and_is_blocked_there():
    g = position(RANGER, ACROBAT)
    put(g, 0, "glade")
    draws(g, "ogre")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("forest", True)


def test_sd_4_2_before_the_first_adventure_back_to_the_start_not_blocked():
    g = drawing("ogre")
    assert (at(g, 0), g.heroes[0].blocked) == ("entrance", False)


def test_sd_4_2_on_the_inner_ring_never_back_to_the_outer_one():
    g = position(RANGER, ACROBAT)
    put(g, 0, "moat")
    draws(g, "ogre")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle-of-shadows", True)


@pytest.mark.parametrize("kept", ["dungeon-master", "boots", "potion", "clover", "uni"])
def test_sd_4_3_some_events_are_kept(kept):
    g = drawing(kept)
    assert held(g, 0) == [kept]


def test_sd_4_3_a_kept_event_is_used_once_then_discarded():
    g = drawing("orc", holding=("potion",))
    play(g, card("potion"))
    assert (at(g, 0), held(g, 0)) == ("tunnel", [])
    assert list(g.discards) == [CARDS["orc"], CARDS["potion"]]


def test_sd_4_3_when_the_player_wants():
    g = drawing("orc", holding=("potion",))
    play(g, PASS)
    assert (at(g, 0), held(g, 0)) == ("entrance", ["potion"])


def test_sd_4_3_the_clover_rolls_the_die_again():
    g = drawing("giant", holding=("clover",))
    play(g, card("clover"), dice=(6,))
    assert (at(g, 0), held(g, 0)) == ("tunnel", [])
    g = drawing("giant", holding=("clover",))
    play(g, card("clover"), dice=(5,))
    assert at(g, 0) == "entrance"


def test_sd_4_3_the_dungeon_master_gets_one_through_an_adventure_and_on():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", "dungeon-master", blocked=True)
    play(g, LOW_MOVES, dice=(1, 3, 3))
    play(g, card("dungeon-master"))
    assert (at(g, 0), g.heroes[0].blocked, held(g, 0)) == ("reeds", False, [])


def test_sd_4_3_the_boots_choose_the_move_once():
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance", "boots")
    play(g, HIGH_MOVES, dice=(6, 6, 6))
    assert asked(g) == ("Stride", (0,))
    assert g.legal(0) == [GO, *range(STEP_OUT, STEP_OUT + 6)]
    play(g, STEP_OUT + 2)
    assert (at(g, 0), held(g, 0)) == ("meadow", [])


def test_sd_4_3_the_boots_need_not_be_used():
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance", "boots")
    play(g, HIGH_MOVES, dice=(6, 6, 6))
    play(g, GO)
    assert (at(g, 0), held(g, 0)) == ("glade", ["boots"])


def test_sd_4_3_uni_moves_one_more_square_every_turn_or_helps_against_monsters():
    g = position(RANGER, ACROBAT)
    put(g, 0, "entrance", "uni")
    draws(g, "skeleton")
    play(g, HIGH_MOVES, dice=(2, 2, 2))
    assert g.legal(0) == [GO, GO_WITH_UNI]
    play(g, GO)  # the tunnel, and the skeleton: 2 + 1
    assert (at(g, 0), held(g, 0)) == ("tunnel", ["uni"])
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    draws(g, "skeleton")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    log = play(g, GO_WITH_UNI)  # the crossroads; now she does not help to fight
    assert told(log, DIE) == [(0, 1, 1, 3)]
    assert (at(g, 0), held(g, 0)) == ("entrance", ["uni"])


def test_sd_4_3_uni_does_not_help_in_adventures():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", "uni", blocked=True)
    play(g, LOW_MOVES, dice=(1, 3, 3))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)
    assert asked(g) == ("Announce", (1,))


def test_sd_4_3_forward_back_and_again():
    g = drawing("eagle")
    assert at(g, 0) == "glade"
    g = drawing("tailwind")
    assert at(g, 0) == "crossroads"
    g = drawing("slide")
    assert at(g, 0) == "entrance"
    g = drawing("second-wind")
    assert (at(g, 0), asked(g)) == ("tunnel", ("Announce", (0,)))


def test_sd_4_3_another_turn_is_one_turn():
    g = drawing("second-wind")
    play(g, HIGH_MOVES, dice=(4, 4, 4))
    assert asked(g) == ("Announce", (1,))


def test_sd_4_3_the_frog_loses_a_turn():
    g = drawing("frog")
    assert g.heroes[0].lost == 1


def test_sd_4_3_the_last_player_goes_forward_and_ties_are_chosen():
    g = position(RANGER, ACROBAT, THIEF)
    draws(g, "wagon")
    play(g, HIGH_MOVES, **ROLL_2)
    assert asked(g) == ("HelpTheLast", (0,))
    assert g.explain(0, TO) == "SD-4.3"
    assert g.legal(0) == [TO + 1, TO + 2]
    play(g, TO + 2)
    assert (at(g, 0), at(g, 1), at(g, 2)) == ("tunnel", "entrance", "crossroads")


def test_sd_4_3_the_last_player_may_be_oneself():
    g = drawing("wagon")
    assert at(g, 0) == "glade"


def test_sd_4_3_who_is_carried_out_of_an_adventure_is_no_longer_blocked():
    g = position(RANGER, ACROBAT, seat=1)
    put(g, 0, "forest", blocked=True)
    put(g, 1, "glade")
    draws(g, "wagon")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)  # a new adventure
    g = position(RANGER, ACROBAT, seat=1)
    put(g, 0, "river", blocked=True)
    put(g, 1, "reeds")
    draws(g, "wagon")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("fair", False)


# -- SD-4.4 Give the object to its owner ------------------------------------------------------------------
def test_sd_4_4_with_one_object_it_is_given_to_its_owner():
    g = drawing("give", holding=("staff",))
    assert (held(g, 0), held(g, 1)) == ([], ["staff"])
    g = drawing("give", holding=("staff",), version=2)
    assert (held(g, 0), held(g, 1)) == (["staff"], [])  # it did nothing with one object alone


def test_sd_4_4_nothing_happens_without_another_players_object():
    g = drawing("give")
    assert (held(g, 0), asked(g)) == ([], ("Announce", (1,)))
    g = drawing("give", holding=("bow",))  # one's own
    assert held(g, 0) == ["bow"]
    g = drawing("give", holding=("hat",))  # the Magician does not play
    assert held(g, 0) == ["hat"]


def test_sd_4_4_with_several_the_one_furthest_behind_gets_it():
    g = position(RANGER, ACROBAT, THIEF)
    put(g, 0, "entrance", "staff", "cloak")
    put(g, 1, "meadow")
    put(g, 2, "mirrors")  # the inner ring is ahead
    draws(g, "give")
    play(g, HIGH_MOVES, **ROLL_2)
    assert (held(g, 0), held(g, 1), held(g, 2)) == (["cloak"], ["staff"], [])


def test_sd_4_4_ones_own_object_counts_but_is_not_given():
    g = drawing("give", holding=("bow", "cloak"))
    assert (held(g, 0), held(g, 2)) == (["bow"], ["cloak"])
    g = drawing("give", holding=("bow", "hat"))  # the Magician does not play
    assert held(g, 0) == ["bow", "hat"]


def test_sd_4_4_the_furthest_behind_of_all_gets_nothing_if_it_is_not_theirs():
    g = position(RANGER, ACROBAT, THIEF, BARBARIAN)
    put(g, 0, "entrance", "staff", "cloak")
    put(g, 1, "glade")
    put(g, 2, "forest")
    put(g, 3, "entrance")
    draws(g, "give")
    play(g, HIGH_MOVES, **ROLL_2)
    assert (held(g, 0), held(g, 2), held(g, 3)) == (["staff"], ["cloak"], [])


def test_sd_4_4_ties_are_chosen():
    g = drawing("give", holding=("staff", "cloak"))
    assert asked(g) == ("GiveBack", (0,))
    assert g.legal(0) == [TO + 1, TO + 2]
    assert g.explain(0, TO) == "SD-4.4"
    play(g, TO + 2)
    assert (held(g, 0), held(g, 1), held(g, 2)) == (["staff"], [], ["cloak"])


def test_sd_4_4_other_kept_cards_are_no_objects():
    g = drawing("give", holding=("hat", "potion", "uni"))
    assert held(g, 0) == ["hat", "potion", "uni"]
    g = drawing("give", holding=("staff", "potion", "uni"), version=2)
    assert held(g, 0) == ["staff", "potion", "uni"]  # one object: nothing was given


# -- SD-4.5, SD-4.6 ---------------------------------------------------------------------------------------
def test_sd_4_5_the_discards_are_shuffled_into_a_new_pile_when_a_card_is_needed():
    piles = []
    for seed in range(2):
        g = position(RANGER, ACROBAT)
        g.pile = vec[i64]()
        g.discards = vec[i64]([CARDS["rainbow"], CARDS["frog"], CARDS["tailwind"], CARDS["goblin"]] * 4)
        apply_all(g, HIGH_MOVES, rng=twos_then(seed))
        assert (len(g.pile), len(g.discards)) == (15, 1)
        piles.append([*g.pile, *g.discards])
    assert piles[0] != piles[1]
    assert sorted(piles[0]) == sorted(piles[1])


def test_sd_4_5_an_empty_pile_stays_empty_until_then():
    g = position(RANGER, ACROBAT)
    g.pile = vec[i64]([CARDS["rainbow"]])
    play(g, HIGH_MOVES, **ROLL_2)
    assert (list(g.pile), list(g.discards)) == ([], [CARDS["rainbow"]])


def twos_then(seed: int) -> Rng:
    """Three dice that show 2, then chance."""
    rng, chance = Rng(0), Rng(seed)
    rng.next = lambda: 1.5 / 6 if rng.used <= 3 else chance.share()
    return rng


def test_sd_4_6_a_square_reached_by_a_card_is_not_resolved():
    g = drawing("tailwind")  # the crossroads are green: no second card
    assert list(g.discards) == [CARDS["tailwind"]]
    g = position(RANGER, ACROBAT)
    put(g, 0, "mill", blocked=False)
    draws(g, "eagle")
    play(g, HIGH_MOVES, **ROLL_2)  # from the fair to the dungeon cell: orange
    assert (at(g, 0), g.heroes[0].lost) == ("dungeon", 0)


def test_sd_4_6_an_adventure_reached_by_a_card_blocks_from_the_next_turn():
    g = position(RANGER, ACROBAT)
    put(g, 0, "forest")
    draws(g, "tailwind")
    play(g, LOW_MOVES, dice=(2, 6, 6))  # the hollow oak, then the river
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    play(g, LOW_MOVES, dice=(1, 3, 3))
    assert at(g, 0) == "river"


def test_sd_4_6_wrong_door_goes_back_to_the_previous_adventure_and_blocks():
    g = position(RANGER, ACROBAT)
    put(g, 0, "reeds")
    draws(g, "wrong-door")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("river", True)


def test_sd_4_6_no_card_carries_anyone_past_the_whirlpool():
    g = position(RANGER, ACROBAT)
    put(g, 0, "ledge")
    draws(g, "eagle")
    log = play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert at(g, 0) == "eyrie"
    assert told(log, NOT_CARRIED)
    g = position(RANGER, ACROBAT)
    put(g, 0, "ledge")
    draws(g, "tailwind")  # exactly on it
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("whirlpool", True)
    assert g.course.after(SQUARES["whirlpool"], 1) == NO_SQUARE  # nor out of it


def test_sd_4_6_nobody_goes_back_out_of_a_ring():
    g = position(RANGER, ACROBAT)
    put(g, 0, "moat")
    draws(g, "slide")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert (at(g, 0), g.heroes[0].blocked) == ("castle-of-shadows", True)


def test_sd_4_2_the_gentle_hat_against_a_monster_is_the_magicians_to_decide():
    g = drawing("orc", holding=("hat",), character=MAGICIAN, hat="gentle")
    assert g.legal(0) == [PASS, USE_HAT]
    g = drawing("orc", holding=("hat",), character=CAVALIER, die=4)  # -1 for everybody else
    assert at(g, 0) == "entrance"
