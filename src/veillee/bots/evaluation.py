"""Evaluates positions and answers: what an answer was worth, and what chance changed.

Chances are shares of the victory. Those of a position are evaluated from what all seats together know, because only
then is chance fair: what no seat can know is resampled. What a seat should have answered is evaluated from what that
seat knew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

from veillee.bots.compiled.rollouts import NO_ACTION, outcomes
from veillee.bots.compiled.search_tree import Tree
from veillee.bots.levels import Level
from veillee.bots.levels import level as find_level
from veillee.bots.planning import advisor_of, resample_for_seat, search_choices
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, TOGETHER, Log
from veillee.kernel.state import State

COMPARED = 3  # of the choices that the search proposes
NOISE = 0.03  # a choice that costs less is never called a mistake
MISTAKE_STANDARD_ERRORS = 2.0  # nor one whose cost is below this many standard errors
LONGER = 2  # times the expert's iterations, to confirm a mistake
GLANCE = 4  # a first pass with this fraction of them is enough if the answer was by then visited less than
MISTAKE_ODDS_DIVISOR = 4  # 1 / this many times as often as the best one


@dataclass(frozen=True)
class Budget:
    """Numbers of simulated games; the same seed and budget give the same result."""

    position: int = 240  # to evaluate a position
    search: int = 400  # to propose choices to compare; a mistake is confirmed with LONGER times an expert's
    choice: int = 240  # to evaluate each of these

    @property
    def reason(self) -> int:
        """Games to the end, to explain why one of two choices is better."""
        return max(1, self.choice // 2)


@dataclass(frozen=True)
class Option:
    """One plausible answer, evaluated from what the seat knew."""

    action: int
    wins: float  # the seat's share of the victory after it
    error: float  # standard error of the difference to the best one; 0 for the best


@dataclass(frozen=True)
class Decision:
    """The answers that a seat could have given, best first, the one it gave among them.

    The best may look worse than another one in quick games, if a longer search found it.
    """

    options: tuple[Option, ...]
    taken: int

    @property
    def best(self) -> Option:
        return self.options[0]

    @property
    def chosen(self) -> Option:
        return next(option for option in self.options if option.action == self.taken)

    @property
    def regret(self) -> float:
        """How much higher the best answer's chance was."""
        return self.best.wins - self.chosen.wins

    @property
    def mistake(self) -> bool:
        """Whether the regret is more than noise."""
        return self.regret > max(NOISE, MISTAKE_STANDARD_ERRORS * self.chosen.error)

    @property
    def vindicated(self) -> bool:
        """Whether the given answer was the best one, though quick games rated another one higher."""
        return self.best.action == self.taken and max(option.wins for option in self.options) > self.best.wins


def chances(box: Box, state: State, rng: Rng, games: int) -> tuple[float, ...]:
    """Returns each seat's chances in this position."""
    if not state.to_act:
        return tuple(state.returns())
    return _means(outcomes(state, TOGETHER, NO_SEAT, NO_ACTION, box.advisor, rng, games), state.seats())


def expected_result(box: Box, state: State, seat: int, action: int, rng: Rng, games: int) -> tuple[float, ...]:
    """Returns each seat's chances after that answer, on average over what no seat can know."""
    return _means(outcomes(state, TOGETHER, seat, action, box.advisor, rng, games), state.seats())


def is_chance(state: State, seat: int, action: int) -> bool:
    """Returns whether the answer's outcome depends on chance or hidden information."""
    trial, rng, log = state.clone(), Rng(0), Log()
    trial.apply(seat, action, rng, log)
    return bool(rng.used or log.reveals)


def decision(box: Box, state: State, seat: int, action: int, rng: Rng, budget: Budget) -> Decision | None:
    """Returns the alternatives to the seat's answer; None: there were none.

    An expert's search proposes; its best choices and the given answer are compared in the same sampled worlds. Quick
    games go on without much search, and misjudge what needs some: if they find a mistake, a search longer than the
    expert's decides what is best, and only that may have been better.
    """
    if len(state.legal(seat)) == 1:
        return None
    position = box.load(resample_for_seat(state, seat, rng.seed()))
    expert = find_level("expert", box.id)
    thought = _search_level(box, position, seat, replace(expert, iterations=budget.search), rng.seed())
    proposed = list(dict.fromkeys([*thought[:COMPARED], action]))
    if proposed == [action]:
        return None
    worlds = rng.seed()
    won = _win_shares(box, position, seat, proposed, worlds, budget.choice)
    found = Decision(_rank_options(won, _most(won, action)), action)
    if not found.mistake:
        return found
    better = _search_deeper(box, position, seat, action, rng.seed(), budget)
    if better not in won:
        won |= _win_shares(box, position, seat, [better], worlds, budget.choice)
    return Decision(_rank_options(won, better if sum(won[better]) > sum(won[action]) else action), action)


def compare_choices(
    box: Box, position: State, seat: int, actions: Sequence[int], worlds: int, games: int, given: int = NO_ACTION
) -> tuple[Option, ...]:
    """Compares these answers in the same sampled worlds, best first; among equals the given one first."""
    won = _win_shares(box, position, seat, actions, worlds, games)
    return _rank_options(won, _most(won, given))


Won = dict[int, list[float]]  # for each answer, the seat's result in each world


def _search_level(box: Box, position: State, seat: int, level: Level, seed: int) -> list[int]:
    """Returns the level's answers, best first."""
    return [one.action for one in search_choices(box, position, seat, level, Rng(seed), Tree(), inf)]


def _search_deeper(box: Box, position: State, seat: int, given: int, seed: int, budget: Budget) -> int:
    """Returns the answer of a search longer than the expert's. A blunder is confirmed by the shorter first pass."""
    expert, rng, tree = find_level("expert", box.id), Rng(seed), Tree()
    longer = LONGER * expert.iterations * budget.search // Budget.search
    for games in (longer // GLANCE, longer):
        thought = search_choices(box, position, seat, replace(expert, iterations=max(1, games)), rng, tree, inf)
        tried = next((one.visits for one in thought if one.action == given), 0)
        if MISTAKE_ODDS_DIVISOR * tried < thought[0].visits:
            break
    return thought[0].action


def _win_shares(box: Box, position: State, seat: int, actions: Iterable[int], worlds: int, games: int) -> Won:
    """Simulates each answer with the expert's quick games: a weaker advisor would call every answer it does not
    expect a mistake.
    """
    expert, seats = find_level("expert", box.id), position.seats()
    advisor = advisor_of(box, expert)
    return {
        one: list(outcomes(position, seat, seat, one, advisor, Rng(worlds), games, expert.practised))[seat::seats]
        for one in actions
    }


def _most(won: Won, given: int) -> int:
    return max(won, key=lambda one: (sum(won[one]), one == given))


def _rank_options(won: Won, best: int) -> tuple[Option, ...]:
    """Returns the options with `best` first."""
    options = [Option(one, sum(row) / len(row), _error(won[best], row)) for one, row in won.items()]
    return tuple(sorted(options, key=lambda option: (option.action != best, -option.wins)))


def _means(found: Iterable[float], seats: int) -> tuple[float, ...]:
    every = list(found)
    return tuple(sum(every[seat::seats]) * seats / len(every) for seat in range(seats))


def _error(ones: Sequence[float], others: Sequence[float]) -> float:
    """Returns the standard error of the mean difference over paired worlds."""
    apart = [one - other for one, other in zip(ones, others, strict=True)]
    mean = sum(apart) / len(apart)
    return sqrt(sum((x - mean) ** 2 for x in apart) / max(1, len(apart) - 1) / len(apart))
