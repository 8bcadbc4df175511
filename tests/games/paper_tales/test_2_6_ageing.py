"""PT-2.6 Ageing, with all its exceptions."""

from __future__ import annotations

import pytest

from games.paper_tales.table import ageing, ages, answer, asked, cards, golds, kinds, legends, position, put
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.view import view

HEAL = [pt.HEAL + place for place in range(5)]


def test_pt_2_6_1_every_unit_with_an_age_token_dies_and_is_discarded_face_up():
    g = position()
    old = put(g, 0, pt.KNIGHT, age=1)
    older = put(g, 0, pt.FARMER, pt.BACK, age=3)
    put(g, 0, pt.HUNTER)
    ageing(g)
    assert kinds(g.realms[0].units) == [pt.HUNTER]
    assert list(g.discards) == [old.card, older.card]


def test_pt_2_6_2_each_survivor_gets_one_age_token():
    g = position()
    put(g, 0, pt.KNIGHT)
    put(g, 1, pt.FARMER, fresh=True)
    ageing(g)
    assert (ages(g, 0), ages(g, 1)) == ([1], [1])
    assert not g.realms[1].units[0].fresh


def test_pt_2_6_2_the_kingdom_is_then_sorted_by_kind_and_age():
    g = position()
    put(g, 0, pt.RELIC, age=2)
    put(g, 0, pt.FARMER, pt.BACK)
    put(g, 0, pt.SALAMANDER, age=1)
    put(g, 0, pt.FARMER)
    ageing(g)
    assert [(u.kind, u.age) for u in g.realms[0].units] == [
        (pt.FARMER, 1),
        (pt.FARMER, 1),
        (pt.RELIC, 3),
        (pt.SALAMANDER, 2),
    ]


@pytest.mark.parametrize("age", [1, 2, 4])
def test_pt_2_6_1_a_dying_monkey_brings_1_gold_per_age(age):
    g = position()
    put(g, 0, pt.MONKEY, age=age)
    ageing(g)
    assert (golds(g)[0], list(g.realms[0].units)) == (3 + age, [])


def test_pt_2_6_1_a_dying_sculptor_brings_3_points():
    g = position()
    put(g, 0, pt.SCULPTOR, pt.BACK, age=2)
    put(g, 1, pt.SCULPTOR)
    ageing(g)
    assert legends(g) == [3, 0, 0]


@pytest.mark.parametrize(("age", "points"), [(1, 7), (2, 10)])
def test_pt_2_6_1_a_demon_that_dies_with_exactly_1_age_costs_3_points(age, points):
    g = position()
    g.realms[0].legend = 10
    put(g, 0, pt.DEMON, age=age)
    ageing(g)
    assert legends(g)[0] == points


@pytest.mark.parametrize(("age", "lives"), [(0, True), (1, True), (2, False)])
def test_pt_2_6_1_the_salamander_dies_only_with_2_age(age, lives):
    g = position()
    put(g, 0, pt.SALAMANDER, age=age)
    ageing(g)
    assert ages(g) == ([age + 1] if lives else [])


def test_pt_2_6_1_the_relic_never_dies():
    g = position()
    put(g, 0, pt.RELIC, age=7)
    ageing(g)
    assert ages(g) == [8]


@pytest.mark.parametrize("kind", [pt.PALM_READER, pt.KRAKEN])
def test_pt_2_6_1_palm_reader_and_kraken_1_point_per_age_on_own_dying_units(kind):
    g = position()
    put(g, 0, kind)
    put(g, 0, pt.KNIGHT, age=3)
    put(g, 0, pt.RELIC, age=5)  # does not die
    put(g, 1, pt.KNIGHT, age=2)  # not one's own
    ageing(g)
    assert legends(g) == [3, 0, 0]


@pytest.mark.parametrize("kind", [pt.PALM_READER, pt.KRAKEN])
def test_pt_2_6_1_palm_reader_and_kraken_count_on_their_own_death(kind):
    g = position()
    put(g, 0, kind, age=2)
    ageing(g)
    assert (legends(g)[0], list(g.realms[0].units)) == (2, [])


def test_pt_2_6_1_two_palm_readers_both_count():
    g = position()
    put(g, 0, pt.PALM_READER, age=1)
    put(g, 0, pt.PALM_READER)
    ageing(g)
    assert legends(g)[0] == 2


def test_pt_2_6_2_gains_and_losses_are_added_up_before_the_floor_of_0():
    g = position()
    put(g, 0, pt.DEMON, age=1)
    put(g, 0, pt.SCULPTOR, age=1)
    g.realms[0].legend = 1
    ageing(g)
    assert legends(g)[0] == 1  # -3 first would have given 0 + 3


def test_pt_2_6_2_and_then_the_floor_applies():
    g = position()
    put(g, 0, pt.DEMON, age=1)
    put(g, 0, pt.PALM_READER)
    g.realms[0].legend = 1
    ageing(g)
    assert legends(g)[0] == 0
    assert sum(list(g.realms[0].ledger)[2::4]) == -1  # the report adds up to what really changed


def test_pt_2_6_2_a_healer_may_save_a_unit_with_exactly_1_age_which_still_gets_its_token():
    g = position()
    put(g, 0, pt.HEALER)
    put(g, 0, pt.KNIGHT, age=1)
    ageing(g)
    assert asked(g) == ("Heal", (0,))
    answer(g, 0, HEAL[1])
    assert [(u.kind, u.age) for u in g.realms[0].units] == [(pt.HEALER, 1), (pt.KNIGHT, 2)]


def test_pt_2_6_2_a_healer_may_save_nobody():
    g = position()
    put(g, 0, pt.HEALER)
    put(g, 0, pt.KNIGHT, age=1)
    ageing(g)
    answer(g, 0, pt.NO_HEAL)
    assert kinds(g.realms[0].units) == [pt.HEALER]


def test_pt_2_6_2_the_target_must_be_about_to_die_with_exactly_1_age():
    g = position()
    put(g, 0, pt.HEALER)
    put(g, 0, pt.KNIGHT, age=2)
    put(g, 0, pt.SALAMANDER, age=1)
    put(g, 0, pt.RELIC, age=1)
    ageing(g)
    assert g.to_act == ()  # no target: no question
    g = position()
    put(g, 0, pt.HEALER, age=1)
    put(g, 0, pt.KNIGHT, age=2)
    ageing(g)
    assert [g.explain(0, action) for action in (*HEAL[:2], pt.NO_HEAL)] == ["", "PT-2.6.2", ""]


def test_pt_2_6_2_a_dying_healer_still_saves_and_may_save_herself():
    g = position()
    put(g, 0, pt.HEALER, age=2)
    put(g, 0, pt.KNIGHT, age=1)
    ageing(g)
    answer(g, 0, HEAL[1])
    assert [(u.kind, u.age) for u in g.realms[0].units] == [(pt.KNIGHT, 2)]
    g = position()
    put(g, 0, pt.HEALER, age=1)
    ageing(g)
    answer(g, 0, HEAL[0])
    assert ages(g) == [2]


def test_pt_2_6_2_several_healers_save_different_units():
    g = position()
    put(g, 0, pt.HEALER)
    put(g, 0, pt.HEALER, age=1)
    put(g, 0, pt.KNIGHT, age=1)
    ageing(g)
    answer(g, 0, HEAL[2])
    assert g.explain(0, HEAL[2]) == "PT-2.6.2"
    answer(g, 0, HEAL[1])
    assert ages(g) == [1, 2, 2]


def healers(version: int = pt.RULES) -> pt.PaperTales:
    """Two Healers, and two others who are about to die."""
    g = position(version=version)
    put(g, 0, pt.HEALER)
    put(g, 0, pt.HEALER)
    put(g, 0, pt.KNIGHT, age=1)
    put(g, 0, pt.FARMER, age=1)
    ageing(g)
    return g


def test_pt_2_6_2_each_healer_is_asked_whatever_the_one_before_chose():
    for first in (pt.NO_HEAL, HEAL[2], HEAL[3]):
        g = healers()
        assert view(g, 0)["mine"]["healers"] == 2
        answer(g, 0, first)
        assert (asked(g), view(g, 0)["mine"]["healers"]) == (("Heal", (0,)), 1)
    g = healers()
    answer(g, 0, pt.NO_HEAL, HEAL[3])
    assert [(u.kind, u.age) for u in g.realms[0].units] == [(pt.FARMER, 2), (pt.HEALER, 1), (pt.HEALER, 1)]
    g = healers()
    last = answer(g, 0, pt.NO_HEAL, pt.NO_HEAL)
    assert (ages(g), [e.kind for e in last.events][:1]) == ([1, 1], [pt.LET_DIE])


def test_pt_2_6_2_no_more_healers_are_asked_than_units_can_be_saved():
    g = position()
    for _ in range(3):
        put(g, 0, pt.HEALER)
    put(g, 0, pt.KNIGHT, age=1)
    ageing(g)
    assert view(g, 0)["mine"]["healers"] == 1
    answer(g, 0, pt.NO_HEAL)
    assert g.to_act == ()


def test_pt_2_6_2_by_version_1_no_other_healer_was_asked_after_save_nobody():
    g = healers(version=1)
    answer(g, 0, pt.NO_HEAL)
    assert (g.to_act, ages(g)) == ((), [1, 1])
    g = healers(version=1)
    answer(g, 0, HEAL[2], pt.NO_HEAL)
    assert ages(g) == [1, 1, 2]


def test_pt_2_6_2_saving_a_demon_avoids_its_loss():
    g = position()
    g.realms[0].legend = 5
    put(g, 0, pt.HEALER)
    put(g, 0, pt.DEMON, age=1)
    ageing(g)
    answer(g, 0, HEAL[1])
    assert (legends(g)[0], ages(g)) == (5, [1, 2])


def test_pt_2_6_2_healers_choose_at_once_and_are_revealed_together():
    g = position()
    for seat in (0, 1):
        put(g, seat, pt.HEALER)
        put(g, seat, pt.KNIGHT, age=1)
    ageing(g)
    assert asked(g) == ("Heal", (0, 1))
    before = view(g, 1)["realms"]
    log = answer(g, 0, HEAL[1])
    assert (view(g, 1)["realms"], log.events) == (before, [])
    last = answer(g, 1, pt.NO_HEAL)
    assert [(e.kind, e.seat) for e in last.events if e.rule == "PT-2.6.2" and e.seat >= 0] == [
        (pt.HEALED, 0),
        (pt.LET_DIE, 1),
    ]
    assert last.reveals == 2


def test_pt_2_6_1_a_dismissed_unit_sets_off_nothing():
    g = position()
    put(g, 0, pt.SCULPTOR, age=1)
    put(g, 0, pt.MONKEY, age=1)
    realm = g.realms[0]
    realm.plan = cards([pt.GONE, pt.GONE])
    pt.carry_out_plan(g, 0, realm)
    assert (legends(g)[0], golds(g)[0], list(realm.units)) == (0, 3, [])
