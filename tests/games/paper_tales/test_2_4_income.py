"""PT-2.4 Income."""

from __future__ import annotations

from games.paper_tales.table import golds, position, put, raise_to, run
from veillee.games.paper_tales import rules as pt


def test_pt_2_4_1_two_gold_each():
    g = position()
    run(g, pt.Income)
    assert golds(g) == [5, 5, 5]


def test_pt_2_4_1_and_the_phase_4_effects_of_units_and_buildings():
    g = position()
    realm = g.realms[0]
    raise_to(g, 0, pt.TAVERN, 1)
    raise_to(g, 0, pt.TEMPLE, 1)
    put(g, 0, pt.FARMER)
    put(g, 0, pt.COOK, pt.BACK)
    put(g, 0, pt.BLACKSMITH, pt.BACK)
    assert realm.income() == 2 + 1 + 1 + 1 + 2
    run(g, pt.Income)
    assert golds(g) == [3 + 7, 5, 5]
    assert list(realm.ledger) == [
        *(4, pt.FROM_BASE, 0, 2),
        *(4, pt.COOK, 0, 1),
        *(4, pt.BLACKSMITH, 0, 1),
        *(4, pt.FROM_BUILDING + pt.TAVERN, 0, 1),
        *(4, pt.FROM_BUILDING + pt.TEMPLE, 0, 2),
    ]
