"""The search finds the best answer, learns simultaneous answers without hidden information, and is reproducible by seed."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest

from bots.toys import LOOK, Fond, Watchful, cups, nim, pennies
from veillee.bots.compiled.search import Search, quick_game
from veillee.bots.compiled.search_tree import ROOT, Tree
from veillee.games.catalogue import BOXES
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, State, load
from veillee.match.setup import complete


def searched(game: State, seat: int, iterations: int, *, guided: bool, seed: int = 3) -> Tree:
    tree = Tree()
    Search(game, seat, Advisor(), guided, 0.7, Rng(seed), tree).run(iterations)
    return tree


@pytest.mark.parametrize("guided", [False, True])
def test_finds_the_winning_move(guided: bool) -> None:
    tree = searched(nim(), 0, 2000, guided=guided)
    best = max(tree.children(ROOT), key=lambda child: tree.visits[child])
    assert tree.action[best] == 3
    assert tree.wins(best) > 0.85


@pytest.mark.parametrize("seat", [0, 1])
def test_simultaneous_answers_are_not_peeked_at(seat: int) -> None:
    """A search that saw the other coin would win always, one that showed its own never.

    Two searches without chance can fall into step, for or against the one or the other: so several beginnings.
    """
    values = []
    for seed in range(24):
        tree = searched(pennies(), seat, 400, guided=False, seed=seed)
        mine = [tree.child(ROOT, seat, coin) for coin in (0, 1)]
        values.append(sum(tree.reward[child] for child in mine) / sum(tree.visits[child] for child in mine))
    assert mean(values) == pytest.approx(0.5, abs=0.2)
    assert any(abs(value - 0.5) < 0.1 for value in values)


def test_all_that_were_asked_learn_apart() -> None:
    tree = searched(pennies(), 0, 100, guided=False)
    known = sorted((tree.seat[child], tree.action[child]) for child in tree.children(ROOT))
    assert known == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert sum(tree.visits[tree.child(ROOT, 0, coin)] for coin in (0, 1)) == 100


def test_what_is_seen_on_the_way_is_another_choice_for_whoever_is_practised() -> None:
    """Walked by answers alone, the tree guesses after a look as blindly as before it."""

    def value_of_looking(*, practised: bool) -> float:
        tree = Tree()
        Search(cups(), 0, Watchful(), True, 0.7, Rng(3), tree, practised=practised).run(600)
        return tree.wins(tree.child(ROOT, 0, LOOK))

    assert value_of_looking(practised=True) > 0.9
    assert value_of_looking(practised=False) < 0.65


def test_habits_are_tried_first_and_in_proportion() -> None:
    """A habit that speaks e^2 times as loudly for an answer has it named about so many times as often."""

    def ideas(habits: list[float], *, practised: bool) -> list[int]:
        tree = Tree()
        Search(nim(), 0, Fond(habits=habits), True, 0.7, Rng(3), tree, practised=practised).run(190)
        return [tree.ideas[tree.child(ROOT, 0, taken)] for taken in (1, 2, 3)]

    one, two, three = ideas([2.0], practised=True)
    assert 4 < two / ((one + three) / 2) < 9  # e² = 7.4, and one idea in eight is any at all
    for plain in (ideas([2.0], practised=False), ideas([], practised=True)):
        assert max(plain) < 2 * min(plain)


def test_an_interpreted_game_is_written_down_and_read_back_like_any_other() -> None:
    game = nim()
    game.apply(0, 2, Rng(0))
    again = load(type(game), game.dump())
    assert (
        again.dump()
        == game.dump()
        == {
            "flow": {"to_act": [1], "question": ["Take", 1], "agenda": []},
            "matches": 5,
            "last": 0,
        }
    )


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_same_seed_gives_the_same_tree(box: Any) -> None:
    def tree(seed: int) -> list[tuple[int, int, float]]:
        state = box.new(box.players[-1], Rng(5), complete(box, {}), None)
        tree = Tree()
        Search(state, state.to_act[0], box.advisor, True, 0.7, Rng(seed), tree).run(12)
        return [(tree.action[n], tree.visits[n], tree.reward[n]) for n in range(len(tree.visits))]

    assert tree(1) == tree(1)


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_position_that_is_searched_stays_as_it_was(box: Any) -> None:
    state = box.new(box.players[0], Rng(5), complete(box, {}), None)
    before = state.dump()
    Search(state, state.to_act[0], box.advisor, True, 0.7, Rng(1), Tree()).run(5)
    assert state.dump() == before


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_quick_game_is_judged_where_the_features_tell_most(box: Any) -> None:
    """After some decisions; in a game of whole phases (Ghost Knights: the way to a scoring), when the next one begins; where
    nothing was learned, at the end."""
    advisor = box.advisor
    world = box.new(box.players[-1], Rng(5), complete(box, {}), None)
    began = advisor.phase(world)
    twin, rng, decisions = world.clone(), Rng(1), 0
    hopes = quick_game(world, advisor, Rng(1), Moves())
    assert list(hopes) == list(advisor.evaluate(world))
    if advisor.horizon(world) == 0:
        assert not world.to_act
        return
    assert world.to_act
    assert advisor.quiet(world)
    if advisor.whole_phases:
        assert advisor.phase(world) == began - 1
    else:
        while twin.dump() != world.dump():  # the same game once more, decision by decision
            seat = twin.to_act[0]
            twin.apply(seat, advisor.first_idea(twin, seat, rng), rng)
            decisions += 1
        assert decisions >= advisor.reach


def test_ghost_knights_judges_after_scorings() -> None:
    assert BOXES["ghost-knights"].advisor.whole_phases
