"""|Learns a policy from games of experts: the prior weights ("habits") of a search (ADR 33).

python -m veillee.lab.policy_learning GAME --games 300 --level expert/iterations=300 --seed 31

At every question with a choice a level thinks; the signs of each answer (`Advisor.signs`) and its share of the level's
visits are recorded. The habits maximise the likelihood of these shares: a softmax over the answers, as in
Advisor.advise(). They are written beside the game's bot.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from math import exp, inf, log, sqrt
from pathlib import Path
from typing import NamedTuple

from librt.vecs import vec
from mypy_extensions import i64

from veillee.bots.compiled.search_tree import Tree
from veillee.bots.planning import resample_for_seat, search_choices
from veillee.games.box import HABITS, Box
from veillee.kernel.advisor import Advisor, Signs
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, State
from veillee.lab.arena import find, understand
from veillee.lab.checkpoint import with_checkpoint
from veillee.lab.executors import IN_THIS_PROCESS, open_executor
from veillee.lab.value_learning import place_for
from veillee.match.errors import VeilleeError
from veillee.match.setup import complete

POLICY_EPOCHS = 8
POLICY_LEARNING_RATE = 0.3
POLICY_REGULARISATION = 3e-4  # regularisation: keeps habits with little evidence small
HELD_OUT = 10  # one game in so many is held out to validate


class LearnedAnswer(NamedTuple):
    """An answer to a question: its signs, and its share of the level's visits."""

    signs: tuple[tuple[int, float], ...]
    share: float


Question = list[LearnedAnswer]
Thought = list[tuple[int, float]]  # answers and their shares, the chosen one first


def begin(box: Box, seed: int, number: int) -> tuple[State, Rng]:
    """Starts a game of self-play, with each number of players in turn; returns it with its random generator."""
    sizes = [n for n in box.players if n > 1]
    rng = Rng(seed * 1_000_003 + number)
    return box.new(sizes[number % len(sizes)], rng, complete(box, {}), None), rng


def thoughts_of(game: str, level: str, seed: int, number: int) -> list[Thought]:
    """Plays one game and returns the level's visit shares at every question with more than one answer."""
    box = find(game)
    state, rng = begin(box, seed, number)
    seeds = Rng(seed * 1_000_003 + number + 500_000)
    thinker = understand(level, box.id)
    noted: list[Thought] = []
    while state.to_act:
        seat = state.to_act[0]
        legal = state.legal(seat)
        if len(legal) == 1:
            state.apply(seat, legal[0], rng)
            continue
        position = box.load(resample_for_seat(state, seat, seeds.seed()))
        weighed = search_choices(box, position, seat, thinker, Rng(seeds.seed()), Tree(), inf)
        total = sum(one.visits for one in weighed)
        noted.append([(one.action, round(one.visits / total, 4)) for one in weighed])
        state.apply(seat, weighed[0].action, rng)
    return noted


def questions_of(box: Box, seed: int, number: int, thoughts: Sequence[Thought]) -> list[Question]:
    """Replays the game and returns the signs of each answer."""
    state, rng = begin(box, seed, number)
    noted: list[Question] = []
    while state.to_act:
        seat = state.to_act[0]
        told = signs_of(box.advisor, state, seat)
        if len(told) == 1:
            state.apply(seat, told[0][0], rng)
            continue
        thought = thoughts[len(noted)]
        shares = dict(thought)
        noted.append([LearnedAnswer(signs, shares.get(action, 0.0)) for action, signs in told])
        state.apply(seat, thought[0][0], rng)
    return noted


def signs_of(advisor: Advisor, state: State, seat: int) -> list[tuple[int, tuple[tuple[int, float], ...]]]:
    """Returns each legal answer of the seat with its signs."""
    moves, marks = Moves(), Signs()
    state.offer(seat, moves)
    found = []
    for place, action in enumerate(moves.all()):
        marks.count = 0
        advisor.signs(state, seat, moves, place, marks)
        found.append((action, tuple((marks.number[i], marks.strength[i]) for i in range(marks.count))))
    return found


def chances(habits: Sequence[float], question: Question) -> list[float]:
    """Returns the probability of each answer, as in Advisor.advise()."""
    leanings = [sum(habits[number] * strength for number, strength in answer.signs) for answer in question]
    most = max(leanings)
    hopes = [exp(leaning - most) for leaning in leanings]
    total = sum(hopes)
    return [hope / total for hope in hopes]


def log_loss(habits: Sequence[float], questions: Sequence[Question]) -> float:
    """Returns the mean log-loss of a question."""
    return -sum(
        answer.share * log(max(chance, 1e-9))
        for question in questions
        for chance, answer in zip(chances(habits, question), question, strict=True)
    ) / len(questions)


def fit(questions: Sequence[Question], count: int, seed: int) -> list[float]:
    """Fits the habits by Adagrad: stochastic gradient ascent with a step size per habit, so that a rare sign moves it
    as far as a frequent one."""
    rng = Rng(seed)
    habits = [0.0] * count
    moved = [1e-3] * count
    order = vec[i64](list(range(len(questions))))
    for _epoch in range(POLICY_EPOCHS):
        rng.shuffle(order)
        for index in order:
            question = questions[index]
            up: dict[int, float] = {}
            for chance, answer in zip(chances(habits, question), question, strict=True):
                apart = answer.share - chance
                for number, strength in answer.signs:
                    up[number] = up.get(number, 0.0) + apart * strength
            for number, slope in up.items():
                slope -= POLICY_REGULARISATION * habits[number]
                moved[number] += slope * slope
                habits[number] += POLICY_LEARNING_RATE * slope / sqrt(moved[number])
    return habits


def text(habits: Sequence[float], heading: str) -> str:
    """Formats the habits as TOML, ten per line."""
    rows = [habits[place : place + 10] for place in range(0, len(habits), 10)]
    lines = [f"# {line}" for line in heading.splitlines()]
    return "\n".join([*lines, "habits = [", *(f"    {', '.join(f'{x:.3f}' for x in row)}," for row in rows), "]", ""])


def learn(box: Box, level: str, games: int, seed: int, workers: int, on: str, record: Path | None) -> str:
    """Plays, fits, and returns the text of a habits.toml."""
    with open_executor(on, workers) as hands:
        crew = with_checkpoint(hands, record, habits=box.id, version=box.version, level=level, seed=seed)
        thought = list(crew.map(partial(thoughts_of, box.id, level, seed), range(games)))
    played = [questions_of(box, seed, number, thoughts) for number, thoughts in enumerate(thought)]
    held = [question for game in played[::HELD_OUT] for question in game]
    taught = [question for place, game in enumerate(played) if place % HELD_OUT for question in game]
    count = 1 + max(number for question in taught + held for answer in question for number, _ in answer.signs)
    habits = fit(taught, count, seed)
    heading = (
        f"Learned by: python -m veillee.lab.policy_learning {box.id} --games {games} --level {level} --seed {seed}\n"
        f"{len(taught)} questions; on {len(held)} others the log-loss is {log_loss(habits, held):.3f}, against"
        f" {log_loss([0.0] * count, held):.3f} for even chances."
    )
    return text(habits, heading)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m veillee.lab.policy_learning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--level", default="expert/iterations=300", help="who plays: a level of the arena")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="how many processes play")
    parser.add_argument("--on", default=IN_THIS_PROCESS, help="here, ray or ray://HOST:PORT (lab/executors.py)")
    parser.add_argument(
        "--record", type=Path, help="a file for what was noted: a run that was stopped goes on where it was"
    )
    parser.add_argument(
        "--out", type=Path, help="the file to write; without, habits.toml beside bot.py in the game's sources"
    )
    given = parser.parse_args()
    try:
        box = find(given.game)
        understand(given.level, box.id)
        out = given.out or place_for(box, HABITS)
        if out is None:
            sys.exit(f"{box.id} is installed in {box.folder}: run this where its sources are, or say --out FILE.")
        state = box.new(box.players[-1], Rng(0), complete(box, {}), None)
        if not any(told for _, told in signs_of(box.advisor, state, state.to_act[0])):
            sys.exit(f"The advisor of {box.id} has no signs, so there is nothing to learn.")
        found = learn(box, given.level, given.games, given.seed, given.workers, given.on, given.record)
    except VeilleeError as error:
        sys.exit(str(error))
    out.write_text(found, encoding="utf-8")
    print(f"{out}:\n{found}")  # noqa: T201  a command tells what it wrote


if __name__ == "__main__":
    # Functions sent to other machines must belong to an importable module, which __main__ is not.
    from veillee.lab import policy_learning  # noqa: PLW0406

    policy_learning.main()
