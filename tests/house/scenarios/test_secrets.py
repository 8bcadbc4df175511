"""Hidden changes do not affect what an audience gets: no revision, no stamp, no list, no bot."""

from __future__ import annotations

import pytest

from house.playing import BOT, HOTSEAT, ME, OPEN, answer
from match.secret_picks import BOX as SECRET_PICKS
from match.secret_picks import CONFIRM, ZERO
from veillee.games.catalogue import BOXES
from veillee.house.tables.history import Turn
from veillee.match import seeds as seal


@pytest.fixture
def same_seed(monkeypatch):
    """Tables that are shuffled alike."""
    monkeypatch.setattr(seal, "new_seed", lambda: seal.seed_from(7))


@pytest.fixture
def picks(house, ada, bob, same_seed, monkeypatch):
    """Makes tables where Ada, Bob and Cleo pick numbers secretly, at the same time."""
    monkeypatch.setitem(BOXES, SECRET_PICKS.id, SECRET_PICKS)
    cleo = house.guests.new("Cleo")

    def new():
        table = house.tables.create(ada, SECRET_PICKS.id, [ME, OPEN, OPEN])
        table.sit(bob, 1)
        table.sit(cleo, 2)
        table.cleo = cleo
        return table

    return new


def numbers(table, *, but=()):
    """All the numbers that anybody but these seats is given."""
    others = [seat for seat in range(len(table.seats)) if seat not in but]
    return [
        table.rev(),
        table.history.last,
        table.touched,
        *[(table.rev([seat]), table.stamp(seat)) for seat in others],
    ]


def hidden_card(table, seat):
    return next(choice.id for choice in table.match.choices(seat) if choice.verb == "play")


def test_a_move_in_hand_moves_the_numbers_of_its_own_seat_alone(ada, around):
    (seat,) = around.match.to_act
    start, mine, stamp = numbers(around, but=[seat]), around.rev([seat]), around.stamp(seat)
    for _ in range(2):
        answer(around, ada, seat, hidden_card(around, seat))
        assert around.rev([seat]) > mine
        assert around.stamp(seat) != stamp
        assert numbers(around, but=[seat]) == start
        mine, stamp = around.rev([seat]), around.stamp(seat)
        around.undo(ada, seat, stamp)
        assert around.rev([seat]) > mine
        assert around.stamp(seat) != stamp
        assert numbers(around, but=[seat]) == start
        mine, stamp = around.rev([seat]), around.stamp(seat)
    while not around.history.last:
        answer(around, ada, seat)
    moved = [now != then for now, then in zip(numbers(around, but=[seat]), start, strict=True)]
    assert all(moved[:3]), "the move is made: everybody sees it"
    assert all(around.rev([other]) > 0 for other in range(4))


def test_a_secret_answer_moves_nothing_until_everybody_sees_that_it_is_given(ada, bob, picks):
    table = picks()
    start = numbers(table, but=[1])
    answer(table, bob, 1, 2)
    table.undo(bob, 1, table.stamp(1))
    answer(table, bob, 1, 0)
    assert numbers(table, but=[1]) == start
    answer(table, bob, 1, CONFIRM)
    confirmed = numbers(table, but=[1])
    assert confirmed[0] == start[0] + 1, "whoever is no longer asked has answered"
    assert table.stamp(0) == start[3][1], "and the others are asked what they were asked"
    table.undo(bob, 1, table.stamp(1))
    assert table.rev() == start[0] + 2


def test_the_numbers_do_not_tell_what_was_done_in_secret_before(ada, bob, picks):
    """At one table Bob has picked, and thought better of it twice; at the other he has done nothing."""
    tables = [picks(), picks()]
    for action in (2, None, 1, None, 0):
        if action is None:
            tables[0].undo(bob, 1, tables[0].stamp(1))
        else:
            answer(tables[0], bob, 1, action)
    for table in tables:
        answer(table, ada, 0, 1)
        answer(table, ada, 0, CONFIRM)
        table.undo(ada, 0, table.stamp(0))
        answer(table, ada, 0, CONFIRM)
    seen = [[n for n in numbers(table, but=[1]) if n != table.touched] for table in tables]
    assert seen[0] == seen[1]
    views = [[table.history.at(n).view(2) for n in range(table.history.last + 1)] for table in tables]
    assert views[0] == views[1]
    told = [
        (table.history.turns, [[event.kind for event in events] for events in table.history.events(2)])
        for table in tables
    ]
    assert told[0] == told[1]


def test_looking_back_does_not_tell_who_answered_in_secret_before_an_undo(ada, bob, picks):
    """Ada's answer is seen and taken back; at one of the tables Bob has begun meanwhile, and his is the last that stands."""
    tables = [picks(), picks()]
    for table in tables:
        answer(table, table.cleo, 2, ZERO)
    answer(tables[0], bob, 1, 2)
    for table in tables:
        answer(table, ada, 0, ZERO)
        table.undo(ada, 0, table.stamp(0))
    assert [(table.history.last, table.history.turns) for table in tables] == [(1, [Turn(1, (0, 1, 2))])] * 2


def test_looking_back_does_not_tell_what_was_done_in_secret_before_an_undo(ada, bob, picks):
    """Ada has answered, and takes it back; at one of the tables Bob has begun meanwhile."""
    tables = [picks(), picks()]
    answer(tables[0], bob, 1, 2)
    for table in tables:
        answer(table, ada, 0, ZERO)
        assert table.history.last == 1
        table.undo(ada, 0, table.stamp(0))
    assert [table.history.last for table in tables] == [0, 0]


def test_looking_back_does_not_tell_that_the_next_one_has_begun(house, ada, around):
    """A move that could be taken back is settled when the next seat answers: what can be looked at is the same."""
    for _ in range(60):
        (seat,) = around.match.to_act
        choices = around.match.choices(seat)
        settled, moments = len(around.match.settled_answers), around.history.last
        answer(around, ada, seat, choices[len(around.match.answers) % len(choices)].id)
        if around.match.in_hand() == seat and len(around.match.settled_answers) > settled:
            assert around.history.last == moments
            return
    pytest.fail("no move was settled by a hidden answer: this proves nothing")


def test_a_list_of_tables_is_not_rearranged_by_what_is_secret(house, ada, bob, picks):
    first, second = picks(), picks()
    answer(first, bob, 1, 2)
    assert [glance.id for glance in house.tables.for_guest(ada)] == [second.id, first.id]
    answer(first, bob, 1, CONFIRM)
    assert [glance.id for glance in house.tables.for_guest(ada)] == [first.id, second.id]


def test_a_bot_does_not_think_otherwise_because_of_what_was_done_in_secret(house, ada, same_seed, monkeypatch):
    jobs = []
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: jobs.append(job))
    seeds = []
    for minds in (0, 2):
        table = house.tables.create(ada, "ghost-knights", [ME, HOTSEAT, HOTSEAT, BOT])
        assert 3 not in table.match.to_act
        while 3 not in table.match.to_act:
            (seat,) = table.match.to_act
            for _ in range(minds):
                answer(table, ada, seat, hidden_card(table, seat))
                table.undo(ada, seat, table.stamp(seat))
            answer(table, ada, seat)  # draws
        seeds.append(jobs[-1].seed)
    assert seeds[0] == seeds[1]
