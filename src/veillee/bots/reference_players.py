"""Reference players: simpler ways to think, against which the search is measured in the arena (docs/opponents.md).

lookahead   evaluates the position after each choice
flat        random games to the end after each choice, as many for each
pimc        searches sampled worlds one by one as if all hands were open, and adds up what it finds
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veillee.bots.compiled.search import Search, playout
from veillee.bots.compiled.search_tree import NONE, ROOT, Tree
from veillee.bots.levels import Level
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import TOGETHER
from veillee.kernel.state import Moves, State

WORLDS_SEARCHED = 20  # by perfect-information search, each with its part of the iterations


def reference_choice(box: Box, state: State, seat: int, level: Level, rng: Rng) -> int:
    """Returns the answer of a reference player. The position must be resampled for that seat."""
    choices = state.legal(seat)
    if len(choices) == 1:
        return choices[0]
    values = VALUES_BY_METHOD[level.method](box, state, seat, choices, level, rng)
    return choices[max(range(len(choices)), key=lambda place: values[place])]


def _evaluated(box: Box, state: State, seat: int, choices: Sequence[int], level: Level, rng: Rng) -> list[float]:
    """Returns the mean evaluation after each choice, in the same worlds."""
    return _mean_results(state, seat, choices, level, rng, lambda world: box.advisor.evaluate(world)[seat])


def _played_at_random(
    _box: Box, state: State, seat: int, choices: Sequence[int], level: Level, rng: Rng
) -> list[float]:
    """Returns the mean result of random games after each choice, in the same worlds."""
    moves = Moves()

    def result(world: State) -> float:
        playout(world, rng, moves)
        return world.returns()[seat]

    return _mean_results(state, seat, choices, level, rng, result)


def _mean_results(
    state: State,
    seat: int,
    choices: Sequence[int],
    level: Level,
    rng: Rng,
    result: Callable[[State], float],
) -> list[float]:
    totals = [0.0] * len(choices)
    for _ in range(max(1, level.iterations // len(choices))):
        world = state.clone()
        world.determinize(seat, rng)
        for place, action in enumerate(choices):
            after = world.clone()
            after.apply(seat, action, rng)
            totals[place] += result(after)
    return totals


def _searched_openly(box: Box, state: State, seat: int, choices: Sequence[int], level: Level, rng: Rng) -> list[float]:
    """Returns how often each choice was visited, over searches of worlds in which every seat sees everything."""
    visits = [0.0] * len(choices)
    for _ in range(WORLDS_SEARCHED):
        world, tree = state.clone(), Tree()
        world.determinize(seat, rng)
        search = Search(world, seat, box.advisor, level.guided, level.exploration, rng, tree)
        search.observer = TOGETHER
        search.run(max(1, level.iterations // WORLDS_SEARCHED))
        for place, action in enumerate(choices):
            node = tree.child(ROOT, seat, action)
            visits[place] += int(tree.visits[node]) if node != NONE else 0
    return visits


VALUES_BY_METHOD: dict[str, Callable[[Box, State, int, Sequence[int], Level, Rng], list[float]]] = {
    "lookahead": _evaluated,
    "flat": _played_at_random,
    "pimc": _searched_openly,
}
