"""The search finds what is best, learns simultaneous answers without peeking, and repeats itself for the same seed."""

from __future__ import annotations

from typing import Any

import pytest

from bots.toys import Nim, Pennies
from veillee.bots.compiled import search as module
from veillee.bots.compiled.search import SEAT, Search, new_node
from veillee.games.catalogue import BOXES
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.match.match import complete

toys = pytest.mark.skipif(
    not (module.__file__ or "").endswith(".py"), reason="the compiled search takes compiled games only"
)


def searched(game: Any, seat: int, iterations: int, *, guided: bool) -> Search:
    search = Search(game, seat, Advisor(), guided, 0.7, Rng(3), new_node(-1))
    search.run(iterations)
    return search


@toys
@pytest.mark.parametrize("guided", [False, True])
def test_finds_the_winning_move(guided: bool) -> None:
    children = searched(Nim(), 0, 2000, guided=guided).root.children
    visits = {edge % SEAT: child.visits for edge, child in children.items()}
    assert max(visits, key=visits.__getitem__) == 3
    best = children[3]
    assert best.reward / best.visits > 0.85


@toys
@pytest.mark.parametrize("seat", [0, 1])
def test_simultaneous_answers_are_not_peeked_at(seat: int) -> None:
    """A search that saw the other coin would win always, one that showed its own never."""
    root = searched(Pennies(), seat, 4000, guided=False).root
    mine = [root.children[seat * SEAT + coin] for coin in (0, 1)]
    value = sum(child.reward for child in mine) / sum(child.visits for child in mine)
    assert value == pytest.approx(0.5, abs=0.06)


@toys
def test_all_that_were_asked_learn_apart() -> None:
    root = searched(Pennies(), 0, 100, guided=False).root
    assert sorted(root.children) == [0, 1, SEAT, SEAT + 1]
    assert sum(root.children[coin].visits for coin in (0, 1)) == 100


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_same_seed_gives_the_same_tree(box: Any) -> None:
    def tree(seed: int) -> list[tuple[int, int, float]]:
        state = box.new(box.players[-1], Rng(5), complete(box, {}), None)
        search = Search(state, state.to_act[0], box.advisor, True, 0.7, Rng(seed), new_node(-1))
        search.run(12)
        return [(edge, node.visits, node.reward) for edge, node in search.root.children.items()]

    assert tree(1) == tree(1)


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_position_that_is_searched_stays_as_it_was(box: Any) -> None:
    state = box.new(box.players[0], Rng(5), complete(box, {}), None)
    before = state.dump()
    Search(state, state.to_act[0], box.advisor, True, 0.7, Rng(1), new_node(-1)).run(5)
    assert state.dump() == before


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_quick_game_is_judged_where_the_features_tell_most(box: Any) -> None:
    """After some decisions; in a game of whole phases (Ghost Knights: the way to a scoring), when the next one begins."""
    advisor = box.advisor
    world = box.new(box.players[-1], Rng(5), complete(box, {}), None)
    began = advisor.phase(world)
    search = Search(world, world.to_act[0], advisor, True, 0.7, Rng(1), new_node(-1))
    hopes = search.playout(world)
    assert hopes == advisor.evaluate(world)
    assert world.to_act
    assert advisor.quiet(world)
    if advisor.whole_phases:
        assert advisor.phase(world) == began - 1
    else:
        assert search.decisions >= advisor.reach


def test_ghost_knights_judges_after_scorings() -> None:
    assert BOXES["ghost-knights"].advisor.whole_phases
