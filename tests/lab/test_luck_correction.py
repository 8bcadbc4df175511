"""Luck by the evaluation alone: none without chance, 0 on average, and no effect on the game."""

from __future__ import annotations

import pytest

import veillee
from veillee.bots.evaluation import is_chance
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER
from veillee.lab.luck_correction import Luck, luck_of
from veillee.match.setup import complete


@pytest.mark.parametrize("game", BOXES)
def test_keeping_account_of_luck_changes_nothing_of_the_game(game: str) -> None:
    box, ends = BOXES[game], []
    for keep in (False, True):
        rng, ideas = Rng(6), Rng(7)
        state = box.new(box.players[0], rng, complete(box, {}), None)
        luck = Luck(box, box.players[0], 1, worlds=1, games=1)
        while state.to_act:
            seat = state.to_act[0]
            action = box.advisor.first_idea(state, seat, ideas)
            if keep:
                luck.play(state, seat, action, rng)
            else:
                state.apply(seat, action, rng)
        ends.append(state.dump())
    assert ends[0] == ends[1]
    evaluation, quick = zip(*luck.of, strict=True)
    assert any(evaluation) or game == "tales-of-glory", "its evaluation does not look at what was drawn"
    assert any(quick)


@pytest.mark.parametrize("judge", [{"worlds": 8, "games": 0}, {"worlds": 0, "games": 2}])
def test_over_all_that_could_have_come_luck_is_nothing(judge: dict[str, int]) -> None:
    """One answer, many times in worlds that no seat can tell apart."""
    box = BOXES["takara-island"]
    rng = Rng(3)
    state = box.new(2, rng, complete(box, {}), None)
    for _ in range(25):
        state.apply(state.to_act[0], box.advisor.first_idea(state, state.to_act[0], rng), rng)
    seat, lucks = state.to_act[0], []
    action = next(a for a in state.legal(seat) if is_chance(state, seat, a))
    for _ in range(400):
        world = state.clone()
        world.determinize(TOGETHER, rng)
        luck = Luck(box, 2, rng.seed(), **judge)
        luck.play(world, seat, action, rng)
        lucks += luck.of[seat]
    mean = sum(lucks) / len(lucks)
    error = (sum((x - mean) ** 2 for x in lucks) / len(lucks) / (len(lucks) - 1)) ** 0.5
    assert error > 0, "the answer has no chance in it: the test proves nothing"
    assert abs(mean) < 3 * error


def test_the_luck_of_a_match_that_was_played() -> None:
    match, ideas = veillee.new("sourire-du-dragon", 2, seed=2), Rng(1)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.box.advisor.first_idea(match.state, seat, ideas))
    found = luck_of(match, 5)
    assert found == luck_of(match, 5)
    assert all(map(any, zip(*found, strict=True))), "by both judges"


def test_quick_games_see_what_an_evaluation_does_not() -> None:
    box, rng = BOXES["tales-of-glory"], Rng(2)
    state = box.new(2, rng, complete(box, {}), None)
    luck = Luck(box, 2, 1, worlds=1, games=1)
    while state.to_act and not any(map(any, luck.of)):
        luck.play(state, state.to_act[0], box.advisor.first_idea(state, state.to_act[0], rng), rng)
    assert [bool(one) for one in luck.of[0]] == [False, True]
