"""Standings: compared deal by deal, less luck, with intervals that hold what they promise."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, pstdev

import pytest

from veillee.house.championships.standings import (
    GameResult,
    certainty_of_first,
    rank_entrants,
    relative_to_deal,
    student_t,
    without_luck,
)


def won(entrant, deal, share, luck=0.0, points=0):
    return GameResult(entrant, deal, share, points, luck)


def test_a_result_counts_by_how_much_it_is_above_the_average_of_its_deal():
    results = [won(1, 1, 1.0), won(2, 1, 0.0), won(1, 2, 0.0), won(2, 2, 1.0, luck=0.5)]
    assert relative_to_deal(results) == {1: {1: 0.5, 2: -0.25}, 2: {1: -0.5, 2: 0.25}}


def test_who_was_lucky_stands_behind_who_answered_better():
    lucky = [won(1, deal, 1.0, luck=0.7) for deal in (1, 2, 3)]
    unlucky = [won(2, deal, 0.0, luck=-0.4) for deal in (1, 2, 3)]
    lines = rank_entrants(lucky + unlucky)
    assert [line.entrant for line in lines] == [2, 1]
    assert [line.rank for line in lines] == [1, 2]
    assert lines[0].skill > lines[1].skill + 0.05
    assert lines[1].victories == 3


def test_a_latecomer_is_compared_on_the_deals_that_they_played():
    """Deal 2 is an easy one: all win it."""
    results = [won(1, 1, 0.0), won(1, 2, 1.0), won(2, 1, 0.0), won(2, 2, 1.0), won(3, 2, 1.0)]
    assert {line.skill for line in rank_entrants(results)} == {0.6}, "nobody has done better than the others"
    assert {line.rank for line in rank_entrants(results)} == {1}


def test_games_that_are_not_analysed_do_not_order():
    results = [won(1, 1, 1.0, luck=None, points=9), won(2, 1, 0.0, points=2), won(3, 1, 1.0, luck=None, points=4)]
    lines = rank_entrants(results)
    assert [line.entrant for line in lines] == [2, 1, 3]
    assert lines[1].skill is None


def test_one_deal_has_no_interval():
    (line,) = rank_entrants([won(1, 1, 1.0)])
    assert line.margin is None
    assert certainty_of_first([won(1, 1, 1.0)], [line]) is None


@pytest.mark.parametrize(
    ("freedom", "known"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)]
)
def test_students_factor(freedom, known):
    """The known values are those of any table of Student's distribution."""
    assert abs(student_t(freedom) / known - 1) < 0.01


def test_intervals_hold_the_truth_95_times_in_100():
    """Four entrants whose strength is known, 2,000 championships of 8 deals that are normal noise."""
    chance, held, told = Random(2811), 0, 0
    strengths = {1: 0.0, 2: 0.1, 3: 0.2, 4: 0.3}
    for _ in range(2000):
        of_deal = [chance.gauss(0, 0.3) for _ in range(8)]
        results = [
            won(entrant, deal, strength + easy + chance.gauss(0, 0.2))
            for entrant, strength in strengths.items()
            for deal, easy in enumerate(of_deal)
        ]
        average = fmean(one.share for one in results)
        for line in rank_entrants(results):
            truth = average + strengths[line.entrant] - fmean(strengths.values())
            held += abs(line.skill - truth) <= line.margin
            told += 1
    assert 0.935 < held / told < 0.965, held / told


def test_intervals_of_few_victories_hold_the_truth_95_times_in_100():
    """Twelve entrants who win a tenth to half of their deals: 400 championships of 6 deals, in which many win nothing."""
    chance, held, told = Random(36), 0, 0
    strengths = {entrant: 0.1 + 0.4 * entrant / 11 for entrant in range(12)}
    for _ in range(400):
        results = [
            won(entrant, deal, float(chance.random() < strength))
            for entrant, strength in strengths.items()
            for deal in range(6)
        ]
        average = fmean(one.share for one in results)
        for line in rank_entrants(results):
            truth = average + strengths[line.entrant] - fmean(strengths.values())
            held += abs(line.skill - truth) <= line.margin
            told += 1
    assert 0.93 < held / told < 0.97, held / told


def test_noise_that_does_not_show_in_results_is_not_subtracted():
    """Half of the measured variance is noise of the measurement: half of it is right."""
    chance, results = Random(5), []
    for deal in range(30):
        for entrant in range(8):
            luck = chance.gauss(0, 0.2)
            results.append(won(entrant, deal, 0.3 + luck, luck=luck + chance.gauss(0, 0.2)))
    spread = [
        pstdev([value for values in way.values() for value in values.values()])
        for way in (without_luck(results), {0: {n: one.share - one.luck for n, one in enumerate(results)}})
    ]
    assert spread[0] < 0.8 * spread[1]
    assert abs(spread[0] - 0.2 / sqrt(2)) < 0.01


def test_at_tables_of_several_entrants_a_result_counts_against_others_on_the_same_seat():
    """Two tables of two: seat 0 is the better one."""
    results = [
        seated(1, 1, 1.0, (2, 0)),
        seated(2, 1, 0.0, (2, 1)),
        seated(3, 1, 0.5, (2, 0)),
        seated(4, 1, 0.5, (2, 1)),
    ]
    found = {entrant: deals[1] for entrant, deals in relative_to_deal(results).items()}
    assert found == pytest.approx({1: 0.375, 2: -0.375, 3: -0.375, 4: 0.375}), "3/4 of the difference: of 4 entrants"
    alone = [seated(1, 1, 1.0, (3, 0)), seated(2, 1, 0.0, (3, 1)), seated(3, 1, 0.0, (3, 2))]
    found = {entrant: deals[1] for entrant, deals in relative_to_deal(alone).items()}
    assert found == pytest.approx({1: 2 / 3, 2: -1 / 3, 3: -1 / 3}), "there is no other of that seat"


def seated(entrant, deal, share, place):
    return GameResult(entrant, deal, share, 0, 0.0, place)


def test_intervals_of_rounds_hold_the_truth_95_times_in_100():
    """Eight entrants of known strength at tables of 3, 3 and 2, where the seat matters: 600 championships of 8
    rounds, each of them drawn."""
    chance, held, told = Random(3602), 0, 0
    strengths = {entrant: 0.05 * entrant for entrant in range(1, 9)}
    for _ in range(600):
        results = []
        for deal in range(8):
            order = chance.sample(range(1, 9), 8)
            for table in (order[:3], order[3:6], order[6:]):
                seats = [1 / len(table) + (0.1 * seat - 0.05 * (len(table) - 1)) for seat in range(len(table))]
                for seat, entrant in enumerate(table):
                    share = seats[seat] + strengths[entrant] - 0.225 + chance.gauss(0, 0.2)
                    results.append(seated(entrant, deal, share, (len(table), seat)))
        lines = rank_entrants(results)
        average = fmean(one.share for one in results)
        for line in lines:
            held += abs(line.skill - average - (strengths[line.entrant] - 0.225)) <= line.margin
            told += 1
    assert 0.93 < held / told < 0.97, held / told


def test_how_sure_the_first_is():
    close = [won(1, deal, 0.5 + 0.4 * (deal % 2)) for deal in range(6)] + [won(2, deal, 0.6) for deal in range(6)]
    sure = certainty_of_first(close, rank_entrants(close))
    assert 0.5 < sure.chance < 0.95
    assert sure.further_deals > 0
    clear = [won(1, deal, 0.9 + 0.01 * (deal % 2)) for deal in range(6)] + [won(2, deal, 0.2) for deal in range(6)]
    sure = certainty_of_first(clear, rank_entrants(clear))
    assert sure.chance > 0.95
    assert sure.further_deals == 0
