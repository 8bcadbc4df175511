"""History: the turns of a match, and what each audience was told at each moment."""

from __future__ import annotations

import pytest

from house.playing import HOTSEAT, ME, answer, play_on
from veillee.games.catalogue import BOXES
from veillee.house.tables.history import Turn
from veillee.kernel.log import NO_SEAT


@pytest.fixture(params=list(BOXES))
def finished(request, house, ada):
    seats = BOXES[request.param].players[0]
    table = house.tables.create(ada, request.param, [ME, *[HOTSEAT] * (seats - 1)])
    play_on(table, [ada])
    assert table.status == "over"
    return table


def test_every_line_is_told_at_one_moment_to_those_who_may_know(finished):
    past = finished.history
    for seat in (NO_SEAT, *range(past.match.seats)):
        told = past.events(seat)
        assert len(told) == past.last + 1
        lines = [(event.rule, event.kind, event.figures) for events in told for event in events]
        assert lines == [(event.rule, event.kind, event.figures) for event in past.match.events(seat)]


def test_what_was_told_by_a_moment_is_what_its_answer_caused(finished):
    past = finished.history
    told = past.events(0)
    for n in range(1, past.last, 7):
        before, after = past.at(n - 1).events(0), past.at(n).events(0)
        assert [e.kind for e in after[len(before) :]] == [e.kind for e in told[n]]


def test_turns_follow_each_other_and_name_those_who_answered(finished):
    past = finished.history
    turns, answers = past.turns, past.match.answers
    assert turns[0].first == 1
    assert [turn.first for turn in turns] == sorted({turn.first for turn in turns})
    ends = [turn.first for turn in turns[1:]] + [past.last + 1]
    for turn, end in zip(turns, ends, strict=True):
        seats = [seat for seat, _ in answers[turn.first - 1 : end - 1]]
        assert set(seats) <= set(turn.seats)
        assert len(set(seats)) == 1 or sorted(seats) == sorted(set(seats)), "each of several answers once"


def test_the_friends_of_a_finished_game_see_each_answer_at_its_moment(house, ada):
    """A move that was in hand then is shown to all: none of it is a secret any more."""
    table = house.tables.create(ada, "ghost-knights", [ME, *[HOTSEAT] * 3])
    play_on(table, [ada])
    past = table.history
    assert all(past.at(n).in_hand() == NO_SEAT for n in range(past.last))
    shown = [past.at(n).state.dump() for n in range(past.last + 1)]
    again = table.match.from_the_start()
    for n, (seat, action) in enumerate(table.match.answers):
        assert again.state.dump() == shown[n]
        again.play(seat, action)
    assert again.state.dump() == shown[-1] == table.match.state.dump()


def test_those_who_answer_at_the_same_time_share_a_turn(ada, bob, draft):
    while draft.history.last < 4:
        seat = draft.match.to_act[-1]
        answer(draft, (ada, bob)[seat], seat)
    assert draft.history.turns == [Turn(1, (0, 1)), Turn(3, (0, 1))]
