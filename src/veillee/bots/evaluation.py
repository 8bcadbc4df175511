"""What an answer was worth, and what chance made of it.

Chances are shares of the victory. Those of a position are judged as all seats together know it, who alone find chance fair:
whatever nobody can know is drawn anew. What a seat should have answered is judged by what that seat knew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

from veillee.bots.compiled.rollouts import NO_ACTION, outcomes
from veillee.bots.compiled.search_tree import Tree
from veillee.bots.levels import Level
from veillee.bots.levels import level as find_level
from veillee.bots.planning import advisor_of, blind, weigh
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, TOGETHER, Log
from veillee.kernel.state import State

COMPARED = 3  # of the choices that a search proposes
NOISE = 0.03  # a choice that seems to cost less is never called a mistake
SURE = 2.0  # nor one whose cost is less than so many times its own uncertainty
LONGER = 2  # times as long as an expert is thought before an answer is called a mistake
GLANCE = 4  # so much less of that thought is enough where the answer has by then been tried less than
BEHIND = 4  # so many times as often as the best one


@dataclass(frozen=True)
class Budget:
    """How many games are played in the head; with the same seed, the same budget finds the same."""

    position: int = 240  # to judge a position
    search: int = 400  # to find out what is worth comparing; where that looks like a mistake, LONGER than an expert
    choice: int = 240  # to judge each of these

    @property
    def reason(self) -> int:
        """To the end of the game, to tell why one of two is better."""
        return max(1, self.choice // 2)


@dataclass(frozen=True)
class Option:
    """One answer that was worth a thought, from what the seat knew."""

    action: int
    wins: float  # the seat's share of the victory after it
    error: float  # the standard error of how far it is from the best one, whose own is 0


@dataclass(frozen=True)
class Decision:
    """What a seat could have answered, the best first; the answer that it gave is among them.

    The best may look worse than another one in quick games, if it was found by thinking longer.
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
        """How much more the best one promised."""
        return self.best.wins - self.chosen.wins

    @property
    def mistake(self) -> bool:
        """Is that more than noise?"""
        return self.regret > max(NOISE, SURE * self.chosen.error)

    @property
    def vindicated(self) -> bool:
        """Was the answer that was given the best one, though it did not look so?"""
        return self.best.action == self.taken and max(option.wins for option in self.options) > self.best.wins


def chances(box: Box, state: State, rng: Rng, games: int) -> tuple[float, ...]:
    """Each seat's, in this position."""
    if not state.to_act:
        return tuple(state.returns())
    return _means(outcomes(state, TOGETHER, NO_SEAT, NO_ACTION, box.advisor, rng, games), state.seats())


def expected(box: Box, state: State, seat: int, action: int, rng: Rng, games: int) -> tuple[float, ...]:
    """Each seat's when the seat has given that answer, on average over what nobody can know."""
    return _means(outcomes(state, TOGETHER, seat, action, box.advisor, rng, games), state.seats())


def is_chance(state: State, seat: int, action: int) -> bool:
    """Can the answer turn out in several ways?"""
    trial, rng, log = state.clone(), Rng(0), Log()
    trial.apply(seat, action, rng, log)
    return bool(rng.used or log.reveals)


def decision(box: Box, state: State, seat: int, action: int, rng: Rng, budget: Budget) -> Decision | None:
    """What the seat could have answered instead; None: nothing.

    An expert's search proposes; then what it likes best and the answer that was given are compared on the same fresh worlds.
    Quick games go on without much thought, and misjudge whatever needs some: if they find a mistake, somebody who thinks
    longer than the expert is asked what is best, and only that may have been better.
    """
    if len(state.legal(seat)) == 1:
        return None
    position = box.load(blind(state, seat, rng.seed()))
    expert = find_level("expert", box.id)
    thought = _thought(box, position, seat, replace(expert, iterations=budget.search), rng.seed())
    proposed = list(dict.fromkeys([*thought[:COMPARED], action]))
    if proposed == [action]:
        return None
    worlds = rng.seed()
    won = _won(box, position, seat, proposed, worlds, budget.choice)
    found = Decision(_ranked(won, _most(won, action)), action)
    if not found.mistake:
        return found
    better = _thought_over(box, position, seat, action, rng.seed(), budget)
    if better not in won:
        won |= _won(box, position, seat, [better], worlds, budget.choice)
    return Decision(_ranked(won, better if sum(won[better]) > sum(won[action]) else action), action)


def compared(
    box: Box, position: State, seat: int, actions: Sequence[int], worlds: int, games: int, given: int = NO_ACTION
) -> tuple[Option, ...]:
    """These answers on the same fresh worlds, the best first; of several best ones that which was given."""
    won = _won(box, position, seat, actions, worlds, games)
    return _ranked(won, _most(won, given))


Won = dict[int, list[float]]  # of each answer, what became of it in one world after the other


def _thought(box: Box, position: State, seat: int, level: Level, seed: int) -> list[int]:
    """What that level would answer, what it likes best first."""
    return [one.action for one in weigh(box, position, seat, level, Rng(seed), Tree(), inf)]


def _thought_over(box: Box, position: State, seat: int, given: int, seed: int, budget: Budget) -> int:
    """What somebody would answer who thinks longer than the expert. A blunder is seen at a glance."""
    expert, rng, tree = find_level("expert", box.id), Rng(seed), Tree()
    longer = LONGER * expert.iterations * budget.search // Budget.search
    for games in (longer // GLANCE, longer):
        thought = weigh(box, position, seat, replace(expert, iterations=max(1, games)), rng, tree, inf)
        tried = next((one.visits for one in thought if one.action == given), 0)
        if BEHIND * tried < thought[0].visits:
            break
    return thought[0].action


def _won(box: Box, position: State, seat: int, actions: Iterable[int], worlds: int, games: int) -> Won:
    """By quick games of an expert's: whoever knows less about how one plays on calls what they do not expect a mistake."""
    expert, seats = find_level("expert", box.id), position.seats()
    advisor = advisor_of(box, expert)
    return {
        one: list(outcomes(position, seat, seat, one, advisor, Rng(worlds), games, expert.practised))[seat::seats]
        for one in actions
    }


def _most(won: Won, given: int) -> int:
    return max(won, key=lambda one: (sum(won[one]), one == given))


def _ranked(won: Won, best: int) -> tuple[Option, ...]:
    """That one first."""
    options = [Option(one, sum(row) / len(row), _error(won[best], row)) for one, row in won.items()]
    return tuple(sorted(options, key=lambda option: (option.action != best, -option.wins)))


def _means(found: Iterable[float], seats: int) -> tuple[float, ...]:
    every = list(found)
    return tuple(sum(every[seat::seats]) * seats / len(every) for seat in range(seats))


def _error(ones: Sequence[float], others: Sequence[float]) -> float:
    """The standard error of the mean difference, world by world."""
    apart = [one - other for one, other in zip(ones, others, strict=True)]
    mean = sum(apart) / len(apart)
    return sqrt(sum((x - mean) ** 2 for x in apart) / max(1, len(apart) - 1) / len(apart))
