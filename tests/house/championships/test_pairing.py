"""Pairing: everybody once in every round, at tables that the box allows, with as few repetitions as there can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veillee.house.championships.pairing import (
    BOT,
    Shape,
    divisions,
    draw_order,
    promoted_order,
    seat_group,
    swiss_tables,
    table_shapes,
)
from veillee.match import seeds

BOXES = [(range(2, 6), 3), (range(4, 6), 4), (range(2, 3), 2), (range(2, 7), 3)]


def shapes(entrants, usual, players):
    return [(one.seats, one.people) for one in table_shapes(entrants, usual, players)]


def test_tables_have_the_usual_number_of_seats_as_far_as_nobody_is_left_out():
    assert shapes(9, 3, range(2, 6)) == [(3, 3)] * 3
    assert shapes(8, 3, range(2, 6)) == [(3, 3), (3, 3), (2, 2)]
    assert shapes(7, 3, range(2, 6)) == [(3, 3), (4, 4)]
    assert shapes(2, 3, range(2, 6)) == [(2, 2)]
    assert shapes(9, 4, range(4, 6)) == [(4, 4), (5, 5)]


def test_bots_fill_seats_only_where_no_number_divides_and_are_spread_evenly():
    assert shapes(7, 4, range(4, 6)) == [(4, 4), (4, 3)]
    assert shapes(6, 4, range(4, 6)) == [(4, 3), (4, 3)]
    assert shapes(3, 4, range(4, 6)) == [(4, 3)]


@given(st.integers(2, 60), st.sampled_from(BOXES), st.integers(1, 5))
@settings(max_examples=40)
def test_every_entrant_sits_once_in_each_round_at_a_table_that_the_box_allows(entrants, box, rounds):
    players, usual = box
    past = []
    for number in range(rounds):
        order = draw_order(seeds.seed_from(number), range(1, entrants + 1))
        found = swiss_tables(order, table_shapes(entrants, usual, players), usual, past)
        assert sorted(one for table in found for one in table if one != BOT) == list(range(1, entrants + 1))
        assert all(len(table) in players and any(table) for table in found)
        assert sum(table.count(BOT) for table in found) < usual
        past += found


@given(st.permutations(range(1, 8)), st.sampled_from([(range(2, 4), 3), (range(4, 6), 4)]), st.integers(1, 4))
@settings(max_examples=25)
def test_nobody_meets_again_who_need_not(order, box, rounds):
    """Seven entrants: all ways to group them are tried."""
    players, usual = box
    past = []
    for number in range(rounds):
        tables = table_shapes(7, usual, players)
        found = swiss_tables(order if number % 2 else order[::-1], tables, usual, past)
        assert repeated(found, usual, past) == min(
            repeated(all_of_them, usual, past) for all_of_them in groupings(order, tables)
        )
        past += found


def repeated(tables, usual, past):
    met = Counter(frozenset(pair) for table in past for pair in combinations([one for one in table if one], 2))
    odd = Counter(one for table in past if BOT in table or len(table) != usual for one in table if one)
    found = 0
    for table in tables:
        people = [one for one in table if one != BOT]
        found += sum(met[frozenset(pair)] for pair in combinations(people, 2))
        found += sum(odd[one] for one in people) if len(table) != usual or len(people) < len(table) else 0
    return found


def groupings(entrants, tables):
    if not tables:
        yield []
        return
    shape = tables[0]
    for group in combinations(entrants, shape.people):
        left = [one for one in entrants if one not in group]
        for others in groupings(left, tables[1:]):
            yield [(*group, *[BOT] * (shape.seats - shape.people)), *others]


def test_equals_in_the_standings_meet_first():
    nine = [Shape(3, 3)] * 3
    assert [sorted(table) for table in swiss_tables(range(1, 10), nine, 3, [])] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    again = swiss_tables(range(1, 10), nine, 3, [(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    assert [sorted(table) for table in again] == [[1, 4, 7], [2, 5, 8], [3, 6, 9]]


def test_twenty_four_play_six_rounds_without_meeting_again():
    past = []
    for number in range(6):
        order = draw_order(seeds.seed_from(number), range(1, 25))
        past += swiss_tables(order, table_shapes(24, 3, range(2, 6)), 3, past)
    met = Counter(frozenset(pair) for table in past for pair in combinations(table, 2))
    assert set(met.values()) == {1}


def test_five_hundred_are_paired():
    found = swiss_tables(range(1, 501), table_shapes(500, 3, range(2, 6)), 3, [])
    assert len(found) == 167


def test_each_sits_on_every_seat_in_turn():
    past = []
    for _ in range(3):
        past.append(seat_group([1, 2, 3], 3, past))
    assert all({table[seat] for table in past} == {1, 2, 3} for seat in range(3))
    assert seat_group([4, 5], 3, []) == (4, 5, BOT)


@pytest.mark.parametrize("entrants", [[1, 2, 3, 4, 5]])
def test_the_draw_follows_from_the_seed(entrants):
    first, second = (draw_order(seeds.seed_from(number), entrants) for number in (1, 2))
    assert sorted(first) == sorted(second) == entrants
    assert first != second
    assert draw_order(seeds.seed_from(1), reversed(entrants)) == first


def test_the_first_of_a_division_goes_up_and_the_last_goes_down():
    cut = divisions(range(1, 9), table_shapes(8, 3, range(2, 6)))
    assert cut == [[1, 2, 3], [4, 5, 6], [7, 8]]
    ranked = [[2, 1, 3], [6, 5, 4], [8, 7]]
    assert promoted_order(ranked) == [2, 1, 6, 3, 5, 8, 4, 7]
