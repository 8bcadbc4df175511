"""PT-1 Components and setup."""

from __future__ import annotations

from collections import Counter

import pytest
from librt.vecs import pop

from games.paper_tales.table import (
    BACK,
    DISCARD,
    FRONT,
    answer,
    asked,
    build,
    card,
    cards,
    hold,
    levels,
    position,
    put,
    run,
)
from veillee.games.paper_tales import content
from veillee.games.paper_tales import rules as pt
from veillee.kernel.chance import Rng


@pytest.mark.parametrize("players", range(2, 6))
def test_pt_1_1_everyone_starts_with_3_gold_no_legend_and_nothing_built(players):
    g = pt.new_game(players, Rng(1), {})
    assert [(r.gold, r.legend, levels(g, s), list(r.units)) for s, r in enumerate(g.realms)] == [
        (3, 0, [0] * 5, [])
    ] * players


def test_pt_1_1_legend_never_falls_below_0():
    g = position()
    g.realms[0].legend = 2
    g.gain_legend("PT-2.2.4", pt.DEPLOYMENT, 0, -3, pt.KRAKEN)
    assert g.realms[0].legend == 0


def test_pt_1_2_81_cards_of_42_kinds_in_the_draw_pile():
    g = pt.new_game(4, Rng(1), {})
    every = [*g.pile, *(card for realm in g.realms for card in realm.packet)]
    assert sorted(every) == list(range(81))
    copies = Counter(Counter(pt.KIND[card] for card in every).values())
    assert copies == {1: 16, 2: 13, 3: 13}


def test_pt_1_2_the_pile_is_shuffled():
    assert list(pt.new_game(3, Rng(1), {}).pile) != list(pt.new_game(3, Rng(2), {}).pile)


def test_pt_1_2_the_discards_are_shuffled_when_a_card_is_needed_and_the_pile_is_empty():
    g = position()
    g.discards = g.pile[:30]
    g.buried = g.pile[30:]
    g.buriers = cards([0] * len(g.buried))
    g.picks = cards([0] * len(g.buried))
    g.pile = cards([])
    g.seen = cards([7] * pt.CARDS)
    drawn = g.draw(Rng(4))
    assert sorted([*g.pile, drawn]) == list(range(81))
    assert list(g.pile) != sorted(g.pile)
    assert (list(g.discards), list(g.buried), list(g.buriers)) == ([], [], [])
    assert list(g.seen) == [0] * pt.CARDS  # no seat knows any more that these cards are not in the pile


def test_pt_1_2_in_the_middle_of_a_deal_too():
    g = position(3)
    g.discards = g.pile[:74]
    g.pile = g.pile[74:]
    log = run(g, pt.Recruitment)
    assert [len(realm.packet) for realm in g.realms] == [5, 5, 5]
    assert set(g.realms[0].packet) <= set(range(74, 81))  # dealt before
    assert (len(g.pile), list(g.discards)) == (66, [])
    assert [(e.rule, e.cards) for e in log.events if e.kind is pt.RESHUFFLE] == [("PT-1.2", 74)]


def test_pt_1_3_two_spots_in_front_and_two_in_the_back():
    g = position()
    hold(g, 0, pt.FARMER, pt.HUNTER, pt.SCULPTOR, pt.VETERAN, pt.WOODCUTTER)
    run(g, pt.Deploy)
    answer(g, 0, FRONT, FRONT)
    assert g.explain(0, FRONT) == "PT-1.3"
    answer(g, 0, BACK, BACK)
    assert [g.explain(0, FRONT), g.explain(0, BACK), g.explain(0, DISCARD)] == ["PT-1.3", "PT-1.3", ""]


@pytest.mark.parametrize(("built", "front"), [([1, 1, 1, 1, 1], 2), ([2, 0, 0, 0, 0], 3), ([2, 2, 2, 2, 2], 3)])
def test_pt_1_3_a_level_2_building_opens_a_third_front_spot_and_never_more(built, front):
    g = position()
    build(g, 0, built)
    hold(g, 0, pt.FARMER, pt.HUNTER, pt.SCULPTOR, pt.VETERAN, pt.WOODCUTTER)
    run(g, pt.Deploy)
    answer(g, 0, *[FRONT] * front)
    assert g.explain(0, FRONT) == "PT-1.3"


def test_pt_1_4_a_kingdom_produces_what_it_shows_at_that_moment():
    g = position()
    realm = g.realms[0]
    put(g, 0, pt.FOREST_CHILD)
    put(g, 0, pt.MINER)
    assert (realm.wood(), realm.food(), realm.crystal()) == (1, 1, 1)
    realm.units, _ = pop(realm.units)
    assert (realm.wood(), realm.food(), realm.crystal()) == (1, 1, 0)


@pytest.mark.parametrize("row", [pt.FRONT, pt.BACK])
def test_pt_1_5_production_works_from_any_spot_and_age_tokens_are_unlimited(row):
    g = position()
    put(g, 0, pt.ADVENTURER, row, age=40)
    put(g, 0, pt.WOODCUTTER, row)
    assert (g.realms[0].crystal(), g.realms[0].wood()) == (40, 1)


def test_the_rules_and_the_content_name_the_same_units_and_buildings():
    names = {number: name.lower() for name, number in vars(pt).items() if name.isupper() and isinstance(number, int)}
    for number, kind in enumerate(content.UNITS):
        assert getattr(pt, kind.id.upper()) == number, names
    for number, house in enumerate(content.HOUSES):
        assert getattr(pt, house.id.upper()) == number


def test_bad_content_is_refused_with_a_sentence():
    kinds, houses = content.UNITS, content.HOUSES
    with pytest.raises(content.BadContent, match="42 kinds"):
        content.check(kinds[1:], houses)
    with pytest.raises(content.BadContent, match="order of cost"):
        content.check([kinds[-1], *kinds[:-1]], houses)
    with pytest.raises(content.BadContent, match="5 buildings"):
        content.check(kinds, houses[1:])


def test_the_first_question_goes_to_everyone():
    assert asked(pt.new_game(3, Rng(0), {})) == ("Keep", (0, 1, 2))
    assert card(position(), pt.KRAKEN) == 80
