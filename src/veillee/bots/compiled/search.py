"""Information-set Monte-Carlo tree search over any game, through the kernel's contract alone.

Every iteration draws a world that the seat cannot tell from the real one, follows the tree through it (each choice by
the interest of the seat that makes it), adds one choice to the tree, plays the rest of the game quickly and learns from
its result. What a seat cannot see decides nothing: the tree is walked by choices, never by hidden things, and answers
given at the same time are learned seat by seat, none of them knowing the others.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Final

from mypy_extensions import mypyc_attr

from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.state import State

SEAT: Final = 65536  # an edge of the tree is seat * SEAT + action
AFTER: Final = -2  # the edge that leads on from a question asked of several seats, for one that was not asked
MOST_SEATS: Final = 8
CURIOSITY: Final = 8  # one idea in so many is taken at random, whatever the advisor says
NO_PHASE: Final = -1  # a playout may stop in any phase of the game
FAMILIAR: Final = 200  # visits after which the advisor is not asked any more


@mypyc_attr(acyclic=True)
class Node:
    """What the search has learnt about one sequence of choices."""

    edge: int
    visits: int
    available: int  # how often the choice could have been made (plain search)
    ideas: int  # how often the advisor named it (guided search)
    reward: float  # the sum of what its seat won after it
    children: dict[int, Node]


def new_node(edge: int) -> Node:
    node = Node()
    node.edge = edge
    node.visits = 0
    node.available = 0
    node.ideas = 0
    node.reward = 0.0
    node.children = {}
    return node


class Search:
    """One seat's thinking about one question. Give it a position resampled for that seat."""

    def __init__(
        self, state: State, seat: int, advisor: Advisor, guided: bool, exploration: float, rng: Rng, root: Node
    ) -> None:
        self.state = state
        self.seat = seat
        self.advisor = advisor
        self.guided = guided
        self.exploration = exploration
        self.rng = rng
        self.root = root
        self.path: list[Node] = []
        self.decisions = 0

    def run(self, iterations: int) -> None:
        """So many more games in the head."""
        rng = self.rng
        for _ in range(iterations):
            world = self.state.clone()
            world.determinize(self.seat, rng)
            self.path.clear()
            self.root.visits += 1
            self.descend(world)
            self.learn(self.playout(world))

    def descend(self, world: State) -> None:
        """Follow the tree through the choices that exist in this world; stop at the first new one."""
        node = self.root
        while world.to_act:
            if len(world.to_act) > 1:
                after = self.together(node, world)
                if after is None:
                    return
                node = after
                continue
            seat = world.to_act[0]
            child = self.select(node, world, seat)
            world.apply(seat, child.edge - seat * SEAT, self.rng)
            self.path.append(child)
            if child.visits == 0:
                return
            node = child

    def together(self, node: Node, world: State) -> Node | None:
        """Several seats are asked at once: each one follows its own choices from here, blind to the others'.

        What the others answer is chance to the seat that thinks, so the tree goes on from its own last choice.
        None: that choice was new.
        """
        question = world.question
        cursors: list[Node | None] = [node] * MOST_SEATS
        asked = False
        while world.to_act and world.question is question:
            seat = world.to_act[0]
            if self.seat in world.to_act:
                seat = self.seat
                asked = True
            cursor = cursors[seat]
            if cursor is None:
                world.apply(seat, self.quick(world, seat, world.legal(seat)), self.rng)
                continue
            child = self.select(cursor, world, seat)
            world.apply(seat, child.edge - seat * SEAT, self.rng)
            self.path.append(child)
            cursors[seat] = child if child.visits > 0 else None
            if child.visits == 0 and seat == self.seat:
                return None
        if asked:
            return cursors[self.seat]
        after = node.children.get(AFTER)
        if after is None:
            after = new_node(AFTER)
            node.children[AFTER] = after
        return after

    def select(self, node: Node, world: State, seat: int) -> Node:
        """The choice to follow from here, a new one perhaps."""
        legal = world.legal(seat)
        if self.guided:
            return self.heed(node, world, seat, legal)
        base = seat * SEAT
        children = node.children
        new = 0
        best = node
        best_value = -1.0
        for action in legal:
            child = children.get(base + action)
            if child is None:
                new += 1
                continue
            child.available += 1
            value = child.reward / child.visits + self.exploration * sqrt(log(child.available) / child.visits)
            if value > best_value:
                best_value = value
                best = child
        if new == 0:
            return best
        pick = self.rng.below(new)
        for action in legal:
            if base + action not in children:
                if pick == 0:
                    return self.grow(node, base + action)
                pick -= 1
        return best

    def heed(self, node: Node, world: State, seat: int, legal: list[int]) -> Node:
        """Try what the advisor would do; among what was tried, follow what did well, and what the advisor says often.

        How often the advisor named a choice stands for its prior chance (PUCT). So a few iterations play like the
        advisor, and many can find it wrong.
        """
        base = seat * SEAT
        children = node.children
        if node.visits < FAMILIAR:
            action = self.idea(world, seat, legal)
            child = children.get(base + action)
            if child is None:
                return self.grow(node, base + action)
            child.ideas += 1
        visits = 0
        ideas = 0
        for action in legal:
            child = children.get(base + action)
            if child is not None:
                visits += child.visits
                ideas += child.ideas
        if ideas == 0:
            return self.grow(node, base + self.idea(world, seat, legal))
        curiosity = self.exploration * sqrt(visits) / ideas
        best = node
        best_value = -1.0
        for action in legal:
            child = children.get(base + action)
            if child is not None:
                value = child.reward / child.visits + curiosity * child.ideas / (1 + child.visits)
                if value > best_value:
                    best_value = value
                    best = child
        return best

    def grow(self, node: Node, edge: int) -> Node:
        child = new_node(edge)
        child.available = 1
        child.ideas = 1
        node.children[edge] = child
        return child

    def idea(self, world: State, seat: int, legal: list[int]) -> int:
        """What to try next in the tree: mostly what the advisor would do, and now and then anything."""
        if self.rng.below(CURIOSITY) == 0:
            return legal[self.rng.below(len(legal))]
        return self.advisor.choose(world, seat, legal, self.rng)

    def quick(self, world: State, seat: int, legal: list[int]) -> int:
        if self.guided:
            return self.advisor.choose(world, seat, legal, self.rng)
        return legal[self.rng.below(len(legal))]

    def playout(self, world: State) -> list[float]:
        """The rest of the game, quickly; what each seat got, or may hope for where the advisor stops the play."""
        rng = self.rng
        if not self.guided:
            while world.to_act:
                seat = world.to_act[0]
                legal = world.legal(seat)
                world.apply(seat, legal[rng.below(len(legal))], rng)
                self.decisions += 1
            return world.returns()
        advisor = self.advisor
        horizon = advisor.horizon(world)
        began = advisor.phase(world) if advisor.whole_phases else NO_PHASE
        played = 0
        while world.to_act:
            if played >= horizon > 0 and advisor.quiet(world) and advisor.phase(world) != began:
                break
            seat = world.to_act[0]
            world.apply(seat, advisor.choose(world, seat, world.legal(seat), rng), rng)
            played += 1
        self.decisions += played
        return advisor.evaluate(world)

    def learn(self, result: list[float]) -> None:
        for node in self.path:
            node.visits += 1
            node.reward += result[node.edge // SEAT]


def playout(state: State, rng: Rng) -> int:
    """Random choices to the end of the game; the number of decisions."""
    decisions = 0
    while state.to_act:
        seat = state.to_act[0]
        actions = state.legal(seat)
        state.apply(seat, actions[rng.below(len(actions))], rng)
        decisions += 1
    return decisions
