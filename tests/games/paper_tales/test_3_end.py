"""PT-3 The end."""

from __future__ import annotations

from games.paper_tales.table import build, legends, position, put, run
from veillee.games.paper_tales import rules as pt


def test_pt_3_1_level_1_scores_1_and_level_2_scores_3_not_both():
    g = position(turn=4)
    build(g, 0, [1, 1, 2, 0, 0])
    build(g, 1, [2, 2, 2, 2, 2])
    run(g, pt.FinalScoring)
    assert legends(g) == [1 + 1 + 3, 15, 0]


def test_pt_3_1_the_relic_scores_2_per_age_this_turns_ageing_included():
    g = position(turn=4)
    put(g, 0, pt.RELIC, age=2)
    run(g, pt.Heal, pt.Ageing, pt.FinalScoring)
    assert legends(g) == [6, 0, 0]
    assert g.to_act == ()


def test_pt_3_1_the_last_ageing_comes_before_the_end():
    g = position(turn=3)
    run(g, pt.Turn)
    flow = [type(step).__name__ for step in g.agenda]
    assert flow[:2] == ["FinalScoring", "Ageing"]


def test_pt_3_2_most_legend_wins():
    g = position()
    for seat, legend in enumerate((20, 31, 25)):
        g.realms[seat].legend = legend
    assert g.returns() == [0.0, 1.0, 0.0]


def test_pt_3_2_then_most_gold():
    g = position()
    for seat, (legend, gold) in enumerate(((31, 2), (31, 4), (25, 9))):
        g.realms[seat].legend = legend
        g.realms[seat].gold = gold
    assert g.returns() == [0.0, 1.0, 0.0]


def test_pt_3_2_then_a_shared_victory():
    g = position()
    for realm in g.realms[:2]:
        realm.legend = 31
        realm.gold = 4
    assert g.returns() == [0.5, 0.5, 0.0]
