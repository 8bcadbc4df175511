"""The flow: a stack of steps, one question at a time, several seats asked at once."""

from __future__ import annotations

import pytest

from veillee.games.ghost_knights import rules as gk
from veillee.kernel.chance import Rng
from veillee.kernel.log import EVERYONE, NO_SEAT, Event, Log
from veillee.kernel.state import NOT_ASKED, NOT_YOU, load_step


def table() -> gk.GhostKnights:
    return gk.new_game(5, Rng(3), {})


def test_a_question_is_for_its_seat_and_its_answers_only():
    g = table()
    (seat,) = g.to_act
    assert g.explain((seat + 1) % 5, gk.DRAW) == NOT_YOU
    assert g.explain(seat, gk.PUT) == NOT_ASKED


def test_a_pushed_step_comes_first_and_the_rest_resumes():
    g = table()
    (seat,) = g.to_act
    below = [type(step).__name__ for step in g.agenda]
    g.knights[seat].hand[gk.BLACK] = 1
    g.apply(seat, gk.PLAY + gk.BLACK, Rng(0))
    assert isinstance(g.question, gk.WhoseGuard)
    g.apply(seat, gk.OWNER + seat, Rng(0))
    assert isinstance(g.question, gk.PutGuard)
    assert [type(step).__name__ for step in g.agenda] == below


def test_the_log_is_only_lent_for_one_answer():
    g = table()
    log = Log()
    g.apply(g.to_act[0], gk.DRAW, Rng(0), log)
    told = len(log.events)
    assert told > 0
    g.apply(g.to_act[0], g.legal(g.to_act[0])[0], Rng(0))
    assert len(log.events) == told


@pytest.mark.parametrize(("to", "sees"), [(EVERYONE, [-1, 0, 1, 2]), (1 << 1, [1]), (1 << 0 | 1 << 2, [0, 2])])
def test_who_may_see_an_event(to, sees):
    event = Event("GK-2.1", "draw", 1, 0, 0, 0, to)
    assert [seat for seat in range(NO_SEAT, 3) if event.visible(seat)] == sees


def test_the_log_counts_what_was_told_and_to_whom():
    g = table()
    g.log = log = Log()
    g.note("GK-2.1", "x", 0)
    assert (log.reveals, log.shows, log.learned) == (0, 0, 0)
    g.reveal("GK-2.1", "x", 0, 1, to=1 << 3)
    assert (log.reveals, log.shows, log.learned) == (1, 0, 8)
    g.show("GK-2.7", "x", 0, 1)
    assert (log.reveals, log.shows, log.learned) == (1, 1, EVERYONE)


def test_an_unknown_step_in_a_dump_is_refused():
    with pytest.raises(KeyError):
        load_step(["NoSuchStep", 0], gk.STEPS)
