"""Answers and undo: all or none, never on an outdated board, never for another seat."""

from __future__ import annotations

import threading
from random import Random

import pytest

from house.playing import BOT, ME, OPEN, answer, photograph, play_on
from veillee.house.errors import BadRequest, NotNow, NotYours, Stale, StoreError, t
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import Forbidden
from veillee.match.verify import verify

ON_BOTH = True


def test_a_whole_game_against_four_bots(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT, BOT])
    play_on(table, [ada])
    assert table.status == "over"
    assert verify(table.record()).holds
    assert {seat for seat, _ in table.match.answers} == {0, 1, 2, 3, 4}


def test_a_whole_game_of_two_guests(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    assert verify(table.record()).holds


def test_nothing_can_be_answered_before_the_table_is_full(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, OPEN])
    with pytest.raises(NotNow):
        table.answer(ada, 0, table.stamp(0), [0])
    with pytest.raises(NotNow):
        table.undo(ada, 0, table.stamp(0))
    with pytest.raises(NotNow):
        _ = table.history


def test_a_seat_answers_for_itself_alone(house, ada, bob, around):
    (seat,) = around.match.to_act
    stamp, action = around.stamp(seat), around.match.choices(seat)[0].id
    before = photograph(around)
    with pytest.raises(NotYours):
        around.answer(bob, seat, stamp, [action])
    with pytest.raises(NotYours):
        around.undo(bob, seat, stamp)
    other = (seat + 1) % 4
    with pytest.raises(Forbidden):
        around.answer(ada, other, around.stamp(other), [action])
    with pytest.raises(Stale):
        around.answer(ada, other, stamp, [action])
    assert photograph(around) == before


def test_nobody_answers_for_a_bot(house, ada):
    table = house.tables.play_now(ada, "ghost-knights")
    with pytest.raises(NotYours):
        table.answer(ada, 1, table.stamp(1), [0])


def test_a_doubled_request_is_carried_out_once(ada, around):
    (seat,) = around.match.to_act
    stamp, action = around.stamp(seat), around.match.choices(seat)[0].id
    around.answer(ada, seat, stamp, [action])
    after = photograph(around)
    around.answer(ada, seat, stamp, [action])
    assert photograph(around) == after


def test_a_click_on_an_old_board_changes_nothing(ada, around):
    (seat,) = around.match.to_act
    stamp = around.stamp(seat)
    first, second = [choice.id for choice in around.match.choices(seat)][:2]
    around.answer(ada, seat, stamp, [first])
    after = photograph(around)
    with pytest.raises(Stale, match="The table has moved on"):
        around.answer(ada, seat, stamp, [second])
    with pytest.raises(Stale):
        around.undo(ada, seat, stamp)
    for nonsense in ("", "x", "é", "\ud800", around.stamp((seat + 1) % 4)):
        with pytest.raises(Stale):
            around.answer(ada, seat, nonsense, [first])
    assert photograph(around) == after


def test_an_old_click_does_not_come_back_with_undo(ada, around):
    (seat,) = around.match.to_act
    stamp = around.stamp(seat)
    drawn = next(choice.id for choice in around.match.choices(seat) if choice.verb == "play")
    around.answer(ada, seat, stamp, [drawn])
    taken_back = around.stamp(seat)
    around.undo(ada, seat, taken_back)
    after = photograph(around)
    assert around.match.answers == []
    around.undo(ada, seat, taken_back)  # a double click
    with pytest.raises(Stale):
        around.answer(ada, seat, stamp, [drawn])
    assert photograph(around) == after


def test_what_cannot_be_taken_back_is_not(house, ada, around):
    (seat,) = around.match.to_act
    draw = next(choice.id for choice in around.match.choices(seat) if choice.verb == "draw")
    answer(around, ada, seat, draw)
    after = photograph(around)
    with pytest.raises(NotNow):
        around.undo(ada, seat, around.stamp(seat))
    assert photograph(around) == after


def test_several_answers_are_applied_all_or_none(ada, around):
    (seat,) = around.match.to_act
    play = next(choice.id for choice in around.match.choices(seat) if choice.verb == "play")
    before = photograph(around)
    for actions in ([play, 999], [999], [play, -1], [10**30]):
        with pytest.raises(Forbidden):
            around.answer(ada, seat, around.stamp(seat), actions)
    with pytest.raises(BadRequest):
        around.answer(ada, seat, around.stamp(seat), [])
    assert photograph(around) == before
    trial = around.match.copy()
    trial.play(seat, play)
    following = trial.choices(seat)[0].id
    around.answer(ada, seat, around.stamp(seat), [play, following])
    assert around.match.answers == [(seat, play), (seat, following)]
    assert around.moment.requests == 1


def test_a_refusal_is_in_the_readers_language(ada, around):
    (seat,) = around.match.to_act
    other = (seat + 1) % 4
    with pytest.raises(Forbidden, match="not your turn") as refused:
        around.answer(ada, other, around.stamp(other), [0])
    assert refused.value.say("fr") == "Ce n’est pas à vous de jouer."
    with pytest.raises(Stale) as stale:
        around.answer(ada, seat, "old", [0])
    assert stale.value.say("fr") == "La partie a avancé entre-temps\u00a0: voici où elle en est."


def test_somebody_elses_secret_answer_does_not_make_mine_stale(ada, bob, draft):
    stamp, rev = draft.stamp(0), draft.rev()
    while 1 in draft.match.to_act:
        answer(draft, bob, 1)
        assert draft.stamp(0) == stamp
    assert draft.rev() > rev, "everybody may see that Bob has chosen"
    draft.undo(bob, 1, draft.stamp(1))
    assert draft.stamp(0) == stamp
    answer(draft, bob, 1)
    draft.answer(ada, 0, stamp, [draft.match.choices(0)[0].id])
    assert draft.stamp(0) != stamp


def test_a_new_question_makes_old_forms_stale(ada, bob, draft):
    while 1 in draft.match.to_act:
        answer(draft, bob, 1)
    waiting = draft.stamp(1)
    while 1 not in draft.match.to_act:
        answer(draft, ada, 0)
    assert draft.stamp(1) != waiting
    with pytest.raises(Stale):
        draft.answer(bob, 1, waiting, [draft.match.choices(1)[0].id])


def test_every_other_stamp_of_a_whole_game_is_stale(house, ada, bob):
    """Whenever a seat is asked something new, no stamp that it was given before is good any more."""
    table = house.tables.create(ada, "tales-of-glory", [ME, OPEN])
    table.sit(bob, 1)
    chance, given = Random(3), [set[str](), set[str]()]
    current = [table.stamp(0), table.stamp(1)]
    while table.status == "playing":
        now = table.moment
        seat = chance.choice(now.match.to_act)
        guest = (ada, bob)[seat]
        assert now.stamp(seat) == current[seat]
        table.answer(guest, seat, current[seat], [chance.choice(now.match.choices(seat)).id])
        for each in (0, 1):
            if table.stamp(each) != current[each]:
                given[each].add(current[each])
                current[each] = table.stamp(each)
                assert current[each] not in given[each]
        assert table.stamp(seat) in current


def test_a_full_disk_changes_nothing(ada, around, monkeypatch):
    (seat,) = around.match.to_act
    before = photograph(around)
    full = StoreError(t("{path} cannot be used: {reason}.", path="x", reason="disk is full"))
    monkeypatch.setattr(around._repository, "append", _raising(full))
    with pytest.raises(StoreError, match="disk"):
        answer(around, ada, seat)
    assert photograph(around) == before
    monkeypatch.undo()
    answer(around, ada, seat)
    assert len(around.match.answers) == 1


def test_what_was_read_once_stays_as_it_was(ada, around):
    now = around.moment
    shown = now.match.view(0), now.match.log(0), now.match.save(), now.stamp(0)
    play_on(around, [ada], answers=10)
    assert (now.match.view(0), now.match.log(0), now.match.save(), now.stamp(0)) == shown


def test_looking_back(house, ada):
    table = house.tables.play_now(ada, "ghost-knights")
    seen = {}  # what Ada saw when everything so far was shown to all
    while table.status == "playing":
        match = table.match
        if match.in_hand() == NO_SEAT:
            seen[len(match.answers)] = match.view(0)
            assert table.history.at(table.history.last).view(0) == match.view(0)
        answer(table, ada, 0)
    assert table.history.last == len(table.match.answers)
    assert table.history.at(table.history.last).view(0) == table.match.view(0)
    assert len(seen) > 3
    backwards = sorted(seen, reverse=True)
    for n in backwards + [backwards[1], backwards[0]]:
        assert table.history.at(n).view(0) == seen[n]
        assert table.history.at(n).answers == table.match.answers[:n]
    for n in (-1, table.history.last + 1):
        with pytest.raises(BadRequest):
            table.history.at(n)


def test_what_at_hands_out_is_not_played_on(ada, around):
    play_on(around, [ada])
    early = around.history.at(2)
    around.history.at(9)
    assert len(early.answers) == 2


def test_looking_back_at_a_running_game_stops_before_what_is_not_shown_yet(ada, around):
    (seat,) = around.match.to_act
    answer(around, ada, seat, next(choice.id for choice in around.match.choices(seat) if choice.verb == "play"))
    assert len(around.match.answers) == 1
    assert around.history.last == 0
    with pytest.raises(BadRequest):
        around.history.at(1)
    with pytest.raises(NotNow):
        around.record()


def test_those_who_follow_are_told_of_every_change(house, ada, around):
    revs = []
    unsubscribe = around.subscribe(lambda: revs.append(around.rev(range(4))))
    start = around.rev(range(4))
    play_on(around, [ada], answers=3)
    around.leave(ada, 0)
    unsubscribe()
    told = list(revs)
    around.come_back(ada, 0)
    assert len(told) >= 4
    assert [start, *told] == sorted({start, *told}), "each one a step further"
    assert revs == told


def test_one_followers_trouble_is_not_the_others(ada, around, caplog):
    told = []
    around.subscribe(_raising(RuntimeError("the loop is closed")))
    around.subscribe(lambda: told.append(1))
    answer(around, ada, around.match.to_act[0])
    assert told == [1]
    assert "could not be told" in caplog.text


def test_many_threads_at_one_table(house, ada, around):
    """The same click from eight threads at once, over and over: each is carried out once."""
    for _ in range(10):
        now = around.moment
        (seat,) = now.match.to_act
        action = now.match.choices(seat)[0].id
        gate = threading.Barrier(8)

        def click(now=now, seat=seat, action=action, gate=gate):
            gate.wait()
            around.answer(ada, seat, now.stamp(seat), [action])

        threads = [threading.Thread(target=click) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert around.moment.requests == 10
    assert len(house.tables.repository.find(around.id)[1]) == 10


def _raising(error):
    def fail(*_, **__):
        raise error

    return fail
