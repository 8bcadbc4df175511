"""The simulation of championships: rank correlation, coverage and deals needed, on results whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from random import Random

from veillee.games.catalogue import BOXES
from veillee.house.championships.standings import GameResult
from veillee.lab import championship_study
from veillee.lab.championship_study import (
    AnalysedResult,
    ChampionshipStudy,
    Game,
    as_victories,
    differences_spread,
    page,
    play_deal,
    spearman,
)
from veillee.lab.executors import InlineExecutor

BOX = BOXES["takara-island"]


def study(pool=60, deals=6):
    return ChampionshipStudy(BOX, pool=pool, deals=deals, championships=60, seed=3, position=8)


def made_up(of, noise, luck_noise):
    """Results with a true mean by strength, luck, and noise that is not luck."""
    chance = Random(5)
    found = []
    for deal in range(1, of.pool + 1):
        for entrant, strength in of.strengths.items():
            luck = chance.gauss(0, luck_noise)
            share = 0.2 * strength + luck + chance.gauss(0, noise)
            found.append(AnalysedResult(entrant, deal, share, round(100 * share), luck, own=share - luck))
    return found


def test_without_its_luck_the_order_is_truer_and_needs_fewer_deals():
    of = study()
    victories, points, less_luck, points_less_luck, _, by_answers = of.methods(made_up(of, noise=0.1, luck_noise=0.3))
    assert less_luck.spearman > victories.spearman + 0.05
    assert isclose(victories.deals_needed, 1.0)
    assert 0.07 < less_luck.deals_needed < 0.14, "a tenth: 0.1² / (0.1² + 0.3²)"
    assert isclose(points.deals_needed, 1.0, rel_tol=0.01)
    assert isclose(points_less_luck.deals_needed, less_luck.deals_needed, rel_tol=0.01)
    assert 0.07 < by_answers.deals_needed < 0.14


def test_what_the_bots_happened_to_answer_is_left_out_like_luck():
    of = study()
    results = [
        replace(one, luck=0.5 * one.luck, others=0.5 * one.luck) for one in made_up(of, noise=0.1, luck_noise=0.3)
    ]
    less_luck, less_others = of.methods(results)[2], of.methods(results)[4]
    assert 0.07 < less_others.deals_needed < 0.14 < less_luck.deals_needed


def test_points_are_worth_what_they_win_on_average():
    """Two points more in the first deal win 0.1 more, and in the second 0.3: a point is worth 0.1, on average."""
    rows = [(1, 1, 0.0, 7), (2, 1, 0.1, 9), (1, 2, 0.2, 40), (2, 2, 0.5, 42)]
    found = as_victories([GameResult(*row, luck=0.0) for row in rows])
    assert [isclose(one.share, 0.1 * one.points) for one in found] == [True] * 4


def test_intervals_hold_where_nothing_is_wrong_with_them():
    of = study(pool=240)
    for method in of.methods(made_up(of, noise=0.1, luck_noise=0.3)):
        assert 0.9 < method.coverage < 0.99, method


def test_a_method_that_is_wrong_about_its_spread_would_be_noticed():
    """All deals alike but for one in ten: intervals of six deals do not know it."""
    of = study(pool=240)
    rows = [
        one if one.deal % 10 else AnalysedResult(one.entrant, one.deal, 3.0 * (one.entrant % 2), 0, 0.0)
        for one in made_up(of, noise=0.001, luck_noise=0.0)
    ]
    assert of.methods(rows)[0].coverage < 0.9


def test_rank_correlation():
    assert spearman([1, 2, 3], [10, 20, 30]) == 1.0
    assert spearman([1, 2, 3], [30, 20, 10]) == -1.0
    assert spearman([1, 1, 1], [1, 2, 3]) == 0.0
    assert isclose(spearman([1, 2, 2, 3], [1, 2, 3, 4]), 0.9486832980505138)


def test_deals_needed_grow_with_noise():
    of = study()
    quiet, loud = (differences_spread(made_up(of, noise, 0.0), of.strengths) for noise in (0.1, 0.2))
    assert 3 < loud / quiet < 5


def test_equal_play_is_answered_equally_and_another_entrant_plays_otherwise():
    first, again, other = (play_deal(Game(BOX.id, 1, entrant, 0.6, 9, 4)) for entrant in (1, 1, 2))
    assert first == again
    assert (first.share, first.points, first.luck) != (other.share, other.points, other.luck)


def test_a_study_from_the_deals_to_the_page(monkeypatch):
    """Of weak bots, which are fast."""
    monkeypatch.setattr(championship_study, "STRENGTHS", (0.1, 0.2))
    monkeypatch.setattr(championship_study, "ENTRANTS_EACH", 2)
    monkeypatch.setattr(championship_study, "OPPONENTS", "random")
    of = ChampionshipStudy(BOX, pool=2, deals=2, championships=2, seed=4, position=2)
    told = []
    text = page(of, of.methods(of.play(InlineExecutor(), lambda: told.append(1))), "command")
    assert len(told) == 2 * len(of.strengths) == len(of.jobs())
    assert text.count("\n| ") == 7
    assert "4 entrants (strengths 0.1, 0.2; 2 each) against 2 random bots" in text
