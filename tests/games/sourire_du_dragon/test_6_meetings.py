"""SD-6 Brawl, SD-7 Trade."""

from __future__ import annotations

import pytest

from games.sourire_du_dragon.table import CARDS, asked, at, card, draws, held, play, position, put, told, turn
from helpers import apply_all
from veillee.games.sourire_du_dragon.rules import (
    ACCEPT,
    ACROBAT,
    ATTACK,
    BARBARIAN,
    BRAWL_DIE,
    BRAWL_WON,
    HAT_ROLLED,
    HIGH_MOVES,
    MAGICIAN,
    OFFER,
    PASS,
    RANGER,
    REFUSE,
    REFUSED,
    THIEF,
    TIED,
    USE_HAT,
)
from veillee.kernel.state import NOT_YOU


def meeting(
    mine: tuple[str, ...] = (),
    theirs: tuple[str, ...] = ("bow",),
    first: int = BARBARIAN,
    second: int = ACROBAT,
    dice=(1, 1, 1),
    **options: str,
):
    """Seat 0 ends its move on the platform (yellow), where seat 1 is; seat 2 stays at the entrance."""
    g = position(first, second, THIEF, **options)
    put(g, 0, "entrance", *mine)
    put(g, 1, "platform", *theirs)
    put(g, 2, "entrance", "potion")
    play(g, HIGH_MOVES, dice=dice)
    return g


def test_sd_6_1_whoever_ends_the_move_with_others_may_attack_one_who_has_cards():
    g = meeting()
    assert g.legal(0) == [PASS, OFFER + 1, ATTACK + 1]
    assert g.explain(0, ATTACK + 2) == "SD-6.1"  # not on the square
    g = meeting(mine=("bow",), theirs=())
    assert g.explain(0, ATTACK + 1) == "SD-6.1"  # no cards
    assert OFFER + 1 in g.legal(0)


def test_sd_6_1_it_ends_the_turn():
    g = meeting()
    play(g, ATTACK + 1, dice=(6,))
    assert asked(g) == ("Announce", (1,))


def test_sd_6_1_the_unused_combat_die_serves():
    g = meeting()
    log = play(g, ATTACK + 1, dice=(6,))  # one new die only: the defender's
    assert told(log, BRAWL_DIE) == [(0, 1, 1), (1, 6, 7)]  # the bow: +1


def test_sd_6_1_a_used_combat_die_is_rolled_anew():
    g = position(RANGER, ACROBAT)
    put(g, 0, "crossroads")
    put(g, 1, "forest", "uni")
    play(g, HIGH_MOVES, dice=(1, 1, 1))  # the forest needs 3: blocked, but still there
    assert (at(g, 0), g.heroes[0].blocked) == ("forest", True)
    log = play(g, ATTACK + 1, dice=(5, 2))
    assert told(log, BRAWL_DIE) == [(0, 5, 5), (1, 2, 2)]  # Uni never helps in brawls


def test_sd_6_1_the_bonuses_of_both_count_in_combat_only():
    g = meeting(mine=("shield", "cloak"), theirs=("bow", "hat"), dice=(1, 1, 1))
    log = play(g, ATTACK + 1, dice=(2,))
    assert told(log, BRAWL_DIE) == [(0, 1, 2), (1, 2, 2)]


def test_sd_6_1_not_after_being_carried_away():
    g = position(RANGER, ACROBAT)
    put(g, 1, "crossroads", "bow")
    draws(g, "tailwind")
    play(g, HIGH_MOVES, dice=(2, 2, 2))  # the card carries seat 0 to seat 1
    assert at(g, 0) == at(g, 1)
    assert g.legal(0) == [PASS, OFFER + 1]
    assert g.explain(0, ATTACK + 1) == "SD-6.1"


def test_sd_6_1_not_without_a_move():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", blocked=True)
    put(g, 1, "river", "bow")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert g.legal(0) == [PASS, OFFER + 1]


def test_sd_6_2_the_higher_wins_and_the_winner_takes_a_card_of_choice():
    g = meeting(theirs=("potion", "boots"), dice=(1, 1, 1))
    g.combat = 6
    play(g, ATTACK + 1, PASS, dice=(5,))  # the loser could have drunk the potion
    assert asked(g) == ("Spoils", (0,))
    assert g.legal(0) == [PASS, card("potion"), card("boots")]
    play(g, card("boots"))
    assert (held(g, 0), held(g, 1)) == (["boots"], ["potion"])


def test_sd_6_2_the_attacked_may_win_too():
    g = meeting(mine=("dungeon-master", "shield"))
    play(g, ATTACK + 1, dice=(6,))
    assert asked(g) == ("Spoils", (1,))
    play(g, card("dungeon-master"))
    assert (held(g, 0), held(g, 1)) == (["shield"], ["bow", "dungeon-master"])
    assert asked(g) == ("Announce", (1,))
    assert g.question.begins_move()  # what seat 1 took is seen by all before it goes on with its own turn


def test_sd_6_2_the_winner_may_leave_it():
    g = meeting(mine=("hat",))
    play(g, ATTACK + 1, PASS, dice=(6,))
    assert held(g, 0) == ["hat"]


def test_sd_6_2_from_a_loser_without_cards_nothing_is_taken():
    g = meeting()
    play(g, ATTACK + 1, dice=(6,))
    assert asked(g) == ("Announce", (1,))
    assert held(g, 1) == ["bow"]


def test_sd_6_2_a_tie_changes_nothing():
    g = meeting(mine=("shield",), theirs=("bow",))
    log = play(g, ATTACK + 1, dice=(1,))
    assert told(log, TIED) == [(0, 1)]
    assert (held(g, 0), held(g, 1)) == (["shield"], ["bow"])
    assert asked(g) == ("Announce", (1,))


def test_sd_6_1_whoever_is_not_winning_may_call_for_help_and_the_other_answer():
    g = meeting(mine=("potion",), theirs=("potion",))
    play(g, ATTACK + 1, dice=(2,))  # 1 against 2
    assert asked(g) == ("Fray", (0,))
    play(g, card("potion"))  # 3 against 2
    assert asked(g) == ("Fray", (1,))
    play(g, card("potion"))  # 3 against 4
    assert asked(g) == ("Announce", (1,))  # seat 0 has no card left to lose


def test_sd_5_6_whoever_is_the_magician_rolls_for_the_hat_before_a_brawl():
    g = meeting(mine=("hat",), first=MAGICIAN)
    log = play(g, ATTACK + 1, dice=(1, 5))  # 1 + 2 against 1 + 1
    assert told(log, HAT_ROLLED) == [(0, 5, 2)]
    assert told(log, BRAWL_WON) == [(0, 1)]
    g = meeting(theirs=("hat",), second=MAGICIAN)
    log = play(g, ATTACK + 1, dice=(1, 1))  # 1 against 1 - 3
    assert told(log, HAT_ROLLED) == [(1, 1, -3)]
    assert told(log, BRAWL_WON) == [(0, 1)]


def test_sd_6_1_the_gentle_hat_in_a_brawl():
    g = meeting(mine=("hat",), first=MAGICIAN, hat="gentle")
    play(g, ATTACK + 1, dice=(1,))  # 1 against 1 + 1
    assert g.legal(0) == [PASS, USE_HAT]
    log = play(g, USE_HAT, dice=(5,))
    assert told(log, BRAWL_WON) == [(0, 1)]


def test_sd_6_1_a_clover_throws_the_die_of_whoever_plays_it_again():
    g = meeting(mine=("clover",))
    play(g, ATTACK + 1, dice=(2,))  # 1 against 2 + 1
    log = play(g, card("clover"), dice=(5,))
    assert told(log, BRAWL_DIE)[-2:] == [(0, 5, 5), (1, 2, 3)]  # the bow: +1
    g = meeting(theirs=("clover",))
    play(g, ATTACK + 1, dice=(1,))  # 1 against 1
    log = play(g, card("clover"), dice=(6,))
    assert told(log, BRAWL_DIE)[-2:] == [(0, 1, 1), (1, 6, 6)]


def test_sd_6_1_no_help_that_could_not_change_the_result():
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, ATTACK + 1, dice=(3,))  # 1 + 2 < 3 + 1
    assert asked(g) == ("Spoils", (1,))
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, ATTACK + 1, dice=(2,))  # 1 + 2 = 2 + 1: a tie saves it
    assert asked(g) == ("Fray", (0,))


def test_sd_6_1_the_dungeon_master_does_not_brawl():
    g = meeting(mine=("dungeon-master",))
    play(g, ATTACK + 1, dice=(1,))
    assert asked(g) == ("Spoils", (1,))


# -- SD-7 Trade -------------------------------------------------------------------------------------------
def test_sd_7_1_a_swap_by_agreement():
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, OFFER + 1, card("potion"), card("bow"))
    assert asked(g) == ("Reply", (1,))
    play(g, ACCEPT)
    assert (held(g, 0), held(g, 1)) == (["bow"], ["potion"])
    assert asked(g) == ("Meet", (0,))  # a brawl is still possible


def test_sd_7_1_refused_nothing_changes():
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, OFFER + 1, card("potion"), card("bow"), REFUSE)
    assert (held(g, 0), held(g, 1)) == (["potion"], ["bow"])


def test_sd_7_1_a_gift_and_asking_for_one():
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, OFFER + 1, card("potion"), PASS, ACCEPT)
    assert (held(g, 0), held(g, 1)) == ([], ["bow", "potion"])
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, OFFER + 1, PASS, card("bow"), ACCEPT)
    assert (held(g, 0), held(g, 1)) == (["potion", "bow"], [])


def test_sd_7_1_an_offer_has_a_card():
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, OFFER + 1, PASS)
    assert g.explain(0, PASS) == "SD-7.1"
    g = meeting(mine=("potion",), theirs=())
    play(g, OFFER + 1)
    assert g.explain(0, PASS) == "SD-7.1"  # there is nothing to ask for


def test_sd_7_1_one_offer_for_each_player_there():
    g = meeting(mine=("potion",), theirs=("bow",))
    put(g, 2, "platform")
    play(g, OFFER + 1, card("potion"), PASS, REFUSE)
    assert g.explain(0, OFFER + 1) == "SD-7.1"
    play(g, OFFER + 2, card("potion"), PASS, ACCEPT)
    assert "potion" in held(g, 2)
    turn(g, 0)
    assert g.offered == 0  # again in the next turn


def test_sd_7_1_only_on_ones_own_square_and_in_ones_own_turn():
    g = meeting(mine=("potion",), theirs=("bow",))
    assert g.explain(0, OFFER + 2) == "SD-7.1"
    assert g.explain(1, OFFER) == NOT_YOU


def test_sd_7_1_an_answer_given_twice_or_too_late_changes_nothing():
    g = meeting(mine=("potion",), theirs=("bow",))
    play(g, OFFER + 1, card("potion"), card("bow"), ACCEPT)
    before = g.dump()
    assert g.explain(1, ACCEPT) == NOT_YOU
    assert g.explain(0, ACCEPT) == "SD-7.1"
    apply_all(g, PASS)
    assert g.explain(1, ACCEPT) == "SD-7.1"
    assert g.dump()["heroes"] == before["heroes"]


@pytest.mark.parametrize(("wanted", "rightful"), [("club", True), ("bow", False)])
def test_sd_7_2_refusing_the_rightful_owner_allows_a_brawl(wanted, rightful):
    g = position(BARBARIAN, ACROBAT)
    put(g, 0, "river", "potion", blocked=True)
    put(g, 1, "river", "club", "bow")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert g.explain(0, ATTACK + 1) == "SD-6.1"  # seat 0 did not move
    log = play(g, OFFER + 1, card("potion"), card(wanted), REFUSE)
    assert [e.rule for e in log.events if e.kind is REFUSED] == ["SD-7.2" if rightful else "SD-7.1"]
    if rightful:
        assert g.legal(0) == [PASS, ATTACK + 1]
        log = play(g, ATTACK + 1, dice=(1, 6))  # the combat die was used on the river
        assert told(log, BRAWL_DIE)[1] == (1, 6, 8)
    else:
        assert asked(g) == ("Announce", (1,))


def test_sd_7_2_the_cloaked_thief_stays_safe():
    g = position(BARBARIAN, THIEF)
    put(g, 0, "river", "potion", blocked=True)
    put(g, 1, "river", "club", "cloak")
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    play(g, OFFER + 1, PASS, card("club"), REFUSE)
    assert asked(g) == ("Announce", (1,))
    assert CARDS["club"] in g.heroes[1].cards
