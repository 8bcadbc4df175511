"""Computes a bot's answers. Everything here can run in another process: ids, numbers and plain data in, numbers out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf
from time import perf_counter
from typing import Any

from veillee.bots.compiled.search import Search
from veillee.bots.compiled.search_tree import NONE, ROOT, Tree
from veillee.bots.levels import Level
from veillee.bots.levels import level as find_level
from veillee.bots.reference_players import VALUES_BY_METHOD, reference_choice
from veillee.games import catalogue
from veillee.games.box import Box
from veillee.games.network import advisor_with
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import State, Step

LOOK_UP = 16  # iterations between two checks of the clock
MIN_GAMES_TO_SETTLE = 100  # simulated games after which a position may be called won or lost
CERTAIN = 0.995
Clock = Callable[[], float]
FORLORN = 0.002


@dataclass(frozen=True)
class SearchedChoice:
    """One choice after the search."""

    action: int
    wins: float  # chance that the seat wins after it, from 0 to 1
    visits: int  # number of simulated games


def resample_for_seat(state: State, seat: int, seed: int) -> dict[str, Any]:
    """Returns the position as a bot may receive it: all that its seat cannot know is resampled.

    It depends on what the seat knows and on the seed, not on the real hidden state.
    """
    world = state.clone()
    rng = Rng(seed)
    rng.orderless = True
    world.determinize(seat, rng)
    return world.dump()


def think(box_id: str, position: dict[str, Any], seat: int, level: str, seed: int, *, timed: bool = True) -> int:
    """Returns the seat's answer to the current question; the position comes from blind()."""
    return plan(box_id, position, seat, level, seed, timed=timed)[0]


def plan(box_id: str, position: dict[str, Any], seat: int, level: str, seed: int, *, timed: bool = True) -> list[int]:
    """Returns the seat's answer, and its answers to the next questions as long as no information is revealed in
    between.

    The first is that of think(); the others come from the same tree at little cost, and only within the level's time
    limit: the whole row takes no longer than one answer may. Without time limit (`timed`) the same arguments give the
    same answers, however slow the machine.
    """
    box = catalogue.BOXES[box_id]
    return plan_as(box, box.load(position), seat, find_level(level, box_id), seed, timed=timed)


def plan_as(
    box: Box,
    state: State,
    seat: int,
    level: Level,
    seed: int,
    *,
    timed: bool = True,
    clock: Clock | None = None,
    chances: list[float] | None = None,
) -> list[int]:
    """Like plan(), for a Level given by the caller. Changes `state`.

    clock: counts the level's seconds; by default the time that a person waits.
    chances: receives each seat's mean result in the search for the first answer; stays empty without a search.
    """
    rng = Rng(seed)
    if level.iterations == 0:
        legal = state.legal(seat)
        return [legal[rng.below(len(legal))]]
    if level.method in VALUES_BY_METHOD:
        return [reference_choice(box, state, seat, level, rng)]
    clock = clock or perf_counter
    end = deadline(level, timed=timed, clock=clock)
    tree, root = Tree(), ROOT
    answers: list[int] = []
    while True:
        weighed = search_choices(box, state, seat, level, rng, tree, end, root, None if answers else chances, clock)
        if answers and clock() > end:  # cut short: searched again when it is asked
            return answers
        action = pick(box, state, seat, level, rng, weighed)
        answers.append(action)
        log = Log()
        used = rng.used
        question = state.question
        sight = sight_of(box, state, seat, level)
        state.apply(seat, action, rng, log)
        if rng.used > used or log.reveals or not still_asked(state, seat, question) or clock() > end:
            return answers
        root = tree.child(root, seat, action, sight)
        if root == NONE:
            tree, root = Tree(), ROOT


def advisor_of(box: Box, level: Level) -> Advisor:
    """Returns the advisor of the level: one with a network, the game's adept for a practised level, its former advisor
    for a former one, where the game has one; else its advisor.
    """
    if level.network:
        return advisor_with(box, level.network)
    if level.practised and box.adept is not None:
        return box.adept
    return box.former if level.former and box.former is not None else box.advisor


def sight_of(box: Box, state: State, seat: int, level: Level) -> int:
    """Returns what a practised level distinguishes its answers by; 0 for other levels."""
    return int(advisor_of(box, level).sight(state, seat)) if level.practised else 0


def still_asked(state: State, seat: int, question: Step) -> bool:
    """Returns whether the seat goes on: asked alone, or asked more of a question that others have not answered yet."""
    return seat in state.to_act and (len(state.to_act) == 1 or state.question is question)


def deadline(level: Level, *, timed: bool, clock: Clock | None = None) -> float:
    """Returns when the level must have answered, by that clock."""
    return (clock or perf_counter)() + level.seconds if timed else inf


def search_choices(
    box: Box,
    state: State,
    seat: int,
    level: Level,
    rng: Rng,
    tree: Tree,
    end: float,
    root: int = ROOT,
    chances: list[float] | None = None,
    clock: Clock | None = None,
) -> list[SearchedChoice]:
    """Searches until the deadline, and returns the choices, best first.

    The tree may have visits already. The clock is checked every few iterations, at least once: a process that was not
    scheduled for a while finds out as soon as it runs again.
    """
    legal = state.legal(seat)
    if len(legal) > 1:
        clock = clock or perf_counter
        advisor = advisor_of(box, level)
        search = Search(
            state, seat, advisor, level.guided, level.exploration, rng, tree, root, practised=level.practised
        )
        search.responds = level.method == "response"
        while (left := level.iterations - tree.visits[root]) > 0:
            search.run(min(LOOK_UP, left))
            if clock() > end:
                break
            if is_settled(tree, root, level.iterations - tree.visits[root]):
                break
        if chances is not None:
            total = sum(search.results)
            chances += [result / total for result in list(search.results)[: state.seats()]] if total > 0.0 else []
    weighed = []
    sight = sight_of(box, state, seat, level)
    for action in legal:
        node = tree.child(root, seat, action, sight)
        if node != NONE and tree.visits[node] > 0:
            weighed.append(SearchedChoice(action, tree.wins(node), tree.visits[node]))
    weighed.sort(key=lambda w: (-w.visits, -w.wins, w.action))
    return weighed or [SearchedChoice(legal[0], 0.0, 0)]


def is_settled(tree: Tree, root: int, left: int) -> bool:
    """Returns whether the remaining iterations cannot change the choice, or the game is practically won or lost."""
    first = second = 0
    hope = 0.5
    for child in tree.children(root):
        visits = tree.visits[child]
        if visits > first:
            first, second = visits, first
            hope = tree.wins(child)
        elif visits > second:
            second = visits
    return first - second > left or (first > MIN_GAMES_TO_SETTLE and not FORLORN < hope < CERTAIN)


def pick(box: Box, state: State, seat: int, level: Level, rng: Rng, weighed: list[SearchedChoice]) -> int:
    """Chooses after the search: the best choice, or an error typical of the level."""
    if level.slips > 0.0 and rng.share() < level.slips:
        legal = state.legal(seat)
        return legal[rng.below(len(legal))]
    if level.haste > 0.0 and rng.share() < level.haste:
        return advisor_of(box, level).first_idea(state, seat, rng)
    if level.blur == 0.0:
        return weighed[0].action
    best = max(w.wins for w in weighed)
    weights = [w.visits * exp((w.wins - best) / level.blur) for w in weighed]
    ball = rng.share() * sum(weights)
    for w, weight in zip(weighed, weights, strict=True):
        ball -= weight
        if ball < 0.0:
            return w.action
    return weighed[0].action


def fallback(box: Box, state: State, seat: int, seed: int) -> int:
    """Returns a sensible answer without search, for when a bot failed: the advisor's, from a resampled position."""
    world = box.load(resample_for_seat(state, seat, seed))
    return box.advisor.first_idea(world, seat, Rng(seed))
