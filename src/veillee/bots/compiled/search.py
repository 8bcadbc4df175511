"""Information-set Monte-Carlo tree search over any game, through the kernel's contract alone.

Every iteration samples a world that the seat cannot tell from the real one, follows the tree through it (each choice by
the interest of the seat that makes it), adds one choice to the tree, plays the rest of the game quickly and backs up
its result. What a seat cannot see decides nothing: the tree branches on choices, never on hidden information, and
simultaneous answers are learned seat by seat, each without knowledge of the others.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from veillee.bots.compiled.search_tree import NONE, ROOT, Tree
from veillee.kernel.advisor import Advisor, shares
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import MOST_ACTIONS, MOST_SEATS, Moves, State, first_to_act, offer, play

AFTER: Final = -2  # the edge after a question to several seats, for a searching seat that was not asked
CURIOSITY: Final = 8  # one idea in so many is random, not the advisor's
NO_PHASE: Final = -1  # a playout may stop in any phase of the game
FAMILIAR: Final = 200  # visits after which the advisor is no longer asked


@final
class Search:
    """One seat's search for one question. The position must be resampled for that seat.

    observer: worlds are resampled for it; TOGETHER: each world is searched as if all hands were open.
    responds: the others are taken to play the advisor's ideas, which are chance to the tree: an approximate best response.
    """

    def __init__(
        self,
        state: State,
        seat: i64,
        advisor: Advisor,
        guided: bool,
        exploration: float,
        rng: Rng,
        tree: Tree,
        root: i64 = ROOT,
        practised: bool = False,
    ) -> None:
        self.state = state
        self.seat = seat
        self.advisor = advisor
        self.guided = guided
        self.exploration = exploration
        self.rng = rng
        self.tree = tree
        self.root = root
        self.practised = practised
        self.observer = seat
        self.responds = False
        self.path = vec[i64]()  # nodes of this iteration; only the first `depth` are valid
        self.depth: i64 = 0
        self.moves = Moves()
        self.open = vec[u8]([0] * MOST_ACTIONS)  # 1: the choice exists in this world (and is not visited yet)
        self.cursors = vec[i64]([NONE] * MOST_SEATS)
        self.results = vec[float]([0.0] * MOST_SEATS)  # each seat's, summed over the iterations

    def run(self, iterations: i64) -> None:
        """Runs so many more iterations."""
        rng = self.rng
        for _iteration in range(iterations):
            world = self.state.clone()
            world.determinize(self.observer, rng)
            if self.practised:
                self.advisor.reopen(world, self.seat)
            self.depth = 0
            self.tree.visits[self.root] += 1
            self.descend(world)
            self.learn(self.playout(world))

    def descend(self, world: State) -> None:
        """Follows the tree through the choices that exist in this world, up to the first new one."""
        node = self.root
        while world.waiting:
            seat = first_to_act(world)
            if world.waiting != 1 << seat:
                node = self.together(node, world)
                if node == NONE:
                    return
                continue
            if self.responds and seat != self.seat:
                offer(world, seat, self.moves)
                play(world, seat, self.quick(world, seat), self.rng)
                continue
            child = self.select(node, world, seat)
            play(world, seat, self.tree.action[child], self.rng)
            self.follow(child)
            if self.tree.visits[child] == 0:
                return
            node = child

    def follow(self, child: i64) -> None:
        depth = self.depth
        if depth < len(self.path):
            self.path[depth] = child
        else:
            self.path = append(self.path, child)
        self.depth = depth + 1

    def together(self, node: i64, world: State) -> i64:
        """Handles a question to several seats: each follows its own choices from here, blind to the others'.

        To the searching seat the others' answers are chance, so the tree goes on from its own last choice. Returns NONE
        if that choice was new.
        """
        tree = self.tree
        question = world.question
        for place in range(MOST_SEATS):
            self.cursors[place] = node
        asked = False
        while world.waiting and world.question is question:
            seat = first_to_act(world)
            if world.asks(self.seat):
                seat = self.seat
                asked = True
            cursor = self.cursors[seat]
            if cursor == NONE or (self.responds and seat != self.seat):
                offer(world, seat, self.moves)
                play(world, seat, self.quick(world, seat), self.rng)
                continue
            child = self.select(cursor, world, seat)
            play(world, seat, tree.action[child], self.rng)
            self.follow(child)
            new = tree.visits[child] == 0
            self.cursors[seat] = NONE if new else child
            if new and seat == self.seat:
                return NONE
        if asked:
            return self.cursors[self.seat]
        if self.responds:
            return node
        after = tree.child(node, NO_SEAT, AFTER)
        return after if after != NONE else tree.grow(node, NO_SEAT, AFTER)

    def select(self, node: i64, world: State, seat: i64) -> i64:
        """Returns the choice to follow from here, perhaps a new one."""
        moves = self.moves
        offer(world, seat, moves)
        for place in range(moves.count):
            action = moves.actions[place]
            self.open[action] = 1
        best = self.heed(node, world, seat) if self.guided else self.try_all(node, seat)
        for place in range(moves.count):
            action = moves.actions[place]
            self.open[action] = 0
        return best

    def try_all(self, node: i64, seat: i64) -> i64:
        """Tries every choice once, then selects by UCT."""
        tree = self.tree
        moves = self.moves
        new = moves.count
        best = node
        best_value = -1.0
        child = tree.first[node]
        while child != NONE:
            action = tree.action[child]
            if tree.seat[child] == seat and self.open[action] == 1:
                self.open[action] = 0
                new -= 1
                tree.available[child] += 1
                visits = float(int(tree.visits[child]))
                value = tree.reward[child] / visits
                value += self.exploration * sqrt(log(float(int(tree.available[child]))) / visits)
                if value > best_value:
                    best_value = value
                    best = child
            child = tree.next[child]
        if new == 0:
            return best
        pick = self.rng.below(new)
        for place in range(moves.count):
            action = moves.actions[place]
            if self.open[action] == 1:
                if pick == 0:
                    return tree.grow(node, seat, action)
                pick -= 1
        return best

    def heed(self, node: i64, world: State, seat: i64) -> i64:
        """Tries the advisor's ideas; among tried choices, selects by PUCT: those that did well, and those that the
        advisor names often.

        How often the advisor named a choice is its prior. So a few iterations play like the advisor, and many can find
        it wrong.
        """
        tree = self.tree
        sight: i64 = 0
        familiar = tree.visits[node]
        if self.practised:
            sight = self.advisor.sight(world, seat)
            if sight != 0:
                familiar = tree.visits_in(node, seat, sight)
        if familiar < FAMILIAR:
            action = self.idea(world, seat)
            named = tree.child(node, seat, action, sight)
            if named == NONE:
                return tree.grow(node, seat, action, sight)
            tree.ideas[named] += 1
        visits: i64 = 0
        ideas: i64 = 0
        child = tree.first[node]
        while child != NONE:
            action = tree.action[child]
            if tree.seat[child] == seat and tree.sight[child] == sight and self.open[action] == 1:
                visits += tree.visits[child]
                ideas += tree.ideas[child]
            child = tree.next[child]
        if ideas == 0:
            return tree.grow(node, seat, self.idea(world, seat), sight)
        curiosity = self.exploration * sqrt(float(int(visits))) / float(int(ideas))
        best = node
        best_value = -1.0
        child = tree.first[node]
        while child != NONE:
            action = tree.action[child]
            if tree.seat[child] == seat and tree.sight[child] == sight and self.open[action] == 1:
                count = float(int(tree.visits[child]))
                value = tree.reward[child] / count + curiosity * float(int(tree.ideas[child])) / (1.0 + count)
                if value > best_value:
                    best_value = value
                    best = child
            child = tree.next[child]
        return best

    def idea(self, world: State, seat: i64) -> i64:
        """Returns what to try next in the tree: mostly the advisor's idea, sometimes a random choice."""
        if self.rng.below(CURIOSITY) == 0:
            return self.moves.random(self.rng)
        if self.practised:
            return self.advisor.advise(world, seat, self.moves, self.rng)
        return self.advisor.choose(world, seat, self.moves, self.rng)

    def quick(self, world: State, seat: i64) -> i64:
        if self.guided:
            return self.advisor.choose(world, seat, self.moves, self.rng)
        return self.moves.random(self.rng)

    def playout(self, world: State) -> vec[float]:
        """Plays the rest of the game quickly; returns each seat's result, or its estimate where the advisor stops."""
        if self.guided:
            return quick_game(world, self.advisor, self.rng, self.moves, self.practised)
        playout(world, self.rng, self.moves)
        return shares(world)

    def learn(self, result: vec[float]) -> None:
        tree = self.tree
        for place in range(len(result)):
            self.results[place] += result[place]
        for place in range(self.depth):
            node = self.path[place]
            tree.visits[node] += 1
            seat = tree.seat[node]
            tree.reward[node] += result[seat]


def quick_game(world: State, advisor: Advisor, rng: Rng, moves: Moves, practised: bool = False) -> vec[float]:
    """Plays the advisor's ideas until it stops (a practised search uses its faster `hurry`); returns each seat's
    result or its estimate.
    """
    horizon = advisor.horizon(world)
    began = advisor.phase(world) if advisor.whole_phases else NO_PHASE
    played: i64 = 0
    while world.waiting:
        if played >= horizon and horizon > 0 and advisor.quiet(world) and advisor.phase(world) != began:
            break
        seat = first_to_act(world)
        if practised:
            played += advisor.hurry(world, seat, moves, rng)
            continue
        offer(world, seat, moves)
        play(world, seat, advisor.choose(world, seat, moves, rng), rng)
        played += 1
    return advisor.evaluate(world)


def playout(state: State, rng: Rng, moves: Moves) -> i64:
    """Plays random choices to the end of the game; returns the number of decisions."""
    decisions: i64 = 0
    while state.waiting:
        seat = first_to_act(state)
        offer(state, seat, moves)
        play(state, seat, moves.random(rng), rng)
        decisions += 1
    return decisions
