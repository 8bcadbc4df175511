"""|Learns by self-play the weights of the features of a game's advisor, and checks what was learned.

python -m veillee.lab.value_learning GAME --games 2000 --level expert-1/iterations=40 --seed 11
python -m veillee.lab.value_learning GAME --games 1100 --level expert-1/iterations=100 --seed 12 --check [FILE]

Games are played by the advisor's first ideas, or by a level. At quiet positions of each game the features of every seat
are recorded, and at its end the result; the weights maximise the likelihood of the results (a softmax over the seats,
one row of weights per phase of the game). A game with earlier weights starts from those of its `expert-1` and departs
from them only on clear evidence. The weights are written beside the game's bot.py in its sources, because changes in an
installed package are lost with the next installation.

--check plays games that were not learned from, and tells whether the weights predict their results better than those of
`expert-1`: by the mean log-loss of a game, compared game by game.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from statistics import fmean, stdev

from librt.vecs import vec
from mypy_extensions import i64

from veillee.bots.planning import plan_as, resample_for_seat
from veillee.games.box import Box
from veillee.kernel.advisor import Advisor, compare, nerve_of
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.lab.arena import find, understand
from veillee.lab.checkpoint import with_checkpoint
from veillee.lab.executors import IN_THIS_PROCESS, open_executor
from veillee.lab.intervals import student
from veillee.match.errors import VeilleeError
from veillee.match.setup import complete

QUICK_LEVEL = "quick"  # plays the advisor's first idea
VALUE_EPOCHS = 12
VALUE_LEARNING_RATE = 0.1
VALUE_REGULARISATION = 1e-4  # regularisation: keeps weights without evidence small
TRUST = 20  # games: weight of what was learned before
POSITIONS_PER_GAME = 24  # quiet positions per game, about, spread over it

Rows = list[list[float]]


@dataclass(frozen=True)
class LearningPosition:
    """Features of each seat at one position, absolute and compared with the others, and each seat's final share."""

    phase: int
    features: Rows
    shares: Sequence[float]


@dataclass(frozen=True)
class Comparison:
    """Comparison of the log-loss of two advisors over so many games."""

    games: int
    former: float  # the mean log-loss of a game
    present: float
    reach: float  # half-width of the 95 % interval of the difference

    @property
    def better(self) -> bool:
        return self.present + self.reach < self.former

    def __str__(self) -> str:
        return (
            f"{self.games} games: log-loss {self.present:.4f} against {self.former:.4f},"
            f" {self.present - self.former:+.4f} ± {self.reach:.4f}: {'better' if self.better else 'not proven better'}"
        )


def play(box: Box, level: str, seed: int, number: int) -> tuple[list[float], list[State]]:
    """Plays one game of self-play, with each number of players in turn. Returns each seat's share and the quiet
    positions."""
    sizes = [n for n in box.players if n > 1]
    rng = Rng(seed * 1_000_003 + number)
    state = box.new(sizes[number % len(sizes)], rng, complete(box, {}), None)
    thoughts = Rng(rng.seed())
    quiet: list[State] = []
    asked = None
    while state.to_act:
        if state.question is not asked and box.advisor.quiet(state):
            quiet.append(state.clone())
            asked = state.question  # several seats asked at once count as one position
        seat = state.to_act[0]
        if level == QUICK_LEVEL:
            state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
            continue
        position = box.load(resample_for_seat(state, seat, thoughts.seed()))
        for action in plan_as(box, position, seat, understand(level, box.id), thoughts.seed(), timed=False):
            state.apply(seat, action, rng)
    return state.returns(), select_positions(box.advisor, quiet, number)


def select_positions(advisor: Advisor, quiet: list[State], number: int) -> list[State]:
    """Selects the quiet positions to learn from: such as quick games are evaluated at."""
    if advisor.whole_phases:  # a new phase has just begun
        phases = [advisor.phase(state) for state in quiet]
        return [state for place, state in enumerate(quiet) if place and phases[place] != phases[place - 1]]
    step = 1 + len(quiet) // POSITIONS_PER_GAME
    return quiet[number % step :: step]


def moments(
    box: Box, level: str, games: int, seed: int, workers: int = 1, on: str = IN_THIS_PROCESS, record: Path | None = None
) -> list[LearningPosition]:
    """Returns the training data of so many games, played in so many processes or on a cluster. Games in the record file
    are not played again."""
    with open_executor(on, workers) as hands:
        crew = with_checkpoint(hands, record, learn=box.id, version=box.version, level=level, seed=seed)
        return [
            moment for noted in crew.map(partial(moments_of, box.id, level, seed), range(games)) for moment in noted
        ]


def moments_of(game: str, level: str, seed: int, number: int) -> list[LearningPosition]:
    """Returns the training data of one game; empty if it has no winner."""
    box = find(game)
    shares, quiet = play(box, level, seed, number)
    if sum(shares) == 0:
        return []
    noted = []
    for state in quiet:
        alone = vec[vec[float]]([box.advisor.features(state, seat) for seat in range(state.seats())])
        noted.append(LearningPosition(int(box.advisor.phase(state)), [list(row) for row in compare(alone)], shares))
    return noted


def chances(row: Sequence[float], features: Rows) -> list[float]:
    """Returns the chances as Advisor.evaluate() computes them; the last weight of the row scales with the number of
    seats."""
    return softmax(worths(row, features), nerve_of(row[-1], len(features)))


def worths(row: Sequence[float], features: Rows) -> list[float]:
    return [sumprod(row, mine) for mine in features]


def softmax(worths: Sequence[float], nerve: float) -> list[float]:
    hopes = [exp(nerve * worth) for worth in worths]
    total = sum(hopes)
    return [hope / total for hope in hopes]


def fit(
    noted: Sequence[LearningPosition], seed: int, start: Rows | None = None, calm: float = VALUE_REGULARISATION
) -> Rows:
    """Fits the weights by stochastic gradient ascent on the likelihood of the results, regularised towards `start`."""
    rng = Rng(seed)
    width = len(noted[0].features[0]) + 1
    home = [*(start or [])]
    home += [[0.0] * width] * (1 + max(moment.phase for moment in noted) - len(home))
    weights = [list(row) for row in home]
    order = vec[i64](list(range(len(noted))))
    for epoch in range(VALUE_EPOCHS):
        rng.shuffle(order)
        pace = VALUE_LEARNING_RATE / (1 + epoch)
        for index in order:
            moment = noted[index]
            row, near = weights[moment.phase], home[moment.phase]
            for i, up in enumerate(slope(row, moment)):
                row[i] += pace * (up - calm * (row[i] - near[i]))
    return weights


def slope(row: Sequence[float], moment: LearningPosition) -> list[float]:
    """Returns the gradient of the log-likelihood with respect to each weight of the row."""
    seats = len(moment.shares)
    nerve = nerve_of(row[-1], seats)
    worth = worths(row, moment.features)
    apart = [share - hope for share, hope in zip(moment.shares, softmax(worth, nerve), strict=True)]
    up = [nerve * sumprod(apart, column) for column in zip(*moment.features, strict=True)]
    return [*up, (nerve_of(1.0, seats) - 1.0) * sumprod(apart, worth)]


def sumprod(ones: Sequence[float], others: Sequence[float]) -> float:
    total: float = sum(map(mul, ones, others))  # zip stops at the shorter
    return total


def log_loss(hopes: Sequence[float], shares: Sequence[float]) -> float:
    """Returns the log-loss of a game's result under these chances."""
    return -sum(share * log(max(hope, 1e-9)) for share, hope in zip(shares, hopes, strict=True))


def before(box: Box) -> Advisor:
    """Returns the advisor to improve on: that of expert-1."""
    return box.former or box.advisor


def start_of(advisor: Advisor, width: int) -> Rows:
    """Returns an advisor's weights as a start for learning; if it evaluates seats separately, the comparison weights
    start at 0."""
    return [[*row, *[0.0] * (width + 1)] if len(row) == width else [*row] for row in advisor.weights]


def check(
    box: Box,
    weights: Rows,
    level: str,
    games: int,
    seed: int,
    workers: int = 1,
    on: str = IN_THIS_PROCESS,
    record: Path | None = None,
) -> Comparison:
    """Compares the log-loss of these weights with that of expert-1 on games they were not learned from."""
    with open_executor(on, workers) as hands:
        crew = with_checkpoint(
            hands, record, check=box.id, version=box.version, weights=weights, level=level, seed=seed
        )
        found = list(crew.map(partial(surprises, box.id, weights, level, seed), range(games)))
    losses = [both for both in found if both is not None]
    apart = [present - former for former, present in losses]
    reach = student(len(apart) - 1) * stdev(apart) / sqrt(len(apart))
    return Comparison(len(apart), fmean(former for former, _ in losses), fmean(present for _, present in losses), reach)


def surprises(game: str, weights: Rows, level: str, seed: int, number: int) -> tuple[float, float] | None:
    """Returns the log-loss of one game, averaged over its positions, of expert-1 and of these weights; None: no
    winner."""
    box = find(game)
    shares, quiet = play(box, level, seed, number)
    if sum(shares) == 0:
        return None
    both = (before(box), type(box.advisor)(weights))
    former, present = (fmean(log_loss(list(one.evaluate(state)), shares) for state in quiet) for one in both)
    return former, present


def text(rows: list[list[float]], heading: str) -> str:
    lines = [f"# {line}" for line in heading.splitlines()]
    lines += ["weights = [", *(f"    [{', '.join(f'{w:.4f}' for w in row)}]," for row in rows), "]"]
    return "\n".join(lines) + "\n"


def place_for(box: Box, name: str = "weights.toml") -> Path | None:
    """Returns the file of that name in the game's sources; None: the game is installed, and its sources are not
    here."""
    folder = box.folder.resolve()
    for site in {Path(sysconfig.get_path(scheme)).resolve() for scheme in ("purelib", "platlib")}:
        if folder.is_relative_to(site):
            places = (Path(here) / folder.relative_to(site) for here in ("src", "."))
            return next((place / name for place in places if (place / "bot.py").exists()), None)
    return folder / name


def weights_in(path: Path) -> Rows:
    try:
        weights: Rows = tomllib.loads(path.read_text(encoding="utf-8"))["weights"]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{path} has no weights: {error}.")
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m veillee.lab.value_learning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--level", default=QUICK_LEVEL, help="who plays: quick, or a level of the arena")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="how many processes play")
    parser.add_argument("--on", default=IN_THIS_PROCESS, help="here, ray or ray://HOST:PORT (lab/executors.py)")
    parser.add_argument(
        "--record", type=Path, help="a file for what was noted: a run that was stopped goes on where it was"
    )
    parser.add_argument(
        "--out", type=Path, help="the file to write; without, weights.toml beside bot.py in the game's sources"
    )
    parser.add_argument("--check", nargs="?", const="", help="weights to check; without a file, those that are there")
    given = parser.parse_args()
    try:
        box = find(given.game)
        if given.level != QUICK_LEVEL:
            understand(given.level, box.id)
        if given.check is not None:
            weights = weights_in(Path(given.check)) if given.check else [list(row) for row in box.advisor.weights]
            told = check(box, weights, given.level, given.games, given.seed, given.workers, given.on, given.record)
            print(f"{box.id}, {given.level}, seed {given.seed}, {told}")  # noqa: T201  a command tells what it found
            return
    except VeilleeError as error:
        sys.exit(str(error))
    out = given.out or place_for(box)
    if out is None:
        sys.exit(f"{box.id} is installed in {box.folder}: run this where its sources are, or say --out FILE.")
    width = len(box.advisor.features(box.new(box.players[-1], Rng(0), complete(box, {}), None), 0))
    if width == 0:
        sys.exit(f"The advisor of {box.id} has no features, so there is nothing to learn.")
    try:
        noted = moments(box, given.level, given.games, given.seed, given.workers, given.on, given.record)
    except VeilleeError as error:
        sys.exit(str(error))
    start = start_of(before(box), width)
    weights = fit(noted, given.seed, start, TRUST / given.games if start else VALUE_REGULARISATION)
    heading = (
        f"Learned by: python -m veillee.lab.value_learning {box.id} --games {given.games} --level {given.level}"
        f" --seed {given.seed}\n{len(noted)} moments."
    )
    out.write_text(text(weights, heading), encoding="utf-8")
    print(f"{out}:\n{out.read_text(encoding='utf-8')}")  # noqa: T201  a command tells what it wrote


if __name__ == "__main__":
    # Functions sent to other machines must belong to an importable module, which __main__ is not.
    from veillee.lab import value_learning  # noqa: PLW0406

    value_learning.main()
