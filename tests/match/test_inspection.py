"""One step of a match as its author sees it, and what another chance leads to."""

from __future__ import annotations

import pytest

import veillee
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED
from veillee.match.inspection import Chance, inspect


@pytest.fixture
def match():
    match = veillee.new("sourire-du-dragon", seats=2, seed=3)
    while match.state.choice(match.choices(match.to_act[0])[0].id)[0] != "high":  # a roll of three dice comes next
        match.play(match.to_act[0], match.choices(match.to_act[0])[0])
    return match


def test_a_step_is_what_the_match_was_then(match):
    saved = match.save()
    seat, action = match.answers[-1]
    before = inspect(match, len(match.answers) - 1)
    assert before.given == (seat, action)
    assert {one.id: one.rule for one in before.answers(seat, "en")}[action] == ALLOWED
    assert len(before.answers(seat, "en")) == match.state.answers()
    assert all(one.words for one in before.answers(seat, "fr"))
    now = inspect(match)
    assert now.match.state.dump() == match.state.dump()
    assert now.question.name == "Announce"
    assert [one.name for one in now.agenda] == [type(step).__name__ for step in reversed(match.state.agenda)]
    assert now.views([NO_SEAT, 0]) == {NO_SEAT: match.view(), 0: match.view(0)}
    events = now.events("en")
    assert [one.number for one in events] == list(range(len(match.all_events())))
    assert now.told_before == len(before.match.all_events())
    assert match.save() == saved


def test_forced_dice_fall_as_they_are_told(match):
    (seat,) = match.to_act
    (high,) = [choice.id for choice in match.choices(seat) if choice.verb == "high"]
    saved = match.save()
    tried = inspect(match, None, [(seat, high)], Chance.parse("0/6, 3/6 5/6", ""))
    assert sorted(tried.match.state.dice) == [1, 4, 6]
    assert [int(share * 6) for share in tried.drawn[:3]] == [0, 3, 5]
    twice = [inspect(match, None, [(seat, high)], Chance.parse("", "7")).match.state.dump() for _ in range(2)]
    assert twice[0] == twice[1] != tried.match.state.dump()
    assert tried.views([0, 1, NO_SEAT]).keys() == {0, 1, NO_SEAT}
    assert match.save() == saved


@pytest.mark.parametrize(
    ("draws", "seed"),
    [("7/6", ""), ("1", ""), ("-1/6", ""), ("x", ""), ("2/0", ""), ("nan", ""), ("", "seven"), ("0.5 " * 101, "")],
)
def test_what_is_no_chance_is_refused(draws, seed):
    with pytest.raises(veillee.Unknown):
        Chance.parse(draws, seed)


def test_an_answer_that_a_rule_forbids_is_not_tried(match):
    with pytest.raises(veillee.Forbidden):
        inspect(match, None, [(1 - match.to_act[0], 0)])
