"""PT-2.2 Deployment: the plan, its secrecy, its price."""

from __future__ import annotations

from itertools import product

import pytest

from games.paper_tales.table import (
    BACK,
    DISCARD,
    FRONT,
    SAVE,
    answer,
    asked,
    build,
    card,
    golds,
    hold,
    kinds,
    position,
    put,
    run,
)
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.view import view


def deploy(g: pt.PaperTales) -> None:
    """Seats 1 and 2 hold a card that they leave in hand; seat 0 is asked."""
    for seat in (1, 2):
        if len(g.realms[seat].kept) == 0:
            hold(g, seat, pt.KNIGHT)
    run(g, pt.Deploy, pt.RevealKingdoms)
    answer(g, 1, DISCARD)
    answer(g, 2, DISCARD)


def test_pt_2_2_1_old_units_are_asked_about_first_then_the_hand_the_cheapest_first():
    g = position()
    g.realms[0].gold = 9
    put(g, 0, pt.KNIGHT, pt.BACK)
    hold(g, 0, pt.DRAGON, pt.MONKEY, pt.FARMER)
    run(g, pt.Deploy)
    assert list(g.question.options(g, 0)) == [FRONT, BACK, DISCARD]
    answer(g, 0, FRONT)
    assert list(g.question.options(g, 0)) == [FRONT, BACK, SAVE, DISCARD]
    assert [pt.KIND[c] for c in g.realms[0].hand] == [pt.MONKEY, pt.FARMER, pt.DRAGON]


def test_pt_2_2_1_moving_and_discarding_old_units_is_free_and_never_repaid():
    g = position()
    put(g, 0, pt.ARCHER, pt.FRONT, age=1)
    gone = put(g, 0, pt.KNIGHT, pt.FRONT, age=1)
    hold(g, 0, pt.FARMER)
    deploy(g)
    answer(g, 0, BACK, DISCARD, DISCARD)
    realm = g.realms[0]
    assert [(u.kind, u.row, u.age) for u in realm.units] == [(pt.ARCHER, pt.BACK, 1)]
    assert (golds(g)[0], list(g.discards)) == (3, [gone.card])


def test_pt_2_2_1_moves_and_discards_stay_hidden_until_the_reveal():
    g = position()
    put(g, 0, pt.ARCHER, pt.FRONT)
    put(g, 0, pt.KNIGHT, pt.FRONT)
    hold(g, 0, pt.FARMER)
    hold(g, 1, pt.FARMER)
    hold(g, 2, pt.FARMER)
    run(g, pt.Deploy, pt.RevealKingdoms)
    before = view(g, 1)["realms"][0]
    log = answer(g, 0, BACK, DISCARD, FRONT)
    assert asked(g) == ("Deploy", (1, 2))
    assert view(g, 1)["realms"][0] == before
    assert log.events == []
    answer(g, 1, DISCARD)
    last = answer(g, 2, DISCARD)
    assert {pt.MOVED, pt.DISMISSED, pt.DEPLOYED} <= {event.kind for event in last.events}
    assert last.reveals > 0


def complete_plans(g: pt.PaperTales, seat: int) -> list[tuple[int, ...]]:
    """Every deployment that the questions give."""
    plans = []

    def go_on(g: pt.PaperTales) -> None:
        if seat not in g.to_act:
            plans.append(tuple(g.realms[seat].plan))
            return
        for action in g.legal(seat):
            then = g.clone()
            answer(then, seat, action)
            go_on(then)

    go_on(g)
    return plans


def test_pt_2_2_1_the_questions_give_every_deployment_exactly_once():
    """Compared with all ways to put the cards anywhere, told apart only by what lies where in the end."""
    g = position()
    g.realms[0].gold = 2
    put(g, 0, pt.FARMER, pt.FRONT, age=1)
    put(g, 0, pt.FARMER, pt.BACK, age=1)
    hold(g, 0, pt.MONKEY, pt.VETERAN, pt.VETERAN, pt.KNIGHT, pt.COMMANDER)
    hold(g, 1, pt.FARMER)
    hold(g, 2, pt.CERBERUS)
    run(g, pt.Deploy)
    realm = g.realms[0]
    things = [("old", pt.FARMER)] * 2 + [("new", pt.KIND[c]) for c in realm.hand]
    costs = [0, 0] + [pt.COST[pt.KIND[c]] for c in realm.hand]

    def outcome(plan: tuple[int, ...]) -> tuple[tuple[tuple[str, int], int], ...]:
        return tuple(sorted(zip(things, plan, strict=True)))

    def possible(plan: tuple[int, ...]) -> bool:
        paid = sum(cost for cost, where in zip(costs, plan, strict=True) if where <= pt.BACK)
        return (
            plan.count(pt.FRONT) <= 2
            and plan.count(pt.BACK) <= 2
            and plan.count(pt.SAVED) <= 1
            and pt.SAVED not in plan[:2]
            and paid <= 2
        )

    expected = {outcome(plan) for plan in product(range(4), repeat=len(things)) if possible(plan)}
    given = [outcome(plan) for plan in complete_plans(g, 0)]
    assert len(given) == len(set(given))
    assert set(given) == expected


def test_pt_2_2_1_a_new_card_is_not_equal_to_an_old_unit_of_its_kind():
    g = position()
    put(g, 0, pt.FARMER, pt.BACK)
    hold(g, 0, pt.FARMER)
    run(g, pt.Deploy)
    answer(g, 0, DISCARD)
    assert g.legal(0) == [FRONT, BACK, SAVE, DISCARD]
    assert g.explain(0, FRONT) == ""


def test_pt_2_2_1_no_dead_ends_and_at_most_11_questions():
    g = position()
    for kind in (pt.FARMER, pt.FARMER, pt.HUNTER, pt.KNIGHT, pt.GOLEM):
        put(g, 0, kind, age=1)
    build(g, 0, [2, 0, 0, 0, 0])
    hold(g, 0, pt.KRAKEN, pt.DRAGON, pt.COMMANDER, pt.COMMANDER, pt.OGRE, pt.RELIC)
    run(g, pt.Deploy)
    count = 0
    while 0 in g.to_act:
        answer(g, 0, g.legal(0)[0])  # the row as long as there is room
        count += 1
    assert count == 11


def test_pt_2_2_2_all_reveal_at_once_and_pay():
    g = position()
    hold(g, 0, pt.KNIGHT, pt.COMMANDER)
    deploy(g)
    answer(g, 0, FRONT)
    assert golds(g) == [3, 3, 3]  # nothing is paid before the reveal
    answer(g, 0, BACK)
    assert golds(g) == [0, 3, 3]
    assert [(u.kind, u.row, u.age, u.fresh) for u in g.realms[0].units] == [
        (pt.KNIGHT, pt.FRONT, 0, True),
        (pt.COMMANDER, pt.BACK, 0, True),
    ]


def test_pt_2_2_2_a_negative_cost_is_gold_that_may_help_to_pay_the_others():
    g = position()
    g.realms[0].gold = 1
    hold(g, 0, pt.MONKEY, pt.COMMANDER)
    deploy(g)
    answer(g, 0, FRONT, FRONT)
    assert (golds(g)[0], kinds(g.realms[0].units)) == (0, [pt.MONKEY, pt.COMMANDER])


@pytest.mark.parametrize(("gold", "rule"), [(1, "PT-2.2.3"), (2, "")])
def test_pt_2_2_3_a_deployment_that_cannot_be_paid_is_refused(gold, rule):
    g = position()
    g.realms[0].gold = gold
    hold(g, 0, pt.COMMANDER)
    run(g, pt.Deploy)
    assert [g.explain(0, where) for where in (FRONT, BACK)] == [rule, rule]
    assert [g.explain(0, where) for where in (SAVE, DISCARD)] == ["", ""]


def test_pt_2_2_3_what_was_planned_before_is_already_spent():
    g = position()
    hold(g, 0, pt.COMMANDER, pt.OGRE)
    run(g, pt.Deploy)
    answer(g, 0, FRONT)
    assert g.explain(0, FRONT) == "PT-2.2.3"


def test_pt_2_2_6_one_card_may_be_saved_face_down_the_others_are_discarded_face_down():
    g = position()
    hold(g, 0, pt.FARMER, pt.HUNTER, pt.KNIGHT)
    deploy(g)
    answer(g, 0, SAVE)
    assert g.explain(0, SAVE) == "PT-2.2.6"
    answer(g, 0, DISCARD, DISCARD)
    assert pt.KIND[g.realms[0].saved] == pt.FARMER
    buried = [pt.KIND[c] for c, who in zip(g.buried, g.buriers, strict=True) if who == 0]
    assert buried == [pt.HUNTER, pt.KNIGHT]
    assert list(g.discards) == []


def test_pt_2_2_6_a_card_saved_before_and_not_used_is_discarded_or_saved_again():
    g = position()
    g.realms[0].saved = card(g, pt.KNIGHT)
    hold(g, 0, pt.FARMER)
    deploy(g)
    answer(g, 0, SAVE, DISCARD)
    assert pt.KIND[g.realms[0].saved] == pt.FARMER
    assert pt.KNIGHT in [pt.KIND[c] for c in g.buried]


def test_pt_2_2_6_in_turn_4_nothing_is_saved():
    g = position(turn=4)
    hold(g, 0, pt.FARMER)
    run(g, pt.Deploy)
    assert g.explain(0, SAVE) == "PT-2.2.6"


def test_pt_2_2_6_the_log_tells_how_many_cards_and_never_which():
    g = position()
    hold(g, 0, pt.FARMER, pt.HUNTER)
    deploy(g)
    log = answer(g, 0, SAVE, DISCARD)
    lines = [(e.seat, e.saved, e.discarded) for e in log.events if e.kind is pt.LEFTOVERS]
    assert lines == [(0, 1, 1), (1, 0, 1), (2, 0, 1)]
