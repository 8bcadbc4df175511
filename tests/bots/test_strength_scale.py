"""Adaptive bots: every strength between the levels, and which one matches a player's answers."""

from __future__ import annotations

from itertools import pairwise

import pytest

from veillee.bots.levels import STRENGTH_MARKS, UnknownLevel, adaptive_level_name, is_level, level, strength_of
from veillee.bots.planning import resample_for_seat, think
from veillee.bots.strength_scale import marks, strength
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng

EVERY = [adaptive_level_name(n / 100) for n in range(101)]
MEASURED = [box for box in BOXES.values() if marks(box)]


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_who_is_stronger_thinks_more_and_errs_less(box: Box) -> None:
    figures = [level(name, box.id) for name in EVERY]
    for weaker, stronger in pairwise(figures):
        assert weaker.iterations <= stronger.iterations
        assert (weaker.slips, weaker.haste, weaker.blur) > (stronger.slips, stronger.haste, stronger.blur)
        assert weaker.haste >= stronger.haste
        assert weaker.blur >= stronger.blur
    assert figures[0].slips == 1.0, "nothing but chance"
    for name in ("novice", "regular", "expert"):
        assert level(adaptive_level_name(STRENGTH_MARKS[name]), box.id) == level(name, box.id)


@pytest.mark.parametrize("box", MEASURED, ids=lambda box: box.id)
def test_who_gives_less_away_is_stronger(box: Box) -> None:
    worst, best = marks(box)[0].ratio, marks(box)[-1].ratio
    found = [strength(box, worst * 1.1 + n * (best * 0.9 - worst * 1.1) / 50) for n in range(51)]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0.0, 1.0)
    for mark in marks(box):
        assert strength(box, mark.ratio) == pytest.approx(mark.strength) == pytest.approx(STRENGTH_MARKS[mark.level])


def test_some_box_is_measured() -> None:
    assert MEASURED


def test_a_strength_is_a_name_in_hundredths() -> None:
    assert [strength_of(adaptive_level_name(one)) for one in (-1.0, 0.0, 0.617, 1.0, 3.0)] == [0.0, 0.0, 0.62, 1.0, 1.0]
    for wrong in ("measure", "measure-", "measure-0.5", "measure-1.01", "measure-2.00", "measure-0.50 ", "novice-0.50"):
        assert strength_of(wrong) is None
        assert not is_level(wrong)
        with pytest.raises(UnknownLevel):
            level(wrong, "ghost-knights")


def test_it_answers_the_same_to_the_same() -> None:
    box = BOXES["ghost-knights"]
    state = box.new(4, Rng(1), {}, None)
    seat = state.to_act[0]
    position = resample_for_seat(state, seat, 1)
    answers = [think(box.id, position, seat, adaptive_level_name(0.5), 8, timed=False) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0] in state.legal(seat)
