"""Reference players find what their way to think can find, and a best response exploits a habit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bots.toys import nim, pennies
from veillee.bots.compiled.search import Search
from veillee.bots.compiled.search_tree import ROOT, Tree
from veillee.bots.levels import level
from veillee.bots.planning import plan_as, resample_for_seat
from veillee.bots.reference_players import VALUES_BY_METHOD, reference_choice
from veillee.games.catalogue import BOXES
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.match.setup import new

BOX = BOXES["takara-island"]
HEADS, TAILS = 0, 1


class Tailed(Advisor):
    """Lays tails, always."""

    def choose(self, g, seat, moves, rng):
        return TAILS


def laid(*, responds):
    """How often seat 1, who wins if the coins differ, tried heads in its search."""
    tree = Tree()
    search = Search(pennies(), 1, Tailed(), True, 0.7, Rng(3), tree)
    search.responds = responds
    search.run(800)
    return tree.visits[tree.child(ROOT, 1, HEADS)] / 800


def test_a_response_exploits_a_habit_that_a_tree_believes_the_other_would_give_up():
    assert laid(responds=True) > 0.8
    assert laid(responds=False) < 0.7


@pytest.mark.parametrize("method", ["flat", "pimc"])
def test_the_winning_move_is_found(method):
    """Seven matches: three taken leave four, from which nothing wins."""
    found = level(method, BOX.id)
    assert reference_choice(without_advice(), nim(), 0, replace(found, iterations=4000), Rng(3)) == 3


def without_advice():
    return replace(BOX, advisor=Advisor())


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES)
def test_each_answers_by_the_rules_and_equally_for_equal_seeds(box):
    game = new(box.id, box.usual, 5)
    for method in (*VALUES_BY_METHOD, "response"):
        quick = replace(level(method, box.id), iterations=40)
        for seed in range(3):
            seat = game.to_act[0]
            answers = [
                plan_as(box, box.load(resample_for_seat(game.state, seat, seed)), seat, quick, seed, timed=False)
                for _ in range(2)
            ]
            assert answers[0] == answers[1]
            game.play(seat, answers[0][0])


def test_a_lookahead_takes_what_is_worth_most_at_once(monkeypatch):
    class Wishful(Advisor):
        def evaluate(self, g):
            return [float(g.matches == 5), 0.0]

    box = replace(BOX, advisor=Wishful())
    assert reference_choice(box, nim(), 0, level("lookahead", BOX.id), Rng(1)) == 2
