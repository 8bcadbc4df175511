"""The flow: a stack of steps, one question at a time, several seats asked at once."""

from __future__ import annotations

import pytest

from veillee.games.ghost_knights import rules as gk
from veillee.kernel.chance import Rng
from veillee.kernel.counts import one
from veillee.kernel.log import EVERYONE, NO_SEAT, Event, Log, kind
from veillee.kernel.plain import steps_of
from veillee.kernel.state import NOT_ASKED, NOT_YOU, Step, load


def table() -> gk.GhostKnights:
    return gk.new_game(5, Rng(3), {})


def test_a_question_is_for_its_seat_and_its_answers_only():
    g = table()
    (seat,) = g.to_act
    assert g.explain((seat + 1) % 5, gk.DRAW) == NOT_YOU
    assert g.explain(seat, gk.PUT) == "GK-2.2", "the rule that says when a guard is posted"
    assert g.explain(seat, g.answers()) == NOT_ASKED
    assert g.explain(seat, -1) == NOT_ASKED
    assert g.takes(seat, gk.DRAW)
    assert not g.takes(seat, gk.PUT)


def test_a_pushed_step_comes_first_and_the_rest_resumes():
    g = table()
    (seat,) = g.to_act
    below = [type(step).__name__ for step in g.agenda]
    g.knights[seat].hand = one(gk.BLACK)
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
    event = Event("GK-2.1", gk.DREW, 1, [0], to)
    assert [seat for seat in range(NO_SEAT, 3) if event.visible(seat)] == sees


def test_the_log_counts_what_was_told_and_to_whom():
    g = table()
    g.log = log = Log()
    g.note("GK-2.1", gk.DRAWN, 0)
    assert (log.reveals, log.shows, log.learned) == (0, 0, 0)
    g.reveal("GK-2.1", gk.DREW, 0, 1, to=1 << 3)
    assert (log.reveals, log.shows, log.learned) == (1, 0, 8)
    g.show("GK-2.7", gk.PLAYED, 0, 1)
    assert (log.reveals, log.shows, log.learned) == (1, 1, EVERYONE)


def test_an_unknown_step_in_a_dump_is_refused():
    data = table().dump()
    data["flow"]["question"] = ["NoSuchStep", 0]
    with pytest.raises(KeyError, match="NoSuchStep"):
        load(gk.GhostKnights, data)


def test_the_steps_of_a_game_are_those_of_its_folder():
    """Other games have steps of the same names."""
    steps = steps_of(Step, "veillee.games.ghost_knights")
    assert steps["Turn"] is gk.Turn
    assert {"DrawOrPlay", "Fight", "Scoring"} <= set(steps)
    assert all(step.__module__ == gk.__name__ for step in steps.values())


def test_figures_are_read_by_name_and_a_misspelt_one_is_an_error():
    event = Event("GK-5.1", gk.GLORY, 1, [3, 2])
    assert (event.points, event.dolmen) == (3, 2)
    with pytest.raises(AttributeError, match="dolmens"):
        _ = event.dolmens


def test_an_event_tells_as_many_figures_as_its_kind_has():
    g = table()
    g.log = Log()
    with pytest.raises(ValueError, match="drawn"):
        g.note("GK-2.1", gk.DRAWN, 0, 5)
    with pytest.raises(ValueError, match="glory"):
        Event("GK-5.1", gk.GLORY, 1, [3])
    g.tell(Event("GK-5.1", kind("row", "cards", "from_seat", "to_seat", "place"), 0, [[1, 2, 3], 0, 1, 2]))
    assert g.log.events[-1].cards == [1, 2, 3]


@pytest.mark.parametrize("figure", ["rule", "seat", "to", "two words", "kind"])
def test_a_figure_has_a_name_of_its_own(figure):
    with pytest.raises(ValueError, match="cannot name a figure"):
        kind("thing", figure)
