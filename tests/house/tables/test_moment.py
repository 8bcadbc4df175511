"""Versions of what each audience was shown: a page gets everything that came after its version, once."""

from __future__ import annotations

from random import Random

import pytest

from house.playing import BOT, HOTSEAT, ME, OPEN
from veillee.games.catalogue import BOXES
from veillee.house.errors import NotNow
from veillee.house.tables import moment
from veillee.house.tables.moment import SeenState, _common_prefix
from veillee.kernel.log import NO_SEAT


def told(match, who):
    return [(e.rule, e.kind, e.seat, e.figures) for e in match.events(who)]


@pytest.mark.parametrize("game", list(BOXES))
def test_a_name_tells_what_its_audience_knew(house, ada, game):
    """Whatever was answered and taken back since: what it knew then is where its news begin."""
    chance = Random(game)
    seats = BOXES[game].players[0]
    table = house.tables.create(ada, game, [ME, *[HOTSEAT] * (seats - 1)])
    known = {}  # name, audience -> what it was told until then, and how often something had been taken back
    undone = 0
    for _ in range(120):
        now = table.moment
        for who in range(NO_SEAT, seats):
            known[now.shown_version([who] if who >= 0 else []), who] = told(now.match, who), undone
        undoes = [seat for seat in range(seats) if now.match.can_undo(seat)]
        if undoes and chance.random() < 0.25:
            seat = chance.choice(undoes)
            table.undo(ada, seat, table.stamp(seat))
            undone += 1
        elif table.status == "playing":
            seat = chance.choice(now.match.to_act)
            table.answer(ada, seat, table.stamp(seat), [chance.choice(now.match.choices(seat)).id])
    assert undone
    now = table.moment
    for (name, who), (before, then_undone) in known.items():
        glimpse, present = now.seen_state(name, who), told(now.match, who)
        assert glimpse is not None
        assert present[: glimpse.events] == before[: glimpse.events], "it is told again, or never"
        assert glimpse.events == len(before) or then_undone < undone
        past = now.match.from_the_start()
        for seat, action in now.match.answers[: glimpse.answers]:
            past.play(seat, action)
        assert told(past, who) == present[: past.heard(who)]
        assert past.heard(who) <= glimpse.events


def test_the_names_are_the_same_after_a_restart(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    for _ in range(6):
        table.answer(ada, 0, table.stamp(0), [table.match.choices(0)[0].id])
    before = table.moment
    table = house.tables.replay(table.id)
    assert table.moment.history == before.history
    assert table.moment.shown_version([0]) == before.shown_version([0])
    assert table.moment.answered == before.answered


def test_who_is_back_goes_on_after_their_own_last_answer(house, ada, bob):
    """What a seat was shown before it is gone: it may have looked at something that is to be kept in mind."""
    table = house.tables.create(ada, "takara-island", [ME, OPEN], {"memory": "by-heart"})
    table.sit(bob, 1)
    guests, asked = [ada, bob], [0, 1]
    names = {0: [], 1: []}
    for _ in range(60):
        for seat in asked:
            names[seat].append(table.moment.shown_version([seat]))
        (seat,) = table.match.to_act
        choices = table.match.choices(seat)
        table.answer(guests[seat], seat, table.stamp(seat), [choices[len(table.match.answers) % len(choices)].id])
        for seat in asked:
            for left in names[seat]:
                back = table.moment.resume_point(left, seat, 1000)
                if back:
                    assert table.moment.seen_state(back, seat).events < table.match.heard(seat)
                    view = table.history.after(table.moment.seen_state(back, seat).answers).view(seat)
                    assert not view["looking"] or view["looking"]["tiles"] is None, "they are shown once more"
    assert table.moment.resume_point(table.moment.shown_version([0]), 0, 1000) == ""
    assert table.moment.resume_point("0.w-0", NO_SEAT, 5) != "0.w-0", "the latest of it"


def test_a_name_of_another_audience_tells_nothing(house, ada):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    assert table.moment.seen_state(table.moment.shown_version([0]), 1) is None
    assert table.moment.seen_state(table.moment.shown_version(), 0) is None
    assert table.moment.seen_state(table.moment.shown_version([0, 1]), 1) == table.moment.history[1][-1]


@pytest.mark.parametrize("game", list(BOXES))
def test_after_an_undo_no_glimpse_shows_more_than_what_stands(house, ada, game):
    chance, seats = Random(game), BOXES[game].players[0]
    table = house.tables.create(ada, game, [ME, *[HOTSEAT] * (seats - 1)])
    undone = 0
    for _ in range(150):
        before = table.moment
        undoes = [seat for seat in range(seats) if before.match.can_undo(seat)]
        if not undoes or chance.random() < 0.5:
            seat = chance.choice(before.match.to_act)
            table.answer(ada, seat, table.stamp(seat), [chance.choice(before.match.choices(seat)).id])
            if table.status != "playing":
                break
            continue
        seat = chance.choice(undoes)
        table.undo(ada, seat, table.stamp(seat))
        undone += 1
        after = table.moment
        stand = _common_prefix(before.match.answers, after.match.answers)
        for who, past in enumerate(before.history):
            heard = after.fingerprints[who].heard
            cut = [SeenState(min(then.events, heard), min(then.answers, stand)) for then in past]
            assert list(after.history[who][: len(past)]) == cut
    assert undone
    assert sum(table.moment.undone) == undone


def test_a_seat_takes_back_so_often_and_no_more(draft, ada, bob, house, monkeypatch):
    monkeypatch.setattr(moment, "MAX_UNDONE_PER_SEAT", 3)
    for guest, seat in ((ada, 0), (bob, 1)):
        for turn in range(4):
            draft.answer(guest, seat, draft.stamp(seat), [draft.match.choices(seat)[0].id])
            if turn < 3:
                draft.undo(guest, seat, draft.stamp(seat))
        if seat == 0:
            with pytest.raises(NotNow, match="undone so many"):
                draft.undo(guest, seat, draft.stamp(seat))
    assert draft.moment.undone == (3, 3)
    assert house.tables.replay(draft.id).moment.undone == (3, 3)
