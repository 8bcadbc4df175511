"""Every game's advisor: legal choices, chances that add up, weights that fit its features."""

from __future__ import annotations

import pytest
from librt.vecs import vec

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.advisor import compare, nerve_of
from veillee.kernel.chance import Rng
from veillee.lab.policy_learning import signs_of
from veillee.match.setup import complete


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_an_advised_game_ends_with_legal_choices_and_sound_estimates(box: Box) -> None:
    rng = Rng(11)
    state = box.new(box.players[-1], rng, complete(box, {}), None)
    judged = 0
    for _ in range(5000):
        if not state.to_act:
            break
        if box.advisor.quiet(state):
            hopes = box.advisor.evaluate(state)
            assert len(hopes) == state.seats()
            assert all(0.0 <= hope <= 1.0 for hope in hopes)
            judged += len(box.advisor.weights) > 0 and sum(hopes) == pytest.approx(1.0)
        seat = state.to_act[0]
        legal = state.legal(seat)
        action = box.advisor.first_idea(state, seat, rng)
        assert action in legal
        state.apply(seat, action, rng)
    assert not state.to_act
    assert judged or len(box.advisor.weights) == 0
    assert list(box.advisor.evaluate(state)) == state.returns()


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_weights_fit_the_features(box: Box) -> None:
    """Learn again (python -m veillee.lab.value_learning) after changing what an advisor looks at."""
    state = box.new(box.players[-1], Rng(1), complete(box, {}), None)
    width = len(box.advisor.features(state, 0))
    assert {len(row) for row in box.advisor.weights} <= {width} or {len(row) for row in box.advisor.weights} == {
        2 * width + 1
    }
    if box.former is not None:
        assert {len(row) for row in box.former.weights} == {width}, "expert-1 judges seats one by one"


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_signs_and_sights_tell_nothing_that_the_seat_cannot_know(box: Box) -> None:
    """They are the same in every world that the seat cannot tell from the real one; and each sign has its habit."""
    rng, asked = Rng(12), 0
    state = box.new(box.players[-1], rng, complete(box, {}), None)
    while state.to_act:
        for seat in state.to_act:
            seen, told = box.advisor.sight(state, seat), signs_of(box.advisor, state, seat)
            for world in range(2):
                other = state.clone()
                other.determinize(seat, Rng(world))
                assert (box.advisor.sight(other, seat), signs_of(box.advisor, other, seat)) == (seen, told)
            if len(box.advisor.habits):
                asked += any(signs for _, signs in told)
                assert all(0 <= number < len(box.advisor.habits) for _, signs in told for number, _ in signs)
        seat = state.to_act[0]
        state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
    assert asked or len(box.advisor.habits) == 0


def test_seats_are_compared_with_the_best_of_the_others() -> None:
    rows = [[3.0, 1.0], [5.0, 1.0], [4.0, 0.0]]
    wide = compare(vec[vec[float]]([vec[float](row) for row in rows]))
    assert [list(row) for row in wide] == [[3, 1, -2, 0], [5, 1, 1, 0], [4, 0, -1, -1]]
    assert [list(row) for row in compare(vec[vec[float]]([vec[float]([7.0])]))] == [[7, 0]], "alone, ahead of nobody"


def test_a_lead_counts_for_more_at_a_larger_table() -> None:
    assert nerve_of(0.3, 3) == 1.0
    assert nerve_of(0.3, 2) < 1.0 < nerve_of(0.3, 4) < nerve_of(0.3, 6)
