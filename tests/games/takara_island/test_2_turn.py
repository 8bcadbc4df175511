"""TI-2 A turn; TI-10 Recruit and end the day."""

from __future__ import annotations

import pytest

import veillee
from games.takara_island.table import asked, begin, end_turn, kinds, pile, position, ready, refusal, row
from helpers import apply_all
from veillee.games.takara_island import rules as ti
from veillee.kernel.log import NO_SEAT


def test_ti_2_1_the_sword_is_offered_at_the_very_start():
    g = position(karas=3)
    assert asked(g) == ("Forge", (0,))
    log = apply_all(g, ti.RENT)
    assert kinds(log) == [ti.SWORD_RENTED], "everybody is told"
    assert (g.sword, g.teams[0].karas) == (1, 0)
    assert asked(g) == ("Act", (0,))


def test_ti_2_1_it_may_be_left_at_the_forge():
    g = position(karas=3)
    apply_all(g, ti.NO_SWORD)
    assert (g.sword, g.teams[0].karas) == (0, 3)


def test_ti_2_1_nobody_is_asked_without_three_karas():
    assert asked(position(karas=2)) == ("Act", (0,))


ACTS = [*range(ti.STOP, ti.NO_SWORD), ti.IMITATE]


def test_ti_2_1_later_in_the_turn_the_rule_is_named_and_nothing_changes():
    g = ready(karas=9)
    assert g.explain(0, ti.RENT) == "TI-2.1"
    match = veillee.new("takara-island", 2, seed=1)
    seat = match.to_act[0]
    match.play(seat, ti.DEN)
    before = match.state.dump()
    with pytest.raises(veillee.Forbidden, match="only be rented at the very start") as refusal:
        match.play(seat, ti.RENT)
    assert refusal.value.rule == "TI-2.1"
    assert match.state.dump() == before


@pytest.mark.parametrize("action", [ti.NO_SWORD, ti.RENT])
def test_ti_2_1_nor_in_the_middle_of_an_action(action):
    g = ready(karas=9)
    apply_all(g, ti.OBSERVE)
    why = "The Sword can only be rented at the very start of the turn, for 3 Karas."
    assert refusal(g, action) == ("TI-2.1", why)


def test_ti_2_2_the_adventurers_act_after_the_choice_of_the_sword():
    g = position(karas=3)
    why = "First say whether you rent the Sword: the adventurers act after that."
    assert {refusal(g, action) for action in ACTS} == {("TI-2.2", why)}


def test_ti_2_2_one_action_after_the_other():
    g = ready(karas=9)
    apply_all(g, ti.HIRE + ti.DIVINER)
    for answer in (ti.SITE, ti.DEPTH, ti.GO_ON):  # at which site, at which depth, looking
        assert {refusal(g, action) for action in ACTS} == {("TI-2.2", "One action at a time: finish this one first.")}
        apply_all(g, answer)
    assert asked(g) == ("Act", (0,))
    assert g.explain(0, ti.STOP) == ""


def test_ti_2_2_each_available_adventurer_does_one_action():
    g = ready()
    apply_all(g, ti.DEN)
    assert asked(g) == ("Act", (0,))
    assert g.teams[0].ready == 1
    apply_all(g, ti.DEN)
    assert asked(g) == ("Act", (1,))


def test_ti_2_2_one_may_stop_with_adventurers_unused():
    g = ready()
    apply_all(g, ti.STOP)
    assert asked(g) == ("Act", (1,))
    assert g.teams[0].ready == 2


def test_ti_2_2_a_team_without_available_adventurers_is_asked_nothing():
    g = position()
    g.teams[0].ready = 0
    g.teams[0].rest = 2
    begin(g, 0)
    assert asked(g) == ("Act", (1,))
    assert g.teams[0].ready == 2


def test_ti_2_3_recruiting_and_the_hospital_come_after_the_adventurers():
    g = ready(karas=7)
    pile(g, 0, ti.XP_1_INJURY, *[ti.KARAS_4] * 6)
    apply_all(g, ti.WORK)
    assert asked(g) == ("Act", (0,))
    apply_all(g, ti.STOP)
    assert asked(g) == ("Beach", (0,))
    ended = {("TI-2.3", "The adventurers have done their work: the day is ending.")}
    assert {refusal(g, action) for action in ACTS} == ended
    apply_all(g, ti.RECRUIT)
    assert asked(g) == ("Hospital", (0,))
    assert {refusal(g, action) for action in ACTS} == ended
    apply_all(g, ti.CARE)
    assert g.to_act == (1,)


def test_ti_10_1_the_recruit_costs_5_karas_and_acts_from_the_next_turn_on():
    g = ready(karas=5)
    apply_all(g, ti.DEN, ti.DEN)
    assert asked(g) == ("Beach", (0,))
    apply_all(g, ti.RECRUIT)
    assert g.to_act == (1,)
    assert (g.teams[0].karas, g.teams[0].ready, g.teams[0].recruit) == (2, 3, 0)
    end_turn(g)
    assert asked(g) == ("Act", (0,))
    apply_all(g, ti.DEN, ti.DEN, ti.DEN)
    assert g.teams[0].karas == 5
    assert g.to_act == (1,), "once per game: nobody is asked a second time"


def test_ti_10_1_not_without_5_karas():
    g = ready(karas=4)
    apply_all(g, ti.STOP)
    assert g.to_act == (1,)
    assert g.teams[0].recruit == 1


def test_ti_10_1_not_while_there_are_adventurers_to_use():
    g = ready(karas=5)
    why = "The recruit costs 5 Karas, to be paid once the adventurers have been used and before the hospital."
    assert ti.RECRUIT in g.question.options(g, 0), "the board shows it on the Beach, and why not"
    for _ in range(2):
        assert refusal(g, ti.RECRUIT) == refusal(g, ti.NO_RECRUIT) == ("TI-10.1", why)
        apply_all(g, ti.DEN)
    assert asked(g) == ("Beach", (0,))
    assert g.explain(0, ti.RECRUIT) == ""


def test_ti_10_1_only_once():
    g = ready(karas=20)
    g.teams[0].recruit = 0
    assert refusal(g, ti.RECRUIT) == ("TI-10.1", "Your recruit is on the team already: there is only one.")


def test_ti_10_1_one_may_wait():
    g = ready(karas=5)
    apply_all(g, ti.STOP, ti.NO_RECRUIT)
    assert (g.teams[0].karas, g.teams[0].ready, g.teams[0].recruit) == (5, 2, 1)


def injured(karas: int) -> ti.Takara:
    """Seat 0 has dug with both adventurers, and both are injured."""
    g = ready(karas=karas)
    pile(g, 0, ti.XP_1_INJURY, ti.XP_1_INJURY, *[ti.KARAS_4] * 6)
    apply_all(g, ti.WORK, ti.WORK)
    return g


def test_ti_10_2_two_karas_bring_an_injured_adventurer_back():
    g = injured(4)
    assert g.teams[0].hurt == 2
    assert asked(g) == ("Hospital", (0,))
    apply_all(g, ti.CARE + 2)
    assert (g.teams[0].karas, g.teams[0].ready, g.teams[0].rest) == (0, 2, 0)


def test_ti_10_2_one_is_paid_for_and_the_other_rests():
    g = injured(4)
    apply_all(g, ti.CARE + 1)
    assert (g.teams[0].karas, g.teams[0].ready, g.teams[0].rest) == (2, 1, 1)


def test_ti_10_2_not_more_than_injured_nor_than_one_can_pay():
    g = injured(3)
    assert g.explain(0, ti.CARE + 1) == ""
    assert g.explain(0, ti.CARE + 2) == "TI-10.2"
    g.teams[0].karas = 99
    assert g.explain(0, ti.CARE + 2) == ""
    assert g.explain(0, ti.CARE + 3) == "TI-10.2"


def test_ti_10_2_how_many_are_injured_in_words():
    g = injured(9)
    apply_all(g, ti.NO_RECRUIT)
    assert refusal(g, ti.CARE + 3, "fr") == ("TI-10.2", "Il n’y a que 2 aventuriers blessés.")
    g.teams[0].hurt = 1
    assert refusal(g, ti.CARE + 2, "fr") == ("TI-10.2", "Il n’y a qu’un aventurier blessé.")
    assert refusal(g, ti.CARE + 2) == ("TI-10.2", "Only one adventurer is injured.")


def test_ti_10_2_only_at_the_end_of_the_day():
    why = "The injured are cared for at the end of the day, for 2 Karas each."
    assert {refusal(ready(karas=9), ti.CARE + n) for n in range(4)} == {("TI-10.2", why)}


def test_ti_10_2_an_unpaid_injury_costs_the_next_turn():
    g = injured(1)
    assert g.to_act == (1,), "no question to someone who cannot pay"
    assert (g.teams[0].ready, g.teams[0].hurt, g.teams[0].rest) == (0, 0, 2)
    log = end_turn(g)
    assert ti.RESTED in kinds(log)
    assert (g.turns, g.to_act) == (3, (1,)), "seat 0 had nobody to send; its turn only brought them back"
    end_turn(g)
    assert asked(g) == ("Act", (0,))
    assert (g.teams[0].ready, g.teams[0].rest) == (2, 0)


def test_ti_10_2_unhurt_adventurers_come_back_from_where_they_were():
    g = ready()
    apply_all(g, ti.DEN)
    assert g.at[ti.DEN_PLACE] == 1
    apply_all(g, ti.WORK + 3)
    assert g.teams[0].ready == 2
    assert sum(g.at) == 0


def test_ti_10_3_the_sword_goes_back():
    g = position(karas=3)
    apply_all(g, ti.RENT, ti.STOP)
    assert g.sword == 0
    assert g.active == 1


def test_ti_10_4_the_specialist_sleeps_then_leaves():
    g = ready(karas=2)
    apply_all(g, ti.HIRE + ti.ARCHAEOLOGIST, ti.SITE, ti.GO_ON, ti.STOP)
    assert (g.holder[ti.ARCHAEOLOGIST], g.hired) == (0, ti.NO_SPECIALIST)
    end_turn(g)
    end_turn(g)
    assert g.holder[ti.ARCHAEOLOGIST] == NO_SEAT


def test_a_new_turn_forgets_what_counts_for_one_turn_only():
    g = ready(karas=5)
    g.sites[2].turn_up(8)
    g.dice = row([1, 0])
    apply_all(g, ti.BUY)
    assert g.traded == 1
    end_turn(g)
    assert (g.traded, list(g.dice), g.sites[2].fresh) == (0, [], 0)
    assert g.sites[2].up == 1 << 8


def test_ti_2_1_the_first_reason_that_is_true_is_told():
    """Too few Karas at the start of the turn: the price; later in the turn: that it is too late."""
    g = position(karas=1)
    assert refusal(g, ti.RENT) == ("TI-2.1", "The Sword costs 3 Karas, you have 1.")
    apply_all(g, ti.DEN)
    assert "very start of the turn" in refusal(g, ti.RENT)[1]
