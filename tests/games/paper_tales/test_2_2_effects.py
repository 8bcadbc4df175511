"""PT-2.2.4, PT-2.2.5 Effects on reveal and in phase 2, in their order."""

from __future__ import annotations

import pytest

from games.paper_tales.table import (
    DISCARD,
    FRONT,
    ages,
    answer,
    asked,
    build,
    card,
    cards,
    effects,
    golds,
    hold,
    kinds,
    legends,
    levels,
    on_top,
    position,
    put,
    run,
)
from veillee.games.paper_tales import BOX, words
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.view import view

AT = [pt.AGE + place for place in range(5)]
EN = BOX.words("en")


@pytest.mark.parametrize("kind", [pt.VETERAN, pt.CAVE_SPIRIT, pt.DEMON])
def test_pt_2_2_4_veteran_cave_spirit_and_demon_get_1_age_when_revealed(kind):
    g = position()
    put(g, 0, kind, fresh=True)
    put(g, 0, pt.KNIGHT, fresh=True)
    effects(g)
    assert ages(g) == [1, 0]


@pytest.mark.parametrize("kind", [pt.VETERAN, pt.CAVE_SPIRIT, pt.DEMON, pt.NECROMANCER, pt.KRAKEN, pt.TIME_MASTER])
def test_pt_2_2_4_reveal_effects_happen_only_on_the_turn_of_the_reveal(kind):
    g = position()
    g.realms[0].legend = 9
    build(g, 0, [2, 0, 0, 0, 0])
    put(g, 0, kind)
    put(g, 0, pt.KNIGHT)
    effects(g)
    assert (ages(g), g.to_act, legends(g)[0]) == ([0, 0], (), 9)


@pytest.mark.parametrize("kind", [pt.NECROMANCER, pt.KRAKEN])
def test_pt_2_2_4_necromancer_and_kraken_age_each_other_own_unit_and_nobody_elses(kind):
    g = position()
    put(g, 0, pt.KNIGHT, age=2)
    put(g, 0, kind, fresh=True)
    put(g, 0, pt.FARMER, pt.BACK, fresh=True)
    put(g, 1, pt.FARMER)
    effects(g)
    assert (ages(g, 0), ages(g, 1)) == ([3, 0, 1], [0])


def test_pt_2_2_4_golem_raises_all_own_level_1_buildings_free():
    g = position()
    build(g, 0, [1, 0, 1, 2, 0])
    build(g, 1, [1, 1, 1, 1, 1])
    put(g, 0, pt.GOLEM, fresh=True)
    effects(g)
    assert (levels(g, 0), levels(g, 1)) == ([2, 0, 2, 2, 0], [1, 1, 1, 1, 1])
    assert golds(g)[0] == 3


def test_pt_2_2_4_golem_the_fifth_spot_opens_next_turn():
    g = position()
    build(g, 0, [1, 0, 0, 0, 0])
    hold(g, 0, pt.FARMER, pt.HUNTER, pt.GOLEM)
    run(g, pt.Deploy)
    answer(g, 0, FRONT, FRONT)
    assert g.explain(0, FRONT) == "PT-1.3"


def test_pt_2_2_4_an_old_golem_does_nothing():
    g = position()
    build(g, 0, [1, 0, 0, 0, 0])
    put(g, 0, pt.GOLEM)
    effects(g)
    assert levels(g) == [1, 0, 0, 0, 0]


def test_pt_2_2_4_golem_with_kraken_its_upgrades_of_this_turn_count_for_the_loss():
    g = position()
    g.realms[0].legend = 10
    build(g, 0, [1, 1, 0, 2, 0])
    put(g, 0, pt.KRAKEN, fresh=True)
    put(g, 0, pt.GOLEM, fresh=True)
    effects(g)
    assert legends(g)[0] == 10 - 3 * 3


def test_pt_2_2_4_kraken_takes_3_per_level_2_building_and_nothing_for_level_1():
    g = position()
    g.realms[0].legend = 10
    build(g, 0, [1, 1, 0, 2, 0])
    put(g, 0, pt.KRAKEN, fresh=True)
    effects(g)
    assert legends(g)[0] == 7


def test_pt_2_2_4_kraken_never_below_0():
    g = position()
    g.realms[0].legend = 4
    build(g, 0, [2, 2, 0, 0, 0])
    put(g, 0, pt.KRAKEN, fresh=True)
    effects(g)
    assert legends(g)[0] == 0


def test_pt_2_2_4_time_master_puts_2_age_on_one_own_unit():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.KNIGHT)
    effects(g)
    assert asked(g) == ("ChooseAge", (0,))
    assert g.legal(0) == AT[:2]
    answer(g, 0, AT[1])
    assert ages(g) == [0, 2]


def test_pt_2_2_4_time_master_on_herself():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.KNIGHT)
    effects(g)
    answer(g, 0, AT[0])
    assert ages(g) == [2, 0]


def test_pt_2_2_4_a_single_unit_needs_no_question():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    effects(g)
    assert (g.to_act, ages(g)) == ((), [2])


def test_pt_2_2_4_each_time_master_is_a_question_of_its_own():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.TIME_MASTER)  # of an earlier turn: not asked
    effects(g)
    answer(g, 0, AT[0], AT[0])
    assert (g.to_act, ages(g)) == ((), [4, 0, 0])


def test_pt_2_2_4_choices_are_made_by_all_at_once_and_revealed_together():
    g = position()
    for seat in (0, 2):
        put(g, seat, pt.TIME_MASTER, fresh=True)
        put(g, seat, pt.KNIGHT)
    effects(g)
    assert asked(g) == ("ChooseAge", (0, 2))
    before = view(g, 2)["realms"]
    log = answer(g, 0, AT[1])
    assert (view(g, 2)["realms"], log.events, log.reveals) == (before, [], 0)
    assert view(g, 0)["realms"][0]["units"][1]["coming"] == 2
    last = answer(g, 2, AT[0])
    assert (ages(g, 0), ages(g, 2)) == ([0, 2], [2, 0])
    assert [(e.kind, e.seat, e.unit, e.tokens, e.place) for e in last.events] == [
        (pt.AGED, 0, pt.KNIGHT, 2, 1),
        (pt.AGED, 2, pt.TIME_MASTER, 2, 0),
    ]
    assert last.reveals == 2


def test_pt_2_2_4_master_alchemist_every_turn_as_many_age_as_food_all_on_one_unit():
    g = position()
    put(g, 0, pt.MASTER_ALCHEMIST, age=1)
    put(g, 0, pt.FARMER)
    put(g, 0, pt.TREEFOLK)
    put(g, 0, pt.FOREST_CHILD)
    effects(g)
    answer(g, 0, AT[1])
    assert (g.to_act, ages(g)) == ((), [1, 3, 0, 0])


def test_pt_2_2_4_master_alchemist_without_food_asks_nothing():
    g = position()
    put(g, 0, pt.MASTER_ALCHEMIST, fresh=True)
    put(g, 0, pt.KNIGHT)
    effects(g)
    assert (g.to_act, ages(g)) == ((), [0, 0])


def test_pt_2_2_4_the_alchemist_comes_after_the_time_master_who_may_wake_a_leviathans_food():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.MASTER_ALCHEMIST)
    put(g, 0, pt.LEVIATHAN, fresh=True)
    effects(g)
    answer(g, 0, AT[2])
    assert asked(g) == ("ChooseAge", (0,))
    assert view(g, 0)["mine"]["tokens"] == 2
    answer(g, 0, AT[0])
    assert ages(g) == [2, 0, 2]


def secret_food(version: int = pt.RULES) -> pt.PaperTales:
    """Without other food, the Time Master's tokens decide whether the Alchemist has any to give."""
    g = position(version=version)
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.MASTER_ALCHEMIST)
    put(g, 0, pt.LEVIATHAN, fresh=True)
    effects(g)
    return g


@pytest.mark.parametrize("place", [0, 1])
def test_pt_2_2_4_the_alchemist_is_asked_without_food_where_a_secret_choice_decides_about_it(place):
    g = secret_food()
    answer(g, 0, AT[place])
    assert (asked(g), view(g, 0)["mine"]["tokens"]) == (("ChooseAge", (0,)), 0)
    assert words.question(g, 0, EN) == (
        "Master Alchemist: you have no food, which nobody else knows. Choose any unit: it gets no age.",
        "PT-2.2.4",
    )
    last = answer(g, 0, AT[2])
    assert ages(g) == [2 * (place == 0), 2 * (place == 1), 0]
    assert [(e.unit, e.tokens) for e in last.events] == [(g.realms[0].units[place].kind, 2)]


def test_pt_2_2_4_the_alchemist_without_food_is_not_asked_where_everyone_knows_it():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.MASTER_ALCHEMIST)
    put(g, 0, pt.KNIGHT)  # no Leviathan: no food, whatever the Time Master does
    effects(g)
    answer(g, 0, AT[2])
    assert (g.to_act, ages(g)) == ((), [0, 0, 2])
    g = position()
    put(g, 0, pt.TIME_MASTER)
    put(g, 0, pt.MASTER_ALCHEMIST)
    put(g, 0, pt.LEVIATHAN)  # no Time Master was revealed: it stays without food
    effects(g)
    assert g.to_act == ()


def test_pt_2_2_4_by_version_1_the_alchemist_without_food_was_not_asked():
    g = secret_food(version=1)
    answer(g, 0, AT[0])
    assert (g.to_act, ages(g)) == ((), [2, 0, 0])
    g = secret_food(version=1)
    answer(g, 0, AT[2], AT[0])
    assert ages(g) == [2, 0, 2]


def test_pt_2_2_4_automatic_tokens_come_before_the_alchemist():
    g = position()
    put(g, 0, pt.MASTER_ALCHEMIST)
    put(g, 0, pt.LEVIATHAN)
    put(g, 0, pt.NECROMANCER, fresh=True)
    effects(g)
    answer(g, 0, AT[2])
    assert ages(g) == [1, 1, 2]


def test_pt_2_2_4_shapeshifter_becomes_the_next_unit_of_cost_3_or_less_with_1_age():
    g = position()
    put(g, 0, pt.SHAPESHIFTER, pt.BACK, fresh=True)
    changed = g.realms[0].units[0].card
    on_top(g, pt.DRAGON)
    effects(g)
    unit = g.realms[0].units[0]
    assert (unit.kind, unit.row, unit.age, unit.fresh) == (pt.DRAGON, pt.BACK, 1, True)
    assert (golds(g)[0], list(g.discards)) == (3, [changed])


def test_pt_2_2_4_shapeshifter_draws_and_discards_what_is_too_costly():
    g = position()
    put(g, 0, pt.SHAPESHIFTER, fresh=True)
    on_top(g, pt.KNIGHT)
    on_top(g, pt.KRAKEN)
    effects(g)
    assert (kinds(g.realms[0].units), [pt.KIND[c] for c in g.discards]) == ([pt.KNIGHT], [pt.KRAKEN, pt.SHAPESHIFTER])


def test_pt_2_2_4_shapeshifter_a_monkey_brings_no_gold():
    g = position()
    put(g, 0, pt.SHAPESHIFTER, fresh=True)
    on_top(g, pt.MONKEY)
    effects(g)
    assert golds(g)[0] == 3


def test_pt_2_2_4_shapeshifter_is_discarded_after_the_draw_so_it_is_not_shuffled_in():
    g = position()
    put(g, 0, pt.SHAPESHIFTER, fresh=True)
    g.discards = cards([card(g, pt.KNIGHT)])
    g.pile = cards([])
    effects(g)
    assert kinds(g.realms[0].units) == [pt.KNIGHT]
    assert [pt.KIND[c] for c in g.discards] == [pt.SHAPESHIFTER]


@pytest.mark.parametrize(
    ("kind", "age", "other"),
    [(pt.VETERAN, 2, 0), (pt.NECROMANCER, 1, 1), (pt.FARMER, 1, 0), (pt.SALAMANDER, 1, 0)],
)
def test_pt_2_2_4_shapeshifter_into_anything_its_own_phase_2_effects_apply(kind, age, other):
    g = position()
    put(g, 0, pt.SHAPESHIFTER, fresh=True)
    put(g, 0, pt.KNIGHT)
    on_top(g, kind)
    effects(g)
    assert ages(g) == [age, other]


def test_pt_2_2_4_shapeshifter_into_a_golem_a_time_master_or_the_alchemist():
    g = position()
    build(g, 0, [1, 0, 0, 0, 0])
    put(g, 0, pt.SHAPESHIFTER, fresh=True)
    on_top(g, pt.GOLEM)
    effects(g)
    assert levels(g) == [2, 0, 0, 0, 0]
    for kind, tokens in ((pt.TIME_MASTER, 2), (pt.MASTER_ALCHEMIST, 1)):
        g = position()
        put(g, 0, pt.SHAPESHIFTER, fresh=True)
        put(g, 0, pt.FARMER)
        on_top(g, kind)
        effects(g)
        answer(g, 0, AT[1])
        assert ages(g) == [1, tokens]


def test_pt_2_2_4_the_cards_left_in_hand_are_discarded_before_the_effects():
    """So that the Shapeshifter may draw them after a reshuffle."""
    g = position()
    hold(g, 0, pt.SHAPESHIFTER, pt.KNIGHT)
    hold(g, 1, pt.KNIGHT)
    hold(g, 2, pt.KNIGHT)
    g.pile = cards([])
    run(g, pt.Deploy, pt.RevealKingdoms, pt.RevealEffects)
    answer(g, 1, DISCARD)
    answer(g, 2, DISCARD)
    answer(g, 0, FRONT, DISCARD)
    assert kinds(g.realms[0].units) == [pt.KNIGHT]
    assert len(g.pile) == 2


def test_pt_2_2_5_any_number_of_age_tokens_may_lie_on_one_unit():
    g = position()
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.TIME_MASTER, fresh=True)
    put(g, 0, pt.NECROMANCER, fresh=True)
    put(g, 0, pt.STRATEGIST, age=5)
    effects(g)
    answer(g, 0, AT[3], AT[3])
    assert ages(g) == [1, 1, 0, 10]
