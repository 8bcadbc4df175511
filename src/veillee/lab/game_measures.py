"""Measures of a game, as the TAG framework reports them: length, branching, hidden information, how often points are
won, and the time of each call.

All but the times depend on the box alone: games of random answers with fixed seeds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2
from statistics import fmean
from time import process_time
from typing import Any

from veillee.bots.planning import resample_for_seat
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.lab.simulate import Observer
from veillee.match.match import Match
from veillee.match.setup import new

MEASURED_GAMES = 40
WORLDS = 128  # that a seat cannot tell from the real one
ANSWERS_PER_SAMPLE = 40  # hidden information is measured at one position in so many
TIMED_SECONDS = 0.2  # of processor time, for each call


@dataclass(frozen=True)
class GameMeasures:
    seats: int
    answers: float  # per game, on average
    fewest_answers: int
    most_answers: int
    choices: float  # per answer, on average
    most_choices: int
    forced: float  # share of the answers with one choice
    hidden_bits: float  # on average; an upper bound
    scoring: float  # share of the answers after which the points of some seat differ


def measure(box: Box, games: int = MEASURED_GAMES) -> GameMeasures:
    """Measures games of the usual number of players."""
    lengths: list[int] = []
    branching: list[int] = []
    bits: list[float] = []
    scored = 0
    for seed in range(games):
        match = new(box.id, box.usual, seed)
        points = match.scores
        for seat, legal in _random_answers(match, seed):
            branching.append(len(legal))
            if len(branching) % ANSWERS_PER_SAMPLE == 0:
                bits.append(hidden_bits(match.state, seat))
            before, points = points, match.scores
            scored += points != before
        scored += match.scores != points
        lengths.append(len(match.answers))
    return GameMeasures(
        seats=box.usual,
        answers=fmean(lengths),
        fewest_answers=min(lengths),
        most_answers=max(lengths),
        choices=fmean(branching),
        most_choices=max(branching),
        forced=branching.count(1) / len(branching),
        hidden_bits=fmean(bits),
        scoring=scored / len(branching),
    )


def play_at_random(box: Box, seats: int, seed: int) -> Match:
    """Plays a match of uniformly random answers to its end."""
    match = new(box.id, seats, seed)
    for _ in _random_answers(match, seed):
        pass
    return match


def _random_answers(match: Match, seed: int) -> Iterator[tuple[int, list[int]]]:
    """Yields each seat that is asked, and its legal answers; then gives one of them, chosen at random."""
    rng = Rng(seed)
    while not match.over:
        seat = match.to_act[0]
        legal = match.state.legal(seat)
        yield seat, legal
        match.play(seat, legal[rng.below(len(legal))])


def hidden_bits(state: State, seat: int, worlds: int = WORLDS) -> float:
    """Returns at most how much the seat does not know: the entropies, added up, of all numbers of the position over
    worlds that it cannot tell from the real one. Numbers that hang together are counted each, and more worlds than were
    drawn cannot be seen."""
    seen: Counter[tuple[tuple[Any, ...], Any]] = Counter()
    for world in range(worlds):
        numbers: list[tuple[tuple[Any, ...], Any]] = []
        _collect_numbers(resample_for_seat(state, seat, world), (), numbers)
        seen.update(numbers)
    counts: dict[tuple[Any, ...], list[int]] = {}
    for (place, _), count in seen.items():
        counts.setdefault(place, []).append(count)
    return sum(_entropy(of_place, worlds) for of_place in counts.values())


def _collect_numbers(data: Any, place: tuple[Any, ...], found: list[tuple[tuple[Any, ...], Any]]) -> None:
    if isinstance(data, dict):
        for key, value in data.items():
            _collect_numbers(value, (*place, key), found)
    elif isinstance(data, list):
        for number, value in enumerate(data):
            _collect_numbers(value, (*place, number), found)
    else:
        found.append((place, data))


def _entropy(counts: list[int], worlds: int) -> float:
    present = [count / worlds for count in (*counts, worlds - sum(counts)) if count]
    return -sum(share * log2(share) for share in present)


def time_calls(box: Box, seconds: float = TIMED_SECONDS) -> dict[str, float]:
    """Returns the processor time of each call in microseconds, over the positions of a random game."""
    match = new(box.id, box.usual, 1)
    observer = Observer(box, match.state)
    positions: list[tuple[State, int]] = []
    again: list[tuple[int, int]] = []
    for seat, _ in _random_answers(match, 1):
        positions.append((match.state.clone(), seat))
    again = match.answers
    calls: dict[str, Callable[[], Any]] = {
        "choices": lambda: [state.legal(seat) for state, seat in positions],
        "copy": lambda: [state.clone() for state, _ in positions],
        "observe": lambda: [observer.row(state, seat) for state, seat in positions],
        "play": lambda: _play_again(new(box.id, box.usual, 1), again),
    }
    return {name: _microseconds(call, len(positions), seconds) for name, call in calls.items()}


def _play_again(match: Match, answers: list[tuple[int, int]]) -> None:
    for seat, choice in answers:
        match.play(seat, choice)


def _microseconds(call: Callable[[], Any], calls: int, seconds: float) -> float:
    rounds, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        call()
        rounds += 1
    return spent / rounds / calls * 1e6
